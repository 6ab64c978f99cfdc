"""Forgets old conversations and chats in the database: in steps, so small that no turn waits long for one."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, NamedTuple, TypeVar

from dialoom.storage.postgres.connection import MAX_TRIES, UNDONE, Connection, Connections
from dialoom.storage.rows import Forgotten, named_files
from dialoom.storage.sql_files import load

_RETENTION = load("postgres", "retention")
_Done = TypeVar("_Done")

MAX_CONVERSATIONS = 50
"""Of one step."""
START = ("", "")
"""Before the first conversation."""
BEFORE_ALL_CHATS = (-1, "", "")
"""Before the first chat in which nothing was said: since when it is quiet, user, channel."""


class _Step(NamedTuple):
    conversations: int
    """How many went."""
    looked_at: int
    last: tuple[str, str]


class _ChatStep(NamedTuple):
    gone: int
    looked_at: int
    last: tuple[int, str, str]


async def forget_conversations(
    connections: Connections, bot: str, before: str, limit: int, after: tuple[str, str] | None
) -> Forgotten:
    gone = looked_at = 0
    last, is_last = after or START, False
    while looked_at < limit and not is_last:
        most = min(limit - looked_at, MAX_CONVERSATIONS)
        async with connections.connection() as connection:
            step = await _tried(_forget, connection, bot, before, last, most)
        gone, looked_at, last = gone + step.conversations, looked_at + step.looked_at, step.last
        is_last = step.looked_at < most
    return Forgotten(gone, None if is_last else last)


async def forget_chats(connections: Connections, bot: str, before: int, limit: int) -> int:
    """Delete chats in which nothing was said since a time, past those that something keeps or that somebody has locked.
    Return how many went."""
    gone, last, is_last = 0, BEFORE_ALL_CHATS, False
    while gone < limit and not is_last:
        most = limit - gone
        async with connections.connection() as connection:
            step = await _tried(_forget_chats, connection, bot, before, last, most)
        gone, last, is_last = gone + step.gone, step.last, step.looked_at < most
    return gone


async def _tried(work: Callable[..., Awaitable[_Done]], *values: Any) -> _Done:
    for _ in range(MAX_TRIES - 1):
        try:
            return await work(*values)
        except UNDONE:
            continue
    return await work(*values)


async def _forget(connection: Connection, bot: str, before: str, after: tuple[str, str], limit: int) -> _Step:
    async with connection.transaction():
        rows = await connection.fetch(_RETENTION["old"].sql, bot, before, *after, limit)
        last = (rows[-1]["started_at"], rows[-1]["id"]) if rows else after
        old = [row for row in rows if row["is_old"]]
        gone = await _forget_old(connection, bot, before, old) if old else 0
    return _Step(gone, len(rows), last)


async def _forget_chats(
    connection: Connection, bot: str, before: int, after: tuple[int, str, str], limit: int
) -> _ChatStep:
    async with connection.transaction():
        bare = await connection.fetch(_RETENTION["bare"].sql, bot, before, *after, limit)
        locked = await _lock(connection, bot, {(row["channel"], row["user"]) for row in bare}) if bare else set()
        # A turn may have come before the lock.
        still = await connection.fetch(_RETENTION["bare"].sql, bot, before, *after, limit) if locked else []
        keys = locked & {(row["channel"], row["user"]) for row in still}
        gone = await connection.fetchval(_RETENTION["forget_users"].sql, bot, *_columns(keys)) if keys else 0
    last = (bare[-1]["bare_since"], bare[-1]["user"], bare[-1]["channel"]) if bare else after
    return _ChatStep(gone, len(bare), last)


async def _lock(connection: Connection, bot: str, keys: set[tuple[Any, ...]]) -> set[tuple[Any, ...]]:
    """Lock the leases of these chats; return the chats that nobody else has locked."""
    await connection.execute(_RETENTION["put_leases"].sql, bot, *_columns(keys))
    return {tuple(row) for row in await connection.fetch(_RETENTION["lock"].sql, bot, *_columns(keys))}


async def _forget_old(connection: Connection, bot: str, before: str, old: Sequence[Any]) -> int:
    locked = await _lock(connection, bot, {(row["channel"], row["user"]) for row in old})
    ids = [row["id"] for row in old if (row["channel"], row["user"]) in locked]
    gone, texts = await connection.fetchrow(_RETENTION["delete_conversations"].sql, bot, ids, before)
    if files := named_files(texts):
        await connection.execute(_RETENTION["forget_files"].sql, bot, *_columns(locked), files)
    await connection.execute(_RETENTION["forget_users"].sql, bot, *_columns(locked))
    return int(gone)


def _columns(keys: set[tuple[Any, ...]]) -> tuple[list[str], list[str]]:
    """Return the channels and the users of these keys, as two columns."""
    return [channel for channel, _ in keys], [user for _, user in keys]
