"""The stores that every test of the protocol runs on."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from dialoom.storage.postgres.migrate import migrate, steps
from dialoom.storage.postgres.store import PostgresStore
from dialoom.storage.sqlite.store import SqliteStore
from tests.postgres import empty
from tests.storage.postgres_plans import Planner
from tests.stores import TemporaryStore

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator
    from pathlib import Path

    from dialoom.storage.store import Store
    from tests.postgres import Server


PATIENT = 120.0
"""Seconds that a history query may take: tests of what it may not take make their own stores."""


@pytest.fixture(params=["sqlite", "postgres"])
async def store(request: pytest.FixtureRequest) -> AsyncIterator[Store]:
    made: Store
    match request.param:
        case "sqlite":
            made = TemporaryStore(history_seconds=PATIENT)
        case _:
            url = request.getfixturevalue("emptied_database")
            made = PostgresStore(url, is_timed_by_server=False, history_seconds=PATIENT)
    await made.open()
    yield made
    await made.close()


@pytest.fixture(scope="session")
def kept_database(postgres_server: Server) -> str:
    """One for all tests that only need it to be empty."""
    return postgres_server.database()


@pytest.fixture
def emptied_database(kept_database: str) -> Iterator[str]:
    yield kept_database
    empty(kept_database)


@pytest.fixture(scope="module")
def database_of_module(kept_database: str) -> Iterator[str]:
    """The same, for a file that fills it over many cases: whichever file comes next finds it empty."""
    yield kept_database
    empty(kept_database)


@pytest.fixture(scope="session")
def planner(postgres_server: Server) -> Iterator[Planner]:
    """On a database of its own: its transaction stays open."""
    url = postgres_server.database()
    asyncio.run(migrate(url, steps()))
    made = Planner(url)
    yield made
    made.close()


@pytest.fixture
def database(postgres_server: Server) -> Iterator[str]:
    """The address of a fresh database."""
    url = postgres_server.database()
    yield url
    postgres_server.drop(url)


@pytest.fixture
async def sqlite(tmp_path: Path) -> AsyncIterator[SqliteStore]:
    made = SqliteStore(tmp_path / "data.sqlite")
    await made.open()
    yield made
    await made.close()
