"""Words that are one slip of the finger away from known ones: a letter more, less or other, or two neighbours swapped.

The number of known words does not show in the time of a look-up. Which slips may be forgiven is left to the callers.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator

MIN_TOLERANT_CHARS = 5
"""Letters from which a word may carry one slip (understanding.md, Recognition 4)."""
MAX_LETTERS = 60
"""Letters of a typed word that is looked up. A known word may have one more."""
MAX_SHARING = 64
"""Known words that are kept of those that have all letters but one in common, the first ones in the alphabet."""
MAX_COMPARED = 256
"""Known words that one typed word is compared with."""


class Slips:
    """The tolerant ones of some words, by themselves and by themselves less each one letter. Two words one slip apart
    share an entry, so a look-up costs as many probes as the word has letters. Hashes stand for the texts (a third of
    the memory); what they find is compared letter by letter anyway."""

    def __init__(self, words: Iterable[str], correct: Container[str] = frozenset()) -> None:
        """``correct``: words that are a slip of no other, known or not."""
        self._correct = correct
        self._near: dict[int, str | tuple[str, ...]] = {}
        """A single word stands for itself, without a tuple around it: most entries have one."""
        for word in sorted(words):
            if MIN_TOLERANT_CHARS <= len(word) <= MAX_LETTERS + 1 and word.isalpha():
                for shortened in _shortened(word):
                    self._near[shortened] = _with(self._near.get(shortened), word)

    def near(self, word: str) -> tuple[str, ...]:
        """Return the known words one slip away from a word that is none of them."""
        if len(word) < MIN_TOLERANT_CHARS - 1 or len(word) > MAX_LETTERS or not word.isalpha():
            return ()
        if word in self._correct:
            return ()
        compared: dict[str, bool] = {}
        for shortened in _shortened(word):
            sharing = self._near.get(shortened)
            if sharing is not None:
                for known in (sharing,) if isinstance(sharing, str) else sharing:
                    if known not in compared and len(compared) < MAX_COMPARED:
                        compared[known] = is_one_slip(word, known)
        return tuple([known for known, is_near in compared.items() if is_near]) if compared else ()


def _with(sharing: str | tuple[str, ...] | None, word: str) -> str | tuple[str, ...]:
    if sharing is None:
        return word
    words = (sharing,) if isinstance(sharing, str) else sharing
    return sharing if word in words or len(words) >= MAX_SHARING else (*words, word)


def is_one_slip(one: str, other: str) -> bool:
    """Return whether one letter added, left out, replaced, or two neighbours swapped turn one word into the other."""
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
