"""What the writer does with many payloads of one kind in a few statements.

Each function takes all payloads of a batch or raises ``Clash`` when one of them cannot go in; the writer then gives
each alone, and only the one at fault gets its answer. Why few statements and not one a row: every step of SQLite lets
go of the interpreter's lock, and while the event loop computes, getting it back took 2.5 ms a statement (measured with
a busy loop: 20 ms a turn one by one, 0.8 ms in groups of 32).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dialoom.storage import refusals
from dialoom.storage.rows import Answered
from dialoom.storage.sql_files import load

if TYPE_CHECKING:
    from collections.abc import Sequence

    import apsw

    from dialoom.storage.rows import ChatKey, Inbound, Row, TurnRows
    from dialoom.storage.sql_files import Query

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
    _finish_inbox(connection, turns)
    return [None] * len(turns)


def _seen(connection: apsw.Connection, turn: TurnRows) -> Answered | None:
    """Whether the turn was done before. Asked only of a turn alone: in a group a seen key is a clash."""
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
        raise refusals.changed_meanwhile(turns[0].key.bot)
    waking = [(*turn.key, turn.wake) for turn in turns if turn.wake is not None]
    put(connection, _TURN["wake_chats"], waking)


def _send_files(connection: apsw.Connection, named: Sequence[tuple[ChatKey, Sequence[str]]]) -> None:
    """Files stay from the moment in which a message that names them is durable."""
    for key, ids in named:
        for id in ids:
            connection.execute(_FILES["send"].sql, (*key, id))
            if not connection.changes():
                raise refusals.files_gone(key.bot)


def _put_conversations(connection: apsw.Connection, turns: Sequence[TurnRows]) -> None:
    """Each statement touches the indexes of the columns it sets, changed or not: so the narrow ones are tried first."""
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
    """Inbox rows, each with the files that its event names."""
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
            raise refusals.not_its_call(str(bot))
    return [None] * len(results)
