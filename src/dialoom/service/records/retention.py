"""``retention-days`` of ``bot.json``: conversations that nothing came into for so long are deleted, once a day.

With them go their messages, and of a user of whom none is left memory, files and answers; what else belongs to them is
the store's to know. So goes what is kept of users of whom there never was a conversation. Dead letters of that age go
too, for they say what their messages said. While the clock is doubted nothing goes.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Final

from dialoom.service.bots.scheduled_jobs import bring_forward
from dialoom.service.clock import iso
from dialoom.service.records.clock_guard import ASK_AGAIN

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from dialoom.service.bots.bots import Bots, Deployed
    from dialoom.service.clock import Clock
    from dialoom.service.records.clock_guard import ClockGuard
    from dialoom.storage.store import Store

log = logging.getLogger(__name__)

NAME: Final = "retention"
DAY: Final = 24 * 3600 * 1000
AFTER_PUBLISH: Final = 10_000
"""Milliseconds from a publish to the run that takes a new limit up: all processes have seen it by then, so that the
run is one."""
BATCH: Final = 20
"""Conversations that one transaction looks at."""
SHARE: Final = 4
"""The pause after a batch is so many times as long as the batch took, so that turns have most of the time."""
MIN_PAUSE_SECONDS: Final = 0.02
MAX_RUN_SECONDS: Final = 300.0
"""Seconds of one run, all that it deletes together; one that is not done then goes on with the next. With what the last
batches take beyond it still less than the claim of a chore."""
LETTERS: Final = 20
"""Dead letters of one transaction; each may hold some hundred kilobytes."""
CHATS: Final = 20
"""Chats without a conversation, likewise."""


class Retention:
    def __init__(
        self, store: Store, bots: Bots, clock: Clock, guard: ClockGuard, *, longest_run: float = MAX_RUN_SECONDS
    ) -> None:
        self._store = store
        self._bots = bots
        self._clock = clock
        self._guard = guard
        self._longest_run = longest_run
        self._places: dict[str, tuple[str, str]] = {}
        """By bot where a run ended that had no more time; the next one goes on from there."""

    async def plan(self, deployed: Deployed) -> None:
        self._places.pop(deployed.bot.id, None)
        if deployed.bot.file.retention_days is None:
            await self._store.finish_chore(deployed.bot.id, NAME, None)
        else:
            await bring_forward(self._store, deployed.bot.id, NAME, self._clock.now() + AFTER_PUBLISH)

    async def do(self, bot: str, what: str) -> int | None:
        deployed = self._bots.active(bot)
        days = deployed.bot.file.retention_days if deployed is not None else None
        if days is None:
            return None
        now = await self._guard.erasing_now()
        if now is None:
            return self._clock.now() + ASK_AGAIN
        before = now - days * DAY
        end = asyncio.get_running_loop().time() + self._longest_run
        # Of each kind a batch at least, so that much of one kind does not keep the others for ever.
        is_done = await self._forget(bot, iso(before), end)
        is_done &= await self._in_batches(CHATS, lambda: self._store.forget_chats(bot, before, CHATS), end)
        is_done &= await self._in_batches(LETTERS, lambda: self._store.forget_dead(bot, before, LETTERS), end)
        return self._clock.now() + (DAY if is_done else 0)

    async def _forget(self, bot: str, before: str, end: float) -> bool:
        """Whether all that is old was looked at. What has to stay (something came in since, something waits) is passed
        once a round, so that much of it does not slow the rest."""
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
            await self._clock.sleep(max(MIN_PAUSE_SECONDS, SHARE * (loop.time() - begun)))

    async def _in_batches(self, size: int, forget: Callable[[], Awaitable[int]], end: float) -> bool:
        """Whether none that is old is left."""
        loop = asyncio.get_running_loop()
        while True:
            begun = loop.time()
            if await forget() < size:
                return True
            if loop.time() > end:
                return False
            await self._clock.sleep(max(MIN_PAUSE_SECONDS, SHARE * (loop.time() - begun)))
