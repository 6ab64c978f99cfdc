"""Time, and ids that sort by it. The engine gets time with its events; everything else in the service asks a ``Clock``.

Ids are UUIDv7 texts (RFC 9562 section 5.7), which never fall within one process.
"""

from __future__ import annotations

import asyncio
import functools
import os
import time
from datetime import UTC, datetime
from typing import Final, Protocol


class Clock(Protocol):
    def now(self) -> int:
        """Return milliseconds since 1970-01-01T00:00Z."""

    def elapsed(self) -> int:
        """Return milliseconds since some fixed moment, by a clock that nobody sets. Time in which the machine is
        suspended counts."""

    async def sleep(self, seconds: float) -> None: ...


_ELAPSED: Final = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
"""Outside of Linux a suspended machine's time may be missing from it."""


class SystemClock:
    def now(self) -> int:
        return time.time_ns() // 1_000_000

    def elapsed(self) -> int:
        return time.clock_gettime_ns(_ELAPSED) // 1_000_000

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


def iso(milliseconds: int) -> str:
    """Return UTC ISO 8601 with milliseconds: ``2026-11-20T08:15:30.250Z`` (history-api.md, Records)."""
    seconds, rest = divmod(milliseconds, 1000)
    return f"{_to_the_second(seconds)}.{rest:03d}Z"


@functools.lru_cache(maxsize=256)
def _to_the_second(seconds: int) -> str:
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%dT%H:%M:%S}"


DRAWN = 64


class IdSource:
    """Gives UUIDv7 texts. ``rand_a`` counts within a millisecond; a clock that jumps back does not make ids fall."""

    def __init__(self) -> None:
        self._milliseconds = 0
        self._count = 0
        self._random = b""
        """Drawn for many ids at once: a call into the system for each cost 7 % of a turn."""

    def make(self, now: int) -> str:
        """Return a new id. ``now`` in milliseconds since 1970."""
        if now > self._milliseconds:
            self._milliseconds, self._count = now, 0
        else:
            self._count += 1
            if self._count > 0xFFF:
                self._milliseconds, self._count = self._milliseconds + 1, 0
        if not self._random:
            self._random = os.urandom(8 * DRAWN)
        tail = int.from_bytes(self._random[:8], "big") & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
        self._random = self._random[8:]
        number = self._milliseconds << 80 | 0x7 << 76 | self._count << 64 | tail
        text = f"{number:032x}"
        return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"
