"""Forgets old conversations and answers in the database: in steps, each so small that no turn waits long for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from dialoom.storage.named import load

if TYPE_CHECKING:
    from dialoom.storage.postgres.connection import Connections

_RETENTION = load("postgres", "retention")

MOST_CONVERSATIONS = 50
MOST_ANSWERS = 5_000
"""Of one step."""


class _Step(NamedTuple):
    conversations: int
    """How many went."""
    is_last: bool


async def forget_conversations(connections: Connections, bot: str, before: str, limit: int) -> int:
    gone, is_last = 0, False
    while gone < limit and not is_last:
        went, is_last = await _forget(connections, bot, before, min(limit - gone, MOST_CONVERSATIONS))
        gone += went
    return gone


async def _forget(connections: Connections, bot: str, before: str, limit: int) -> _Step:
    async with connections.connection() as connection, connection.transaction():
        old = await connection.fetch(_RETENTION["old"].sql, bot, before, limit)
        keys = sorted({(row["channel"], row["user"]) for row in old})
        channels, users = [channel for channel, _ in keys], [user for _, user in keys]
        await connection.execute(_RETENTION["put_leases"].sql, bot, channels, users)
        locked = {tuple(row) for row in await connection.fetch(_RETENTION["lock"].sql, bot, channels, users)}
        ids = [row["id"] for row in old if (row["channel"], row["user"]) in locked]
        gone = await connection.fetchval(_RETENTION["delete_conversations"].sql, bot, ids, before)
        channels, users = [channel for channel, _ in locked], [user for _, user in locked]
        await connection.execute(_RETENTION["forget_users"].sql, bot, channels, users)
    return _Step(gone, is_last=not gone or len(old) < limit)


async def forget_answers(connections: Connections, before: int) -> int:
    gone, last = 0, MOST_ANSWERS
    while last == MOST_ANSWERS:
        last = await connections.execute(_RETENTION["forget_answers"], before, MOST_ANSWERS)
        gone += last
    return gone
