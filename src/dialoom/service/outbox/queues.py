"""How many deliveries go to one host at a time, so that a host that hangs keeps no other's waiting.

Each host has a lane: so many go at once, more wait in line. One that does not answer has a narrow lane without a line,
by which it is found out when it answers again.
"""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Final

WIDTH: Final = 20
"""Deliveries on their way to one host; the pool of connections, which turns use as well, has 100."""
NARROW: Final = 4
LINE: Final = 200


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
        return self._running < (NARROW if self.is_failing else WIDTH) or (
            not self.is_failing and len(self._line) < LINE
        )

    def join(self) -> asyncio.Future[bool]:
        """A place: the future says when it is this one's turn, or that there is none (False). Who got True must
        ``leave``. Only when there is room."""
        place: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._line.append(place)
        self._advance()
        return place

    def leave(self, *, is_answering: bool) -> None:
        self._running -= 1
        self.is_failing = not is_answering
        if self.is_failing:
            self.close()
        self._advance()

    def step_out(self, place: asyncio.Future[bool]) -> None:
        """Whoever waited does not want to any more; if it was its turn by now, that goes to the next."""
        if place.done() and not place.cancelled() and place.result():
            self._running -= 1
        place.cancel()
        self._advance()

    def close(self) -> None:
        """Nobody in the line gets a turn."""
        while self._line:
            place = self._line.popleft()
            if not place.done():
                place.set_result(False)

    def _advance(self) -> None:
        while self._line and self._running < (NARROW if self.is_failing else WIDTH):
            place = self._line.popleft()
            if not place.done():
                self._running += 1
                place.set_result(True)


class HostQueues:
    """By host."""

    def __init__(self) -> None:
        self._lanes: dict[str, HostQueue] = {}

    def of(self, host: str) -> HostQueue:
        lane = self._lanes.get(host)
        if lane is None:
            self._lanes = {name: lane for name, lane in self._lanes.items() if not lane.is_idle}
            lane = self._lanes[host] = HostQueue()
        return lane

    def close(self) -> None:
        for lane in self._lanes.values():
            lane.close()
