"""What the store need not keep any longer: answers to messages that may not be repeated any more, files never sent,
login links that are over."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from dialoom.storage.store import Chore

if TYPE_CHECKING:
    from dialoom.service.bots import Deployed
    from dialoom.service.clock import Clock
    from dialoom.service.files import Files
    from dialoom.storage.store import Store

NAME: Final = "upkeep"
EVERY: Final = 3600 * 1000
ANSWERS_KEPT: Final = 24 * 3600 * 1000
"""Milliseconds for which a repeated message gets its stored answer (channels.md section 2)."""
LOGINS_KEPT: Final = 24 * 3600 * 1000
"""Milliseconds after its end for which whoever opens a login link is told that it is over."""


class Upkeep:
    """Each bot's on its own."""

    def __init__(self, store: Store, files: Files, clock: Clock) -> None:
        self._store = store
        self._files = files
        self._clock = clock

    async def plan(self, deployed: Deployed) -> None:
        await self._store.plan(Chore(deployed.bot.id, NAME, self._clock.now()))

    async def do(self, bot: str, what: str) -> int | None:
        await self._store.forget_answers(bot, self._clock.now() - ANSWERS_KEPT)
        await self._files.forget(bot)
        await self._store.forget_logins(bot, self._clock.now() - LOGINS_KEPT)
        return self._clock.now() + EVERY
