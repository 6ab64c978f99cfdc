"""A walk that its reader does not go on with holds nothing of the store: a client may take a stream as slowly as it
likes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import apsw
import asyncpg

from dialoom.query import Selection, parse_query
from dialoom.service.records.record_stream import walk
from dialoom.storage.postgres.store import PostgresStore
from tests.storage.history.test_imports import conversation

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator
    from pathlib import Path

    from dialoom.storage.sqlite.store import SqliteStore
    from dialoom.storage.store import Store

COUNT, ROWS = 30, 4
READERS = 100
"""Far more than history queries have places."""
BY_PYTHON = '{"Number": {"$mod": [1, 0]}}'


async def fill(store: Store) -> None:
    records = [conversation(f"a{number:04d}", Number=number) for number in range(COUNT)]
    await store.import_records("conversations", "salon", records, "", 1)


async def begun(store: Store, count: int, query: str = "{}") -> list[AsyncGenerator[list[bytes], None]]:
    """Walks of which somebody has taken the first records, and nothing since."""
    walks = [walk(store, "conversations", "salon", Selection(parse_query(query)), ROWS) for _ in range(count)]
    for one in walks:
        assert len(await anext(one)) == ROWS
    return walks


async def test_a_hundred_walks_that_stand_still_keep_nobody_from_the_history(store: Store) -> None:
    await fill(store)
    walks = await begun(store, READERS) + await begun(store, 2, BY_PYTHON)
    assert len(await store.find("conversations", "salon", Selection(limit=5))) == 5
    assert await store.count("conversations", "salon", Selection()) == COUNT
    for one in walks:
        left = [json.loads(text)["Number"] async for texts in one for text in texts]
        assert left == list(range(ROWS, COUNT))


async def test_on_sqlite_the_log_is_emptied_while_walks_stand_still(sqlite: SqliteStore, tmp_path: Path) -> None:
    await fill(sqlite)
    walks = await begun(sqlite, READERS) + await begun(sqlite, 2, BY_PYTHON)
    beside = apsw.Connection(str(tmp_path / "data.sqlite"))
    busy, pages, _ = beside.execute("pragma wal_checkpoint(truncate)").fetchone()
    beside.close()
    assert (busy, pages) == (0, 0)
    for one in walks:
        await one.aclose()


async def test_on_postgres_no_transaction_is_open_while_walks_stand_still(database: str) -> None:
    store = PostgresStore(database)
    await store.open()
    await fill(store)
    walks = await begun(store, READERS) + await begun(store, 2, BY_PYTHON)
    beside = await asyncpg.connect(database)
    query = (
        "select count(*) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() "
        "and (xact_start is not null or backend_xmin is not null) and backend_type = 'client backend'"
    )
    assert await beside.fetchval(query) == 0
    await beside.close()
    for one in walks:
        await one.aclose()
    await store.close()
