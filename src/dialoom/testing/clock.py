"""A clock that stands still until the test moves it."""

from __future__ import annotations

import asyncio


class MovedClock:
    """Stands still until ``move``; sleepers wake when so much time has passed. ``now`` in milliseconds since 1970."""

    def __init__(self, now: int = 1_790_000_000_000) -> None:
        self._now = now
        self._elapsed = 0
        self._sleepers: list[tuple[int, asyncio.Future[None]]] = []

    def now(self) -> int:
        return self._now

    def elapsed(self) -> int:
        return self._elapsed

    async def sleep(self, seconds: float) -> None:
        waker: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._sleepers.append((self._elapsed + round(seconds * 1000), waker))
        await waker

    def move(self, seconds: float) -> None:
        """Let time pass."""
        self._elapsed += round(seconds * 1000)
        self.set_ahead(seconds)
        for due, waker in self._sleepers:
            if due <= self._elapsed and not waker.done():
                waker.set_result(None)
        self._sleepers = [(due, waker) for due, waker in self._sleepers if not waker.done()]

    def set_ahead(self, seconds: float) -> None:
        """Set the clock without time passing; negative: back."""
        self._now += round(seconds * 1000)
