"""Groups of the writer: turns, accepted events and results of calls, each group as the columns of one statement.

What is checked, and in which order, stands with the functions ``commit_turns`` and ``accept_events`` of the database.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from contextlib import nullcontext
from typing import Any

import asyncpg
import msgspec

from dialoom.query import jsonb_copy
from dialoom.storage import errors
from dialoom.storage.errors import Refused
from dialoom.storage.postgres.connection import STATEMENT_SECONDS, Connection
from dialoom.storage.postgres.writer import AGAIN
from dialoom.storage.rows import Answered, ChatKey, Inbound, Outgoing, Row, TurnWrite, turn_rows
from dialoom.storage.shared_methods import SHARED
from dialoom.storage.sql_files import load

_TURN = load("postgres", "turn")
_STATEMENT_SECONDS = STATEMENT_SECONDS + 1.0
"""Seconds after which we give a statement up: a little more than the server gives it."""
_RECORD_COLUMNS, _MESSAGE_COLUMNS = 17, 15
_BOT, _WHOLE = 0, 12
"""Places in the rows of what is no column of a group: the bot of all, and what a message shows its user unmasked."""
_QUOTED = str.maketrans({'"': '\\"', "\\": "\\\\"})
_ESCAPED_NUL = re.compile(r"(?<!\\)((?:\\\\)*)\\u0000")


# -- turns


async def write_turns(connection: Connection, bot: str, payloads: Sequence[tuple[str, TurnWrite]]) -> list[Any]:
    """Write turns. Payloads: the process that writes, and the turn. Deliveries are due by the server's clock."""
    return await _write_turns(connection, bot, payloads, None)


async def write_timed_turns(connection: Connection, bot: str, payloads: Sequence[tuple[str, TurnWrite]]) -> list[Any]:
    """Write turns whose deliveries are due at the times that stand in them."""
    return await _write_turns(connection, bot, payloads, 0)


async def _write_turns(
    connection: Connection, bot: str, payloads: Sequence[tuple[str, TurnWrite]], at: int | None
) -> list[Any]:
    """Write turns. ``at``: the time from which deliveries' times are counted; None for the server's."""
    writes = [write for _, write in payloads]
    try:
        rows = await _commit(connection, payloads[0][0], bot, writes, at)
    except asyncpg.UniqueViolationError as error:
        if len(writes) == 1 and error.constraint_name == "messages_pkey":
            raise Refused(
                f"A message of bot {bot} has an id that is there already; nothing of its turn was written."
            ) from None
        raise
    if not rows:
        return [None] * len(writes)
    results: list[Any] = [AGAIN] * len(writes)
    for number, verdict, body, answer in rows:
        results[number - 1] = _of_turn(verdict, bot, body, answer)
    return results


async def _commit(
    connection: Connection, holder: str, bot: str, writes: Sequence[TurnWrite], at: int | None
) -> list[Any]:
    wholes = [(one.record.id, one.whole) for write in writes for one in write.messages if one.whole is not None]
    listed = [write.studio_row for write in writes if write.studio_row is not None]
    # Statements of their own: few turns have any, and all others pay nothing for it.
    async with connection.transaction() if wholes or listed else nullcontext():
        rows: list[Any] = await connection.fetch(
            _TURN["commit"].sql, holder, bot, *_turn_columns(writes, at), timeout=_STATEMENT_SECONDS
        )
        if wholes and not rows:
            await connection.execute(_TURN["put_whole"].sql, bot, *map(list, zip(*wholes, strict=True)))
        if listed and not rows:
            for row in listed:
                if row.body:
                    await connection.execute(SHARED["replace_studio_row"].sql, *msgspec.structs.astuple(row))
                else:
                    await connection.execute(SHARED["delete_studio_row"].sql, row.bot, row.kind, row.id)
    return rows


def _of_turn(verdict: str, bot: str, body: bytes | None, answer: bytes | None) -> object:
    match verdict:
        case "seen":
            return Answered(body or b"", answer)
        case "done":
            return Answered(b"", b"")
        case "gone":
            return errors.files_gone(bot)
        case _:
            return errors.changed_meanwhile(bot)


def _turn_columns(writes: Sequence[TurnWrite], at: int | None) -> list[Any]:
    """Return the columns as ``commit_turns`` takes them: those of bytes and of documents as lists, for the driver, the
    others as literals. The driver asks of each element of a list whether it is a list itself: with all columns as lists
    that took 120 µs of a turn's 370."""
    turns = [turn_rows(write) for write in writes]
    dedupes = [turn.dedupe for turn in turns]
    outgoing = [
        (number, sent.receiver, sent.id, sent.body, sent.carries, sent.created_at, _delay(sent, at), sent.attempts)
        for number, write in enumerate(writes, 1)
        for sent in write.outbox
    ]
    places, receivers, ids, bodies, *sending = _columns(outgoing, 8)
    states, *chats = _columns([turn.chat[3:7] for turn in turns], 4)
    return [
        _literal([turn.key.channel for turn in turns]),
        _literal([turn.key.user for turn in turns]),
        _literal([turn.number for turn in turns]),
        _literal([None if dedupe is None else dedupe.key for dedupe in dedupes]),
        [None if dedupe is None else dedupe.body for dedupe in dedupes],
        [turn.answer for turn in turns],
        _literal([turn.now for turn in turns]),
        states,
        *map(_literal, chats),
        _literal([turn.wake for turn in turns]),
        _literal([write.carried or None for write in writes]),
        *_documents([row for turn in turns for row in turn.conversations], _RECORD_COLUMNS),
        *_documents([row for turn in turns for row in turn.messages], _MESSAGE_COLUMNS, _WHOLE),
        *map(_literal, _columns([(number, id) for number, turn in enumerate(turns, 1) for id in turn.files], 2)),
        *map(_literal, (places, receivers, ids)),
        bodies,
        *map(_literal, sending),
        at,
    ]


