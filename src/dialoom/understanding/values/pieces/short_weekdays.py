"""Messages that are no more than weekdays in two or three letters: "sa", "fr oder sa", "el sáb".

These letters are other words too (German "so", Spanish "dom"), so that they are days only where one is asked for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from dialoom.languages import Words
from dialoom.understanding.values.message import ENDS, STARTS, folded_keys, one_of, plain

_MAX_DAYS = 4
_MAX_SIGNS = 8
"""Signs and blanks on either side."""


class ShortWeekday(NamedTuple):
    """A weekday in a message that is nothing else."""

    start: int
    end: int
    """Of its name in the folded text."""
    weekday: int
    """0 for Monday."""
    is_sure: bool
    """Another weekday of the message has its full name: "fr oder Samstag"."""


class ShortWeekdays:
    """Weekdays of a language in two or three letters."""

    def __init__(self, words: Words) -> None:
        self._short = folded_keys(words.short_weekdays)
        self._names = folded_keys(words.weekdays) | self._short
        name = rf"{STARTS}{one_of(self._names)}{ENDS}"
        leading = rf"(?:{one_of((*words.on, *words.on_weekday, *words.bare_days))}\s+)?"
        first = rf"(?:{one_of((*words.either, *words.on_weekday, *words.on))}\s+)?{leading}{name}\.?"
        joined = rf"\s*(?:[,/]\s*)?(?:{one_of(words.until)}\s+)?{leading}{name}\.?"
        around = rf"\W{{0,{_MAX_SIGNS}}}"
        polite = rf"(?:{one_of(words.polite)}{around})?"
        self._whole = re.compile(rf"{around}{first}(?:{joined}){{0,{_MAX_DAYS - 1}}}{around}{polite}")
        self._name = re.compile(name)

    def find(self, text: str) -> Iterator[ShortWeekday]:
        """Yield the weekdays of a message that is nothing else; none where each has its full name."""
        if not self._short or self._whole.fullmatch(text) is None:
            return
        found = list(self._name.finditer(text))
        short = [one for one in found if plain(one[0]) in self._short]
        for one in found if short else ():
            yield ShortWeekday(*one.span(), self._names[plain(one[0])], len(short) < len(found))
