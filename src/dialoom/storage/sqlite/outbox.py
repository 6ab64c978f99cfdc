"""What the writer does with deliveries to the outside and with chores: both are claimed by moving their time.

A claim is no lock: whoever took one and died lets it come up again at that time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dialoom.storage.named import load
from dialoom.storage.rows import delivery_place, outgoing
from dialoom.storage.sqlite.groups import put
from dialoom.storage.store import Chore

if TYPE_CHECKING:
    from collections.abc import Sequence

    import apsw

    from dialoom.storage.store import Outgoing

_CHORES = load("sqlite", "chores")
_OUTBOX = load("sqlite", "outbox")
_TURN = load("sqlite", "turn")


def take(connection: apsw.Connection, asked: Sequence[tuple[int, int, int]]) -> list[list[Outgoing]]:
    """Each payload: the time, the time until which the claim holds, a limit."""
    return [_take(connection, *one) for one in asked]


def _take(connection: apsw.Connection, now: int, until: int, limit: int) -> list[Outgoing]:
    taken = [outgoing(row) for row in connection.execute(_OUTBOX["next"].sql, (now, limit)).fetchall()]
    for delivery in taken:
        connection.execute(_OUTBOX["claim"].sql, (until, *delivery_place(delivery)))
    return taken


def delivered(connection: apsw.Connection, deliveries: Sequence[Outgoing]) -> list[None]:
    for delivery in deliveries:
        connection.execute(_OUTBOX["delete"].sql, delivery_place(delivery))
    put(connection, _TURN["carry"], [(*delivery.key, delivery.carries) for delivery in deliveries if delivery.carries])
    return [None] * len(deliveries)


def take_chores(connection: apsw.Connection, asked: Sequence[tuple[int, int, int]]) -> list[list[Chore]]:
    return [_take_chores(connection, *one) for one in asked]


def _take_chores(connection: apsw.Connection, now: int, until: int, limit: int) -> list[Chore]:
    found: list[tuple[Any, ...]] = connection.execute(_CHORES["due"].sql, (now, limit)).fetchall()
    taken = [Chore(*row) for row in found]
    put(connection, _CHORES["move"], [(chore.bot, chore.name, until) for chore in taken])
    return taken
