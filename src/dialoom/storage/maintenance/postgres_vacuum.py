"""Vacuums the tables in PostgreSQL beside traffic: the room of deleted rows is used again, and empty ends of files are
cut off."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from dialoom.storage.postgres.connection import FAILURES, SCHEMA, connect
from dialoom.storage.postgres.failures import explain, name_of
from dialoom.storage.sql_files import load

_MAINTENANCE = load("postgres", "maintenance")


class Vacuumed(NamedTuple):
    """Bytes of the tables with their indexes."""

    before: int
    after: int


async def vacuum(url: str, tell: Callable[[str], object]) -> Vacuumed:
    """Vacuum each table. ``tell``: is told the name of each before. Raises ``StoreError``."""
    connection = await connect(url, seconds=0)
    try:
        before = await connection.fetchval(_MAINTENANCE["size"].sql, SCHEMA)
        for (table,) in await connection.fetch(_MAINTENANCE["tables"].sql, SCHEMA):
            tell(table)
            await connection.execute(f"vacuum (analyze) {table}")
        return Vacuumed(before, await connection.fetchval(_MAINTENANCE["size"].sql, SCHEMA))
    except FAILURES as error:
        raise explain(error, name_of(url)) from None
    finally:
        connection.terminate()
