"""What the studio's Conversations and Insights ask of a million conversations: ``python -m bench.studio_history``.

Each request over HTTP to a service of its own, as the page makes it, on SQLite and on PostgreSQL; beside the median the
longest time for which the service's event loop was held meanwhile. ``BENCH_CONVERSATIONS`` sets the number: a million
take five minutes and 5 GB of disk.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator

from msgspec.structs import force_setattr

from bench.filled import FIRST, Pair, records
from dialoom.service.clock import iso

COUNT = int(os.environ.get("BENCH_CONVERSATIONS", "1000000"))
RUNS = 5
EVERY_MS = 2_000
"""Between the beginnings of two conversations: a million are 23 days."""
GOALS = 200
SAID = ("Is there a table at the window?", "Do you have gluten-free bread", "My order 4711 has not come", "Thank you!")
NOW_AND_THEN = 0.03
"""Part of the conversations in which something was not understood."""


def varied(count: int, until: int) -> Iterator[Pair]:
    """Conversations until a moment, of many goals and two channels, with messages that were not understood."""
    draw = random.Random(2)
    shift = until - FIRST - count * EVERY_MS
    for index, (conversation, messages) in enumerate(records(count)):
        started = FIRST + shift + index * EVERY_MS
        conversation.started_at = iso(started)
        conversation.updated_at = conversation.ended_at = iso(started + 60_000)
        conversation.goal = f"goal-{draw.randrange(GOALS)}" if draw.random() < 0.8 else None
        conversation.channel = "web" if draw.random() < 0.5 else "rest"
        conversation.flow_version = f"{draw.randrange(5)}" * 12
        conversation.data.step = f"goal-{draw.randrange(GOALS)}/{draw.randrange(5)}"
        if draw.random() < NOW_AND_THEN:
            conversation.data.not_understood = 1
        for kept in messages:
            message = kept.record
            force_setattr(message, "created_at", iso(started + 1000 * message.sequence))
            force_setattr(message, "channel", conversation.channel)
            if message.from_ == "user":
                force_setattr(message, "text", f"{draw.choice(SAID)} {index}")
        yield conversation, messages
