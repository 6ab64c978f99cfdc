"""Places for few at a time, given to bots in turn: one that asks for much is not ahead of those that ask for little.

What is done in a place, and for how long, is for who takes it.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from dialoom.storage.errors import HistoryBusy


class FairQueue:
    """``seconds``: for which somebody waits for a place."""

    def __init__(self, places: int, seconds: float) -> None:
        self._free = places
        self._seconds = seconds
        self._lines: dict[str, deque[asyncio.Future[None]]] = {}
        """Who waits, by bot; the bot that is first is the next, and goes behind the others then."""

    @asynccontextmanager
    async def place(self, bot: str) -> AsyncIterator[None]:
        """Wait for a place and have it. ``HistoryBusy`` when none comes in time."""
        await self._take(bot)
        try:
            yield
        finally:
            self._give_on()

    async def _take(self, bot: str) -> None:
        if self._free:
            self._free -= 1
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._lines.setdefault(bot, deque()).append(turn)
        try:
            async with asyncio.timeout(self._seconds):
                await turn
        except BaseException as error:
            if turn.cancelled():
                self._leave(bot, turn)
            else:  # it came at the very moment at which nobody waited for it any more
                self._give_on()
            if isinstance(error, TimeoutError):
                raise HistoryBusy(
                    f"The history is busy: other queries had all places for {self._seconds:g} s. Try again."
                ) from error
            raise

    def _leave(self, bot: str, turn: asyncio.Future[None]) -> None:
        line = self._lines.get(bot)
        if line is not None and turn in line:
            line.remove(turn)
            if not line:
                del self._lines[bot]

    def _give_on(self) -> None:
        while self._lines:
            bot = next(iter(self._lines))
            line = self._lines.pop(bot)
            turn = line.popleft()
            if line:
                self._lines[bot] = line
            if not turn.done():
                turn.set_result(None)
                return
        self._free += 1
