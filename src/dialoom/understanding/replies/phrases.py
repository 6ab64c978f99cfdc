"""Finds the phrases of a set in the words of a reply."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import pairwise

from dialoom.understanding.normalise import MAX_KEPT_TEXTS, kept_within_turn, words_of

ANYTHING = "*"
"""Stands in a phrase for words that are not told."""
DAY = "\x01"
"""Stands among the words of a reply for a day that was told, and in a goodbye for ``ANYTHING``: "bis Dienstag"."""


@kept_within_turn(MAX_KEPT_TEXTS)
def folded_words(text: str) -> tuple[str, ...]:
    """Return the words of a text as they are compared."""
    return tuple([word.folded for word in words_of(text)])


def single_words(phrases: Iterable[str]) -> frozenset[str]:
    """Return the words of all phrases."""
    return frozenset(word for one in phrases for word in folded_words(one))


def with_short_forms(phrases: Iterable[str]) -> set[str]:
    """Return the phrases, and those with an apostrophe without it as well: "thats fine"."""
    known = set(phrases)
    return known | {one.replace(sign, "") for one in known for sign in "'’" if sign in one}


class Phrases:
    """A set of phrases, found word by word, at each place the longest."""

    __slots__ = ("_by_first",)

    def __init__(self, phrases: Iterable[str]) -> None:
        by_first: dict[str, dict[int, set[tuple[str, ...]]]] = {}
        for phrase in phrases:
            words = folded_words(phrase)
            words = (*words, DAY) if phrase.endswith(f" {ANYTHING}") else words
            if words:
                by_first.setdefault(words[0], {}).setdefault(len(words), set()).add(words)
        self._by_first = {first: dict(sorted(found.items(), reverse=True)) for first, found in by_first.items()}
        """By the first word, then by the number of words, the longest first."""

    @property
    def first_words(self) -> Collection[str]:
        return self._by_first

    def at(self, words: Sequence[str], index: int) -> int:
        """Return how many words the longest phrase has that stands there; 0 without one."""
        found = self._by_first.get(words[index])
        if found is not None:
            for length, phrases in found.items():
                if tuple(words[index : index + length]) in phrases:
                    return length
        return 0

    def find(self, words: Sequence[str]) -> Iterator[tuple[int, int]]:
        """Yield the first word and the one behind the last of each phrase, in order, none inside another."""
        free = 0
        for index, word in enumerate(words):
            if index >= free and word in self._by_first and (length := self.at(words, index)):
                free = index + length
                yield index, free

    def without(self, words: Sequence[str]) -> list[str]:
        """Return the words outside the phrases."""
        edges = [0, *(place for found in self.find(words) for place in found), len(words)]
        return [word for start, end in list(pairwise(edges))[::2] for word in words[start:end]]

    def any_in(self, words: Sequence[str]) -> bool:
        return next(self.find(words), None) is not None


class GappedPhrases:
    """A set of phrases, some with a gap in which a few words may stand, found anywhere in a reply."""

    __slots__ = ("_pattern",)

    def __init__(self, phrases: Iterable[str]) -> None:
        folded = [
            " ".join(part if part == ANYTHING else " ".join(folded_words(part)) for part in one.split())
            for one in phrases
        ]
        longest = sorted(set(folded), key=lambda one: (-len(one), one))
        said = "|".join(
            re.escape(one).replace(rf" {re.escape(ANYTHING)} ".replace(" ", r"\ "), r" (?:\S+ ){0,4}?")
            for one in longest
        )
        self._pattern = re.compile(rf"(?<!\S)(?:{said})(?!\S)") if longest else None

    def are_in(self, words: Sequence[str]) -> bool:
        """Return whether one of the phrases is said."""
        return self._pattern is not None and self._pattern.search(" ".join(words)) is not None

    def find(self, words: Sequence[str]) -> list[tuple[int, int]]:
        """Return the first word and the one behind the last of each phrase."""
        text = " ".join(words)
        if self._pattern is None:
            return []
        spans = (found.span() for found in self._pattern.finditer(text))
        return [(text.count(" ", 0, start), text.count(" ", 0, end) + 1) for start, end in spans]
