"""Walks through what is sealed in the database, and puts what was sealed anew in its place."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from dialoom.storage.postgres.attachments import MAX_PIECE_BYTES
from dialoom.storage.sealed import COLUMNS, page_of, words_of
from dialoom.storage.sql_files import Query, load

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dialoom.storage.postgres.connection import Connections
    from dialoom.storage.rows import FileRow
    from dialoom.storage.sealed import Place, Sealed, SealedKind, SealedPage

_SEALED = load("postgres", "sealed")
PLAN = _SEALED["plan"]


async def page(
    connections: Connections, kind: SealedKind, bot: str, mark: bytes, after: Place | None, limit: int
) -> SealedPage:
    column = COLUMNS[kind]
    query, values = page_query(kind), (mark, bot, limit, *(after or column.start))
    async with connections.connection() as connection, connection.transaction():
        await connection.execute(PLAN.sql)
        rows = await connection.fetch(query.sql, *values)
    return page_of([tuple(row) for row in rows], column, limit)


async def put(connections: Connections, kind: SealedKind, bot: str, changes: Sequence[tuple[Sealed, Sealed]]) -> int:
    """Each by a transaction of its own, some at once: one over many rows and a group of turns would wait for each
    other."""
    return sum(await asyncio.gather(*(_put(connections, kind, bot, *change) for change in changes)))


async def _put(connections: Connections, kind: SealedKind, bot: str, before: Sealed, after: Sealed) -> int:
    values: tuple[Any, ...] = (after.value, bot, before.value)
    if COLUMNS[kind].beside is None:
        return await connections.execute(_query("put", kind, 4), *values, *before.place)
    return await connections.execute(_query("put_both", kind, 5), *values, after.beside, *before.place)


def page_query(kind: SealedKind) -> Query:
    return _query("page", kind, 4)


def _query(name: str, kind: SealedKind, first: int) -> Query:
    """``first``: number of the sign that stands for the first value of the place."""
    query, count = _SEALED[name], len(COLUMNS[kind].place)
    signs = ", ".join(f"${number}" for number in range(first, first + count))
    return Query(query.name, query.purpose, query.filled(words_of(kind, signs)))


async def put_file(connections: Connections, before: FileRow, about: bytes, content: bytes) -> bool:
    place = (before.key.bot, before.id)
    async with connections.connection() as connection, connection.transaction():
        if await connection.execute(_SEALED["put_about"].sql, about, *place, before.about) != "UPDATE 1":
            return False
        for number in range(-(-len(content) // MAX_PIECE_BYTES)):
            piece = content[number * MAX_PIECE_BYTES : (number + 1) * MAX_PIECE_BYTES]
            await connection.execute(_SEALED["put_piece"].sql, piece, *place, number)
    return True
