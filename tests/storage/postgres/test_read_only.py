"""A database that is set to read only for a while: what began meanwhile stays so, and is given up by itself."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest

from dialoom.errors import StoreError
from dialoom.storage.errors import ReadOnly
from dialoom.storage.postgres.heartbeat import HeartbeatTimes
from dialoom.storage.postgres.store import LOOKUPS, PostgresStore
from dialoom.storage.store import ScheduledJob
from tests.postgres import query
from tests.storage.row_makers import commit, write

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

    from tests.postgres import Server

CUT = "select pg_terminate_backend(pid) from pg_stat_activity where datname = '{}'"
SESSIONS = """
select pid from pg_stat_activity where datname = current_database() and application_name = 'dialoom'
"""
JOB = ScheduledJob("salon", "retention", 1)


@pytest.fixture
async def store(database: str) -> AsyncIterator[PostgresStore]:
    made = PostgresStore(database, rhythm=HeartbeatTimes(beat=0.1, retry=0.05))
    await made.open()
    await commit(made, write())
    yield made
    await made.close()


async def met(ask: Callable[[], Awaitable[Any]], what: type[StoreError] | None) -> None:
    """Asks until it fails with this, or does not fail."""
    async with asyncio.timeout(30):
        while True:
            try:
                await ask()
            except StoreError as error:
                if what is not None and isinstance(error, what):
                    return
            else:
                if what is None:
                    return
            await asyncio.sleep(0.01)


async def test_what_was_refused_while_the_database_was_read_only_is_written_once_it_is_not(
    store: PostgresStore, postgres_server: Server, database: str
) -> None:
    name = urlsplit(database).path[1:]
    set_to = f'alter database "{name}" set default_transaction_read_only = on'
    await asyncio.to_thread(postgres_server.administer, set_to)
    await asyncio.to_thread(postgres_server.administer, CUT.format(name))
    # In the pool and with the writers, all of whose connections are made again.
    await met(lambda: store.plan(JOB), ReadOnly)
    for _ in range(4):
        await met(lambda: store.commit(write(1)), ReadOnly)
    await met(store.check, ReadOnly)
    # Reading goes on, and leaves the pool full of sessions that are read-only.
    await asyncio.gather(*(store.bots() for _ in range(2 * LOOKUPS)))

    # Nobody ends these sessions.
    await asyncio.to_thread(postgres_server.administer, f'alter database "{name}" reset default_transaction_read_only')
    await met(store.check, None)
    await met(lambda: store.plan(JOB), None)
    await met(lambda: commit(store, write(1)), None)
    # Not this time only: none of the old sessions is left.
    for _ in range(3):
        await asyncio.gather(*(store.plan(ScheduledJob("salon", f"job {number}", 1)) for number in range(2 * LOOKUPS)))
        await store.check()


async def test_reading_alone_ends_no_connection(store: PostgresStore, database: str) -> None:
    await store.bots()
    before = sessions(database)
    for _ in range(5):
        await store.bots()
    assert before <= sessions(database)


def sessions(database: str) -> set[tuple[Any, ...]]:
    """Return the process numbers of the store's sessions on the server."""
    found = set(query(database, SESSIONS))
    assert found
    return found
