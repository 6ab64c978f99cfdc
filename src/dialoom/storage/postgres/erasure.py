"""Erases a user in the database, in steps (the function ``erase_user`` says what each does), and finds what there is of
one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from dialoom.storage.rows import ChatKey, Erased, FileRow
from dialoom.storage.sql_files import load

if TYPE_CHECKING:
    from dialoom.storage.postgres.connection import Connections

_ERASURE = load("postgres", "erasure")

MAX_RECORDS: Final = 1000
"""Of one step, for which turns of this one user wait."""


async def channels_of(connections: Connections, bot: str, user: str) -> list[str]:
    if "\0" in user:
        return []  # which PostgreSQL keeps in no text
    return [channel for (channel,) in await connections.fetch(_ERASURE["channels"], bot, user)]


async def files_of(connections: Connections, key: ChatKey) -> list[FileRow]:
    rows = await connections.fetch(_ERASURE["files"], *key)
    return [FileRow(ChatKey(*row[:3]), *row[3:]) for row in rows]


async def erase(connections: Connections, key: ChatKey, limit: int) -> Erased:
    return Erased(*await connections.fetchrow(_ERASURE["erase"], *key, min(max(limit, 1), MAX_RECORDS)))
