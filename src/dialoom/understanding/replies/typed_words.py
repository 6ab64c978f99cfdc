"""Reads the words of yes, no and courtesy as fingers type them: "yesss", "ja bittte", "sí graicas".

Narrower than the slips of trained words: a yes acts, so that only slips count that hardly make another word.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable

from dialoom.understanding.slips import Slips, is_one_slip

_DRAWN_OUT = re.compile(r"(.)\1{2,}")
"""A letter that is drawn out: "yesss", "nooo"."""
_REPEATED = re.compile(r"(.)\1+")
_MIN_CHARS = 3
"""Letters of a word that may carry a slip. Of a shorter one only the last letter may be said twice: "jaa"."""
_MIN_HALVED = 5
"""Letters of one in which a double letter may be typed once: "bite" for "bitte", but "god" is no "good"."""
_MIN_UNEQUAL = 6
"""Letters of one that may have a letter more or less."""
_MIN_REPLACED = 7
"""Letters of one that may have another letter in a place: of shorter ones that is mostly another word."""


class TypedWords:
    """``words``: those that a slip is forgiven in. ``known``: words that are never taken for one of them."""

    def __init__(self, words: Iterable[str], known: Container[str]) -> None:
        self._words = frozenset(words)
        self._known = known
        self._near = Slips(self._words)
        self._alike: dict[str, list[str]] = {}
        """Words by their letters without repeats, and by their letters in the order of the alphabet."""
        for word in sorted(one for one in self._words if len(one) >= _MIN_CHARS and one.isalpha()):
            for key in {_REPEATED.sub(r"\1", word), _letters(word)}:
                self._alike.setdefault(key, []).append(word)

    def meant(self, word: str, about: Container[str]) -> str:
        """Return the word that a typed one stands for; itself where that is unclear. ``about``: further known words."""
        if word in self._words:
            return word
        for short in (_DRAWN_OUT.sub(r"\1\1", word), _DRAWN_OUT.sub(r"\1", word)):
            found = short if short in self._words else short[:-1] if short[-1:] == short[-2:-1] else ""
            if found in self._words:
                return found
        if word in self._known or word in about or not word.isalpha():
            return word
        alike = [*self._alike.get(_REPEATED.sub(r"\1", word), ()), *self._alike.get(_letters(word), ())]
        near = {one for one in (*alike, *self._near.near(word)) if _is_forgiven(word, one)}
        return near.pop() if len(near) == 1 else word


def _letters(word: str) -> str:
    return " ".join(sorted(word))


def _is_forgiven(typed: str, word: str) -> bool:
    """Return whether a word differs so little from a known one that it is hardly another."""
    if _REPEATED.sub(r"\1", typed) == _REPEATED.sub(r"\1", word):
        return len(typed) > len(word) or len(word) >= _MIN_HALVED
    if not is_one_slip(typed, word):
        return False
    if len(typed) != len(word):
        return len(word) >= _MIN_UNEQUAL and typed[0] == word[0]
    return sorted(typed) == sorted(word) or (len(word) >= _MIN_REPLACED and typed[0] == word[0])
