"""What the writer does with all that has a time: timers, deliveries to the outside, scheduled jobs.

Timers lie in the rows of the chats. A wake-up is never late but may be early: a timer that was put off leaves the index
alone (each turn puts one off), so that a chat that wakes with nothing due is given its next wake-up here.

Deliveries and jobs are claimed by moving their time. A claim is no lock: whoever took one and died lets it come up
again, a delivery with the next start, a job at that time. A delivery is settled by its claim, so that one whose claim
has passed to another changes nothing. Of each chat and receiver the first is marked; whoever takes it away marks the
next.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Sequence
from typing import Any, Final

import apsw
import msgspec

from dialoom.storage.rows import (
    ChatKey,
    Outgoing,
    Row,
    ScheduledJob,
    TimerRow,
    delivery_claim,
    delivery_place,
    outgoing,
)
from dialoom.storage.shared_methods import SHARED
from dialoom.storage.sql_files import load
from dialoom.storage.sqlite.writer import each
from dialoom.storage.sqlite.writes import put

_TIMERS = load("sqlite", "timers")
_JOBS = load("sqlite", "jobs")
_OUTBOX = load("sqlite", "outbox")
_TURN = load("sqlite", "turn")

MAX_DEAD_LETTERS: Final = 20
"""That one commit puts back."""
_decode = msgspec.json.Decoder(dict[str, int]).decode


@each
def due_timers(connection: apsw.Connection, now: int, limit: int) -> list[TimerRow]:
    """Return the timers that are due."""
    while True:
        found: list[tuple[Any, ...]] = connection.execute(_TIMERS["waking"].sql, (now, limit)).fetchall()
        early = [row for row in found if _move(connection, row)]
        if not early:
            break
    rows = [
        TimerRow(ChatKey(bot, channel, user), name, at)
        for bot, channel, user, _, timers in found
        for name, at in _decode(timers).items()
        if at <= now
    ]
    return sorted(rows, key=lambda row: (row.due, row.key, row.name))[:limit]


def next_due(connection: apsw.Connection, asked: Sequence[None]) -> list[int | None]:
    while True:
        row = connection.execute(_TIMERS["first_waking"].sql).fetchone()
        if row is None or not _move(connection, row):
            return [None if row is None else row[3]] * len(asked)


def _move(connection: apsw.Connection, row: tuple[Any, ...]) -> bool:
    """Put the wake-up where the least timer is; gives whether it was elsewhere."""
    bot, channel, user, wake, timers = row
    least = min(_decode(timers).values(), default=None) if timers else None
    if least == wake:
        return False
    connection.execute(_TIMERS["move_wake"].sql, (least, bot, channel, user))
    return True


def free_claims(connection: apsw.Connection) -> None:
    """Free all claims at the start: whoever had them is gone."""
    # A full disk or a damaged page stops no start: whoever meets it is told, and the claims are over with their time.
    with contextlib.suppress(apsw.Error):
        connection.execute(_OUTBOX["free"].sql)


@each
def take(connection: apsw.Connection, now: int, until: int, limit: int) -> list[Outgoing]:
    """Claim and return deliveries. ``until``: when the claim is over."""
    rows: list[Row] = connection.execute(_OUTBOX["next"].sql, (now, limit)).fetchall()
    taken = [outgoing(row, until) for row in rows]
    for delivery in taken:
        connection.execute(_OUTBOX["claim"].sql, (until, *delivery_place(delivery)))
    return taken


def delivered(connection: apsw.Connection, arrived: Sequence[tuple[Outgoing, int]]) -> list[None]:
    """Delete deliveries that have arrived. Each payload: the delivery, the time."""
    settled = [(delivery, now) for delivery, now in arrived if _settle(connection, "delete", delivery)]
    put(connection, _TURN["carry"], [(*delivery.key, delivery.carries) for delivery, _ in settled if delivery.carries])
    _hand_on(connection, settled)
    return [None] * len(arrived)


def bury(connection: apsw.Connection, given_up: Sequence[tuple[Outgoing, int, str]]) -> list[None]:
    """Make deliveries dead letters. Each payload: the delivery, the time, the reason."""
    dead = [(delivery, now) for delivery, now, reason in given_up if _settle(connection, "bury", delivery, now, reason)]
    _hand_on(connection, dead)
    return [None] * len(given_up)


@each
def give_back(connection: apsw.Connection, deliveries: Sequence[Outgoing], due: int) -> None:
    for delivery in deliveries:
        _settle(connection, "give_back", delivery, due)


@each
def resend(connection: apsw.Connection, bot: str, ids: str | None, now: int, limit: int) -> int:
    """Put dead letters back; return how many. ``ids``: a JSON list; None for all."""
    found: list[Row] = connection.execute(_OUTBOX["letters"].sql, (bot, ids, limit)).fetchall()
    lines = list(dict.fromkeys(tuple(line) for _, *line in found))
    put(connection, _OUTBOX["unmark"], lines)
    for rowid, *_ in found:
        connection.execute(_OUTBOX["resend"].sql, (rowid,))
    put(connection, _OUTBOX["mark"], [(*line, now) for line in lines])
    return len(found)


def _settle(connection: apsw.Connection, how: str, delivery: Outgoing, *values: Any) -> bool:
    """Settle a delivery; return whether it still had its claim."""
    connection.execute(_OUTBOX[how].sql, (*values, *delivery_claim(delivery)))
    return bool(connection.changes())


def _hand_on(connection: apsw.Connection, settled: Iterable[tuple[Outgoing, int]]) -> None:
    """Make the next deliveries of these chats and receivers the first."""
    put(connection, _OUTBOX["mark"], [(*delivery.key, delivery.receiver, now) for delivery, now in settled])


@each
def take_jobs(connection: apsw.Connection, now: int, until: int, limit: int) -> list[ScheduledJob]:
    found: list[tuple[Any, ...]] = connection.execute(_JOBS["due"].sql, (now, limit)).fetchall()
    taken = [ScheduledJob(*row) for row in found]
    connection.executemany(SHARED["move_job"].sql, [(job.bot, job.name, until) for job in taken])
    return taken
