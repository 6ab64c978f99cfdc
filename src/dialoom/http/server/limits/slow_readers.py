"""Ends connections of clients that take nothing of their answers, or when too many bytes wait for such clients.

uvicorn waits for them without end. 1,500 clients that asked for a file of 128 KB and read nothing held 1,500 open files
until the service ended, and its stop took 19 s; with the limit they were gone after 60 s, and the stop took 0.8 s.
2,500 that read nothing of 10 MiB each held 1.6 GB; with the limit on bytes 700 of them were left. The test of it, and
its twin without the limit: ``test_a_client_that_reads_nothing_loses_its_connection_and_its_answer_ends`` and
``test_without_the_limit_a_client_that_reads_nothing_stays_for_ever``.
"""

from __future__ import annotations

import asyncio
import logging

from dialoom.service.observe.logs import ThrottledLog

log = logging.getLogger(__name__)

MAX_STALL_SECONDS = 60.0
"""Seconds for which a client may take nothing."""
MAX_STALL_AT_STOP_SECONDS = 3.0
"""The same once the service stops, which would wait for those who take nothing to the end of its time."""
MAX_WAITING_BYTES = 256 * 1024 * 1024
"""Bytes of all answers that wait: 500 readers of files, of which half a mebibyte each waits. Beyond it those go first
that took nothing for longest."""
LOOK_SECONDS = 1.0
QUIET_SECONDS = 60.0
"""Seconds between two lines of the log that say the same."""


class _Wait:
    __slots__ = ("size", "taken_at")

    def __init__(self, size: int, taken_at: float) -> None:
        self.size = size
        """Bytes, at the last look."""
        self.taken_at = taken_at


class SlowReaders:
    """Watches the connections of one server. ``max_stall_seconds`` in seconds, ``most`` in bytes of all of them."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        max_stall_seconds: float = MAX_STALL_SECONDS,
        most: int = MAX_WAITING_BYTES,
    ) -> None:
        self._loop = loop
        self._max_stall_seconds = max_stall_seconds
        self._most = most
        self._waits: dict[asyncio.Transport, _Wait] = {}
        self._held = 0
        """Bytes of all of them, as far as is known."""
        self._is_full = False
        self._timer: asyncio.TimerHandle | None = None
        self._told = ThrottledLog(log, QUIET_SECONDS)

    def enter(self, transport: asyncio.Transport) -> None:
        """Watch a connection: more is to be sent than its client takes at once."""
        if transport in self._waits:
            return
        wait = self._waits[transport] = _Wait(transport.get_write_buffer_size(), self._loop.time())
        self._held += wait.size
        if self._held > self._most and not self._is_full:
            # Not amid a write, which this is: the connection that writes may be the one to go.
            self._is_full = True
            self._loop.call_soon(self._look)
        if self._timer is None:
            self._timer = self._loop.call_later(LOOK_SECONDS, self._look_again)

    def leave(self, transport: asyncio.Transport) -> None:
        """Stop watching a connection, also one that was not watched: all was taken, or it is closed."""
        wait = self._waits.pop(transport, None)
        if wait is not None:
            self._held -= wait.size

    def hurry(self) -> None:
        """Shorten the time that a slow reader has: the service stops."""
        self._max_stall_seconds = min(self._max_stall_seconds, MAX_STALL_AT_STOP_SECONDS)

    def count(self) -> int:
        """Return how many connections are watched."""
        return len(self._waits)

    def _look_again(self) -> None:
        self._timer = None
        self._look()
        if self._waits:
            self._timer = self._loop.call_later(LOOK_SECONDS, self._look_again)

    def _look(self) -> None:
        now = self._loop.time()
        self._held, self._is_full = 0, False
        for transport, wait in [*self._waits.items()]:
            size = transport.get_write_buffer_size()
            if size < wait.size:
                wait.taken_at = now
            wait.size = size
            self._held += size
            if now - wait.taken_at >= self._max_stall_seconds:
                self._let_go(
                    transport, f"a client took nothing of its answer for {self._max_stall_seconds:g} s", now, "time"
                )
        if self._held > self._most:
            self._make_room(now)

    def _make_room(self, now: float) -> None:
        reason = f"answers that wait for their clients had more than {self._most // 2**20} MiB, a slow one went"
        for transport, _ in sorted(self._waits.items(), key=lambda one: (one[1].taken_at, -one[1].size)):
            if self._held <= self._most:
                return
            self._let_go(transport, reason, now, "room")

    def _let_go(self, transport: asyncio.Transport, reason: str, now: float, matter: str) -> None:
        self.leave(transport)
        transport.abort()
        self._told.warn(f"{reason}: its connection was ended", now, matter)
