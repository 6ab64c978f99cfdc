"""One reading of a stretch of what the user said; which question takes it is left to the engine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterable


class Candidate(msgspec.Struct, frozen=True):
    """A value of a type, and where in the message it stands: ``text == message[start:end]``, in code points."""

    type: str
    value: Any
    confidence: float
    start: int
    end: int
    text: str


class Stretch(msgspec.Struct, frozen=True):
    """A value somewhere in the text, before it gets a type. A value of None blocks its place: "31 February" is no
    date, and "the 31" inside it is none either."""

    start: int
    end: int
    value: Any
    confidence: float = 1.0


def longest(stretches: Iterable[Stretch]) -> list[Stretch]:
    """What remains when of overlapping stretches the longest wins, then the surest, then the first; in text order.

    Two different values on the very same stretch stay side by side: they are an ambiguity, which the user decides.
    """
    kept: list[Stretch] = []
    for one in sorted(stretches, key=lambda s: (s.start - s.end, s.value is not None, -s.confidence, s.start)):
        if all(one.end <= other.start or one.start >= other.end or _rivals(one, other) for other in kept):
            kept.append(one)
    kept.sort(key=lambda s: s.start)
    return [one for one in kept if one.value is not None]


def _rivals(one: Stretch, other: Stretch) -> bool:
    return (
        one.start == other.start
        and one.end == other.end
        and one.confidence == other.confidence
        and one.value is not None
        and other.value is not None
        and one.value != other.value
    )
