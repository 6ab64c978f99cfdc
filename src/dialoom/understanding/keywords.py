"""Values of a keywords type found inside a sentence: whole words, longest first, synonyms, one slip of the finger.

Which question takes a value, and what to do with two that fit equally, is left to the engine.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any, TypeVar

from dialoom.understanding.candidate import Stretch, longest
from dialoom.understanding.normalise import Word, fold, normalise, words_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from dialoom.flow.model import KeywordsType, KeywordValue

_T = TypeVar("_T")

SHORTEST_TOLERANT = 5
"""Letters from which a word may carry one slip (understanding.md, Recognition 4)."""
SLIPPED = 0.85
"""Confidence of a value that was found with a slip; as written it is 1."""
LONGEST_PHRASE = 12
"""Words of a value's name that are looked at; a longer name is found only as the whole message."""
_GLUE = "-'’‘`´./&+_"
"""Between these two words may be one: "T-shirt", "tshirt"."""


class Keywords:
    """The values of one keywords type, indexed so that the number of values does not show in the time of a message."""

    def __init__(self, definition: KeywordsType) -> None:
        self._values = tuple(described(value.value, value.metadata) for value in definition.data)
        self._phrases: dict[str, tuple[int, ...]] = {}
        self._named: dict[str, tuple[int, ...]] = {}
        self._lengths: dict[str, tuple[int, ...]] = {}
        self._slips: dict[int, tuple[str, ...]] = {}
        self._words: set[str] = set()
        for index, value in enumerate(definition.data):
            self._learn(index, value)
        self._learn_lengths()
        self._learn_slips()

    def values(self) -> list[dict[str, Any]]:
        """All values in alphabetical order."""
        return [dict(value) for value in sorted(self._values, key=lambda value: (fold(value["value"]), value["value"]))]

    def named(self, text: str) -> dict[str, Any] | None:
        """The value that a text names exactly; None when it names none, or several that nothing tells apart."""
        key = normalise(text)
        fitting = self._as_spelled(text.strip(), self._named.get(key) or self._phrases.get(key, ()))
        return dict(self._values[fitting[0]]) if len(fitting) == 1 else None

    def find(self, text: str, words: list[Word]) -> list[Stretch]:
        """The values in a text, in its order; values that fit the same stretch equally stand side by side."""
        readings = [self._readings(word.folded) for word in words]
        return longest(self._stretches(text, words, readings))

    # ---- learning ------------------------------------------------------------------------------------------------

    def _learn(self, index: int, value: KeywordValue) -> None:
        for rank, name in enumerate((value.value, *value.synonyms)):
            for phrase in _spellings(name):
                self._phrases[phrase] = _with(self._phrases.get(phrase, ()), index)
                if rank == 0:
                    self._named[phrase] = _with(self._named.get(phrase, ()), index)

    def _learn_lengths(self) -> None:
        lengths: dict[str, set[int]] = {}
        for phrase in self._phrases:
            words = phrase.split(" ")
            if len(words) <= LONGEST_PHRASE:
                lengths.setdefault(words[0], set()).add(len(words))
            self._words.update(words)
        self._lengths = {first: tuple(sorted(found, reverse=True)) for first, found in lengths.items()}

    def _learn_slips(self) -> None:
        """Index every tolerant word by itself less each one letter. Two words one slip apart share an entry, so a
        look-up costs as many probes as the word has letters. Hashes stand for the texts (a third of the memory);
        what they find is compared letter by letter anyway."""
        for word in sorted(self._words):
            if len(word) >= SHORTEST_TOLERANT and word.isalpha():
                for shortened in _shortened(word):
                    self._slips[shortened] = _with(self._slips.get(shortened, ()), word)

    # ---- finding -------------------------------------------------------------------------------------------------

    def _readings(self, word: str) -> tuple[str, ...]:
        """The words of the values' names that a word of the message may mean: itself, else those one slip away."""
        if word in self._words:
            return (word,)
        if len(word) < SHORTEST_TOLERANT - 1 or len(word) > 60 or not word.isalpha():
            return ()
        near: tuple[str, ...] = ()
        for shortened in _shortened(word):
            for known in self._slips.get(shortened, ()):
                if known not in near and is_one_slip(word, known):
                    near = (*near, known)
        return near

    def _stretches(self, text: str, words: list[Word], readings: list[tuple[str, ...]]) -> Iterator[Stretch]:
        for first, starts in enumerate(readings):
            for word in starts:
                for length in self._lengths.get(word, ()):
                    if first + length <= len(words):
                        choices = readings[first + 1 : first + length]
                        yield from self._phrase(text, words[first : first + length], word, choices)
            yield from self._glued(text, words, first)

    def _phrase(self, text: str, words: list[Word], first: str, readings: list[tuple[str, ...]]) -> Iterator[Stretch]:
        phrases = [first]
        for choices in readings:
            phrases = [f"{phrase} {choice}" for phrase in phrases for choice in choices]
            if not phrases:
                return
        exact = " ".join(word.folded for word in words)
        for phrase in phrases:
            confidence = 1.0 if phrase == exact else SLIPPED
            fitting = self._named.get(phrase) or self._phrases.get(phrase, ())
            for index in self._as_spelled(text[words[0].start :], fitting):
                yield Stretch(words[0].start, words[-1].end, dict(self._values[index]), confidence)

    def _as_spelled(self, text: str, fitting: tuple[int, ...]) -> tuple[int, ...]:
        """Of values that only signs tell apart ("C", "C++", "C#") the one that is spelled here."""
        if len(fitting) < 2:
            return fitting
        folded = text[:200].casefold()
        spelled = {index: self._values[index]["value"].strip().casefold() for index in fitting}
        here = [index for index in fitting if folded.startswith(spelled[index])]
        return (max(here, key=lambda index: len(spelled[index])),) if here else fitting

    def _glued(self, text: str, words: list[Word], first: int) -> Iterator[Stretch]:
        """Words that only a sign parts, read as one: "T-shirt" where the value is "tshirt"."""
        joined = words[first].folded
        for before, word in zip(words[first:], words[first + 1 : first + 4], strict=False):
            if word.start - before.end != 1 or text[before.end] not in _GLUE:
                return
            joined += word.folded
            for index in self._named.get(joined) or self._phrases.get(joined, ()):
                yield Stretch(words[first].start, word.end, dict(self._values[index]))


