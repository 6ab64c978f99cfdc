"""Amount: a number with a currency, before or after it, and its hundredths.

Value ``{"value": number, "currency": ISO 4217 code}``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from dialoom.languages import Words, currencies
from dialoom.understanding.candidate import Stretch
from dialoom.understanding.normalise import fold
from dialoom.understanding.values.message import ENDS, STARTS, one_of, plain

if TYPE_CHECKING:
    from dialoom.understanding.values.message import Message
    from dialoom.understanding.values.number import NumberReader

_DOLLARS = {
    "ca": "CAD",
    "au": "AUD",
    "nz": "NZD",
    "sg": "SGD",
    "hk": "HKD",
    "mx": "MXN",
    "ar": "ARS",
    "cl": "CLP",
    "co": "COP",
}
"""What "$" and "dollars" (or "pesos") mean in a region."""
_CROWNS = {"da": "DKK", "nb": "NOK", "no": "NOK", "nn": "NOK"}


class AmountReader:
    """Numbers of a language that a currency stands beside."""

    def __init__(self, words: Words, language: str, numbers: NumberReader) -> None:
        self._numbers = numbers
        known = currencies()
        sides = {**known.signs, **known.codes}
        names = {**sides, **known.names, **words.currencies}
        self._currencies = {plain(fold(name)): code for name, code in names.items()}
        self._local(language)
        signs = "[" + "".join(known.signs) + "]"
        ends = ENDS if words.spaced else ""
        minus = r"(?:(?<![^\s(])(?P<minus>[-\u2212]))?"
        self._before = re.compile(rf"{minus}{STARTS}(?P<currency>{one_of(known.codes)}|{signs})\s?$")
        self._before_sign = re.compile(rf"{minus}(?P<currency>{signs})\s?(?P<inner>[-\u2212])?$")
        self._after = re.compile(rf"\s?(?P<currency>{signs}|{one_of(names)}{ends})")
        self._joiner = re.compile(rf"\s*(?:{one_of((*words.number_joiners, *words.with_cents))}\s+)?")
        self._cents = re.compile(rf"\s*{one_of(words.cents)}{ENDS}")

    def _local(self, language: str) -> None:
        tag = language.lower().replace("_", "-").split("-")
        dollar = next((_DOLLARS[part] for part in tag[1:] if part in _DOLLARS), None)
        names = {name for name, code in self._currencies.items() if code in ("USD", "MXN")} - {"usd", "us$", "mxn"}
        if dollar is not None:
            self._currencies.update(dict.fromkeys(names, dollar))
        if tag[0] in _CROWNS:
            self._currencies.update(dict.fromkeys(("kr", "kr."), _CROWNS[tag[0]]))
        if tag[0] == "zh":
            self._currencies["¥"] = "CNY"

    def find(self, said: Message) -> Iterator[Stretch]:
        taken = 0
        numbers = {number.start: number for number in self._numbers.find(said)}
        for number in numbers.values():
            if number.start < taken:
                continue
            # Folding keeps the length of every sign and name in the tables, so that places can be counted on it.
            after = self._after.match(fold(said.text[number.end : number.end + 20]))
            ahead = fold(said.text[max(0, number.start - 20) : number.start])
            before = self._before.search(ahead) or self._before_sign.search(ahead)
            found = after or before
            if found is None:
                continue
            start = number.start if after else number.start - len(found[0])
            end = number.end + (len(found[0]) if after else 0)
            hundredths, taken = self._hundredths(said, end, numbers) if after else (0, end)
            value = round(number.value + hundredths / 100, 2) if hundredths else number.value
            if found is before and any(found.groupdict().get(sign) for sign in ("minus", "inner")):
                value = -abs(value)
            yield Stretch(start, taken, {"value": value, "currency": self._currencies[plain(found["currency"])]})

    def _hundredths(self, said: Message, end: int, numbers: dict[int, Stretch]) -> tuple[int, int]:
        """Return the cents after an amount ("five euros fifty", "5 euros and 50 cents"), and where they end."""
        joiner = self._joiner.match(fold(said.text[end : end + 12]))
        start = end + (len(joiner[0]) if joiner is not None else 0)
        number = numbers.get(start)
        if number is not None and isinstance(number.value, int) and 0 < number.value < 100:
            rest = fold(said.text[number.end : number.end + 20])
            if (cents := self._cents.match(rest)) is not None:
                return number.value, number.end + len(cents[0])
            if number.value >= 10 and not re.match(r"\s*\w|[%:.,]\w", rest):
                return number.value, number.end
        return 0, end
