"""Datetime: a date with a time beside it, "in two hours", "now". Value ISO 8601 with the offset of the zone that the
message is read in.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from dialoom.languages import Words
from dialoom.understanding.candidate import Stretch
from dialoom.understanding.normalise import fold
from dialoom.understanding.values.message import edges, one_of

if TYPE_CHECKING:
    from dialoom.understanding.values.date import DateReader
    from dialoom.understanding.values.duration import Lengths
    from dialoom.understanding.values.message import Message
    from dialoom.understanding.values.time import TimeReader

_COMPLETE = re.compile(
    r"(?<![\w:.-])\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?(?:[Zz]|[+-]\d\d:?\d\d)(?![\w:-])"
)


_SPACES = re.compile(r"\s{2,}")
_MAX_JOINERS = 3
"""Words between a date and its time: "on Friday in the morning at 9"."""
_NEAR = _MAX_JOINERS + 2
"""Times on either side of a date among which its own is: each that lies between takes a joining word."""
_MAX_BETWEEN_CHARACTERS = 200
"""With white space, which is taken for one space before the words are looked at."""


class DatetimeReader:
    """Dates and times that stand together, in either order."""

    def __init__(self, words: Words, dates: DateReader, times: TimeReader, lengths: Lengths) -> None:
        self._lengths = lengths
        self._dates = dates
        self._times = times
        joining = (*words.at, *words.near, *words.on, *words.of, *words.parts, *words.common, "t")
        joiners, longest = one_of(joining), max(map(len, joining))
        starts, ends = edges(words)
        length = rf"(?P<length>{lengths.pattern})"
        other = rf"(?P<other>{lengths.pattern})"
        later = rf"{one_of(words.within)}\s*{length}|{other}\s+{one_of(words.from_now)}"
        self._later = re.compile(rf"{starts}(?:{later}){ends}")
        self._now = re.compile(rf"\W*+{one_of(words.now)}\W*+")
        gap = r"[\s,]{1,9}" if words.spaced else r"[\s,]{0,9}"
        self._between = re.compile(rf"[\s,]{{0,9}}(?:{joiners}{gap}|t){{0,{_MAX_JOINERS}}}")
        self._max_between = _MAX_JOINERS * (longest + len(", ")) + len(", ")

    def find(self, said: Message) -> Iterator[Stretch]:
        complete = [one for found in _COMPLETE.finditer(said.text) for one in _exact(found)]
        yield from complete
        yield from self._from_now(said)
        complete_starts = [one.start for one in complete]
        times = sorted(self._times.find(said), key=lambda one: one.start)
        starts = [one.start for one in times]
        for day in self._dates.find(said):
            before = bisect_right(complete_starts, day.start)
            if before and day.start < complete[before - 1].end:
                continue
            at = bisect_right(starts, day.start)
            for hour in times[max(0, at - _NEAR) : at + _NEAR]:
                first, second = (day, hour) if day.start < hour.start else (hour, day)
                if self._are_joined(said.text, first.end, second.start):
                    yield Stretch(first.start, second.end, _joined(day.value, hour.value, said.now))
                    break

    def _are_joined(self, text: str, start: int, end: int) -> bool:
        if not 0 <= end - start <= _MAX_BETWEEN_CHARACTERS:
            return False
        between = _SPACES.sub(" ", text[start:end])
        return len(between) <= self._max_between and self._between.fullmatch(fold(between)) is not None

    def _from_now(self, said: Message) -> Iterator[Stretch]:
        """ "In two hours" is a moment by itself; "in two days" has no hour."""
        if self._now.fullmatch(said.folded.text):
            yield Stretch(0, len(said.text), said.now.replace(microsecond=0).isoformat())
        for found in self._later.finditer(said.folded.text):
            length = self._lengths.read(found["length"] or found["other"])
            if length and length.keys() <= {"hour", "minute", "second"}:
                ahead = timedelta(**{f"{unit}s": count for unit, count in length.items()})
                then = (said.now.astimezone(UTC) + ahead).astimezone(said.now.tzinfo)
                yield Stretch(*said.folded.span(*found.span()), then.replace(second=0, microsecond=0).isoformat())


def _exact(found: re.Match[str]) -> Iterator[Stretch]:
    try:
        value = datetime.fromisoformat(found[0].upper())
    except ValueError:
        return
    yield Stretch(found.start(), found.end(), value.isoformat())


def _joined(day: str, hour: str, now: datetime) -> str:
    """Return a date and a time in the zone of ``now``; an hour that the clocks skip in spring is the one after it."""
    there = datetime.fromisoformat(f"{day}T{hour}").replace(tzinfo=now.tzinfo)
    try:
        return there.astimezone(UTC).astimezone(now.tzinfo).isoformat()
    except OverflowError:
        return there.isoformat()
