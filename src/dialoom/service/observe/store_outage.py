"""Logs an outage of the store as one matter: what is wrong once, that it goes on at growing intervals, and its end.

Every operation on the store tells how it went, so no loop has to. A database that is full, failing or read-only is
still read well: only a write that succeeds ends that outage.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from time import monotonic
from typing import Final

from dialoom.errors import StoreError
from dialoom.storage.errors import (
    CannotWrite,
    FilesGone,
    HistoryBusy,
    InboxFull,
    Overtaken,
    PageTooLarge,
    Refused,
    TextTooLong,
    TooSlow,
)

log = logging.getLogger(__name__)

QUIET_SECONDS: Final = 5.0
"""Seconds since the last failure after which an operation that succeeds ends the outage: where some succeed and some
fail, it would begin and end all the time."""
SLOW_QUIET_SECONDS: Final = 15.0
"""The same where statements are stopped for taking too long, or only writing fails: failures come rarely then."""
SAY_AGAIN_AFTER: Final = (10.0, 60.0, 300.0, 1800.0)
"""Seconds from one line to the next, the last one for all further lines."""
QUERIES: Final = frozenset({"find", "stretch", "count"})
"""Operations that are slow by what a client asks for."""
WRITES: Final = frozenset(
    {"accept", "journal", "commit", "erase", "publish", "keep_list", "keep_file", "set_mark", "check"}
)
_ANSWERS: Final = (FilesGone, HistoryBusy, InboxFull, Overtaken, PageTooLarge, Refused, TextTooLong)
"""What a store that is well refuses with."""


class StoreOutage:
    """``now``: seconds of a clock that never goes back."""

    def __init__(self, now: Callable[[], float] = monotonic) -> None:
        self._now = now
        self.is_on = False
        self._since = self._last_failure = self._works_since = self._said_at = 0.0
        self._failures = 0
        self._said: set[str] = set()
        self._times_said = 0
        self._is_of_writes = self._is_slow = False

    def note(self, operation: str, error: StoreError) -> None:
        """Note that an operation failed; log it if that is news, or has not been said for a while."""
        if isinstance(error, _ANSWERS) or (isinstance(error, TooSlow) and operation in QUERIES):
            return
        error.is_logged = True
        now = self._now()
        if not self.is_on:
            self._begin(now)
        self._last_failure = now
        self._failures += 1
        self._is_of_writes = isinstance(error, CannotWrite)
        self._is_slow = isinstance(error, TooSlow)
        sentence = str(error)
        if sentence not in self._said:
            self._said.add(sentence)
            self._say(now, sentence)
        elif now - self._said_at >= SAY_AGAIN_AFTER[min(self._times_said, len(SAY_AGAIN_AFTER)) - 1]:
            self._say(now, f"{sentence} (for {_duration(now - self._since)} now; {_operations(self._failures)} failed)")

    def succeeded(self, operation: str) -> None:
        """Note that an operation succeeded while an outage is on; log the end of the outage if it is one."""
        if self._is_of_writes and operation not in WRITES:
            return
        now = self._now()
        if self._works_since <= self._last_failure:
            self._works_since = now
        quiet = SLOW_QUIET_SECONDS if self._is_slow or self._is_of_writes else QUIET_SECONDS
        if now - self._last_failure < quiet:
            return
        self.is_on = False
        lasted = _duration(self._works_since - self._since)
        log.info("the store works again after %s (%s failed meanwhile)", lasted, _operations(self._failures))

    def _begin(self, now: float) -> None:
        self.is_on = True
        self._since = now
        self._failures = self._times_said = 0
        self._said.clear()

    def _say(self, now: float, sentence: str) -> None:
        self._said_at = now
        self._times_said += 1
        log.warning("the store fails; what was accepted is kept and done later: %s", sentence)


def _operations(count: int) -> str:
    return "1 operation" if count == 1 else f"{count} operations"


def _duration(seconds: float) -> str:
    whole = max(1, round(seconds))
    return f"{whole} s" if whole < 120 else f"{whole // 60} min"
