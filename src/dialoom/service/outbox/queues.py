"""Limits how many deliveries go to one host at a time, so that a host that hangs delays no other's.

Each host has a queue: so many deliveries go at once, more wait. A host that does not answer has few places and no
waiting, which is enough to notice when it answers again.
"""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Final

MAX_PER_HOST: Final = 20
"""Deliveries on their way to one host; the pool of connections, which turns use as well, has 100."""
MAX_PER_SILENT_HOST: Final = 4
MAX_QUEUED: Final = 200


class HostQueue:
    def __init__(self) -> None:
        self.is_failing = False
        """Its host did not answer the last delivery."""
        self._running = 0
        self._line: deque[asyncio.Future[bool]] = deque()

    @property
    def is_idle(self) -> bool:
        return not self._running and not self._line and not self.is_failing

    def has_room(self) -> bool:
        return self._running < (MAX_PER_SILENT_HOST if self.is_failing else MAX_PER_HOST) or (
            not self.is_failing and len(self._line) < MAX_QUEUED
        )

    def join(self) -> asyncio.Future[bool]:
        """Join the queue, which must have room. The future becomes True when it is this one's turn (``leave``
        afterwards), or False when there will be none."""
        waiter: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._line.append(waiter)
        self._advance()
        return waiter

    def leave(self, *, is_answering: bool) -> None:
        self._running -= 1
        self.is_failing = not is_answering
        if self.is_failing:
            self.close()
        self._advance()

    def step_out(self, waiter: asyncio.Future[bool]) -> None:
        """Leave the queue without a turn; one that was given meanwhile goes to the next."""
        if waiter.done() and not waiter.cancelled() and waiter.result():
            self._running -= 1
        waiter.cancel()
        self._advance()

    def close(self) -> None:
        """Refuse all that wait."""
        while self._line:
            waiter = self._line.popleft()
            if not waiter.done():
                waiter.set_result(False)

    def _advance(self) -> None:
        while self._line and self._running < (MAX_PER_SILENT_HOST if self.is_failing else MAX_PER_HOST):
            waiter = self._line.popleft()
            if not waiter.done():
                self._running += 1
                waiter.set_result(True)


class HostQueues:
    """Holds the queues by host."""

    def __init__(self) -> None:
        self._host_queues: dict[str, HostQueue] = {}

    def of(self, host: str) -> HostQueue:
        queue = self._host_queues.get(host)
        if queue is None:
            self._host_queues = {name: queue for name, queue in self._host_queues.items() if not queue.is_idle}
            queue = self._host_queues[host] = HostQueue()
        return queue

    def close(self) -> None:
        for queue in self._host_queues.values():
            queue.close()
