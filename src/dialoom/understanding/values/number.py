"""Number: digits with the separators of the locale, and words ("twenty-five", "two hundred and six")."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dialoom.understanding.candidate import Stretch
from dialoom.understanding.normalise import fold

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dialoom.understanding.normalise import Word
    from dialoom.understanding.values.message import Message
    from dialoom.understanding.words.table import Words

MOST_DIGITS = 15
"""A number of more digits is an identifier: clients that count in doubles would change it."""

_DECIMAL_POINT = frozenset({"en", "zh", "ja", "ko", "th", "he", "hi", "bn", "ta", "te", "ms", "ga", "cy", "mt", "sw"})
_DECIMAL_POINT_REGIONS = frozenset({"es-mx", "es-us", "de-ch", "it-ch", "de-li", "es-pa", "es-gt", "es-hn", "es-ni"})

# Digits that nothing is glued to: no letter, no other digit group, no sign that makes them part of a date, a time, an
# address or an identifier.
_DIGITS = re.compile(
    r"(?<![^\W_])(?<![\d][.,:/'’-])(?<![@#_/:\\])"
    r"(?P<sign>(?<![^\s(])[-\u2212+])?(?P<digits>\d+(?:[.,'’\u00a0\u202f ]\d+)*)"
    r"(?![^\W_])(?![:/\\@_-]\d)(?![@_])"
)
_GROUPED = {
    ",": re.compile(r"\d{1,3}(?:,\d{2,3})*,\d{3}(?:\.\d+)?"),
    ".": re.compile(r"\d{1,3}(?:\.\d{3})+(?:,\d+)?"),
}


def has_decimal_point(language: str) -> bool:
    """Whether 1.5 is one and a half here, rather than 1,5."""
    tag = language.lower().replace("_", "-")
    return tag.split("-")[0] in _DECIMAL_POINT or tag in _DECIMAL_POINT_REGIONS


class NumberReader:
    """Numbers of a language."""

    def __init__(self, words: Words, language: str) -> None:
        self._point = has_decimal_point(language)
        self._values = {fold(word): value for word, value in words.numbers.items()}
        self._longest = max((word.count(" ") + 1 for word in self._values), default=0)
        self._ordinals = frozenset(fold(word) for word in words.ordinals)
        self._multipliers = {fold(word): value for word, value in words.multipliers.items()}
        self._joiners = frozenset(fold(word) for word in words.number_joiners)
        self._articles = frozenset(fold(word) for word in words.articles)
        self._not_one_after = frozenset(fold(word) for word in words.not_one_after)

    def find(self, said: Message) -> Iterator[Stretch]:
        for found in _DIGITS.finditer(said.text):
            yield from self._in_digits(found)
        yield from self._in_words(said.words)

    # ---- digits --------------------------------------------------------------------------------------------------

    def _in_digits(self, found: re.Match[str]) -> Iterator[Stretch]:
        digits, start = found["digits"], found.start("digits")
        sign = -1 if found["sign"] in ("-", "\u2212") else 1
        whole = digits_value(digits, has_point=self._point)
        if whole is not None:
            yield Stretch(found.start(), found.end(), sign * whole)
            return
        # Groups that make no number together are several: "4, 5" or "2 10".
        for part in re.finditer(r"\d+(?:[.,]\d+)*", digits):
            value = digits_value(part[0], has_point=self._point)
            if value is not None:
                first = part.start() == 0
                begin = found.start() if first else start + part.start()
                yield Stretch(begin, start + part.end(), sign * value if first else value)

    # ---- words ---------------------------------------------------------------------------------------------------

    def _in_words(self, words: list[Word]) -> Iterator[Stretch]:
        index = 0
        while index < len(words):
            end, value = self._spoken(words, index)
            is_ordinal = end < len(words) and words[end].folded in self._ordinals
            if end > index and not is_ordinal and not self._is_pronoun(words, index, end):
                yield Stretch(words[index].start, words[end - 1].end, value)
            index = max(end, index + 1)

    def _is_pronoun(self, words: list[Word], index: int, end: int) -> bool:
        if end - index > 1:
            return False
        word = words[index].folded
        if word in self._articles:
            return len(words) > 1
        return self._values.get(word) == 1 and index > 0 and words[index - 1].folded in self._not_one_after

    def _spoken(self, words: list[Word], index: int) -> tuple[int, int]:
        """The number that begins with a word, and the place after it; the same place when none does."""
        total = current = 0
        end = position = index
        while position < len(words):
            word = words[position].folded
            if word in self._multipliers:
                by = self._multipliers[word]
                if by == 100:
                    current = (current or 1) * by
                else:
                    total, current = total + (current or 1) * by, 0
                end = position + 1
            elif (phrase := self._phrase(words, position)) and (end == index or _fits(total, current, phrase[1])):
                current += phrase[1]
                end = position + phrase[0]
                position = end - 1
            elif word in self._articles and position == index and self._leads_a_multiplier(words, position):
                pass
            elif word not in self._joiners or end == index:
                break
            position += 1
        return end, total + current

    def _phrase(self, words: list[Word], position: int) -> tuple[int, int] | None:
        """How many words the longest number word here has, and its value: "quatre-vingt-dix-sept" is one of four."""
        for length in range(min(self._longest, len(words) - position), 0, -1):
            value = self._values.get(" ".join(word.folded for word in words[position : position + length]))
            if value is not None:
                return length, value
        return None

    def _leads_a_multiplier(self, words: list[Word], position: int) -> bool:
        return position + 1 < len(words) and words[position + 1].folded in self._multipliers


def _fits(total: int, current: int, value: int) -> bool:
    """Whether a further word of a number goes on with it ("twenty" "five") or begins another ("five" "six")."""
    if current == 0:
        return total > 0 and value > 0
    if current % 100 == 0:
        return 0 < value < 100
    return current % 10 == 0 and current % 100 >= 20 and value < 10


def digits_value(digits: str, *, has_point: bool) -> int | float | None:
    """A number written in digits; None for a writing that is none, and for one of too many digits."""
    text = re.sub("['’\u00a0\u202f ](?=\\d{3}(?!\\d))", "", digits)
    group, point = (",", ".") if has_point else (".", ",")
    if _GROUPED[group].fullmatch(text):
        text = text.replace(group, "")
    text = text.replace(point, ".")
    written = re.fullmatch(r"(\d+)(?:[.,](\d+))?", text)
    if written is None or len(written[1] + (written[2] or "")) > MOST_DIGITS or re.match(r"0\d\d", text):
        return None
    value = float(text.replace(",", "."))
    return int(value) if value.is_integer() else value
