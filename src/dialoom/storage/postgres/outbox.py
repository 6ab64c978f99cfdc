"""Deliveries to the outside and scheduled jobs in the database: both are claimed by moving their time.

A claim is no lock: whoever took one and died lets it come up again at that time. Processes that take at the same moment
skip what another is taking, and a delivery is settled by its claim, so that one whose claim has passed to another
changes nothing. Deliveries go by the server's clock (``at`` None), or by a caller's, who says what time it is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from dialoom.storage.rows import OutboxCount, ScheduledJob, delivery_claim, outgoing
from dialoom.storage.sql_files import load

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dialoom.storage.postgres.connection import Connections
    from dialoom.storage.rows import Outgoing

_JOBS = load("postgres", "jobs")
_OUTBOX = load("postgres", "outbox")

MAX_DEAD_LETTERS: Final = 500
"""Of one statement."""


async def take(connections: Connections, at: int | None, claimed: int, limit: int) -> list[Outgoing]:
    found = await connections.fetch(_OUTBOX["take"], at, claimed, limit)
    # What an UPDATE returns comes in no order.
    rows = sorted((tuple(row) for row in found), key=lambda row: (row[-1], row[4]))
    return [outgoing(row[:-1]) for row in rows]


async def delivered(connections: Connections, delivery: Outgoing, at: int | None) -> None:
    await connections.execute(_OUTBOX["settle"], *delivery_claim(delivery), delivery.carries, None, None, at)


async def bury(connections: Connections, delivery: Outgoing, at: int | None, now: int, reason: str) -> None:
    """Make a delivery a dead letter. ``now``: when it is given up, for people."""
    await connections.execute(_OUTBOX["settle"], *delivery_claim(delivery), 0, now, reason, at)


async def postpone(connections: Connections, delivery: Outgoing, at: int | None, pause: int, reason: str) -> None:
    await connections.execute(_OUTBOX["postpone"], at, pause, reason, *delivery_claim(delivery))


async def give_back(connections: Connections, deliveries: Sequence[Outgoing], at: int | None, pause: int) -> None:
    if deliveries:
        columns = map(list, zip(*map(delivery_claim, deliveries), strict=True))
        await connections.execute(_OUTBOX["give_back"], at, pause, *columns)


async def bring_forward(connections: Connections, at: int | None, ahead: int, limit: int) -> int:
    return await connections.execute(_OUTBOX["bring_forward"], at, ahead, limit)


async def resend(connections: Connections, bot: str, ids: Sequence[str] | None, at: int | None) -> int:
    sent = last = await _resend(connections, bot, ids, at)
    while last == MAX_DEAD_LETTERS:
        last = await _resend(connections, bot, ids, at)
        sent += last
    return sent


async def _resend(connections: Connections, bot: str, ids: Sequence[str] | None, at: int | None) -> int:
    (sent,) = await connections.fetchrow(_OUTBOX["resend"], bot, _listed(ids), at, MAX_DEAD_LETTERS)
    return int(sent)


async def drop(connections: Connections, bot: str, ids: Sequence[str] | None) -> int:
    dropped = last = await connections.execute(_OUTBOX["drop"], bot, _listed(ids), MAX_DEAD_LETTERS)
    while last == MAX_DEAD_LETTERS:
        last = await connections.execute(_OUTBOX["drop"], bot, _listed(ids), MAX_DEAD_LETTERS)
        dropped += last
    return dropped


async def forget_dead(connections: Connections, bot: str, before: int, limit: int) -> int:
    return await connections.execute(_OUTBOX["forget_dead"], bot, before, limit)


def _listed(ids: Sequence[str] | None) -> list[str] | None:
    return None if ids is None else list(ids)


async def counts(connections: Connections) -> list[OutboxCount]:
    return [OutboxCount(*row) for row in await connections.fetch(_OUTBOX["counts"])]


async def take_jobs(connections: Connections, now: int, until: int, limit: int) -> list[ScheduledJob]:
    taken = [ScheduledJob(*row) for row in await connections.fetch(_JOBS["take"], now, until, limit)]
    return sorted(taken, key=lambda job: (job.due, job.bot, job.name))
