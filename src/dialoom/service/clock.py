"""Tells time, and makes ids that sort by it. The engine gets time with its events; everything else in the service asks
a ``Clock``.

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
        """Return milliseconds since some fixed moment, by a clock that nobody sets; it counts time of suspension."""

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


TAILS_PER_DRAW = 64


class IdSource:
    """Makes UUIDv7 texts. ``rand_a`` counts within a millisecond; a clock that jumps back does not make ids fall."""

    def __init__(self) -> None:
        self._milliseconds = 0
        self._count = 0
        self._head = ""
        """The text of ``_milliseconds``, with the version behind it."""
        self._tails: list[str] = []
        """Random last parts, drawn for many ids at once: a call into the system for each cost 7 % of a turn."""

    def make(self, now: int) -> str:
        """Return a new id. ``now`` in milliseconds since 1970."""
        if now > self._milliseconds:
            self._begin(now)
        else:
            self._count += 1
            if self._count > 0xFFF:
                self._begin(self._milliseconds + 1)
        if not self._tails:
            self._tails = _tails(os.urandom(8 * TAILS_PER_DRAW).hex())
        return f"{self._head}{self._count:03x}{self._tails.pop()}"

    def _begin(self, milliseconds: int) -> None:
        self._milliseconds, self._count = milliseconds, 0
        text = f"{milliseconds:012x}"
        self._head = f"{text[:8]}-{text[8:]}-7"


def _tails(drawn: str) -> list[str]:
    """Return the last two parts of as many ids as there are 16 hexadecimal digits, the variant in their first two
    bits."""
    return [
        f"-{int(drawn[start], 16) & 3 | 8:x}{drawn[start + 1 : start + 4]}-{drawn[start + 4 : start + 16]}"
        for start in range(0, len(drawn), 16)
    ]
