"""Ids that sort by time: UUIDv7 texts (RFC 9562 section 5.7), never falling within one process."""

from __future__ import annotations

import os


class IdSource:
    """Gives UUIDv7 texts. ``rand_a`` counts within a millisecond; a clock that jumps back does not make ids fall."""

    def __init__(self) -> None:
        self._milliseconds = 0
        self._count = 0

    def make(self, now: int) -> str:
        """``now`` in milliseconds since 1970."""
        if now > self._milliseconds:
            self._milliseconds, self._count = now, 0
        else:
            self._count += 1
            if self._count > 0xFFF:
                self._milliseconds, self._count = self._milliseconds + 1, 0
        tail = int.from_bytes(os.urandom(8), "big") & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
        number = self._milliseconds << 80 | 0x7 << 76 | self._count << 64 | tail
        text = f"{number:032x}"
        return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"
