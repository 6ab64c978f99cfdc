"""Files of users in the database, their content in pieces."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dialoom.storage.rows import FileRow, file_values
from dialoom.storage.sql_files import load

if TYPE_CHECKING:
    from dialoom.storage.postgres.connection import Connections
    from dialoom.storage.rows import FileLimit

_FILES = load("postgres", "files")

MAX_PIECE_BYTES = 512 * 1024
"""Bytes of a file's content that one statement writes."""
MAX_FILES_AT_ONCE = 100
"""Files that one statement deletes."""


async def keep(connections: Connections, file: FileRow, content: bytes, limit: FileLimit) -> bool:
    async with connections.connection() as connection, connection.transaction():
        await connection.execute(_FILES["lock"].sql, file.key.bot, file.key.channel)
        if await connection.execute(_FILES["put_file"].sql, *file_values(file, limit)) != "INSERT 0 1":
            return False
    # Nobody knows its id until the last piece is in; one that a stop has left is never sent, and so forgotten.
    for number in range(-(-len(content) // MAX_PIECE_BYTES)):
        piece = content[number * MAX_PIECE_BYTES : (number + 1) * MAX_PIECE_BYTES]
        await connections.execute(_FILES["put_piece"], file.key.bot, file.id, number, piece)
    return True


async def content(connections: Connections, bot: str, id: str) -> bytes | None:
    pieces = [piece for (piece,) in await connections.fetch(_FILES["pieces"], bot, id)]
    return b"".join(pieces) if pieces else None


async def forget_unsent(connections: Connections, bot: str, before: int) -> int:
    gone, last = 0, MAX_FILES_AT_ONCE
    while last == MAX_FILES_AT_ONCE:
        (last,) = await connections.fetchrow(_FILES["forget_unsent"], bot, before, MAX_FILES_AT_ONCE)
        gone += last
    return gone