def described(value: str, metadata: dict[str, Any] | None) -> dict[str, Any]:
    """A value of a custom type as it is stored: an object of its value and its metadata."""
    return {**(metadata or {}), "value": value}


def is_one_slip(one: str, other: str) -> bool:
    """Whether one letter added, left out, replaced, or two neighbours swapped turn one word into the other."""
    if len(one) > len(other):
        one, other = other, one
    if len(other) - len(one) > 1 or one == other:
        return False
    at = next((index for index, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), len(one))
    if len(one) < len(other):
        return one[at:] == other[at + 1 :]
    if one[at + 1 :] == other[at + 1 :]:
        return True
    return one[at : at + 2] == other[at : at + 2][::-1] and one[at + 2 :] == other[at + 2 :]


def _shortened(word: str) -> Iterator[int]:
    yield hash(word)
    for index in range(len(word)):
        yield hash(word[:index] + word[index + 1 :])


def _spellings(name: str) -> Iterable[str]:
    """How a name may be compared: its words, and the same with parts joined that only a sign parts."""
    words = words_of(name)
    if not words:
        return (normalise(name),) if name.strip() else ()
    joined = words[0].folded
    for before, word in itertools.pairwise(words):
        is_glued = word.start - before.end == 1 and name[before.end] in _GLUE
        joined += word.folded if is_glued else f" {word.folded}"
    return {" ".join(word.folded for word in words): None, joined: None}


def _with(known: tuple[_T, ...], new: _T) -> tuple[_T, ...]:
    return known if new in known else (*known, new)
