"""One scrub of the data file at a time: each may hold a thread for seconds, while somebody reads, and one that begins
later does what all who wait for it want. How a file is scrubbed is ``erasure.py``'s.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


class Scrubs:
    """``scrub``: does it, on a thread; takes whether the file is to be rewritten whole."""

    def __init__(self, scrub: Callable[[bool], bool]) -> None:
        self._scrub = scrub
        self._running: asyncio.Task[bool] | None = None
        self._next: asyncio.Task[bool] | None = None
        self._next_is_whole = False

    async def ask(self, *, whole: bool) -> bool:
        """Not the one that runs: it may be past what was deleted since it began."""
        self._next_is_whole |= whole
        if self._next is None:
            self._next = asyncio.get_running_loop().create_task(self._after(self._running))
        # Who gives up does not take it away from the others.
        return await asyncio.shield(self._next)

    async def settled(self) -> None:
        while tasks := {task for task in (self._running, self._next) if task is not None and not task.done()}:
            await asyncio.wait(tasks)

    async def _after(self, running: asyncio.Task[bool] | None) -> bool:
        if running is not None:
            await asyncio.wait([running])
        whole, self._next_is_whole = self._next_is_whole, False
        self._running, self._next = self._next, None
        return await asyncio.to_thread(self._scrub, whole)
