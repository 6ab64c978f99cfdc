"""Timers as they lie in the chats' rows: finds what is due, and keeps each chat's wake-up at its least timer.

A wake-up is never late but may be early: a timer that was put off leaves the index alone (each turn puts one off), so
that a chat that wakes with nothing due is given its next wake-up here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from dialoom.storage.rows import ChatKey, TimerRow
from dialoom.storage.sql_files import load

if TYPE_CHECKING:
    from collections.abc import Sequence

    import apsw

_TIMERS = load("sqlite", "timers")
_decode = msgspec.json.Decoder(dict[str, int]).decode


def due(connection: apsw.Connection, asked: Sequence[tuple[int, int]]) -> list[list[TimerRow]]:
    """Groups of the writer: each payload is a time and a limit."""
    return [_due(connection, now, limit) for now, limit in asked]


def _due(connection: apsw.Connection, now: int, limit: int) -> list[TimerRow]:
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
