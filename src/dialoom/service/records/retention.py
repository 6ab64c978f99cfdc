"""Deletes, once a day, conversations without a new message for as long as ``retention-days`` of ``bot.json`` says.

A shorter limit counts a day after its version became active: until then the longest limit of all versions that were
active within that day counts, so that a mistake can be taken back. It is read from the versions themselves, so that it
is the same for every process and after a restart.

Their messages are deleted too, and of users without another conversation memory, files and answers; so is what is
stored of users who never had one. Dead letters of that age are deleted, since they hold messages. While the clock is
doubted nothing is deleted.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable, Mapping
from datetime import UTC, datetime
from typing import Final

import msgspec

from dialoom.query import Selection, parse_query, parse_sort
from dialoom.service.bots.bots import Bots, Deployed
from dialoom.service.bots.scheduled_jobs import bring_forward
from dialoom.service.clock import Clock, iso
from dialoom.service.records.clock_guard import ASK_AGAIN_MS, ClockGuard
from dialoom.storage.store import Store, TooSlow

log = logging.getLogger(__name__)

NAME: Final = "retention"
DAY_MS: Final = 24 * 3600 * 1000
AFTER_PUBLISH_MS: Final = 10_000
"""Milliseconds from a publish to the run under a new limit: all processes know it by then, so that there is one run."""
BATCH: Final = 20
"""Conversations of one transaction."""
PAUSE_FACTOR: Final = 4
"""The length of the pause after a batch, in times of the batch, so that turns have most of the time."""
MIN_PAUSE_SECONDS: Final = 0.02
MAX_RUN_SECONDS: Final = 300.0
"""Seconds of one run; the next one goes on where it ended. With the last batches beyond it, it is still shorter than
the claim of a scheduled job."""
MAX_LETTERS: Final = 20
"""Dead letters of one transaction; each may hold some hundred kilobytes."""
MAX_CHATS: Final = 20
"""Chats without a conversation of one transaction."""


class Shortening(msgspec.Struct, frozen=True):
    """Says that publishing a version would have conversations deleted."""

    days: int
    previous_days: int | None
    """Those of the active version; None: it keeps all."""
    conversations: int | None
    """How many would be deleted; None: too many to be counted in time."""
    begins_at: int

    def __str__(self) -> str:
        before = "no limit" if self.previous_days is None else str(self.previous_days)
        count = "more than could be counted" if self.conversations is None else f"{self.conversations:,}"
        quiet, begin = (
            datetime.fromtimestamp(moment / 1000, UTC)
            for moment in (self.begins_at - self.days * DAY_MS, self.begins_at)
        )
        return (
            f"retention-days goes from {before} to {self.days}. Conversations without a message since "
            f"{quiet:%Y-%m-%d} are erased ({count} as of now), from {begin:%Y-%m-%d %H:%M} UTC on. "
            f"Until then a rollback, or a version with more days, keeps them."
        )


async def find_shortening(store: Store, bots: Bots, clock: Clock, bot: str, days: int | None) -> Shortening | None:
    """Return what publishing a version with this limit would have deleted; None where that is nothing."""
    active = next((row.version for row in await store.versions(bot) if row.is_active), None)
    if active is None or days is None:
        return None
    previous = days_of(await bots.files(bot, active))
    if previous is not None and days >= previous:
        return None
    begins_at = clock.now() + DAY_MS
    before = {"$lt": iso(begins_at - days * DAY_MS)}
    old = parse_query(json.dumps({"StartedAt": before, "UpdatedAt": before}))
    try:
        count = await store.count("conversations", bot, Selection(old, parse_sort(None), 0, None))
    except TooSlow:
        count = None
    return None if count == 0 else Shortening(days, previous, count, begins_at)


def days_of(files: Mapping[str, str] | None) -> int | None:
    """Return the ``retention-days`` of a version's files; None: it keeps all, or its files are gone or wrong."""
    try:
        bot = json.loads((files or {}).get("bot.json", "{}").removeprefix("\ufeff"))
    except (ValueError, RecursionError):
        return None
    days = bot.get("retention-days") if isinstance(bot, dict) else None
    return days if isinstance(days, int) and not isinstance(days, bool) else None


