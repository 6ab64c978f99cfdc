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
_MIN_ANSWER, _MIN_POLITE = 3, 4
"""Letters of a word that may carry a slip. Of a shorter one only the last letter may be said twice: "jaa"."""
_MIN_HALVED = 5
"""Letters of one in which a double letter may be typed once: "bite" for "bitte", but "god" is no "good"."""
_MIN_CHANGED = 6
"""Letters of an answer that may lack a letter or have one of the next key: "caro" is no "claro"."""
_MIN_UNEQUAL = 5
"""Letters of a polite word that may have a letter more or less."""
_MIN_REPLACED = 7
"""Letters of a polite word that may have any other letter in a place."""
_KEYS = {key: (x, y) for y, row in enumerate(("qwertyuiop", "asdfghjkl", "zxcvbnm")) for x, key in enumerate(row)}


class TypedWords:
    """``answers`` and ``polite``: words that a slip is forgiven in. ``known``: those that are never taken for one."""

    def __init__(self, answers: Iterable[str], polite: Iterable[str], known: Container[str]) -> None:
        self._answers, self._polite = frozenset(answers), frozenset(polite)
        self._words = self._answers | self._polite
        self._known = known
        self._near = Slips(self._words)
        self._alike: dict[str, list[str]] = {}
        """Words by their letters without repeats, and by their letters in the order of the alphabet."""
        for word in sorted(one for one in self._words if one.isalpha()):
            for key in _keys(word):
                self._alike.setdefault(key, []).append(word)

    def meant(self, word: str, about: Container[str]) -> str:
        """Return the word that a typed one stands for; itself where that is unclear. ``about``: further known words."""
        if word in self._words or word in self._known or word in about:
            return word
        for short in (_DRAWN_OUT.sub(r"\1\1", word), _DRAWN_OUT.sub(r"\1", word)):
            found = short if short in self._words else short[:-1] if short[-1:] == short[-2:-1] else ""
            if found in self._words:
                return found
        if not word.isalpha():
            return word
        for words in (*(self._alike.get(key, ()) for key in _keys(word)), self._near.near(word)):
            near = [one for one in words if self._is_forgiven(word, one)]
            if near:
                return near[0] if len(near) == 1 else word
        return word

    def _is_forgiven(self, typed: str, word: str) -> bool:
        """Return whether a word differs so little from a known one that it is hardly another."""
        longer = len(typed) - len(word)
        if len(word) < (_MIN_ANSWER if word in self._answers else _MIN_POLITE):
            return False
        if _REPEATED.sub(r"\1", typed) == _REPEATED.sub(r"\1", word):
            return longer > 0 or (longer >= -1 and len(word) >= _MIN_HALVED)
        if not is_one_slip(typed, word):
            return False
        if sorted(typed) == sorted(word):
            return True
        if typed[0] != word[0]:
            return False
        if word not in self._polite:
            return len(word) >= _MIN_CHANGED and (longer < 0 or _is_key_beside(typed, word))
        return len(word) >= (_MIN_UNEQUAL if longer else _MIN_REPLACED)


def _keys(word: str) -> tuple[str, str]:
    return _REPEATED.sub(r"\1", word), " ".join(sorted(word))


def _is_key_beside(typed: str, word: str) -> bool:
    """Return whether the letter that is wrong or too much lies beside the right one, or beside its neighbour."""
    at = next((index for index, (a, b) in enumerate(zip(typed, word, strict=False)) if a != b), len(word))
    meant = word[at] if len(typed) == len(word) else word[at - 1] + word[at : at + 1]
    return any(_are_beside(typed[at], one) for one in meant)


def _are_beside(one: str, other: str) -> bool:
    if one not in _KEYS or other not in _KEYS:
        return False
    (x, y), (other_x, other_y) = _KEYS[one], _KEYS[other]
    return abs(x - other_x) <= 1 and abs(y - other_y) <= 1
