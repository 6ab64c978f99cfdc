"""Whether the clock can be trusted to say what is old: while it is doubted, nothing is erased by its age.

A clock is doubted once it went ahead by more than time has passed (``Clock.elapsed``), and at a start long after the
last heartbeat of any process: the service was stopped for so long, or the clock is wrong. The doubt lasts a day, or
until an operator says that the clock is right (``dialoom clock confirm``). All processes on a store share it. What
expires by the clock without being erased (sessions, links, tokens) is not held up.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Final

from dialoom.errors import StoreError
from dialoom.service.clock import iso
from dialoom.storage.store import CLOCK_DOUBTED, HEARTBEAT, LINKS_ENDED

if TYPE_CHECKING:
    from collections.abc import Mapping

    from dialoom.service.clock import Clock
    from dialoom.storage.store import Store

log = logging.getLogger(__name__)

LOOK_SECONDS: Final = 60.0
"""Seconds between two looks; whoever is about to erase looks as well."""
MAX_STEP: Final = 3600 * 1000
"""Milliseconds by which a clock may be set without being doubted, all steps of a process together."""
MAX_SILENCE: Final = 30 * 24 * 3600 * 1000
"""Milliseconds between the last heartbeat and a start."""
WAIT: Final = 24 * 3600 * 1000
"""Milliseconds for which a clock is doubted."""
MAX_SKEW: Final = 60 * 1000
"""Milliseconds by which the clocks of two processes on a store may differ."""
HEARTBEAT_EVERY: Final = 10 * 60 * 1000
ASK_AGAIN: Final = 3600 * 1000
"""Milliseconds after which work that was held up asks again."""


class ClockGuard:
    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._looking = asyncio.Lock()
        self._lead: int | None = None
        """The least that the clock was ahead of the elapsed time since the last doubt; None before the first look."""
        self._is_begun = False
        """Whether the heartbeat that a process before has left was looked at."""
        self._unstored: int | None = None
        """A doubt of this process that the store does not know yet."""
        self._until_elapsed: int | None = None
        """When this process's own doubt is over, by the elapsed time: a clock that jumps again cannot end it."""
        self._until: int | None = None
        self._is_away = False

    @property
    def waits_until(self) -> int | None:
        """Until when nothing is erased by its age, as the last look found it (milliseconds since 1970)."""
        return self._until

    async def run(self) -> None:
        """Until cancelled."""
        while True:
            try:
                await self.erasing_now()
                self._is_away = False
            except StoreError as error:
                if not self._is_away:
                    log.warning("the clock's heartbeat waits for the store: %s", error)
                self._is_away = True
            await self._clock.sleep(LOOK_SECONDS)

    async def erasing_now(self) -> int | None:
        """The time by which something is old enough to be erased; None while the clock is doubted."""
        async with self._looking:
            now, elapsed = self._clock.now(), self._clock.elapsed()
            self._compare(now, elapsed)
            marks = await self._store.marks()
            if marks.get(LINKS_ENDED, 0) > now + MAX_SKEW:
                # The clock was set back since: links that are made from here on count as made after it.
                await self._store.set_mark(LINKS_ENDED, now)
            if not self._is_begun:
                self._is_begun = True
                self._check_silence(marks, now, elapsed)
            doubted_at = await self._doubted_at(marks, now)
            self._conclude(doubted_at, now, elapsed)
            if self._until is not None:
                return None
            if not 0 <= now - marks.get(HEARTBEAT, 0) < HEARTBEAT_EVERY:
                await self._store.set_mark(HEARTBEAT, now)
            return now

    def _compare(self, now: int, elapsed: int) -> None:
        lead = now - elapsed
        if self._lead is not None and lead - self._lead > MAX_STEP:
            hours = (lead - self._lead) / 3_600_000
            self._doubt(now, elapsed, f"The clock went ahead by {hours:,.1f} hours more than time has passed.")
            self._lead = lead
        # One that was set back may be set right again by as much.
        self._lead = lead if self._lead is None else min(self._lead, lead)

    def _check_silence(self, marks: Mapping[str, int], now: int, elapsed: int) -> None:
        silence = _silence(marks, now)
        if silence > MAX_SILENCE:
            days = silence / (24 * 3_600_000)
            self._doubt(
                now, elapsed, f"The last heartbeat of a service is {days:,.0f} days before this machine's time."
            )

    def _doubt(self, now: int, elapsed: int, reason: str) -> None:
        log.warning(
            "%s Nothing is erased by its age for a day (until %s). If the clock is right, say so with: "
            "dialoom clock confirm. If not, set it right.",
            reason,
            iso(now + WAIT),
        )
        self._unstored, self._until_elapsed = now, elapsed + WAIT

    async def _doubted_at(self, marks: Mapping[str, int], now: int) -> int | None:
        """As all processes know it from here on."""
        stored = marks.get(CLOCK_DOUBTED)
        if self._unstored is None and stored is not None and stored > now + MAX_STEP:
            # The clock was set back since, or another machine's is ahead: the day is counted from here.
            self._unstored = now
        if self._unstored is None:
            return stored
        await self._store.set_mark(CLOCK_DOUBTED, self._unstored)
        stored, self._unstored = self._unstored, None
        return stored

    def _conclude(self, doubted_at: int | None, now: int, elapsed: int) -> None:
        was_waiting = self._until is not None
        if doubted_at is None:
            self._until_elapsed = None  # an operator has said that the clock is right
        own = None if self._until_elapsed is None else now + self._until_elapsed - elapsed
        ends = [
            end for end in (own, None if doubted_at is None else doubted_at + WAIT) if end is not None and end > now
        ]
        self._until = max(ends, default=None)
        if was_waiting and self._until is None:
            log.info("what is old enough is erased again")


async def confirm(store: Store, clock: Clock) -> bool:
    """An operator says that the clock is right. Returns whether it was doubted."""
    marks, now = await store.marks(), clock.now()
    is_silent = _silence(marks, now) > MAX_SILENCE
    await store.set_mark(CLOCK_DOUBTED, None)
    await store.set_mark(HEARTBEAT, now)
    return is_silent or doubt_ends(marks, now) is not None


def _silence(marks: Mapping[str, int], now: int) -> int:
    """Return the milliseconds since a process last ran on the store, 0 on a new one. A process that doubts writes no
    heartbeat, so that the doubt stands for it: one doubt a gap, however often services are restarted in it."""
    return now - max(marks.get(HEARTBEAT, now), marks.get(CLOCK_DOUBTED, 0))


def doubt_ends(marks: Mapping[str, int], now: int) -> int | None:
    """When the stored doubt is over, in milliseconds since 1970; None where there is none."""
    doubted_at = marks.get(CLOCK_DOUBTED)
    return None if doubted_at is None or doubted_at + WAIT <= now else doubted_at + WAIT
