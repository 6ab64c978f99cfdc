"""Duration: "an hour and a half", "90 min", "2h30", "a week".

Value ISO 8601 with the units that were said: ``PT1H30M``, ``PT90M``; weeks as days: ``P7D``.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dialoom.understanding.candidate import Stretch
from dialoom.understanding.values.message import edges

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dialoom.languages import Words
    from dialoom.languages.sections import Unit
    from dialoom.understanding.values.lengths import Lengths
    from dialoom.understanding.values.message import Message

_DATE_LETTERS: dict[Unit, str] = {"year": "Y", "month": "M", "day": "D"}
_TIME_LETTERS: dict[Unit, str] = {"hour": "H", "minute": "M", "second": "S"}
_ISO = re.compile(
    r"(?<![\w])P(?=\d|T\d)(?:\d{1,9}Y)?(?:\d{1,9}M)?(?:\d{1,9}W)?(?:\d{1,9}D)?"
    r"(?:T(?:\d{1,9}H)?(?:\d{1,9}M)?(?:\d{1,9}S)?)?(?![\w])"
)


class DurationReader:
    """Lengths of time of a language."""

    def __init__(self, words: Words, lengths: Lengths) -> None:
        self._lengths = lengths
        starts, ends = edges(words)
        self._all = re.compile(f"{starts}{lengths.pattern}{ends}")

    def find(self, said: Message) -> Iterator[Stretch]:
        for found in _ISO.finditer(said.text):
            yield Stretch(found.start(), found.end(), found[0])
        for found in self._all.finditer(said.folded.text):
            yield Stretch(*said.folded.span(*found.span()), _iso(self._lengths.read(found[0])))


def _iso(length: dict[Unit, int]) -> str:
    told = {**length, "day": length.get("day", 0) + 7 * length.get("week", 0)}
    days, hours = (
        "".join(f"{told[unit]}{letter}" for unit, letter in letters.items() if told.get(unit))
        for letters in (_DATE_LETTERS, _TIME_LETTERS)
    )
    return f"P{days}{'T' if hours else ''}{hours}" if days or hours else "PT0S"
