"""A line that says how far a long command is: one that moves on a terminal, now and then a new one elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import TextIO

OFTEN = 0.2
"""Seconds between two states of the line on a terminal."""
SELDOM = 10.0
"""Seconds between two lines elsewhere."""


class Progress:
    """Shows how much is done. ``verb``: what is done, such as ``read``."""

    def __init__(
        self, verb: str, things: str, out: TextIO | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._verb = verb
        self._things = things
        self._out = out or sys.stderr
        self._clock = clock
        self._moves = self._out.isatty()
        self._begun = self._shown = clock()
        self._first: tuple[int, float] | None = None

    def show(self, count: int, share: float | None = None) -> None:
        """Show a count. ``share``: how much of the whole that is, where it is known."""
        now = self._clock()
        if self._first is None:
            self._first = (count, share or 0.0)
        if now - self._shown < (OFTEN if self._moves else SELDOM):
            return
        self._shown = now
        line = self._line(count, share, now - self._begun)
        self._out.write(f"\r\033[K{line}" if self._moves else f"{line}\n")
        self._out.flush()

    def clear(self) -> None:
        """Make room for another line."""
        if self._moves:
            self._out.write("\r\033[K")
            self._out.flush()

    def _line(self, count: int, share: float | None, seconds: float) -> str:
        assert self._first is not None
        rate = (count - self._first[0]) / seconds
        line = f"{count:,} {self._things} {self._verb}, {rate:,.0f} a second"
        if share is None:
            return line
        line += f", {share:.0%} of the file"
        done = share - self._first[1]
        return f"{line}, about {duration(seconds * (1 - share) / done)} left" if done > 0 else line


def duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"
