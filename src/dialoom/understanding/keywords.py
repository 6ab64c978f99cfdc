"""Values of a keywords type found inside a sentence: whole words, longest first, synonyms, one slip of the finger.

Which question takes a value, and what to do with two that fit equally, is left to the engine.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any, TypeVar

from dialoom.understanding.candidate import Stretch, longest
from dialoom.understanding.normalise import Word, fold, normalise, words_of
from dialoom.understanding.slips import SHORTEST_TOLERANT, Slips, is_one_slip

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from dialoom.flow.model import KeywordsType, KeywordValue

__all__ = ["SHORTEST_TOLERANT", "SLIPPED", "Keywords", "described", "is_one_slip"]

_T = TypeVar("_T")

SLIPPED = 0.85
"""Confidence of a value that was found with a slip; as written it is 1."""
UNLIKELY = 0.5
"""The same where the word is rather one of the language: with another first letter ("watch" for "match"), or too short
to carry a slip itself ("play" for "Playa"). Such a reading holds for an open question only. In the messages of a public
set 1,302 of 1,322 of them were no slips, and 586 of 867 others."""
LONGEST_PHRASE = 12
"""Words of a value's name that are looked at; a longer name is found only as the whole message."""
_GLUE = "-'’‘`´./&+_"
"""Between these two words may be one: "T-shirt", "tshirt"."""


class Keywords:
    """The values of one keywords type, indexed so that the number of values does not show in the time of a message."""

    def __init__(self, definition: KeywordsType) -> None:
        self._values = tuple(described(value.value, value.metadata) for value in definition.data)
        # Sorted once: 10,000 values take 8 ms, which no turn has.
        self._ordered = sorted(self._values, key=lambda value: (fold(value["value"]), value["value"]))
        self._phrases: dict[str, tuple[int, ...]] = {}
        self._named: dict[str, tuple[int, ...]] = {}
        self._lengths: dict[str, tuple[int, ...]] = {}
        self._words: set[str] = set()
        for index, value in enumerate(definition.data):
            self._learn(index, value)
        self._learn_lengths()
        self._slips = Slips(self._words)

    def values(self) -> list[dict[str, Any]]:
        """All values in alphabetical order."""
        return [dict(value) for value in self._ordered]

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

    # ---- finding -------------------------------------------------------------------------------------------------

    def _readings(self, word: str) -> tuple[str, ...]:
        """The words of the values' names that a word of the message may mean: itself, else those one slip away."""
        if word in self._words:
            return (word,)
        return self._slips.near(word)

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
            confidence = 1.0 if phrase == exact else UNLIKELY if _is_unlikely(exact, phrase) else SLIPPED
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


def _is_unlikely(said: str, phrase: str) -> bool:
    return " " not in phrase and (said[0] != phrase[0] or len(said) < SHORTEST_TOLERANT)


def described(value: str, metadata: dict[str, Any] | None) -> dict[str, Any]:
    """A value of a custom type as it is stored: an object of its value and its metadata."""
    return {**(metadata or {}), "value": value}


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
