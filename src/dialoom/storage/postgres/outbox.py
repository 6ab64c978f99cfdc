"""Deliveries to the outside and chores in the database: both are claimed by moving their time.

A claim is no lock: whoever took one and died lets it come up again at that time. Processes that take at the same moment
skip what another is taking.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dialoom.storage.named import load
from dialoom.storage.rows import delivery_place, outgoing
from dialoom.storage.store import Chore, OutboxCount

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dialoom.storage.postgres.connection import Connections
    from dialoom.storage.store import Outgoing

_CHORES = load("postgres", "chores")
_OUTBOX = load("postgres", "outbox")


async def take(connections: Connections, now: int, until: int, limit: int) -> list[Outgoing]:
    taken = [outgoing(tuple(row)) for row in await connections.fetch(_OUTBOX["take"], now, until, limit)]
    # What an UPDATE returns comes in no order.
    return sorted(taken, key=lambda row: (row.due, row.id, row.key, row.receiver))


async def delivered(connections: Connections, delivery: Outgoing) -> None:
    await connections.execute(_OUTBOX["delivered"], *delivery_place(delivery), delivery.carries)


async def postpone(connections: Connections, delivery: Outgoing, due: int, reason: str) -> None:
    await connections.execute(_OUTBOX["postpone"], due, reason, *delivery_place(delivery))


async def bury(connections: Connections, delivery: Outgoing, now: int, reason: str) -> None:
    await connections.execute(_OUTBOX["bury"], now, reason, *delivery_place(delivery))


async def dead(connections: Connections, bot: str, limit: int) -> list[Outgoing]:
    return [outgoing(tuple(row)) for row in await connections.fetch(_OUTBOX["dead"], bot, limit)]


async def resend(connections: Connections, bot: str, ids: Sequence[str] | None, now: int) -> int:
    return await connections.execute(_OUTBOX["resend"], now, bot, None if ids is None else list(ids))


async def drop(connections: Connections, bot: str, ids: Sequence[str] | None) -> int:
    return await connections.execute(_OUTBOX["drop"], bot, None if ids is None else list(ids))


async def counts(connections: Connections) -> list[OutboxCount]:
    return [OutboxCount(*row) for row in await connections.fetch(_OUTBOX["counts"])]


async def plan_chore(connections: Connections, chore: Chore) -> None:
    await connections.execute(_CHORES["plan"], *chore)


async def take_chores(connections: Connections, now: int, until: int, limit: int) -> list[Chore]:
    taken = [Chore(*row) for row in await connections.fetch(_CHORES["take"], now, until, limit)]
    return sorted(taken, key=lambda chore: (chore.due, chore.bot, chore.name))


async def finish_chore(connections: Connections, bot: str, name: str, due: int | None) -> None:
    if due is None:
        await connections.execute(_CHORES["end"], bot, name)
    else:
        await connections.execute(_CHORES["move"], bot, name, due)
