"""What the writer does with many payloads of one kind in a few statements: turns, accepted events, versions, imported
records, sealed values.

Each function takes all payloads of a batch or raises ``Clash`` when one of them cannot go in; the writer then gives
each alone, and only the one at fault gets its answer. Why few statements and not one a row: every step of SQLite lets
go of the interpreter's lock, and while the event loop computes, getting it back took 2.5 ms a statement (measured with
a busy loop: 20 ms a turn one by one, 0.8 ms in groups of 32).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import apsw
import msgspec

from dialoom.storage import errors
from dialoom.storage.rows import Answered, ChatKey, Collection, FileRow, Inbound, Row, StudioRow, TurnRows, Version
from dialoom.storage.sealed import COLUMNS, Place, Sealed, SealedKind, SealedPage, page_of, words_of
from dialoom.storage.shared_methods import SHARED
from dialoom.storage.sql_files import Query, load
from dialoom.storage.sqlite.writer import each

_TURN = load("sqlite", "turn")
_INBOX = load("sqlite", "inbox")
_FILES = load("sqlite", "files")
_OUTBOX = load("sqlite", "outbox")
MAX_ROWS_PER_STATEMENT = 64
"""Rows of one statement; more are split into powers of two, so that few statements need preparing."""


class Clash(Exception):
    """A payload of the group cannot go in as it is: a key was seen, a revision is not the stored one."""


def put(connection: apsw.Connection, query: Query, rows: Sequence[Row]) -> int:
    """Run the query for all rows; gives how many rows it changed."""
    changed, start, left = 0, 0, len(rows)
    while left:
        count = min(1 << (left.bit_length() - 1), MAX_ROWS_PER_STATEMENT)
        values: list[object] = []
        for row in rows[start : start + count]:
            values += row
        connection.execute(query.rows(count), values)
        changed += connection.changes()
        start, left = start + count, left - count
    return changed


# -- turns


def write_turns(connection: apsw.Connection, turns: Sequence[TurnRows]) -> list[Answered | None]:
    if len(turns) == 1 and (seen := _seen(connection, turns[0])) is not None:
        return [seen]
    _send_files(connection, [(turn.key, turn.files) for turn in turns if turn.files])
    _put_chats(connection, turns)
    _put_conversations(connection, turns)
    put(connection, _TURN["put_messages"], [row for turn in turns for row in turn.messages])
    put(connection, _TURN["carry"], [turn.carried for turn in turns if turn.carried is not None])
    put(connection, _OUTBOX["put"], [row for turn in turns for row in turn.outbox])
    put(connection, _OUTBOX["mark"], [row for turn in turns for row in turn.lines])
    for turn in turns:
        if turn.studio_row is not None:
            _put_studio_row(connection, turn.studio_row)
    _finish_inbox(connection, turns)
    return [None] * len(turns)


def _put_studio_row(connection: apsw.Connection, row: StudioRow) -> None:
    if row.body:
        connection.execute(SHARED["replace_studio_row"].sql, msgspec.structs.astuple(row))
    else:
        connection.execute(SHARED["delete_studio_row"].sql, (row.bot, row.kind, row.id))


def _seen(connection: apsw.Connection, turn: TurnRows) -> Answered | None:
    """Return the answer where the turn was done before. Asked only of a turn alone: in a group a seen key is a
    clash."""
    if turn.dedupe is not None:
        row = connection.execute(_INBOX["seen"].sql, (*turn.key, turn.dedupe.key)).fetchone()
        is_own = row is not None and turn.number is not None and row[0] == turn.number and row[2] is None
        if row is not None and not is_own:
            return Answered(row[1], row[2])
    if turn.number is not None:
        row = connection.execute(_INBOX["is_waiting"].sql, (*turn.key, turn.number)).fetchone()
        if row is None:
            return Answered(b"", b"")
    return None


def _put_chats(connection: apsw.Connection, turns: Sequence[TurnRows]) -> None:
    new = [turn.chat for turn in turns if turn.is_new]
    known = [turn.chat for turn in turns if not turn.is_new]
    changed = put(connection, _TURN["put_chats"], new)
    connection.set_last_insert_rowid(0)
    changed += put(connection, _TURN["update_chats"], known)
    if changed != len(turns) or connection.last_insert_rowid():
        if len(turns) > 1:
            raise Clash
        raise errors.changed_meanwhile(turns[0].key.bot)
    waking = [(*turn.key, turn.wake) for turn in turns if turn.wake is not None]
    put(connection, _TURN["wake_chats"], waking)


def _send_files(connection: apsw.Connection, named: Sequence[tuple[ChatKey, Sequence[str]]]) -> None:
    """Mark files as sent: they stay from the moment in which a message that names them is durable."""
    for key, ids in named:
        for id in ids:
            connection.execute(_FILES["send"].sql, (*key, id))
            if not connection.changes():
                raise errors.files_gone(key.bot)


def _put_conversations(connection: apsw.Connection, turns: Sequence[TurnRows]) -> None:
    """Write conversation records. Each statement touches the indexes of the columns it sets, changed or not: so the
    narrow ones are tried first."""
    for name, is_plain in (("put_conversations", True), ("finish_conversations", False)):
        rows = [row for turn in turns if turn.is_plain is is_plain for row in turn.conversations]
        if put(connection, _TURN[name], rows) != len(rows):
            put(connection, _TURN["replace_conversations"], rows)


def _finish_inbox(connection: apsw.Connection, turns: Sequence[TurnRows]) -> None:
    """Keep the answers; the inbox rows and journals of turns that came through the inbox go."""
    direct = [
        (*turn.key, turn.dedupe.key, turn.dedupe.body, turn.answer, turn.now)
        for turn in turns
        if turn.dedupe is not None and turn.number is None
    ]
    if put(connection, _TURN["put_answers"], direct) != len(direct):
        raise Clash
    accepted = [turn for turn in turns if turn.number is not None]
    if not accepted:
        return
    answers = [
        (*turn.key, turn.dedupe.key, turn.dedupe.body, turn.number, turn.answer, turn.now)
        for turn in accepted
        if turn.dedupe is not None
    ]
    if put(connection, _TURN["fill_answers"], answers) != len(answers):
        raise Clash
    numbers = [(*turn.key, turn.number) for turn in accepted]
    if put(connection, _TURN["delete_inbox"], numbers) != len(numbers):
        raise Clash
    put(connection, _TURN["delete_journals"], numbers)


# -- accepted events


def accept(connection: apsw.Connection, accepted: Sequence[tuple[Inbound, Sequence[str]]]) -> list[Inbound | Answered]:
    """Write inbox rows, each with the files that its event names."""
    events = [event for event, _ in accepted]
    if len(events) == 1 and (dedupe := events[0].dedupe) is not None:
        row = connection.execute(_INBOX["seen"].sql, (*events[0].key, dedupe.key)).fetchone()
        if row is not None:
            return [Answered(row[1], row[2])]
    seen = [
        (*event.key, event.dedupe.key, event.dedupe.body, event.number, event.accepted_at)
        for event in events
        if event.dedupe is not None
    ]
    if put(connection, _INBOX["put_seen"], seen) != len(seen):
        raise Clash
    _send_files(connection, [(event.key, files) for event, files in accepted if files])
    put(connection, _INBOX["put_inbox"], [_inbox_row(event) for event in events])
    return list(events)


def _inbox_row(event: Inbound) -> Row:
    key, body = (event.dedupe.key, event.dedupe.body) if event.dedupe is not None else (None, None)
    return (*event.key, event.number, event.id, event.event, key, body, event.accepted_at)


def keep_results(connection: apsw.Connection, results: Sequence[Row]) -> list[None]:
    """Journal rows: chat, number, call, result."""
    if put(connection, _INBOX["put_journal"], results) != len(results):
        if len(results) > 1:
            raise Clash
        # Left out since it was stored before, or since its turn is done.
        bot, channel, user, number, *_ = results[0]
        if connection.execute(_INBOX["is_waiting"].sql, (bot, channel, user, number)).fetchone() is None:
            raise errors.not_its_call(str(bot))
    return [None] * len(results)


_BOTS = load("sqlite", "bots")


@each
def publish(connection: apsw.Connection, version: Version, instead_of: str | None) -> bool:
    if not _is_active(connection, version.bot, instead_of):
        return False
    row = (version.bot, version.version, version.files, version.created_at)
    connection.execute(_BOTS["put_version"].sql, row)
    _activate(connection, version.bot, version.version, version.created_at)
    return True


@each
def roll_back(connection: apsw.Connection, bot: str, version: str, now: int, instead_of: str | None) -> bool:
    """Make a kept version the active one."""
    if not _is_active(connection, bot, instead_of):
        return False
    if connection.execute(SHARED["version"].sql, (bot, version)).fetchone() is None:
        raise errors.no_version(bot, version)
    connection.execute(_BOTS["withdraw"].sql, (now, bot, version))
    _activate(connection, bot, version, now)
    return True


def _is_active(connection: apsw.Connection, bot: str, version: str | None) -> bool:
    """Return whether the version is the active one; "": that none is. None: whichever it is."""
    if version is None:
        return True
    row = connection.execute(_BOTS["active_name"].sql, (bot,)).fetchone()
    return version == ("" if row is None else row[0])


def _activate(connection: apsw.Connection, bot: str, version: str, now: int) -> None:
    connection.execute(_BOTS["activate"].sql, (bot, version))
    if connection.changes():
        connection.execute(_BOTS["note_activation"].sql, (now, bot, version))


_IMPORTS = load("sqlite", "imports")


@each
def import_records(
    connection: apsw.Connection, collection: Collection, bot: str, rows: Sequence[Row], source: str, line: int
) -> int:
    """Write some lines of a file, as rows; return how many were new."""
    put_new = _IMPORTS["put_messages" if collection == "messages" else "put_conversations"]
    written = put(connection, put_new, rows)
    if source:
        connection.execute(_IMPORTS["put_line"].sql, (bot, source, line))
    return written


_SEALED = load("sqlite", "sealed")

MAX_SEALED_VALUES: Final = 64
"""Of one commit, for which turns wait."""


def sealed_page(
    connection: apsw.Connection, kind: SealedKind, bot: str, mark: bytes, after: Place | None, limit: int
) -> SealedPage:
    column = COLUMNS[kind]
    limit = min(max(limit, 1), MAX_SEALED_VALUES)
    sql = _SEALED["page"].filled(_sealed_words(kind))
    rows = connection.execute(sql, (mark, bot, *(after or column.start), limit)).fetchall()
    return page_of(rows, column, limit)


@each
def reseal(connection: apsw.Connection, kind: SealedKind, bot: str, changes: Sequence[tuple[Sealed, Sealed]]) -> int:
    """Put sealed values in the places of others, each where the other still is; return how many."""
    return sum(_reseal(connection, kind, bot, *change) for change in changes)


def _reseal(connection: apsw.Connection, kind: SealedKind, bot: str, before: Sealed, after: Sealed) -> int:
    row_key: tuple[Any, ...] = (bot, *before.place, before.value)
    if COLUMNS[kind].beside is None:
        connection.execute(_SEALED["put"].filled(_sealed_words(kind)), (after.value, *row_key))
    else:
        connection.execute(_SEALED["put_both"].filled(_sealed_words(kind)), (after.value, after.beside, *row_key))
    return connection.changes()


def _sealed_words(kind: SealedKind) -> dict[str, str]:
    return words_of(kind, ", ".join("?" * len(COLUMNS[kind].place)))


@each
def reseal_file(connection: apsw.Connection, before: FileRow, about: bytes, pieces: Sequence[bytes]) -> bool:
    """Put a file that is sealed again in the place of the one before. All of it goes at once: one whose pieces are of
    two keys does not open. 10 MiB hold up turns for 0.1 s."""
    file_key = (before.key.bot, before.id)
    connection.execute(_SEALED["put_about"].sql, (about, *file_key, before.about))
    if not connection.changes():
        return False
    for number, piece in enumerate(pieces):
        connection.execute(_SEALED["put_piece"].sql, (piece, *file_key, number))
    return True


_DISK_SPACE = load("sqlite", "disk_space")
FILL_BYTES: Final = 256 * 1024
"""Bytes: what about ten turns write together. Less would still go in where turns do not any more."""


def fill(connection: apsw.Connection, asked: Sequence[None]) -> list[None]:
    """Written and gone again in one transaction. What is deleted is overwritten, so that all of it is on its way to the
    disk."""
    connection.execute(_DISK_SPACE["fill"].sql, (FILL_BYTES,))
    connection.execute(_DISK_SPACE["clear"].sql)
    return [None] * len(asked)
