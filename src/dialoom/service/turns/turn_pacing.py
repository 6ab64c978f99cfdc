"""Spreads turns that become ready together over passes of the event loop, so that requests are answered between them.

Turns need no outside call as a rule, and the chats of many users may be loaded in one pass: without a pause their turns
would run back to back, and a few dozen long messages sent at once would hold up everybody for seconds.
"""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Final

PASS_SECONDS: Final = 0.03
"""Time of turns in one pass after which the next one waits. The turns of 32 busy users take half of it."""
REST_PASSES: Final = 4
"""Passes after a long one before the next turn runs: a request is read, understood and answered in about so many."""
MAX_BACKLOG_SECONDS: Final = 2.0
"""Time for which turns may wait here before further messages are put off."""


class TurnPacing:
    """Counts the time of turns in each pass of the event loop, and lets further ones wait in their order."""

    def __init__(self) -> None:
        self._spent = 0.0
        self._mean = 0.0
        self._passes = 0
        self._is_counting = False
        self._waiting: deque[asyncio.Future[None]] = deque()

    async def wait(self) -> None:
        """Return when the next turn may run: at once, unless turns have used up this pass."""
        if self._spent < PASS_SECONDS and not self._waiting:
            return
        turn = asyncio.get_running_loop().create_future()
        self._waiting.append(turn)
        await turn

    def add(self, seconds: float) -> None:
        """Count a turn that ran."""
        self._spent += seconds
        self._mean += (seconds - self._mean) / 8
        if not self._is_counting:
            self._is_counting = True
            asyncio.get_running_loop().call_soon(self._end_pass)

    def is_behind(self) -> bool:
        """Return whether the turns that wait here take longer than a further message should wait."""
        return len(self._waiting) * self._mean > MAX_BACKLOG_SECONDS

    def _end_pass(self) -> None:
        self._passes += 1
        if self._spent >= PASS_SECONDS and self._passes < REST_PASSES:
            asyncio.get_running_loop().call_soon(self._end_pass)
            return
        self._spent, self._passes = 0.0, 0
        left = max(1, int(PASS_SECONDS / max(self._mean, 1e-4)))
        while self._waiting and left:
            turn = self._waiting.popleft()
            if not turn.done():  # one whose task was cancelled
                turn.set_result(None)
                left -= 1
        self._is_counting = bool(self._waiting)
        if self._is_counting:
            asyncio.get_running_loop().call_soon(self._end_pass)
