"""Words that are one slip of the finger away from known ones: a letter more, less or other, or two neighbours swapped.

The number of known words does not show in the time of a look-up. Which slips may be forgiven is left to the callers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

SHORTEST_TOLERANT = 5
"""Letters from which a word may carry one slip (understanding.md, Recognition 4)."""
_LONGEST = 60


class Slips:
    """The tolerant ones of some words, by themselves and by themselves less each one letter. Two words one slip apart
    share an entry, so a look-up costs as many probes as the word has letters. Hashes stand for the texts (a third of
    the memory); what they find is compared letter by letter anyway."""

    def __init__(self, words: Iterable[str]) -> None:
        self._near: dict[int, tuple[str, ...]] = {}
        for word in sorted(words):
            if len(word) >= SHORTEST_TOLERANT and word.isalpha():
                for shortened in _shortened(word):
                    known = self._near.get(shortened, ())
                    if word not in known:
                        self._near[shortened] = (*known, word)

    def near(self, word: str) -> tuple[str, ...]:
        """The known words one slip away from a word that is none of them."""
        if len(word) < SHORTEST_TOLERANT - 1 or len(word) > _LONGEST or not word.isalpha():
            return ()
        found: tuple[str, ...] = ()
        for shortened in _shortened(word):
            for known in self._near.get(shortened, ()):
                if known not in found and is_one_slip(word, known):
                    found = (*found, known)
        return found


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
