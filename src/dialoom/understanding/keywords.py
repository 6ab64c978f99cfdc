"""Values of a keywords type found inside a sentence: whole words, longest first, synonyms, one slip of the finger.

Which question takes a value, and what to do with two that fit equally, is left to the engine.
"""

from __future__ import annotations

import itertools
from collections.abc import Container, Iterable, Iterator
from typing import Any

from dialoom.flow.model import KeywordsType, KeywordValue
from dialoom.understanding.candidate import Stretch, longest
from dialoom.understanding.name_tree import NameTree
from dialoom.understanding.normalise import Word, fold, normalise, words_of
from dialoom.understanding.slips import MIN_TOLERANT_CHARS, is_one_slip

__all__ = ["MIN_TOLERANT_CHARS", "SLIPPED", "Keywords", "described", "is_one_slip"]

SLIPPED = 0.85
"""Confidence of a value that was found with a slip; as written it is 1."""
UNLIKELY = 0.5
"""The same where the word is rather one of the language: with another first letter ("watch" for "match"), or too short
to carry a slip itself ("play" for "Playa"). Such a reading holds for an open question only. In the messages of a public
set 1,302 of 1,322 of them were no slips, and 586 of 867 others."""
MAX_ALIKE = 50
"""Values that are offered where several fit one place of a message equally, the first ones in the order of the data: on
pages of five nobody looks for one among more. Of more values with one name only so many are known by it."""
MAX_FOUND = 500
"""Values that are found in one message; what stands behind them is left unread."""
_MAX_SPELLING = 200
"""Characters of a text in which the spelling of a value is looked for."""
_GLUE = "-'’‘`´./&+_"
"""Between these two words may be one: "T-shirt", "tshirt"."""
_APOSTROPHES = "'’‘`´"
MAX_GLUED = 4
"""Words that are so read as one."""


