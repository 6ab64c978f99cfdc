"""Serves what others have made active: another process on the same store, or the command line beside this one.

What is compiled and put in place is for ``bots``; this is when, and what is said of what fails.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Final

from dialoom.errors import DialoomError, StoreError
from dialoom.service.clock import Clock

if TYPE_CHECKING:
    from dialoom.service.bots.bots import Bots, Check

log = logging.getLogger(__name__)

LOOK_EVERY_SECONDS: Final = 2.0
"""Seconds between two looks at what is to be served: one small query."""


class ActiveVersions:
    """Finds versions that another process made active. ``take_up`` prepares what a new version needs besides itself
    (tokens; its entity lists are scheduled jobs). ``check`` raises where this process cannot serve a version."""

    def __init__(self, bots: Bots, clock: Clock, take_up: Callable[[str], Awaitable[None]], check: Check) -> None:
        self._bots = bots
        self._clock = clock
        self._take_up = take_up
        self._check = check
        self._pending: dict[str, None] = {}
        """Bots whose new version has not been given what it needs, in their order."""

    async def run(self) -> None:
        """Look for new versions until cancelled. Running conversations end on their own version."""
        while True:
            await self._clock.sleep(LOOK_EVERY_SECONDS)
            try:
                await self.look()
            except Exception:
                # The outermost loop: whatever one version holds, the next one must be followed too.
                log.exception("what is to be served could not be looked up")

    async def look(self) -> None:
        """Look for new versions once. Where the store does not answer, the next look tries again."""
        try:
            for deployed in await self._bots.catch_up(self._check):
                log.info("bot %s: version %s is active", deployed.bot.id, deployed.version[:12])
                self._pending[deployed.bot.id] = None
            for bot in tuple(self._pending):
                await self._give(bot)
        except StoreError:
            pass  # ``store_outage`` has told the operator

    async def _give(self, bot: str) -> None:
        del self._pending[bot]
        try:
            await self._take_up(bot)
        except StoreError:
            self._pending[bot] = None
            raise
        except DialoomError as error:
            log.warning("bot %s is served, and something of its new version does not work: %s", bot, error)
