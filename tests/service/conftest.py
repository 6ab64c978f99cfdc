"""The database of tests that play several processes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.postgres import empty
from tests.service.process_stores import DatabaseTables

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.postgres import Server


@pytest.fixture(scope="session")
def shared_database(postgres_server: Server) -> str:
    return postgres_server.database()


@pytest.fixture
def tables(shared_database: str) -> Iterator[DatabaseTables]:
    """Return the rows of a database that is empty, but for its tables."""
    made = DatabaseTables(shared_database)
    yield made
    made.close()
    empty(shared_database)
