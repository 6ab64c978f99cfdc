"""Amount: a number with a currency, before or after it, and its hundredths.

Value ``{"value": number, "currency": ISO 4217 code}``.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from typing import TYPE_CHECKING

from dialoom.languages import Words, currencies
from dialoom.understanding.candidate import Stretch, longest
from dialoom.understanding.normalise import fold
from dialoom.understanding.values.message import ENDS, STARTS, one_of, plain
from dialoom.understanding.values.number import digits_value, has_decimal_point

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


_THOUSANDS = re.compile(r"(?<![\w.,])(?P<digits>\d{1,6}(?:[.,]\d{1,3})?)\s?[kK](?!\w)")
_BEHIND = re.compile(r"[\s-]{0,2}(%|(?<=\d)[.,]\d|[^\W\d_]{1,40})")
_BRACES = re.compile(r"\{{2,3}[^{}]{0,500}\}{2,3}")
_CODE_OF_HELPER = re.compile(r"\$currency[^{}]{0,200}?['\"]([A-Z]{3})['\"]")


class AmountReader:
    """Numbers of a language that a currency stands beside."""

    def __init__(self, words: Words, language: str, numbers: NumberReader, things: Collection[str] = ()) -> None:
        """``things``: words behind a number that it counts, folded."""
        self._numbers = numbers
        self._near = re.compile(rf"{one_of(words.near)}\s+")
        self._counted = frozenset({*things, *map(fold, (*words.units, *words.countable))})
        self._has_point = has_decimal_point(language)
        known = currencies()
        sides = {**known.signs, **known.codes}
        names = {**sides, **known.names, **words.currencies}
        self._currencies = {plain(fold(name)): code for name, code in names.items()}
        self._local(language)
        sure = [name for name in names if name not in known.signs and name not in known.also_words]
        self._named = re.compile(rf"{STARTS}{one_of(sure)}{ENDS}|[{''.join(known.signs)}]", re.IGNORECASE)
        self._codes = frozenset(known.codes)
        signs = "[" + "".join(known.signs) + "]"
        ends = ENDS if words.spaced else ""
        minus = r"(?:(?<![^\s(])(?P<minus>[-\u2212]))?"
        self._before = re.compile(rf"{minus}{STARTS}(?P<currency>{one_of(known.codes)}|{signs})\s?$")
        self._before_sign = re.compile(rf"{minus}(?P<currency>{signs})\s?(?P<inner>[-\u2212])?$")
        # "10 won't work" is about no wons.
        self._after = re.compile(rf"\s?(?P<currency>{signs}|{one_of(names)}{ends}(?!['’]t\b))")
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

    def bare(self, said: Message, currency: str, others: Iterable[Stretch]) -> list[Stretch]:
        """Return the numbers without a currency, as amounts of the one that a question asks in. ``others``: values that
        may have numbers in them."""
        numbers = {(one.start, one.end): one for one in (*self._numbers.find(said), *self._thousands(said.text))}
        inside = bytearray(len(said.text))
        for other in others:
            near = self._near.match(fold(said.text[other.start : other.end]))
            start = other.start + (len(near[0]) if near is not None else 0)
            if (start, other.end) not in numbers:  # "around 20" may be an hour, and is no more than the 20
                inside[start : other.end] = b"\1" * (other.end - start)
        return longest(
            Stretch(start, end, {"value": one.value, "currency": currency})
            for (start, end), one in numbers.items()
            if not inside[start] and not self._is_of_something(said.text, start, end, one.value)
        )

    def _thousands(self, text: str) -> Iterator[Stretch]:
        """ "2k", "1.5k"."""
        for found in _THOUSANDS.finditer(text):
            value = digits_value(found["digits"], has_point=self._has_point)
            if value is not None:
                yield Stretch(found.start(), found.end(), _rounded(value * 1_000))

    def _is_of_something(self, text: str, start: int, end: int, value: float) -> bool:
        """Return whether a number is one of something: "3 people", "10 %", "half", the 1 of "1.2m"."""
        if value < 1 and not any(map(str.isdecimal, text[start:end])):
            return True
        behind = _BEHIND.match(text, end)
        return behind is not None and (not behind[1].isalpha() or fold(behind[1]) in self._counted)

    def named_in(self, text: str) -> Iterator[str]:
        """The currencies that a text of a bot names: by a sign, a code in capitals, a name."""
        for found in _CODE_OF_HELPER.finditer(text):
            if found[1].lower() in self._codes:
                yield found[1]
        for found in self._named.finditer(_BRACES.sub(" ", text)):
            name = plain(fold(found[0]))
            if not (name in self._codes and len(name) == 3 and found[0].islower()):  # "try" is a word as well
                yield self._currencies[name]

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


def _rounded(value: float) -> int | float:
    return int(value) if float(value).is_integer() else round(value, 2)
