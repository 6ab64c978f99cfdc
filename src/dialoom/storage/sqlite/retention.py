"""What the writer does to forget old conversations, chats and answers: in steps, each so small that no turn waits long
for its commit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from dialoom.storage.rows import named_files
from dialoom.storage.sql_files import load

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import apsw

_RETENTION = load("sqlite", "retention")

MAX_CONVERSATIONS = 16
MAX_MESSAGES = 64
"""Of one step. What is deleted is overwritten, about 80 µs a message; steps of 200 held the writer for 18 ms."""
MAX_ANSWERS = 100
"""Of one step. With steps of 500 a turn meanwhile took 8 ms (median; the slowest hundredth 55 ms), of 100 1.4 (10)."""
START = ("", "")
"""Before the first conversation."""
BEFORE_ALL_CHATS = (-1, 0)
"""Before the first chat in which nothing was said: since when it is quiet, and its rowid."""


class Step(NamedTuple):
    conversations: int
    """How many went."""
    looked_at: int
    last: tuple[str, str]
    """Begin and id of the last conversation that is done with."""
    has_files: bool
    """Whether files of users begin to go; their content is left to the caller."""
    is_last: bool


class ChatStep(NamedTuple):
    gone: int
    looked_at: int
    last: tuple[int, int]


def forget(connection: apsw.Connection, asked: Sequence[tuple[str, str, tuple[str, str], int]]) -> list[Step]:
    """Each payload: bot, the time before which a conversation is old, the last one before this step, a limit."""
    return [_forget(connection, *one) for one in asked]


def _forget(connection: apsw.Connection, bot: str, before: str, after: tuple[str, str], limit: int) -> Step:
    rows: list[tuple[Any, ...]] = connection.execute(_RETENTION["old"].sql, (bot, before, *after, limit)).fetchall()
    left = MAX_MESSAGES
    users: dict[tuple[str, str, str], list[str]] = {}
    gone = looked_at = 0
    for id, channel, user, started_at, is_old in rows:
        if is_old:
            texts = connection.execute(_RETENTION["delete_messages"].sql, (bot, id, left)).fetchall()
            users.setdefault((bot, channel, user), []).extend(str(text) for (text,) in texts if text is not None)
            left -= len(texts)
            if left <= 0:
                break  # it may have more: the next step begins with it
            connection.execute(_RETENTION["delete_conversation"].sql, (bot, id))
            gone += 1
        looked_at += 1
        after = (started_at, id)
    has_files = False
    for key, said in users.items():
        if connection.execute(_RETENTION["is_kept"].sql, key).get:
            has_files |= _forget_files(connection, key, said)
        else:
            has_files |= _forget_user(connection, key)
    return Step(gone, looked_at, after, has_files, is_last=looked_at == len(rows) < limit)


def forget_chats(connection: apsw.Connection, asked: Sequence[tuple[str, int, tuple[int, int], int]]) -> list[ChatStep]:
    """Each payload: bot, the time before which a chat is old, the last one before this step, a limit."""
    return [_forget_chats(connection, *one) for one in asked]


def _forget_chats(connection: apsw.Connection, bot: str, before: int, after: tuple[int, int], limit: int) -> ChatStep:
    rows: list[tuple[Any, ...]] = connection.execute(_RETENTION["bare"].sql, (bot, before, *after, limit)).fetchall()
    gone = 0
    for since, rowid, channel, user in rows:
        key = (bot, channel, user)
        if not connection.execute(_RETENTION["is_kept"].sql, key).get:
            _forget_user(connection, key)
            gone += 1
        after = (since, rowid)
    return ChatStep(gone, len(rows), after)


def _forget_files(connection: apsw.Connection, key: tuple[str, str, str], said: Iterable[str]) -> bool:
    """The files that messages named which are gone, and no other message of the user does."""
    ids = named_files(said)
    if not ids:
        return False
    still = named_files(str(text) for (text,) in connection.execute(_RETENTION["naming"].sql, key))
    ids = list(set(ids).difference(still))
    connection.execute(_RETENTION["begin_deleting_some_files"].sql, (*key, msgspec.json.encode(ids).decode()))
    return bool(connection.changes())


def _forget_user(connection: apsw.Connection, key: tuple[str, str, str]) -> bool:
    """Nothing of this user is left and nothing waits: memory, answers and dead letters go, and the files begin to."""
    for name in ("delete_chat", "delete_answers", "delete_journal", "delete_dead"):
        connection.execute(_RETENTION[name].sql, key)
    connection.execute(_RETENTION["begin_deleting_files"].sql, key)
    return bool(connection.changes())
