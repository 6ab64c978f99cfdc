"""One reading of a stretch of what the user said; which question takes it is left to the engine."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from typing import Any

import msgspec


class Candidate(msgspec.Struct, frozen=True):
    """A value of a type, and where in the message it stands: ``text == message[start:end]``, in code points."""

    type: str
    value: Any
    confidence: float
    start: int
    end: int
    text: str
    others: tuple[Any, ...] = ()
    """What else the same words may mean, which only something known beside them can tell: of "at eight" the evening, of
    "28 February" the last one."""


class Stretch(msgspec.Struct, frozen=True):
    """A value somewhere in the text, before it gets a type. A value of None blocks its place: "31 February" is no
    date, and "the 31" inside it is none either."""

    start: int
    end: int
    value: Any
    confidence: float = 1.0
    others: tuple[Any, ...] = ()
    """See ``Candidate``."""


class Spans:
    """Stretches of a text that do not overlap. Whether there is room for another is found by bisection: comparing each
    with each takes 0.3 s for the numbers of one message."""

    def __init__(self) -> None:
        self._starts: list[int] = []
        self._ends: list[int] = []

    def add(self, start: int, end: int) -> bool:
        """Take in a stretch; False where it overlaps with one that is there."""
        place = bisect_right(self._starts, start)
        if place and self._ends[place - 1] > start:
            return False
        if place < len(self._starts) and self._starts[place] < end:
            return False
        self._starts.insert(place, start)
        self._ends.insert(place, end)
        return True


def longest(stretches: Iterable[Stretch]) -> list[Stretch]:
    """Return what remains when of overlapping stretches the longest wins, then the surest, then the first; in text
    order."""
    return [one for one in longest_and_blocked(stretches) if one.value is not None]


def longest_and_blocked(stretches: Iterable[Stretch]) -> list[Stretch]:
    """Return the same with the stretches that only block their place.

    Two different values on the very same stretch stay side by side: they are an ambiguity, which the user decides.
    """
    stretches = list(stretches)
    if len(stretches) <= 1:
        return stretches
    spans, kept = Spans(), dict[tuple[int, int], list[Stretch]]()
    for one in sorted(stretches, key=lambda s: (s.start - s.end, s.value is not None, -s.confidence, s.start)):
        if spans.add(one.start, one.end):
            kept[one.start, one.end] = [one]
        elif (rivals := kept.get((one.start, one.end))) and all(_rivals(one, other) for other in rivals):
            rivals.append(one)
    return [one for place in sorted(kept) for one in kept[place]]


def _rivals(one: Stretch, other: Stretch) -> bool:
    is_sure_as = one.confidence == other.confidence
    return is_sure_as and one.value is not None and other.value is not None and one.value != other.value
