"""Lines of the log that many requests cause: an outage must not fill the disk with one line a request."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import logging

QUIET = 10.0
"""Seconds between two lines; what was left out meanwhile is counted in the next."""


class Seldom:
    def __init__(self, log: logging.Logger, quiet: float = QUIET) -> None:
        self._log = log
        self._quiet = quiet
        self._told_at = -math.inf
        self._left_out = 0

    def warn(self, line: str, now: float) -> None:
        """``now`` in seconds of any clock that never goes back."""
        if now - self._told_at < self._quiet:
            self._left_out += 1
            return
        more = f" ({self._left_out} more such lines were left out before)" if self._left_out else ""
        self._told_at, self._left_out = now, 0
        self._log.warning("%s%s", line, more)
