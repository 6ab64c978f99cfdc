"""The outbox of the store in memory: which deliveries are due, and what becomes of them, as changes of its tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dialoom.storage.memory_tables import Tables
    from dialoom.storage.store import ChatKey, Outgoing

    Place = tuple[ChatKey, str, str]


def take(tables: Tables, now: int, until: int, limit: int) -> list[Outgoing]:
    due = [row for row in tables.heads() if row.due <= now]
    oldest = sorted(due, key=lambda row: (row.due, row.id, row.key, row.receiver))[:limit]
    taken = [msgspec.structs.replace(row, due=until) for row in oldest]
    tables.outbox |= {(row.key, row.receiver, row.id): row for row in taken}
    return taken


def deliver(tables: Tables, delivery: Outgoing, now: int) -> bool:
    """Whether the claim was still good, so that it is gone now."""
    place = tables.claimed(delivery)
    if place is not None:
        del tables.outbox[place]
        tables.hand_on(now)
    return place is not None


def attempted(tables: Tables, delivery: Outgoing, **changes: object) -> None:
    if (place := tables.claimed(delivery)) is not None:
        row = tables.outbox[place]
        tables.outbox[place] = msgspec.structs.replace(row, attempts=row.attempts + 1, **changes)


def give_back(tables: Tables, deliveries: Sequence[Outgoing], due: int) -> None:
    for delivery in deliveries:
        if (place := tables.claimed(delivery)) is not None:
            tables.outbox[place] = msgspec.structs.replace(tables.outbox[place], due=due)


def bring_forward(tables: Tables, now: int, ahead: int, limit: int) -> int:
    late = [row for row in tables.heads() if row.due > now + ahead]
    late = sorted(late, key=lambda row: (row.due, row.id))[:limit]
    for row in late:
        tables.outbox[row.key, row.receiver, row.id] = msgspec.structs.replace(row, due=now)
    return len(late)


def dead(tables: Tables, bot: str, limit: int) -> list[Outgoing]:
    rows = [tables.outbox[place] for place in tables.dead(bot, None)[:limit]]
    return [msgspec.structs.replace(row, body=b"") for row in rows]


def dead_before(tables: Tables, bot: str, before: int) -> list[Place]:
    return [place for place in tables.dead(bot, None) if tables.outbox[place].created_at < before]


def resend(tables: Tables, bot: str, ids: Sequence[str] | None, now: int) -> int:
    places = tables.dead(bot, ids)
    for place in places:
        row = tables.outbox[place]
        tables.outbox[place] = msgspec.structs.replace(row, dead_at=None, reason=None, attempts=0, due=0)
    tables.hand_on(now)
    return len(places)


def drop(tables: Tables, places: Sequence[Place]) -> int:
    for place in places:
        del tables.outbox[place]
    return len(places)
