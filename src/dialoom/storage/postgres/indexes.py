"""The operator's own indexes: made by PostgreSQL while turns go on, each over the bot and a property's key.

A process knows them from the table of indexes, which it reads now and then: until it knows one it is only slower, and
so it is while it knows one that is gone, for a key can be asked without an index.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from dialoom.query import Table
from dialoom.query.sql.postgres import key_sql
from dialoom.query.tree import parts_of
from dialoom.storage.operator_indexes import check_property, index_name, indexed_table
from dialoom.storage.postgres.connection import FAILURES, Connection, Connections, connect
from dialoom.storage.postgres.failures import explain, name_of
from dialoom.storage.rows import Collection, IndexRow
from dialoom.storage.sql_files import load

_INDEXES = load("postgres", "indexes")

LOCK = 0x4449414C4F4F4E
"""Of the advisory lock under which indexes are made and dropped; one beside that of the migrations."""
LOOK_EVERY_SECONDS = 0.2
"""Seconds between two looks whether another process is done. Nobody waits inside of a statement: PostgreSQL makes an
index only after all older statements have ended."""
READ_EVERY_SECONDS = 5.0
"""Seconds after which the table of indexes is read again."""


class Known:
    """The indexes that are ready, as they were read lately from where the history is read."""

    def __init__(self, connections: Connections, read_every: float = READ_EVERY_SECONDS) -> None:
        self._connections = connections
        self._read_every = read_every
        self._rows: Sequence[IndexRow] = ()
        self._read_at: float | None = None

    async def table_for(self, collection: Collection, bot: str) -> Table:
        """Return the collection's table as it is asked for a bot."""
        if self._read_at is None or time.monotonic() - self._read_at >= self._read_every:
            self._rows = await rows(self._connections)
            self._read_at = time.monotonic()
        ready = [row.property for row in self._rows if row.collection == collection and row.is_ready]
        return indexed_table(collection, bot, ready)

    def forget(self) -> None:
        """Forget the indexes, so that they are read again with the next question."""
        self._read_at = None


async def rows(connections: Connections) -> list[IndexRow]:
    return [IndexRow(*row) for row in await connections.fetch(_INDEXES["all"])]


async def add(url: str, collection: Collection, property: str) -> None:
    check_property(collection, property)
    name = index_name(collection, property)
    async with _alone(url) as connection:
        await connection.execute(_INDEXES["put"].sql, collection, property)
        is_whole = await connection.fetchval(_INDEXES["is_whole"].sql, name)
        if is_whole is False:
            await connection.execute(_written("unmake", collection, property))
        if not is_whole:
            await connection.execute(_written("make", collection, property))
            await connection.execute(_written("look", collection, property))
        await connection.execute(_INDEXES["set_ready"].sql, collection, property, True)


async def drop(url: str, collection: Collection, property: str) -> bool:
    async with _alone(url) as connection:
        done = await connection.execute(_INDEXES["set_ready"].sql, collection, property, False)
        await connection.execute(_written("unmake", collection, property))
        await connection.execute(_INDEXES["remove"].sql, collection, property)
    return not str(done).endswith(" 0")


@asynccontextmanager
async def _alone(url: str) -> AsyncIterator[Connection]:
    """Yield a connection without a time limit, while no other process makes or drops an index."""
    connection = await connect(url, seconds=0)
    try:
        while not await connection.fetchval(_INDEXES["lock"].sql, LOCK):  # noqa: ASYNC110  # see LOOK_EVERY_SECONDS
            await asyncio.sleep(LOOK_EVERY_SECONDS)
        yield connection
    except FAILURES as error:
        raise explain(error, name_of(url)) from None
    finally:
        connection.terminate()


def _written(query: str, collection: Collection, property: str) -> str:
    """Return a statement for an index. Only names of our making go in, and the property as the compiler writes it; what
    holds its words comes last."""
    sql = _INDEXES[query].sql.replace("$name", index_name(collection, property)).replace("$table", collection)
    return sql.replace("$key", key_sql("body", parts_of(property)))
