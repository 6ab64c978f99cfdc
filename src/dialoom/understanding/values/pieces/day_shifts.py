"""What stands before a day and counts from it."""

from __future__ import annotations

import re
from datetime import date, timedelta
from typing import TYPE_CHECKING

from dialoom.languages import Words
from dialoom.understanding.candidate import Stretch
from dialoom.understanding.values.calendar import at_distance
from dialoom.understanding.values.message import STARTS, folded_keys, one_of, plain, plain_all
from dialoom.understanding.values.neighbours import MAX_BESIDE_CHARS

if TYPE_CHECKING:
    from dialoom.understanding.values.duration import Lengths


class DayShifts:
    """What stands before a day and counts from it: "the day after Tuesday", "two weeks before Christmas"."""

    def __init__(self, words: Words, lengths: Lengths) -> None:
        self._lengths = lengths
        self._days = folded_keys(words.day_shifts)
        self._earlier = frozenset(plain_all(words.earlier_than))
        leading = rf"(?:{one_of((*words.on, *words.on_weekday, *words.bare_days))}\s*)?$"
        # "A car for a week from Tuesday" tells how long, and the day from which.
        lasting = rf"(?P<lasting>{one_of(words.lasting)}\s+)?"
        self._phrase = re.compile(rf"{STARTS}{lasting}(?P<shift>{one_of(words.day_shifts)})\s*{leading}")
        self._way = re.compile(rf"{STARTS}(?P<way>{one_of((*words.later_than, *words.earlier_than))})\s+{leading}")
        self._length = re.compile(rf"{STARTS}{lasting}(?P<length>{lengths.pattern})\s+$")

    def applied(self, text: str, day: Stretch) -> tuple[int, str | None]:
        """Return where a day begins with what is counted from it, and the day that is meant; None for no day."""
        said = max(0, day.start - MAX_BESIDE_CHARS)
        if (phrase := self._phrase.search(text, said, day.start)) is not None:
            return self._moved(day, phrase, self._days[plain(phrase["shift"])])
        way = self._way.search(text, said, day.start)
        if way is None:
            return day.start, day.value
        length = self._length.search(text, max(0, way.start() - MAX_BESIDE_CHARS), way.start())
        if length is None:
            return way.start(), None
        direction = -1 if plain(way["way"]) in self._earlier else 1
        try:
            then = at_distance(date.fromisoformat(day.value), self._lengths.read(length["length"]), direction)
        except (ValueError, OverflowError):
            then = None
        days = None if then is None else (then - date.fromisoformat(day.value)).days
        return self._moved(day, length, days)

    def _moved(self, day: Stretch, said: re.Match[str], days: int | None) -> tuple[int, str | None]:
        if said["lasting"]:
            return day.start, day.value
        if days is None:
            return said.start(), None
        return said.start(), (date.fromisoformat(day.value) + timedelta(days=days)).isoformat()


def whole_weeks(lengths: Lengths, text: str) -> int | None:
    """The days of a length that is told in weeks; in many languages "eight days" is one week, "fifteen days" two."""
    length = lengths.read(text)
    if not length or length.keys() - {"week", "day"}:
        return None
    days = 7 * length.get("week", 0) + {8: 7, 15: 14}.get(length.get("day", 0), length.get("day", 0))
    return days if days % 7 == 0 else None
