"""Duration: "two hours and 30 minutes", "a week". Value ISO 8601: ``PT2H30M``, ``P7D``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dialoom.understanding.candidate import Stretch
from dialoom.understanding.values.message import ENDS, STARTS, SmallNumbers, folded_keys, one_of, plain

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dialoom.understanding.values.message import Message
    from dialoom.understanding.words.table import Words

_LETTERS = {"year": "Y", "month": "M", "day": "D", "hour": "H", "minute": "M", "second": "S"}
_ISO = re.compile(r"(?<![\w])P(?=\d|T\d)(?:\d+Y)?(?:\d+M)?(?:\d+W)?(?:\d+D)?(?:T(?:\d+H)?(?:\d+M)?(?:\d+S)?)?(?![\w])")


class DurationReader:
    """Lengths of time of a language."""

    def __init__(self, words: Words) -> None:
        self._numbers = SmallNumbers(words)
        self._units = folded_keys(words.units)
        one = rf"(?:{self._numbers.counted}\s*{one_of(words.units)}{ENDS})"
        self._one = re.compile(rf"(?P<count>{self._numbers.counted})\s*(?P<unit>{one_of(words.units)}){ENDS}")
        self._all = re.compile(rf"{STARTS}{one}(?:\s*(?:,|{one_of(words.number_joiners)})?\s*{one})*")

    def find(self, said: Message) -> Iterator[Stretch]:
        for found in _ISO.finditer(said.text):
            yield Stretch(found.start(), found.end(), found[0])
        for found in self._all.finditer(said.folded.text):
            yield Stretch(*said.folded.span(*found.span()), self._value(found[0]))

    def _value(self, text: str) -> str:
        lengths = dict.fromkeys(_LETTERS, 0)
        for found in self._one.finditer(text):
            unit = self._units[plain(found["unit"])]
            count = self._numbers.value(found["count"])
            if unit == "week":
                unit, count = "day", count * 7
            lengths[unit] += count
        days, hours = (
            "".join(f"{lengths[unit]}{_LETTERS[unit]}" for unit in units if lengths[unit])
            for units in (("year", "month", "day"), ("hour", "minute", "second"))
        )
        return f"P{days}{'T' if hours else ''}{hours}" if days or hours else "PT0S"
