"""What the writer does to erase a user, and to forget old conversations, chats and answers: in steps, each so small
that no turn waits long for its commit.

Until the last step of an erasure the user is known: memory goes with it, in one transaction with all that is left. So a
turn that runs meanwhile is either stored before and deleted here, or overtaken; and an erasure that was broken off is
found again.
"""

from __future__ import annotations

from collections.abc import Iterable
from types import MappingProxyType
from typing import Any, Final, NamedTuple

import apsw
import msgspec

from dialoom.storage.rows import ChatKey, named_files
from dialoom.storage.sql_files import load
from dialoom.storage.sqlite.writer import each

_ERASURE = load("sqlite", "erasure")
_RETENTION = load("sqlite", "retention")

MAX_CONVERSATIONS = 16
MAX_MESSAGES = 64
"""Of one step. What is deleted is overwritten, about 80 µs a message; steps of 200 held the writer for 18 ms."""
MAX_ROWS: Final = MappingProxyType(
    {"drop_letters": 20, "forget_answers": 100, "forget_logins": 100, "forget_results": 100}
)
"""Of one step. With steps of 500 answers a turn meanwhile took 8 ms (median; the slowest hundredth 55 ms), of 100 1.4
(10). A dead letter of 300 kB takes 1 to 2 ms: what is deleted is overwritten."""
BEFORE_ALL_CONVERSATIONS = ("", "")
"""Before the first conversation."""
BEFORE_ALL_CHATS = (-1, 0)
"""Before the first chat in which nothing was said: since when it is quiet, and its rowid."""

MAX_RECORDS: Final = 64
"""Of one step; ``MAX_MESSAGES`` has the measure."""
MAX_DELIVERIES: Final = 20
"""Deliveries of one step: each may hold some hundred kilobytes."""


class ErasureStep(NamedTuple):
    conversations: int = 0
    messages: int = 0
    files: int = 0
    deliveries: int = 0
    had_memory: bool = False
    is_done: bool = False
    has_files: bool = False
    """True if files wait for their content to be deleted, which is left to the caller."""


def channels(connection: apsw.Connection, bot: str, user: str) -> list[str]:
    return [channel for (channel,) in connection.execute(_ERASURE["channels"].sql, (bot, user))]


def deleting(connection: apsw.Connection, key: ChatKey) -> list[tuple[Any, ...]]:
    """Return the files that nobody finds any more: bot, id, number of the last piece."""
    return list(connection.execute(_ERASURE["deleting"].sql, key))


@each
def erase(connection: apsw.Connection, key: ChatKey, limit: int) -> ErasureStep:
    """Do a step of the erasure of a user."""
    most = min(max(limit, 1), MAX_RECORDS)
    files = _delete(connection, "begin_deleting_files", *key)
    if connection.execute(_ERASURE["has_files"].sql, key).get:
        return ErasureStep(files=files, has_files=True)
    conversations, messages, left = _delete_conversations(connection, key, most)
    if left:
        others = _delete(connection, "delete_messages", *key, left)
        messages, left = messages + others, left - others
    letters = deliveries = min(left, MAX_DELIVERIES)
    if letters:
        deliveries = _delete(connection, "delete_deliveries", *key, letters)
        left = 0 if deliveries == letters else left - deliveries
    if left:
        left -= _delete(connection, "delete_answers", *key, left)
    if not left:
        return ErasureStep(conversations, messages, 0, deliveries)
    _delete(connection, "delete_journal", *key)
    _delete(connection, "delete_inbox", *key)
    had_memory = _delete(connection, "delete_chat", *key) > 0
    connection.execute(_ERASURE["note"].sql)
    return ErasureStep(conversations, messages, 0, deliveries, had_memory, is_done=True)


def _delete_conversations(connection: apsw.Connection, key: ChatKey, left: int) -> tuple[int, int, int]:
    """Delete conversations; return how many and how many messages went, and how much more of the step may."""
    conversations = messages = 0
    for (id,) in connection.execute(_ERASURE["conversations"].sql, (*key, left)).fetchall():
        gone = _delete(connection, "delete_messages_of", key.bot, id, left) if left else 0
        messages, left = messages + gone, left - gone
        if not left:
            break  # it may have more: the next step begins with it
        conversations, left = conversations + _delete(connection, "delete_conversation", key.bot, id), left - 1
    return conversations, messages, left


def _delete(connection: apsw.Connection, name: str, *values: Any) -> int:
    connection.execute(_ERASURE[name].sql, values)
    return connection.changes()


class RetentionStep(NamedTuple):
    conversations: int
    """How many went."""
    looked_at: int
    last: tuple[str, str]
    """Begin and id of the last conversation that is done with."""
    has_files: bool
    """True if files of users begin to go; their content is left to the caller."""
    is_last: bool


class ChatStep(NamedTuple):
    gone: int
    looked_at: int
    last: tuple[int, int]


@each
def forget(connection: apsw.Connection, bot: str, before: str, after: tuple[str, str], limit: int) -> RetentionStep:
    """Delete conversations that are old before a time. ``after``: the last one before this step."""
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
    return RetentionStep(gone, looked_at, after, has_files, is_last=looked_at == len(rows) < limit)


@each
def forget_chats(connection: apsw.Connection, bot: str, before: int, after: tuple[int, int], limit: int) -> ChatStep:
    """Delete chats that are old before a time. ``after``: the last one before this step."""
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
    """Give up files that deleted messages named and that no other message of the user names; return whether there are
    any."""
    ids = named_files(said)
    if not ids:
        return False
    still = named_files(str(text) for (text,) in connection.execute(_RETENTION["naming"].sql, key))
    ids = list(set(ids).difference(still))
    connection.execute(_RETENTION["begin_deleting_some_files"].sql, (*key, msgspec.json.encode(ids).decode()))
    return bool(connection.changes())


def _forget_user(connection: apsw.Connection, key: tuple[str, str, str]) -> bool:
    """Delete memory, answers and dead letters of a user of whom nothing is left and nothing waits, and give up the
    files; return whether there are any."""
    for name in ("delete_chat", "delete_answers", "delete_journal", "delete_dead"):
        connection.execute(_RETENTION[name].sql, key)
    connection.execute(_RETENTION["begin_deleting_files"].sql, key)
    return bool(connection.changes())
