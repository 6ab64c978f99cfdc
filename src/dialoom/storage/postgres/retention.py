"""Forgets old conversations and answers in the database: in steps, each so small that no turn waits long for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from dialoom.storage.attached import named_files
from dialoom.storage.named import load
from dialoom.storage.postgres.connection import TRIES, UNDONE
from dialoom.storage.store import Forgotten

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dialoom.storage.postgres.connection import Connection, Connections

_RETENTION = load("postgres", "retention")

MOST_CONVERSATIONS = 50
MOST_ANSWERS = 5_000
"""Of one step."""
START = ("", "")
"""Before the first conversation."""


class _Step(NamedTuple):
    conversations: int
    """How many went."""
    looked_at: int
    last: tuple[str, str]


async def forget_conversations(
    connections: Connections, bot: str, before: str, limit: int, after: tuple[str, str] | None
) -> Forgotten:
    gone = looked_at = 0
    place, is_last = after or START, False
    while looked_at < limit and not is_last:
        most = min(limit - looked_at, MOST_CONVERSATIONS)
        async with connections.connection() as connection:
            step = await _step(connection, bot, before, place, most)
        gone, looked_at, place = gone + step.conversations, looked_at + step.looked_at, step.last
        is_last = step.looked_at < most
    return Forgotten(gone, None if is_last else place)


async def _step(connection: Connection, bot: str, before: str, after: tuple[str, str], limit: int) -> _Step:
    for _ in range(TRIES - 1):
        try:
            return await _forget(connection, bot, before, after, limit)
        except UNDONE:
            continue
    return await _forget(connection, bot, before, after, limit)


async def _forget(connection: Connection, bot: str, before: str, after: tuple[str, str], limit: int) -> _Step:
    async with connection.transaction():
        rows = await connection.fetch(_RETENTION["old"].sql, bot, before, *after, limit)
        last = (rows[-1]["started_at"], rows[-1]["id"]) if rows else after
        old = [row for row in rows if row["is_old"]]
        gone = await _forget_old(connection, bot, before, old) if old else 0
    return _Step(gone, len(rows), last)


async def _forget_old(connection: Connection, bot: str, before: str, old: Sequence[Any]) -> int:
    keys = {(row["channel"], row["user"]) for row in old}
    await connection.execute(_RETENTION["put_leases"].sql, bot, *_columns(keys))
    locked = {tuple(row) for row in await connection.fetch(_RETENTION["lock"].sql, bot, *_columns(keys))}
    ids = [row["id"] for row in old if (row["channel"], row["user"]) in locked]
    gone, texts = await connection.fetchrow(_RETENTION["delete_conversations"].sql, bot, ids, before)
    if files := named_files(texts):
        await connection.execute(_RETENTION["forget_files"].sql, bot, *_columns(locked), files)
    await connection.execute(_RETENTION["forget_users"].sql, bot, *_columns(locked))
    return int(gone)


def _columns(keys: set[tuple[Any, ...]]) -> tuple[list[str], list[str]]:
    """Their channels and their users."""
    return [channel for channel, _ in keys], [user for _, user in keys]


async def forget_answers(connections: Connections, bot: str, before: int) -> int:
    await _in_steps(connections, "forget_results", bot)
    return await _in_steps(connections, "forget_answers", bot, before)


async def _in_steps(connections: Connections, name: str, *values: Any) -> int:
    gone, last = 0, MOST_ANSWERS
    while last == MOST_ANSWERS:
        last = await connections.execute(_RETENTION[name], *values, MOST_ANSWERS)
        gone += last
    return gone
