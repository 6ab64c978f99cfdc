"""What the writer does to erase a user, in steps, each so small that no turn waits long for its commit; and how the log
is emptied of what was deleted.

Until the last step the user is known: memory goes with it, in one transaction with all that is left. So a turn that
runs meanwhile is either stored before and deleted here, or overtaken; and an erasure that was broken off is found
again.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import apsw

from dialoom.storage.rows import ChatKey
from dialoom.storage.sql_files import load
from dialoom.storage.sqlite.connection import open_reader
from dialoom.storage.sqlite.writer import truncate

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

_ERASURE = load("sqlite", "erasure")

MAX_RECORDS: Final = 64
"""Of one step; ``retention.py`` has the measure."""
MAX_DELIVERIES: Final = 20
"""Deliveries of one step: each may hold some hundred kilobytes."""
SCRUB_SECONDS: Final = 5.0
"""That a scrub waits for readers; a history query may read for longer."""
PAUSE: Final = 0.05
"""Seconds between two tries."""
SMALL: Final = 2 * 1024 * 1024
"""Bytes of a data file that is rewritten with each scrub: turns wait for less than 0.1 s (4 MB took 0.1 to 0.16 s, 100
MB 3 to 5 s)."""


class Step(NamedTuple):
    conversations: int = 0
    messages: int = 0
    files: int = 0
    deliveries: int = 0
    had_memory: bool = False
    is_done: bool = False
    has_files: bool = False
    """Whether files wait for their content to be deleted, which is left to the caller."""


def channels(connection: apsw.Connection, bot: str, user: str) -> list[str]:
    return [channel for (channel,) in connection.execute(_ERASURE["channels"].sql, (bot, user))]


def deleting(connection: apsw.Connection, key: ChatKey) -> list[tuple[Any, ...]]:
    """Files that nobody finds any more: bot, id, number of the last piece."""
    return list(connection.execute(_ERASURE["deleting"].sql, key))


def erase(connection: apsw.Connection, asked: Sequence[tuple[ChatKey, int]]) -> list[Step]:
    """Each payload: the chat, a limit."""
    return [_erase(connection, key, min(max(limit, 1), MAX_RECORDS)) for key, limit in asked]


def _erase(connection: apsw.Connection, key: ChatKey, most: int) -> Step:
    files = _delete(connection, "begin_deleting_files", *key)
    if connection.execute(_ERASURE["has_files"].sql, key).get:
        return Step(files=files, has_files=True)
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
        return Step(conversations, messages, 0, deliveries)
    _delete(connection, "delete_journal", *key)
    _delete(connection, "delete_inbox", *key)
    had_memory = _delete(connection, "delete_chat", *key) > 0
    connection.execute(_ERASURE["note"].sql)
    return Step(conversations, messages, 0, deliveries, had_memory, is_done=True)


def _delete_conversations(connection: apsw.Connection, key: ChatKey, left: int) -> tuple[int, int, int]:
    """How many conversations and messages went, and how much more of the step may."""
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


def scrub(path: Path, *, whole: bool = False, seconds: float = SCRUB_SECONDS) -> bool:
    """Put the log into the data file and empty it, so that what was deleted lives on in neither; False when readers
    are in the way for too long. On a connection of its own, which waits for nobody: what is copied while turns go on
    need not be copied while they stand.

    ``whole``, or of a small file: it is rewritten before. Deleted rows are overwritten, but where SQLite once divided a
    full page, a copy of a row may have stayed in the page's unused part (in a third of the files with 100 MB of many
    users there was one, of an index).
    """
    # Not as a writer is opened: to open and close the file in any other way takes this process's locks on it away.
    connection = open_reader(path)
    try:
        connection.pragma("query_only", False)
        connection.pragma("secure_delete", True)
        connection.set_busy_timeout(0)
        is_small = connection.pragma("page_count") * connection.pragma("page_size") <= SMALL
        if is_small:
            connection.pragma("temp_store", "memory")
        is_rewritten = not (whole or is_small)
        end = time.monotonic() + seconds
        while True:
            is_rewritten = is_rewritten or _rewrite(connection)
            connection.execute("pragma wal_checkpoint(passive)").fetchall()
            if is_rewritten and truncate(connection):
                return True
            if time.monotonic() > end:
                return False
            time.sleep(PAUSE)
    finally:
        connection.close()


def _rewrite(connection: apsw.Connection) -> bool:
    try:
        connection.execute("vacuum")
    except apsw.BusyError:
        return False
    return True
