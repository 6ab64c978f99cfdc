"""Reads a rate as a setting names it (``60/min``, ``100/s burst 1000``, ``off``), limits clients to it and to a day's
share (``2 MiB``), and remembers which are known. Callers choose the keys of clients."""

from __future__ import annotations

import math
import re
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable

import msgspec

PATTERN = r"^(off|[1-9][0-9]{0,6}/(s|min|h)( burst [1-9][0-9]{0,6})?)$"
_PARTS = re.compile(r"(\d+)/(s|min|h)(?: burst (\d+))?")
_SECONDS = {"s": 1, "min": 60, "h": 3600}
SIZE_PATTERN = r"^(off|[1-9][0-9]{0,5} (KiB|MiB|GiB))$"
_BYTES = {"KiB": 2**10, "MiB": 2**20, "GiB": 2**30}
_DAY = 24 * 3600 * 1000
MAX_KEYS = 65_536
"""Keys of one table, about 150 bytes each."""


class Rate(msgspec.Struct, frozen=True):
    """Describes a limit. ``interval``: seconds between two requests; ``burst``: the number that may come at once."""

    interval: float
    burst: int


def read_rate(text: str) -> Rate | None:
    """Parse a rate; None for ``off``. The text fits ``PATTERN``. Without a burst it is all of a unit's."""
    found = _PARTS.fullmatch(text)
    if found is None:
        return None
    number, unit, burst = found.groups()
    return Rate(_SECONDS[unit] / int(number), int(burst or number))


def read_size(text: str) -> int | None:
    """Parse a size in bytes; None for ``off``. The text fits ``SIZE_PATTERN``."""
    number, _, unit = text.partition(" ")
    return int(number) * _BYTES[unit] if unit else None


class Quota:
    """Counts the bytes that each client has used of its share of the running UTC day. It never grows beyond ``most``
    clients: of more the one that used its share longest ago is forgotten, and has a whole share again."""

    def __init__(self, share: int, now: Callable[[], int], most: int = MAX_KEYS) -> None:
        """Count from now on. ``now``: returns milliseconds since 1970."""
        self.share = share
        self._now = now
        self._most = most
        self._day = 0
        self._used: OrderedDict[Hashable, int] = OrderedDict()

    def take(self, key: Hashable, size: int) -> bool:
        """Count bytes; return False and count nothing where they are more than is left."""
        self._begin_day()
        used = self._used.get(key, 0) + size
        if used > self.share:
            return False
        self._used[key] = used
        self._used.move_to_end(key)
        if len(self._used) > self._most:
            self._used.popitem(last=False)
        return True

    def charge(self, key: Hashable, size: int) -> None:
        """Count what is stored already, also beyond the share."""
        self._begin_day()
        if key in self._used:
            self._used[key] += size

    def give_back(self, key: Hashable, size: int) -> None:
        """Give back bytes that were counted and not stored."""
        self._begin_day()
        if (left := self._used.get(key, 0) - size) > 0:
            self._used[key] = left
        else:
            self._used.pop(key, None)

    def wait(self) -> int:
        """Return the seconds until the next day, at least one."""
        return -(-(_DAY - self._now() % _DAY) // 1000)

    def __len__(self) -> int:
        return len(self._used)

    def _begin_day(self) -> None:
        day = self._now() // _DAY
        if day != self._day:
            self._day = day
            self._used.clear()


class Limiter:
    """Limits rates by the generic cell rate algorithm: of each client one number, the time at which all that it sent is
    paid off.

    A key whose time is past says no more than one that is missing, so the table forgets those. It never grows beyond
    ``most``: a flood of new keys then puts the oldest out, which costs a limit, not memory.
    """

    def __init__(self, rate: Rate, most: int = MAX_KEYS, now: Callable[[], float] = time.monotonic) -> None:
        self._burst = rate.burst
        self._interval = rate.interval
        self._slack = rate.interval * (rate.burst - 1) + 1e-9
        self._most = most
        self._now = now
        self._paid_at: OrderedDict[Hashable, float] = OrderedDict()

    def take(self, key: Hashable) -> float:
        """Count one and return 0; or count none and return the seconds after which it may come again."""
        now = self._now()
        paid_at = self._paid_at.get(key)
        if paid_at is None:
            self._make_room(now)
            paid_at = now
        elif paid_at < now:
            paid_at = now
        elif paid_at - now > self._slack:
            return paid_at - now - self._slack
        self._paid_at[key] = paid_at + self._interval
        return 0.0

    def give_back(self, key: Hashable) -> None:
        """Take back one that ``take`` counted."""
        if key in self._paid_at:
            self._paid_at[key] -= self._interval

    def wait(self, key: Hashable) -> float:
        """Return what ``take`` would return; nothing is counted."""
        left = self._paid_at.get(key, 0.0) - self._now() - self._slack
        return max(left, 0.0)

    def state(self, key: Hashable) -> tuple[int, int, int]:
        """Return how many may come at once, how many of them may still come now, and the seconds until all may."""
        owed = max(self._paid_at.get(key, 0.0) - self._now(), 0.0)
        # What is owed is a little less than a whole number of intervals, by the time that has passed since.
        used = math.ceil(owed / self._interval - 1e-6)
        return self._burst, max(self._burst - used, 0), math.ceil(owed)

    def __len__(self) -> int:
        return len(self._paid_at)

    def _make_room(self, now: float) -> None:
        """Look at two keys for every new one and drop those whose time is past; a full table drops others too."""
        for _ in range(2):
            if not self._paid_at:
                return
            key = next(iter(self._paid_at))
            if self._paid_at[key] <= now:
                del self._paid_at[key]
            else:
                self._paid_at.move_to_end(key)
        if len(self._paid_at) >= self._most:
            self._paid_at.popitem(last=False)


class Known:
    """Remembers keys that proved themselves within ``seconds``. Beyond ``most`` it forgets the oldest."""

    def __init__(self, seconds: float, most: int = MAX_KEYS, now: Callable[[], float] = time.monotonic) -> None:
        self._seconds = seconds
        self._most = most
        self._now = now
        self._proved_at: OrderedDict[Hashable, float] = OrderedDict()

    def add(self, key: Hashable) -> None:
        self._proved_at[key] = self._now()
        self._proved_at.move_to_end(key)
        if len(self._proved_at) > self._most:
            self._proved_at.popitem(last=False)

    def forget(self, key: Hashable) -> None:
        self._proved_at.pop(key, None)

    def __contains__(self, key: Hashable) -> bool:
        proved_at = self._proved_at.get(key)
        return proved_at is not None and self._now() - proved_at < self._seconds

    def __len__(self) -> int:
        return len(self._proved_at)
