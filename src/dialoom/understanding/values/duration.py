"""Lengths of time as people say them ("an hour and a half", "2h30"), by which dates and times count too.

Value of the type Duration: ISO 8601 with the units that were said: ``PT1H30M``, ``PT90M``; weeks as days: ``P7D``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from dialoom.languages import Words
from dialoom.languages.sections import Unit
from dialoom.understanding.candidate import Stretch
from dialoom.understanding.normalise import fold
from dialoom.understanding.values.message import ENDS, SmallNumbers, edges, folded_keys, one_of, plain

if TYPE_CHECKING:
    from dialoom.understanding.values.message import Message

_COMPACT = r"(?P<{0}hours>\d{{1,3}})\s?h(?:\s?(?P<{0}minutes>[0-5]?\d)\s?(?:m|mn|min|mins)?)?"
_SMALLER: dict[Unit, tuple[int, Unit]] = {
    "year": (12, "month"),
    "month": (30, "day"),
    "week": (7, "day"),
    "day": (24, "hour"),
    "hour": (60, "minute"),
    "minute": (60, "second"),
}
"""What a part of a unit is told in: half a day is 12 hours."""
_DATE_LETTERS: dict[Unit, str] = {"year": "Y", "month": "M", "day": "D"}
_TIME_LETTERS: dict[Unit, str] = {"hour": "H", "minute": "M", "second": "S"}
_ISO = re.compile(
    r"(?<![\w])P(?=\d|T\d)(?:\d{1,9}Y)?(?:\d{1,9}M)?(?:\d{1,9}W)?(?:\d{1,9}D)?"
    r"(?:T(?:\d{1,9}H)?(?:\d{1,9}M)?(?:\d{1,9}S)?)?(?![\w])"
)


class Lengths:
    """Lengths of time of a language: a pattern to put into others, and what a stretch that it matched means."""

    def __init__(self, words: Words) -> None:
        self._numbers = SmallNumbers(words)
        self._units = folded_keys(words.units)
        self._whole = folded_keys(words.lengths)
        self._with_half = folded_keys(words.with_half)
        ends = ENDS if words.spaced else ""
        half = rf"(?:\s+{one_of(words.and_half)}{ends})?"
        count = rf"(?:\d{{1,3}}[.,]\d{{1,2}}|{one_of(words.with_half)}|{self._numbers.counted})"
        between = rf"(?:\s*(?:,|{one_of(words.number_joiners)}))?\s*"
        one = rf"{count}{half}[\s-]{{0,5}}{one_of(words.units)}{ends}{half}"
        compact = re.sub(r"\?P<[^>]+>", "?:", _COMPACT.format(""))
        self.pattern = rf"(?:{one_of(words.lengths)}{ends}|{compact}{ends}|{one}(?:{between}{one}){{0,6}})"
        self._any = re.compile(self.pattern)
        self._compact = re.compile(_COMPACT.format(""))
        self._one = re.compile(
            rf"(?P<count>{count})(?P<half>{half})[\s-]{{0,5}}(?P<unit>{one_of(words.units)}){ends}(?P<more>{half})"
        )

        self.counted = [(self._counted_pattern(phrase), unit, direction) for phrase, unit, direction in words.counted]
        """Patterns of whole phrases with the group ``n``, their unit and direction."""

    def starts_at(self, text: str, at: int) -> bool:
        """Return whether a length is said at this place of a folded text."""
        return self._any.match(text, at) is not None

    def read(self, text: str) -> dict[Unit, int]:
        """Return what a matched stretch means, in whole units; parts of one are told in smaller ones."""
        length: dict[Unit, float] = {}
        if (whole := self._whole.get(plain(text))) is not None:
            return _in_whole_units({whole[1]: whole[0]})
        if (compact := self._compact.fullmatch(text)) is not None:
            hours, minutes = int(compact["hours"]), int(compact["minutes"] or 0)
            return {"hour": hours, **({"minute": minutes} if minutes else {})}
        for found in self._one.finditer(text):
            unit = self._units[plain(found["unit"])]
            more = 0.5 if found["half"].strip() or found["more"].strip() else 0.0
            length[unit] = length.get(unit, 0) + self._count(found["count"]) + more
        return _in_whole_units(length)

    def number(self, text: str | None) -> int:
        """Return the number in a phrase of ``counted``; one where it holds none: Bulgarian "след месец"."""
        return self._numbers.value(text) if text else 1

    def _counted_pattern(self, phrase: str) -> str:
        before, found, after = phrase.partition("{n}")
        pieces = [re.sub(r"(?:\\ )+", r"\\s*", re.escape(fold(piece))) for piece in (before, after)]
        return rf"{pieces[0]}(?P<n>{self._numbers.counted}){pieces[1]}" if found else pieces[0]

    def _count(self, text: str) -> float:
        if (with_half := self._with_half.get(plain(text))) is not None:
            return with_half
        return float(text.replace(",", ".")) if re.search(r"\d[.,]\d", text) else self._numbers.value(text)


def _in_whole_units(length: dict[Unit, float]) -> dict[Unit, int]:
    whole: dict[Unit, int] = {}
    for unit in ("year", "month", "week", "day", "hour", "minute", "second"):
        count = length.get(unit, 0)
        rest = round(count - int(count), 6)
        if rest and unit in _SMALLER:
            size, smaller = _SMALLER[unit]
            length[smaller] = length.get(smaller, 0) + round(rest * size, 4)
        if int(count):
            whole[unit] = int(count)
    return whole


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
    lengths = {**length, "day": length.get("day", 0) + 7 * length.get("week", 0)}
    days, hours = (
        "".join(f"{lengths[unit]}{letter}" for unit, letter in letters.items() if lengths.get(unit))
        for letters in (_DATE_LETTERS, _TIME_LETTERS)
    )
    return f"P{days}{'T' if hours else ''}{hours}" if days or hours else "PT0S"
