"""Decides whether the clock can be trusted to tell what is old: while it is doubted, nothing is erased by its age.

A clock is doubted once it went ahead by more than time has passed (``Clock.elapsed``), and at a start long after the
last heartbeat of any process: the service was stopped for so long, or the clock is wrong. The doubt lasts a day, or
until an operator says that the clock is right (``dialoom clock confirm``). All processes on a store share it. What
expires by the clock without being erased (sessions, links, tokens) is not held up.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Mapping
from typing import Final

from dialoom.errors import StoreError
from dialoom.service.clock import Clock, iso
from dialoom.storage.store import CLOCK_DOUBTED, HEARTBEAT, LINKS_ENDED, Store

log = logging.getLogger(__name__)

LOOK_SECONDS: Final = 60.0
"""Seconds between two checks; one is made before each erasure as well."""
MAX_STEP_MS: Final = 3600 * 1000
"""Milliseconds by which a clock may be set without being doubted, all steps of a process together."""
MAX_SILENCE_MS: Final = 30 * 24 * 3600 * 1000
"""Milliseconds between the last heartbeat and a start."""
DOUBT_MS: Final = 24 * 3600 * 1000
"""Milliseconds for which a clock is doubted."""
MAX_SKEW_MS: Final = 60 * 1000
"""Milliseconds by which the clocks of two processes on a store may differ."""
HEARTBEAT_MS: Final = 10 * 60 * 1000
ASK_AGAIN_MS: Final = 3600 * 1000
"""Milliseconds after which a job that was held up asks again."""


class ClockGuard:
    """Checks the clock of this process against elapsed time and the heartbeats in the store."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._checking = asyncio.Lock()
        self._lead: int | None = None
        """The least that the clock was ahead of the elapsed time since the last doubt; None before the first check."""
        self._has_checked_silence = False
        self._unstored: int | None = None
        """The time of a doubt that is not stored yet."""
        self._until_elapsed: int | None = None
        """The end of this process's own doubt by elapsed time: a clock that jumps again cannot end it."""
        self._until: int | None = None

    @property
    def waits_until(self) -> int | None:
        """Return the time until which nothing is erased by its age, by the last check (milliseconds since 1970)."""
        return self._until

    async def run(self) -> None:
        """Check the clock every ``LOOK_SECONDS`` until cancelled."""
        while True:
            with contextlib.suppress(StoreError):  # ``store_outage`` has told the operator
                await self.trusted_now()
            await self._clock.sleep(LOOK_SECONDS)

    async def trusted_now(self) -> int | None:
        """Return the time by which to decide what is old enough to be erased; None while the clock is doubted."""
        async with self._checking:
            now, elapsed = self._clock.now(), self._clock.elapsed()
            self._compare(now, elapsed)
            marks = await self._store.marks()
            if marks.get(LINKS_ENDED, 0) > now + MAX_SKEW_MS:
                # The clock was set back since: links that are made from here on count as made after it.
                await self._store.set_mark(LINKS_ENDED, now)
            if not self._has_checked_silence:
                self._has_checked_silence = True
                self._check_silence(marks, now, elapsed)
            doubted_at = await self._doubted_at(marks, now)
            self._update_wait(doubted_at, now, elapsed)
            if self._until is not None:
                return None
            if not 0 <= now - marks.get(HEARTBEAT, 0) < HEARTBEAT_MS:
                await self._store.set_mark(HEARTBEAT, now)
            return now

    def _compare(self, now: int, elapsed: int) -> None:
        lead = now - elapsed
        if self._lead is not None and lead - self._lead > MAX_STEP_MS:
            hours = (lead - self._lead) / 3_600_000
            self._doubt(now, elapsed, f"The clock went ahead by {hours:,.1f} hours more than time has passed.")
            self._lead = lead
        # One that was set back may be set right again by as much.
        self._lead = lead if self._lead is None else min(self._lead, lead)

    def _check_silence(self, marks: Mapping[str, int], now: int, elapsed: int) -> None:
        silence = _silence(marks, now)
        if silence > MAX_SILENCE_MS:
            days = silence / (24 * 3_600_000)
            self._doubt(
                now, elapsed, f"The last heartbeat of a service is {days:,.0f} days before this machine's time."
            )

    def _doubt(self, now: int, elapsed: int, reason: str) -> None:
        log.warning(
            "%s Nothing is erased by its age for a day (until %s). If the clock is right, say so with: "
            "dialoom clock confirm. If not, set it right.",
            reason,
            iso(now + DOUBT_MS),
        )
        self._unstored, self._until_elapsed = now, elapsed + DOUBT_MS

    async def _doubted_at(self, marks: Mapping[str, int], now: int) -> int | None:
        """Store a doubt of this process; return the time of the last one of all processes."""
        stored = marks.get(CLOCK_DOUBTED)
        if self._unstored is None and stored is not None and stored > now + MAX_STEP_MS:
            # The clock was set back since, or another machine's is ahead: the day is counted from here.
            self._unstored = now
        if self._unstored is None:
            return stored
        await self._store.set_mark(CLOCK_DOUBTED, self._unstored)
        stored, self._unstored = self._unstored, None
        return stored

    def _update_wait(self, doubted_at: int | None, now: int, elapsed: int) -> None:
        was_waiting = self._until is not None
        if doubted_at is None:
            self._until_elapsed = None  # an operator has said that the clock is right
        own = None if self._until_elapsed is None else now + self._until_elapsed - elapsed
        ends = [
            end for end in (own, None if doubted_at is None else doubted_at + DOUBT_MS) if end is not None and end > now
        ]
        self._until = max(ends, default=None)
        if was_waiting and self._until is None:
            log.info("what is old enough is erased again")


async def confirm(store: Store, clock: Clock) -> bool:
    """Store that an operator says that the clock is right. Return whether it was doubted."""
    marks, now = await store.marks(), clock.now()
    is_silent = _silence(marks, now) > MAX_SILENCE_MS
    await store.set_mark(CLOCK_DOUBTED, None)
    await store.set_mark(HEARTBEAT, now)
    return is_silent or doubt_ends(marks, now) is not None


def _silence(marks: Mapping[str, int], now: int) -> int:
    """Return the milliseconds since a process last ran on the store, 0 on a new one. A process that doubts writes no
    heartbeat, so that the doubt stands for it: one doubt a gap, however often services are restarted in it."""
    return now - max(marks.get(HEARTBEAT, now), marks.get(CLOCK_DOUBTED, 0))


def doubt_ends(marks: Mapping[str, int], now: int) -> int | None:
    """Return the end of the stored doubt in milliseconds since 1970; None where there is none."""
    doubted_at = marks.get(CLOCK_DOUBTED)
    return None if doubted_at is None or doubted_at + DOUBT_MS <= now else doubted_at + DOUBT_MS
