"""Fires stored timers: sleeps until the next is due and puts it into its chat's order.

Where several processes share a store, each finds those of its own chats and of chats that nobody has; of two that find
the same, the one that comes to hold the chat runs it.
"""

from __future__ import annotations

import logging

from dialoom.engine.events import TimedOut
from dialoom.errors import StoreError
from dialoom.messages import Profile
from dialoom.service.chat.inbound import InboundEvent
from dialoom.service.clock import Clock
from dialoom.service.turns.runner import Runner
from dialoom.storage.store import Store, TimerRow

log = logging.getLogger(__name__)

MAX_SLEEP_SECONDS = 5.0
"""Seconds between looks; a timer set meanwhile is at most this late, and a clock that jumps is noticed."""
MIN_SLEEP_SECONDS = 0.05
HELD_PAUSE_SECONDS = 1.0
MAX_HELD_MS = 60_000
"""Milliseconds after which a timer that is still due is tried again."""
BATCH = 100


class Timers:
    def __init__(self, store: Store, runner: Runner, clock: Clock) -> None:
        self._store = store
        self._runner = runner
        self._clock = clock
        self._held: dict[TimerRow, int] = {}
        """Timers that were put into their chat's order and have not been done yet, until when they are left alone."""

    async def run(self) -> None:
        """Fire due timers until cancelled."""
        while True:
            try:
                found = await self.fire()
            except StoreError:  # ``store_outage`` has told the operator
                found = 0
            except Exception:
                # The outermost loop of the timers: they go on.
                log.exception("fault in the timers")
                found = 0
            await self._clock.sleep(MIN_SLEEP_SECONDS if found >= BATCH else await self._pause())

    async def fire(self) -> int:
        """Submit every timer that is due (at most a batch) to its chat; return how many."""
        now = self._clock.now()
        # One held until later than from now on was held before the clock jumped back.
        self._held = {row: until for row, until in self._held.items() if now < until <= now + MAX_HELD_MS}
        # As many more as are held, so that those whose turns hang or fail never stand before the others.
        found = await self._store.due(now, BATCH + len(self._held))
        rows = [row for row in found if row not in self._held]
        for row in rows:
            self._held[row] = now + MAX_HELD_MS
            self._runner.submit_timer(row, inbound(row))
        return len(rows)

    async def _pause(self) -> float:
        try:
            due = await self._store.next_due()
        except StoreError:
            return MAX_SLEEP_SECONDS
        if due is None:
            return MAX_SLEEP_SECONDS
        left = (due - self._clock.now()) / 1000
        # What is due and was found already is held: its turn is on the way.
        return min(left, MAX_SLEEP_SECONDS) if left > 0 else HELD_PAUSE_SECONDS


def inbound(row: TimerRow) -> InboundEvent:
    profile = Profile(id=row.key.user, channel=row.key.channel)
    return InboundEvent(event=TimedOut(id="", now=0, seed=0, profile=profile, timer=row.name))
