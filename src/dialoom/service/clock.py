"""The seam for time. The engine gets time with its events; everything else in the service asks a ``Clock``."""

from __future__ import annotations

import asyncio
import functools
import time
from datetime import UTC, datetime
from typing import Final, Protocol


class Clock(Protocol):
    def now(self) -> int:
        """Milliseconds since 1970-01-01T00:00Z."""

    def elapsed(self) -> int:
        """Milliseconds since some fixed moment, by a clock that nobody sets. Time in which the machine is suspended
        counts."""

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
    """UTC ISO 8601 with milliseconds: ``2026-11-20T08:15:30.250Z`` (history-api.md, Records)."""
    seconds, rest = divmod(milliseconds, 1000)
    return f"{_to_the_second(seconds)}.{rest:03d}Z"


@functools.lru_cache(maxsize=256)
def _to_the_second(seconds: int) -> str:
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%dT%H:%M:%S}"