def _delay(sent: Outgoing, at: int | None) -> int:
    return sent.due - (sent.created_at if at is None else at)


def _documents(rows: Sequence[Row], count: int, *left_out: int) -> list[Sequence[Any]]:
    """Return the columns of rows that end with their document and its copy for JSONB, which is left out where it is the
    same. The documents are a list, the other columns literals."""
    *columns, documents, _ = _columns(rows, count, _BOT, *left_out)
    literals = [*map(_literal, columns)]
    if any("\0" in literal for literal in literals):
        fitted = [row if _fits(row) else _fitted(row) for row in rows]
        *columns, documents, _ = _columns(fitted, count, _BOT, *left_out)
        literals = [*map(_literal, columns)]
    copies = [None if (copy := jsonb_copy(text)) == text else copy for text in documents]
    return [*literals, documents, _literal(copies)]


def _literal(values: Sequence[Any]) -> str:
    """Return an array of texts or of numbers as PostgreSQL reads it from a text (8.15, Array Input and Output Syntax).
    Whether a text needs an escape is asked of all of them at once: few do."""
    absent = values.count(None)
    if absent == len(values):
        return "{" + ",".join(["NULL"] * absent) + "}"
    if absent:
        return "{" + ",".join(["NULL" if value is None else _element(value) for value in values]) + "}"
    if not isinstance(values[0], str):
        return "{" + ",".join(map(_number, values)) + "}"
    joined = '","'.join(values)
    if "\\" in joined or joined.count('"') != 2 * (len(values) - 1):
        joined = '","'.join([value.translate(_QUOTED) for value in values])
    return '{"' + joined + '"}'


def _element(value: str | int) -> str:
    """Return an element of an array's text: a number bare, a text in quotes."""
    return f'"{value.translate(_QUOTED)}"' if isinstance(value, str) else _number(value)


_number = int.__repr__
"""Returns a number as a text. A bool is an int, and its own text is no number."""


def _fits(row: Row) -> bool:
    return not any(isinstance(value, str) and "\0" in value for value in row)


def _fitted(row: Row) -> Row:
    """Return a row without NUL, of which PostgreSQL keeps none in a text. Where a column would hold one, U+FFFD stands
    for it in the whole record, so that column and document say the same."""
    *values, document, _ = row
    legal = _ESCAPED_NUL.sub(r"\1\\ufffd", document)
    return (
        *(value.replace("\0", "\ufffd") if isinstance(value, str) else value for value in values),
        legal,
        legal,
    )


def _columns(rows: Sequence[Row], count: int, *left_out: int) -> list[Sequence[Any]]:
    columns: list[Sequence[Any]] = list(zip(*rows, strict=True)) if rows else [()] * count
    for index in reversed(left_out):
        del columns[index]
    return columns


# -- accepted events


async def accept(
    connection: Connection, bot: str, payloads: Sequence[tuple[Inbound, Sequence[str], int | None]]
) -> list[Any]:
    """Write accepted events. Payloads: the event without its number, the files that it names, and how many may wait."""
    events = [event for event, _, _ in payloads]
    files = [(row_number, id) for row_number, (_, ids, _) in enumerate(payloads, 1) for id in ids]
    columns = (
        [event.key.channel for event in events],
        [event.key.user for event in events],
        [event.id for event in events],
        [event.event for event in events],
        [None if event.dedupe is None else event.dedupe.key for event in events],
        [None if event.dedupe is None else event.dedupe.body for event in events],
        [event.accepted_at for event in events],
        [most for _, _, most in payloads],
        *_columns(files, 2),
    )
    rows = await connection.fetch(_TURN["accept"].sql, bot, *columns, timeout=_STATEMENT_SECONDS)
    results: list[Any] = [AGAIN] * len(events)
    for row_number, verdict, number, ahead, body, answer in rows:
        event = events[row_number - 1]
        match verdict:
            case "new":
                result: object = Inbound(
                    event.key, number, event.id, event.event, event.dedupe, event.accepted_at, ahead
                )
            case "seen":
                result = Answered(body, answer)
            case "full":
                result = errors.inbox_full(bot, payloads[row_number - 1][2])
            case _:
                result = errors.files_gone(bot)
        results[row_number - 1] = result
    return results


# -- results of calls


async def keep_results(
    connection: Connection, bot: str, payloads: Sequence[tuple[str, ChatKey, int, str, bytes]]
) -> list[Any]:
    """Keep results of calls. Payloads: the process that writes, chat, number, call, result."""
    columns: Iterable[Sequence[Any]] = (
        [key.channel for _, key, _, _, _ in payloads],
        [key.user for _, key, _, _, _ in payloads],
        [number for _, _, number, _, _ in payloads],
        [call for _, _, _, call, _ in payloads],
        [result for _, _, _, _, result in payloads],
    )
    rows = await connection.fetch(_TURN["journal"].sql, payloads[0][0], bot, *columns, timeout=_STATEMENT_SECONDS)
    refused = {row_number for (row_number,) in rows}
    return [errors.not_its_call(bot) if row_number in refused else None for row_number, _ in enumerate(payloads, 1)]
