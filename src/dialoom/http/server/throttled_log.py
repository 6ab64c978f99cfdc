"""Lines of the log that many requests cause: an outage must not fill the disk with one line a request."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import logging

QUIET = 10.0
"""Seconds between two lines; what was left out meanwhile is counted in the next."""


MAX_SUBJECTS = 256
"""That a line was told of and is kept quiet about; the one told of longest ago goes for another."""


class ThrottledLog:
    def __init__(self, log: logging.Logger, quiet: float = QUIET) -> None:
        self._log = log
        self._quiet = quiet
        self._told: dict[tuple[str, ...], tuple[float, int]] = {}
        """When, and how many were left out since; the latest told last."""

    def warn(self, line: str, now: float, *matter: str) -> None:
        """``now`` in seconds of any clock that never goes back. ``matter``: what it is about, where a line about one
        thing must not keep that about another back."""
        told_at, left_out = self._told.get(matter, (-math.inf, 0))
        if now - told_at < self._quiet:
            self._told[matter] = (told_at, left_out + 1)
            return
        self._told.pop(matter, None)
        if len(self._told) >= MAX_SUBJECTS:
            del self._told[next(iter(self._told))]
        self._told[matter] = (now, 0)
        more = f" ({left_out} more such lines were left out before)" if left_out else ""
        self._log.warning("%s%s", line, more)
