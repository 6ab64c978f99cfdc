"""Writes what is no turn: versions of bots, files of users, records from elsewhere, values that were sealed again."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import asyncpg

from dialoom.query import jsonb_copy
from dialoom.storage import errors
from dialoom.storage.collections import imported_rows
from dialoom.storage.postgres.connection import STATEMENT_SECONDS, Connection, Connections
from dialoom.storage.rows import Collection, FileLimit, FileRow, Row, Version, file_values, pieces_of
from dialoom.storage.sealed import COLUMNS, Place, Sealed, SealedKind, SealedPage, page_of, words_of
from dialoom.storage.sql_files import Query, load

_BOTS = load("postgres", "bots")
_FILES = load("postgres", "files")
_IMPORTS = load("postgres", "imports")
_SEALED = load("postgres", "sealed")
_DISK_SPACE = load("postgres", "disk_space")
SEALED_PLAN = _SEALED["plan"]
_STATEMENT_SECONDS = STATEMENT_SECONDS + 1.0
"""Seconds after which we give a statement up: a little more than the server gives it."""
MAX_IMPORTED_ROWS = 250
"""Records of one statement, each of which has its time."""


async def publish(connections: Connections, version: Version, instead_of: str | None) -> bool:
    row = (version.bot, version.version, version.files, version.created_at)
    async with connections.connection() as connection, connection.transaction():
        if instead_of == "":
            # Nothing is there to be locked: of two first versions one gets the row.
            if await connection.execute(_BOTS["begin"].sql, version.bot, version.version) != "INSERT 0 1":
                return False
        elif instead_of is not None and await _locked(connection, version.bot) != instead_of:
            return False
        await connection.execute(_BOTS["put_version"].sql, *row)
        await _activate(connection, version.bot, version.version, version.created_at)
    return True


async def roll_back(connections: Connections, bot: str, version: str, now: int, instead_of: str | None) -> bool:
    async with connections.connection() as connection, connection.transaction():
        before = await _locked(connection, bot)
        if instead_of is not None and before != instead_of:
            return False
        if await connection.fetchval(_BOTS["is_kept"].sql, bot, version) is None:
            raise errors.no_version(bot, version)
        if before != version:
            await connection.execute(_BOTS["withdraw"].sql, now, bot, before)
        await _activate(connection, bot, version, now)
    return True


async def _locked(connection: Connection, bot: str) -> str:
    """Return the active version, which nobody else can change until the transaction ends; "" where there is none."""
    return await connection.fetchval(_BOTS["lock"].sql, bot) or ""


async def _activate(connection: Connection, bot: str, version: str, now: int) -> None:
    if await connection.execute(_BOTS["activate"].sql, bot, version) == "INSERT 0 1":
        await connection.execute(_BOTS["note_activation"].sql, now, bot, version)


async def keep_file(connections: Connections, file: FileRow, content: bytes, limit: FileLimit) -> bool:
    async with connections.connection() as connection, connection.transaction():
        await connection.execute(_FILES["lock"].sql, file.key.bot, file.key.channel)
        if await connection.execute(_FILES["put_file"].sql, *file_values(file, limit)) != "INSERT 0 1":
            return False
    # Nobody knows its id until the last piece is in; one that a stop has left is never sent, and so forgotten.
    for number, piece in enumerate(pieces_of(content)):
        await connections.execute(_FILES["put_piece"], file.key.bot, file.id, number, piece)
    return True


async def import_records(
    connections: Connections,
    collection: Collection,
    bot: str,
    documents: Sequence[dict[str, Any]],
    source: str,
    line: int,
) -> int:
    rows = imported_rows(collection, bot, documents)
    written = 0
    async with connections.connection() as connection, connection.transaction():
        for start in range(0, len(rows), MAX_IMPORTED_ROWS):
            columns = _import_columns(rows[start : start + MAX_IMPORTED_ROWS])
            put = _IMPORTS["put_messages" if collection == "messages" else "put_conversations"].sql
            done = str(await connection.execute(put, bot, *columns, timeout=_STATEMENT_SECONDS))
            written += int(done.rpartition(" ")[2])
        if source:
            await connection.execute(_IMPORTS["put_line"].sql, bot, source, line, timeout=_STATEMENT_SECONDS)
    return written


def _import_columns(rows: Sequence[Row]) -> list[Sequence[Any]]:
    """Return rows as columns, without the bot; the copy for JSONB is left out where it is the same as the document."""
    columns: list[Sequence[Any]] = list(zip(*[row[1:] for row in rows], strict=True))
    documents = columns[-1]
    copies = map(jsonb_copy, documents)
    columns[-1] = [None if copy == text else copy for copy, text in zip(copies, documents, strict=True)]
    return columns


async def sealed_page(
    connections: Connections, kind: SealedKind, bot: str, mark: bytes, after: Place | None, limit: int
) -> SealedPage:
    column = COLUMNS[kind]
    query, values = sealed_page_query(kind), (mark, bot, limit, *(after or column.start))
    async with connections.connection() as connection, connection.transaction():
        await connection.execute(SEALED_PLAN.sql)
        rows = await connection.fetch(query.sql, *values)
    return page_of([tuple(row) for row in rows], column, limit)


async def reseal(connections: Connections, kind: SealedKind, bot: str, changes: Sequence[tuple[Sealed, Sealed]]) -> int:
    """Put sealed values in the places of others; return how many. Each has a transaction of its own, some at once: one
    over many rows and a group of turns would wait for each other."""
    return sum(await asyncio.gather(*(_reseal(connections, kind, bot, *change) for change in changes)))


async def _reseal(connections: Connections, kind: SealedKind, bot: str, before: Sealed, after: Sealed) -> int:
    values: tuple[Any, ...] = (after.value, bot, before.value)
    if COLUMNS[kind].beside is None:
        return await connections.execute(_sealed_query("put", kind, 4), *values, *before.place)
    return await connections.execute(_sealed_query("put_both", kind, 5), *values, after.beside, *before.place)


def sealed_page_query(kind: SealedKind) -> Query:
    return _sealed_query("page", kind, 4)


def _sealed_query(name: str, kind: SealedKind, first: int) -> Query:
    """Return a query for a kind. ``first``: number of the sign that stands for the first value of the place."""
    query, count = _SEALED[name], len(COLUMNS[kind].place)
    signs = ", ".join(f"${number}" for number in range(first, first + count))
    return Query(query.name, query.purpose, query.filled(words_of(kind, signs)))


async def reseal_file(connections: Connections, before: FileRow, about: bytes, content: bytes) -> bool:
    file_key = (before.key.bot, before.id)
    async with connections.connection() as connection, connection.transaction():
        if await connection.execute(_SEALED["put_about"].sql, about, *file_key, before.about) != "UPDATE 1":
            return False
        for number, piece in enumerate(pieces_of(content)):
            await connection.execute(_SEALED["put_piece"].sql, piece, *file_key, number)
    return True


async def fill(connections: Connections) -> None:
    """Raises ``StoreError`` while it cannot be written. Nothing is left of it."""
    async with connections.connection() as connection:
        attempt = connection.transaction()
        await attempt.start()
        try:
            await connection.execute(_DISK_SPACE["fill"].sql)
        except asyncpg.InsufficientPrivilegeError:
            pass  # our user may make no more tables: then only a write can tell
        finally:
            await attempt.rollback()