class Retention:
    """Deletes old conversations, as the scheduled job of a bot with ``retention-days``."""

    def __init__(
        self, store: Store, bots: Bots, clock: Clock, guard: ClockGuard, *, longest_run: float = MAX_RUN_SECONDS
    ) -> None:
        self._store = store
        self._bots = bots
        self._clock = clock
        self._guard = guard
        self._longest_run = longest_run
        self._places: dict[str, tuple[str, str]] = {}
        """The place where the run of a bot ran out of time, from which the next one goes on."""

    async def plan(self, deployed: Deployed) -> None:
        self._places.pop(deployed.bot.id, None)
        if deployed.bot.file.retention_days is None:
            await self._store.finish_job(deployed.bot.id, NAME, None)
        else:
            await bring_forward(self._store, deployed.bot.id, NAME, self._clock.now() + AFTER_PUBLISH_MS)

    async def do(self, bot: str, what: str) -> int | None:
        deployed = self._bots.active(bot)
        if deployed is None or deployed.bot.file.retention_days is None:
            return None
        now = await self._guard.trusted_now()
        if now is None:
            return self._clock.now() + ASK_AGAIN_MS
        days, changes_at = await self._limit(deployed, now)
        if days is None:
            return self._in_a_day(changes_at)
        before = now - days * DAY_MS
        end = asyncio.get_running_loop().time() + self._longest_run
        # Of each kind a batch at least, so that much of one kind does not hold up the others for ever.
        is_done = await self._forget(bot, iso(before), end)
        is_done &= await self._in_batches(MAX_CHATS, lambda: self._store.forget_chats(bot, before, MAX_CHATS), end)
        is_done &= await self._in_batches(MAX_LETTERS, lambda: self._store.forget_dead(bot, before, MAX_LETTERS), end)
        return self._in_a_day(changes_at) if is_done else self._clock.now()

    def _in_a_day(self, or_sooner: int | None) -> int:
        tomorrow = self._clock.now() + DAY_MS
        return tomorrow if or_sooner is None else min(tomorrow, or_sooner)

    async def _limit(self, deployed: Deployed, now: int) -> tuple[int | None, int | None]:
        """Return the days that count now (None: all is kept), and when other days may (None: not by themselves)."""
        bot, days, changes_at = deployed.bot.id, deployed.bot.file.retention_days, None
        # The active one first; each of the others was active until the one before it in this list became it.
        for row in await self._store.versions(bot):
            if row.version != deployed.version:
                other = days_of(await self._bots.files(bot, row.version))
                days = None if days is None or other is None else max(days, other)
            if row.activated_at <= now - DAY_MS:
                break
            changes_at = row.activated_at + DAY_MS
        return days, changes_at

    async def _forget(self, bot: str, before: str, end: float) -> bool:
        """Delete old conversations; return whether none is left to look at. What has to stay (something came in since,
        something waits) is passed once a round, so that much of it does not slow the rest."""
        loop, gone = asyncio.get_running_loop(), 0
        last = self._places.pop(bot, None)
        while True:
            begun = loop.time()
            step = await self._store.forget_conversations(bot, before, BATCH, last)
            gone, last = gone + step.conversations, step.last
            if last is None or loop.time() > end:
                if gone:
                    log.info("%d conversations of bot %s were as old as its retention-days and are deleted", gone, bot)
                if last is not None:
                    self._places[bot] = last
                return last is None
            await self._clock.sleep(max(MIN_PAUSE_SECONDS, PAUSE_FACTOR * (loop.time() - begun)))

    async def _in_batches(self, size: int, forget: Callable[[], Awaitable[int]], end: float) -> bool:
        """Call ``forget`` until it deletes less than a batch; return whether it did in time."""
        loop = asyncio.get_running_loop()
        while True:
            begun = loop.time()
            if await forget() < size:
                return True
            if loop.time() > end:
                return False
            await self._clock.sleep(max(MIN_PAUSE_SECONDS, PAUSE_FACTOR * (loop.time() - begun)))
