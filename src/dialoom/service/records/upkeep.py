"""Deletes what the store need not keep: answers to messages that can no longer be repeated, files never sent, login
links that are over, what the studio keeps for a time. While the clock is doubted nothing is deleted."""

from __future__ import annotations

from typing import Final

from dialoom.service.bots.bots import Deployed
from dialoom.service.bots.scheduled_jobs import bring_forward
from dialoom.service.chat.attachments import Attachments
from dialoom.service.clock import Clock
from dialoom.service.records.clock_guard import ClockGuard
from dialoom.storage.store import Store

NAME: Final = "upkeep"
EVERY_MS: Final = 3600 * 1000
ANSWERS_KEPT_MS: Final = 24 * 3600 * 1000
"""Milliseconds for which a repeated message gets its stored answer (channels.md section 2)."""
LOGINS_KEPT_MS: Final = 24 * 3600 * 1000
"""Milliseconds after its end for which a login link still answers that it is over."""


class Upkeep:
    """Deletes what has expired, as a scheduled job of each bot."""

    def __init__(self, store: Store, files: Attachments, clock: Clock, guard: ClockGuard) -> None:
        self._store = store
        self._files = files
        self._clock = clock
        self._guard = guard

    async def plan(self, deployed: Deployed) -> None:
        """Plan the job at once: a time that was planned before the clock was set back may lie far ahead."""
        await bring_forward(self._store, deployed.bot.id, NAME, self._clock.now())

    async def do(self, bot: str, what: str) -> int | None:
        now = await self._guard.trusted_now()
        if now is not None:
            await self._store.forget_answers(bot, now - ANSWERS_KEPT_MS)
            await self._files.forget(bot, now)
            await self._store.forget_logins(bot, now - LOGINS_KEPT_MS)
            await self._store.forget_studio_rows(now)
        return self._clock.now() + EVERY_MS
