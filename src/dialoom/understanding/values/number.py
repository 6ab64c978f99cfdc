"""Number: digits with the separators of the locale, and words ("twenty-five", "two hundred and six")."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from dialoom.languages import Words
from dialoom.languages.sections import Homograph
from dialoom.understanding.candidate import Stretch, longest
from dialoom.understanding.normalise import fold, normalise, words_of
from dialoom.understanding.values.message import DIGITS, once

if TYPE_CHECKING:
    from dialoom.understanding.normalise import Word
    from dialoom.understanding.values.message import Message

MAX_DIGITS = 15
"""A number of more digits is an identifier: clients that count in doubles would change it. One in words that is as
large ("a million million million") is none either."""

_TOO_LARGE = 10**MAX_DIGITS

_DECIMAL_POINT = frozenset(
    {"en", "zh", "ja", "ko", "th", "he", "hi", "bn", "ta", "te", "ms", "ar", "ga", "cy", "mt", "sw"}
)
_DECIMAL_POINT_REGIONS = frozenset({"es-mx", "es-us", "de-ch", "it-ch", "de-li", "es-pa", "es-gt", "es-hn", "es-ni"})

# Digits that nothing is glued to: no letter, no other digit group, no sign that makes them part of a date, a time, an
# address or an identifier. What follows may send it back by one group, never by more: behind each but the last stands a
# sign that nothing here forbids. So it takes time linear in the text, however many groups there are.
_DIGITS = re.compile(
    r"(?<![^\W_])(?<![\d][.,:/'’-])(?<![@#_/:\\])"
    r"(?P<sign>(?<![^\s(])[-\u2212+])?(?P<digits>\d++(?:[.,'’\u00a0\u202f ]\d++)*)"
    r"(?![^\W_])(?![:/\\@_-]\d)(?![@_])"
)
_DIGITS_UNSPACED = re.compile(
    r"(?<![A-Za-z\d])(?<![\d][.,:/-])(?P<sign>(?<![^\s(])[-\u2212+])?(?P<digits>\d++(?:[.,]\d++)*)(?![A-Za-z\d])(?![:/-]\d)"
)
"""In scripts without spaces a number has letters beside it: "20元"."""
_GROUPED = {
    ",": re.compile(r"\d{1,3}(?:,\d{2,3}){0,9},\d{3}(?:\.\d{1,30})?"),
    ".": re.compile(r"\d{1,3}(?:\.\d{3}){1,9}(?:,\d{1,30})?"),
}
_ZEROS = re.compile(rf"0\d{{2,{MAX_DIGITS - 1}}}")
ONLY_ASKED = 0.5
"""Confidence of digits with zeros before them ("03890"): a number where one is asked for, else a code or a telephone
number."""
_PART = re.compile(r"\d++(?:[.,]\d++)*+")
_WRITTEN = re.compile(r"(\d{1,30})(?:[.,](\d{1,30}))?")


def has_decimal_point(language: str) -> bool:
    """Return whether 1.5 is one and a half here, rather than 1,5."""
    tag = language.lower().replace("_", "-")
    return tag.split("-")[0] in _DECIMAL_POINT or tag in _DECIMAL_POINT_REGIONS


class NumberReader:
    """Numbers of a language."""

    def __init__(self, words: Words, language: str) -> None:
        self._spaced = words.spaced
        self._has_point = has_decimal_point(language)
        self._values = {normalise(word): value for word, value in words.numbers.items()}
        self._longest = max((word.count(" ") + 1 for word in self._values), default=0)
        self._ordinals = frozenset(fold(word) for word in words.ordinals)
        self._multipliers = {fold(word): value for word, value in words.multipliers.items()}
        self._joiners = frozenset(fold(word) for word in words.number_joiners)
        self._articles = frozenset(fold(word) for word in words.articles)
        self._not_one_after = frozenset(fold(word) for word in words.not_one_after)
        self._countable = frozenset(fold(word) for word in (*words.countable, *words.units))
        self._halves = frozenset(fold(word) for word in words.halves)
        self._and_half = [tuple(fold(phrase).split()) for phrase in words.and_half]
        self._with_half = {fold(word): value for word, value in words.with_half.items()}
        self._minus = frozenset(fold(word) for word in words.minus)
        self._not_numbers = frozenset(tuple(fold(phrase).split()) for phrase in words.not_numbers)
        self._lengths_of_none: dict[str, frozenset[int]] = {}
        for first, *rest in self._not_numbers:
            lengths = self._lengths_of_none.get(first, frozenset())
            self._lengths_of_none[first] = lengths | {1 + len(rest)}
        self._homographs = {fold(word): _Homograph(where) for word, where in words.homographs.items()}
        self._point = [tuple(fold(phrase).split()) for phrase in words.point]
        self._beginnings = self._first_words()

    def _first_words(self) -> frozenset[str]:
        """Return the words with which a number in words may begin, or a phrase that is none."""
        first = {phrase.split()[0] for phrase in self._values if phrase}
        return frozenset(
            {*first, *self._lengths_of_none, *self._multipliers, *self._with_half, *self._halves, *self._articles}
        )

    def find(self, said: Message) -> list[Stretch]:
        return once(said, self, lambda message: longest(self._find(message)))

    def _find(self, said: Message) -> Iterator[Stretch]:
        text = said.text if said.text.isascii() else said.text.translate(DIGITS)
        digits = _DIGITS if self._spaced else _DIGITS_UNSPACED
        for found in digits.finditer(text):
            yield from map(_bounded, self._in_digits(found, said.words))
        yield from map(_bounded, self._in_words(said))

    # ---- digits --------------------------------------------------------------------------------------------------

    def _in_digits(self, found: re.Match[str], words: list[Word]) -> Iterator[Stretch]:
        digits, start = found["digits"], found.start("digits")
        if _ZEROS.fullmatch(digits):
            yield Stretch(start, found.end(), int(digits), ONLY_ASKED)
            return
        sign = -1 if found["sign"] in ("-", "\u2212") else 1
        whole = digits_value(digits, has_point=self._has_point)
        if whole is not None:
            yield self._multiplied(Stretch(found.start(), found.end(), sign * whole), words)
            return
        # Groups that make no number together are several: "4, 5" or "2 10".
        for part in _PART.finditer(digits):
            value = digits_value(part[0], has_point=self._has_point)
            if value is not None:
                first = part.start() == 0
                begin = found.start() if first else start + part.start()
                yield Stretch(begin, start + part.end(), sign * value if first else value)

    def _multiplied(self, number: Stretch, words: list[Word]) -> Stretch:
        """Return digits with a word that multiplies them, or a half more: "1.5 million", "3 and a half"."""
        value, end = number.value, number.end
        index = bisect_left(words, end, key=lambda word: word.start)
        while index < len(words) and (by := self._multipliers.get(words[index].folded)):
            value, end, index = min(value * by, _TOO_LARGE), words[index].end, index + 1
        if length := _begins(words, index, self._and_half):
            value, end = value + 0.5, words[index + length - 1].end
        if end == number.end:
            return number
        return Stretch(number.start, end, _whole(round(value, 6)))

    # ---- words ---------------------------------------------------------------------------------------------------

    def _in_words(self, said: Message) -> Iterator[Stretch]:
        words, index = said.words, 0
        while index < len(words):
            if words[index].folded not in self._beginnings:
                index += 1
                continue
            if words[index].folded in self._lengths_of_none and (length := self._no_number(words, index)):
                index += length
                continue
            end, value = self._with_decimals(words, index)
            is_ordinal = end < len(words) and words[end].folded in self._ordinals
            if end > index and not is_ordinal and not self._is_pronoun(said, index, end):
                start = index
                if index and words[index - 1].folded in self._minus and (index == 1 or value):
                    start, value = index - 1, -value
                yield Stretch(words[start].start, words[end - 1].end, value)
            index = max(end, index + 1)

    def _no_number(self, words: list[Word], index: int) -> int:
        """Return how many words of a phrase stand at a place that only looks like a number; 0 without one."""
        for length in self._lengths_of_none[words[index].folded]:
            if tuple([word.folded for word in words[index : index + length]]) in self._not_numbers:
                return length
        return 0

    def _with_decimals(self, words: list[Word], index: int) -> tuple[int, float]:
        """Return the number that begins with a word, with what is said behind its point, or with a half."""
        word = words[index].folded
        if word in self._with_half:
            return index + 1, self._with_half[word]
        if word in self._halves and len(words) == 1:
            return index + 1, 0.5
        end, value = self._spoken(words, index)
        if end == index:
            return end, value
        if length := _begins(words, end, self._and_half):
            return end + length, value + 0.5
        if (length := _begins(words, end, self._point)) and end + length < len(words):
            decimals, position = "", end + length
            while position < len(words) and (phrase := self._phrase(words, position)) and len(decimals) < 6:
                decimals += str(phrase[1])
                position += phrase[0]
            if decimals:
                return position, float(f"{value}.{decimals}")
        return end, value

    def _is_pronoun(self, said: Message, index: int, end: int) -> bool:
        if end - index > 1:
            return False
        words = said.words
        word = words[index].folded
        if word in self._homographs and self._homographs[word].is_here(words, index):
            return True
        if word in self._articles:
            return len(words) > 1
        if self._values.get(word) != 1 or (end < len(words) and words[end].folded in self._countable):
            return False
        # "that one", and "the blue one" with a word that says which.
        for before in (index - 1, index - 2):
            if before >= 0 and words[before].folded in self._not_one_after:
                between = said.text[words[before].end : words[index].start]
                return all(sign.isalpha() or sign.isspace() for sign in between)
        return False

    def _spoken(self, words: list[Word], index: int) -> tuple[int, int]:
        """Return the number that begins with a word, and the place after it; the same place when none does."""
        total = current = 0
        end = position = index
        while position < len(words):
            word = words[position].folded
            if word in self._multipliers:
                by = self._multipliers[word]
                if by <= 100:
                    current += (current % 100 or 1) * by - current % 100
                else:
                    total, current = total + (current or 1) * by, 0
                end = position + 1
            elif (phrase := self._phrase(words, position)) and (
                end == index or _fits(total, current, phrase[1], after_ten=10 in self._multipliers.values())
            ):
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
        """Return how many words the longest number word here has, and its value: "quatre-vingt-dix-sept" is one of
        four."""
        for length in range(min(self._longest, len(words) - position), 0, -1):
            value = self._values.get(" ".join(word.folded for word in words[position : position + length]))
            if value is not None:
                return length, value
        return None

    def _leads_a_multiplier(self, words: list[Word], position: int) -> bool:
        return position + 1 < len(words) and words[position + 1].folded in self._multipliers


class _Homograph:
    """Where a number word is another word."""

    def __init__(self, where: Homograph) -> None:
        self._behind, self._before, self._not = (
            frozenset(found.folded for one in phrases for found in words_of(one))
            for phrases in (where.behind, where.before, where.not_)
        )
        self._endings = tuple(map(fold, where.endings))

    def is_here(self, words: list[Word], index: int) -> bool:
        if index and words[index - 1].folded in self._behind:
            return True
        following = words[index + 1].folded if index + 1 < len(words) else ""
        return following in self._before or (following.endswith(self._endings) and following not in self._not)


def _begins(words: list[Word], index: int, phrases: Sequence[tuple[str, ...]]) -> int:
    """Return how many words of one of these phrases stand at a place."""
    for phrase in phrases:
        here = words[index : index + len(phrase)]
        if len(here) == len(phrase) and all(word.folded == part for word, part in zip(here, phrase, strict=True)):
            return len(phrase)
    return 0


def _bounded(number: Stretch) -> Stretch:
    """Return a stretch without a value where its number is too large: no part of it is a number either."""
    return number if abs(number.value) < _TOO_LARGE else Stretch(number.start, number.end, None)


def _whole(value: float) -> int | float:
    return int(value) if float(value).is_integer() else value


def _fits(total: int, current: int, value: int, *, after_ten: bool) -> bool:
    """Return whether a further word of a number goes on with it ("twenty" "five") or begins another ("five" "six")."""
    if current == 0:
        return total > 0 and 0 < value < 1_000
    if current % 100 == 0:
        return 0 < value < 100
    if after_ten and current % 10 == 0:
        return 0 < value < 10
    return current % 10 == 0 and current % 100 >= 20 and value < 10


def digits_value(digits: str, *, has_point: bool) -> int | float | None:
    """Return a number written in digits; None for a writing that is none, and for one of too many digits."""
    if len(digits) > 2 * MAX_DIGITS:
        return None
    text = re.sub("['’\u00a0\u202f ](?=\\d{3}(?!\\d))", "", digits)
    group, point = (",", ".") if has_point else (".", ",")
    if _GROUPED[group].fullmatch(text):
        text = text.replace(group, "")
    text = text.replace(point, ".")
    written = _WRITTEN.fullmatch(text)
    if written is None or len(written[1] + (written[2] or "")) > MAX_DIGITS or re.match(r"0\d\d", text):
        return None
    value = float(text.replace(",", "."))
    return int(value) if value.is_integer() else value
