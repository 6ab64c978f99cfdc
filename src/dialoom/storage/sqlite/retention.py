"""What the writer does to forget old conversations: in steps, each so small that no turn waits long for its commit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from dialoom.storage.named import load

if TYPE_CHECKING:
    from collections.abc import Sequence

    import apsw

_RETENTION = load("sqlite", "retention")

MOST_CONVERSATIONS = 16
MOST_MESSAGES = 64
"""Of one step. What is deleted is overwritten, about 80 µs a message; steps of 200 held the writer for 18 ms."""


class Step(NamedTuple):
    conversations: int
    """How many went."""
    has_files: bool
    """Whether files of users begin to go; their content is left to the caller."""
    is_last: bool


def forget(connection: apsw.Connection, asked: Sequence[tuple[str, str, int]]) -> list[Step]:
    """Each payload: bot, the time before which a conversation is old, a limit."""
    return [_forget(connection, *one) for one in asked]


def _forget(connection: apsw.Connection, bot: str, before: str, limit: int) -> Step:
    old: list[tuple[Any, ...]] = connection.execute(_RETENTION["old"].sql, (bot, before, limit)).fetchall()
    left = MOST_MESSAGES
    users: dict[tuple[str, str, str], None] = {}
    gone = 0
    for id, channel, user in old:
        connection.execute(_RETENTION["delete_messages"].sql, (bot, id, left))
        left -= connection.changes()
        if left <= 0:
            break  # it may have more: the next step begins with it
        connection.execute(_RETENTION["delete_conversation"].sql, (bot, id))
        gone += 1
        users[bot, channel, user] = None
    has_files = False
    for key in users:
        if not connection.execute(_RETENTION["is_kept"].sql, key).get:
            has_files |= _forget_user(connection, key)
    return Step(gone, has_files, is_last=gone == len(old) < limit)


def _forget_user(connection: apsw.Connection, key: tuple[str, str, str]) -> bool:
    """Nothing of this user is left and nothing waits: memory, answers and dead letters go, and the files begin to."""
    for name in ("delete_chat", "delete_answers", "delete_dead"):
        connection.execute(_RETENTION[name].sql, key)
    connection.execute(_RETENTION["begin_deleting_files"].sql, key)
    return bool(connection.changes())