class Keywords:
    """The values of one keywords type, indexed so that the number of values does not show in the time of a message."""

    def __init__(self, definition: KeywordsType, correct: Container[str] = frozenset()) -> None:
        """``correct``: words of the language, which are a slip of no name."""
        self._values = tuple(described(value.value, value.metadata) for value in definition.data)
        # Sorted once: 10,000 values take 8 ms, which no turn has.
        self._ordered = sorted(self._values, key=lambda value: (fold(value["value"]), value["value"]))
        self._phrases: dict[str, tuple[int, ...]] = {}
        self._named: dict[str, tuple[int, ...]] = {}
        for index, value in enumerate(definition.data):
            self._learn(index, value)
        self._correct = correct
        self._tree = NameTree(self._phrases, correct)

    @property
    def has_values(self) -> bool:
        return bool(self._values)

    def values(self) -> list[dict[str, Any]]:
        """Return all values in alphabetical order."""
        return [dict(value) for value in self._ordered]

    def named(self, text: str) -> dict[str, Any] | None:
        """Return the value that a text names exactly; None when it names none, or several that nothing tells apart."""
        key = normalise(text)
        fitting = self._as_spelled(text.strip(), 0, self._fitting(key)) if key in self._phrases else ()
        return dict(self._values[fitting[0]]) if len(fitting) == 1 else None

    def find(self, text: str, words: list[Word]) -> list[Stretch]:
        """Return the values in a text, in its order; values that fit the same stretch equally stand side by side."""
        found: list[Stretch] = []
        names: dict[tuple[int, int], list[Stretch]] = {}
        for one in longest(self._names(text, words)):
            names.setdefault((one.start, one.end), []).append(one)
        for (start, end), rivals in names.items():
            values = self._values_of(text, start, [name for one in rivals for name in one.value])
            found += [Stretch(start, end, dict(value), rivals[0].confidence) for value in values]
            if len(found) >= MAX_FOUND:
                break
        return found

    # ---- learning ------------------------------------------------------------------------------------------------

    def _learn(self, index: int, value: KeywordValue) -> None:
        for rank, name in enumerate((value.value, *value.synonyms)):
            for phrase in _spellings(name):
                self._phrases[phrase] = _with(self._phrases.get(phrase, ()), index)
                if rank == 0:
                    self._named[phrase] = _with(self._named.get(phrase, ()), index)

    # ---- finding -------------------------------------------------------------------------------------------------

    def _names(self, text: str, words: list[Word]) -> Iterator[Stretch]:
        """Yield the names that stand in a text, each with the names that it may as well be a slip of, in no order."""
        said = [word.folded for word in words]
        for first, end, names in self._tree.find(said):
            exact = " ".join(said[first:end])
            fitting, confidence = names, 1.0 if names == [exact] else SLIPPED
            if confidence == SLIPPED and end - first == 1:
                likely = [name for name in names if name[0] == exact[0] and len(exact) >= MIN_TOLERANT_CHARS]
                fitting, confidence = (likely, SLIPPED) if likely else (names, UNLIKELY)
            yield Stretch(words[first].start, words[end - 1].end, fitting, confidence)
        for first, (before, word) in enumerate(itertools.pairwise(words)):
            if _is_glued(text, before, word):
                yield from self._glued(text, words[first : first + MAX_GLUED])

    def _values_of(self, text: str, start: int, names: list[str]) -> list[dict[str, Any]]:
        """Return the different values of names that stand at the same place of a text."""
        values: list[dict[str, Any]] = []
        for fitting in dict.fromkeys(map(self._fitting, names)):
            for index in self._as_spelled(text, start, fitting):
                if self._values[index] not in values:
                    values.append(self._values[index])
                if len(values) == MAX_ALIKE:
                    return values
        return values

    def _fitting(self, name: str) -> tuple[int, ...]:
        """Return indexes of the values that have a name, or else this synonym."""
        return self._named.get(name) or self._phrases[name]

    def _as_spelled(self, text: str, start: int, fitting: tuple[int, ...]) -> tuple[int, ...]:
        """Return, of values that only signs tell apart ("C", "C++", "C#") the one that is spelled here."""
        if len(fitting) < 2:
            return fitting
        folded = text[start : start + _MAX_SPELLING].casefold()
        spelled = {index: self._values[index]["value"].strip().casefold() for index in fitting}
        here = [index for index in fitting if folded.startswith(spelled[index])]
        return (max(here, key=lambda index: len(spelled[index])),) if here else fitting

    def _glued(self, text: str, words: list[Word]) -> Iterator[Stretch]:
        """Yield words that only a sign parts, read as one: "T-shirt" where the value is "tshirt"."""
        joined = words[0].folded
        for before, word in itertools.pairwise(words):
            if not _is_glued(text, before, word):
                return
            joined += word.folded
            is_short_form = text[before.end] in _APOSTROPHES and joined in self._correct
            if joined in self._phrases and not is_short_form:  # "I'll" is not "ill"
                yield Stretch(words[0].start, word.end, [joined])


def _is_glued(text: str, before: Word, word: Word) -> bool:
    return word.start - before.end == 1 and text[before.end] in _GLUE


def described(value: str, metadata: dict[str, Any] | None) -> dict[str, Any]:
    """Return a value of a custom type as it is stored: an object of its value and its metadata."""
    return {**(metadata or {}), "value": value}


def _spellings(name: str) -> Iterable[str]:
    """Yield how a name may be compared: its words, and the same with parts joined that only a sign parts."""
    words = words_of(name)
    if not words:
        return (normalise(name),) if name.strip() else ()
    joined = words[0].folded
    for before, word in itertools.pairwise(words):
        joined += word.folded if _is_glued(name, before, word) else f" {word.folded}"
    return {" ".join(word.folded for word in words): None, joined: None}


def _with(known: tuple[int, ...], new: int) -> tuple[int, ...]:
    return known if new in known or len(known) >= MAX_ALIKE else (*known, new)
