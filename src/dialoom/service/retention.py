"""``retention-days`` of ``bot.json``: conversations that nothing came into for so long are deleted, once a day.

With them go their messages, and of a user of whom none is left memory, files and answers; what else belongs to them is
the store's to know. Dead letters of that age go too, for they say what their messages said.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Final

from dialoom.service.chores import bring_forward
from dialoom.service.clock import iso

if TYPE_CHECKING:
    from dialoom.service.bots import Bots, Deployed
    from dialoom.service.clock import Clock
    from dialoom.storage.store import Store

log = logging.getLogger(__name__)

NAME: Final = "retention"
DAY: Final = 24 * 3600 * 1000
AFTER_PUBLISH: Final = 10_000
"""Milliseconds from a publish to the run that takes a new limit up: all processes have seen it by then, so that the
run is one."""
BATCH: Final = 20
"""Conversations of one transaction."""
SHARE: Final = 4
"""The pause after a batch is so many times as long as the batch took, so that turns have most of the time."""
SHORTEST_PAUSE: Final = 0.02
LONGEST_RUN: Final = 300.0
"""Seconds of one run; one that is not done then goes on with the next. Less than the claim of a chore."""
LETTERS: Final = 1000


class Retention:
    def __init__(self, store: Store, bots: Bots, clock: Clock) -> None:
        self._store = store
        self._bots = bots
        self._clock = clock

    async def plan(self, deployed: Deployed) -> None:
        if deployed.bot.file.retention_days is None:
            await self._store.finish_chore(deployed.bot.id, NAME, None)
        else:
            await bring_forward(self._store, deployed.bot.id, NAME, self._clock.now() + AFTER_PUBLISH)

    async def do(self, bot: str, what: str) -> int | None:
        deployed = self._bots.active(bot)
        days = deployed.bot.file.retention_days if deployed is not None else None
        if days is None:
            return None
        before = self._clock.now() - days * DAY
        is_done = await self._forget(bot, iso(before))
        await self._drop_letters(bot, before)
        return self._clock.now() + (DAY if is_done else 0)

    async def _forget(self, bot: str, before: str) -> bool:
        """Whether nothing is left to be forgotten."""
        loop = asyncio.get_running_loop()
        end, gone = loop.time() + LONGEST_RUN, 0
        while True:
            begun = loop.time()
            count = await self._store.forget_conversations(bot, before, BATCH)
            gone += count
            if count < BATCH or loop.time() > end:
                if gone:
                    log.info("%d conversations of bot %s were as old as its retention-days and are deleted", gone, bot)
                return count < BATCH
            await self._clock.sleep(max(SHORTEST_PAUSE, SHARE * (loop.time() - begun)))

    async def _drop_letters(self, bot: str, before: int) -> None:
        while True:
            letters = await self._store.dead(bot, LETTERS)
            old = [letter.id for letter in letters if letter.created_at < before]
            if old:
                await self._store.drop(bot, old)
            if len(old) < LETTERS:
                return
