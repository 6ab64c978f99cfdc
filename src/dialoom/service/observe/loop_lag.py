"""Measures by how much the event loop is late: how long one piece of work has kept all others waiting."""

from __future__ import annotations

import asyncio
from typing import Final

EVERY_SECONDS: Final = 0.5


class LoopLag:
    def __init__(self) -> None:
        self._most = 0.0

    async def run(self) -> None:
        """Measure until cancelled."""
        loop = asyncio.get_running_loop()
        while True:
            due = loop.time() + EVERY_SECONDS
            await asyncio.sleep(EVERY_SECONDS)
            self._most = max(self._most, loop.time() - due)

    def take(self) -> float:
        """Return the greatest lag since the last call, in seconds."""
        most, self._most = self._most, 0.0
        return most
