"""Names of several words as a tree, searched in a message with a bounded number of steps.

Which value a name stands for, and which of overlapping names wins, is left to ``keywords``.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Iterator, Sequence

from dialoom.understanding.slips import Slips

MAX_WORDS = 12
"""Words of a name that is found inside a message; a longer name is found only as the whole message."""
MAX_STEPS = 20_000
"""Steps from one word of a name to the next that are taken for one message where a typed word may be a slip of several
known ones: their combinations multiply ("cound cound cound" among names made of count, sound, found ...). Beyond it
only what has one reading is followed. A message of 400 words, a slip in each fourth, takes 6 of them among 6,000 titles
of drawn words."""


class NameTree:
    """The tree is one flat table: the number of a node and the number of a word give the number of the next node."""

    def __init__(self, names: Collection[str], correct: Container[str] = frozenset()) -> None:
        """``names``: folded, one space between the words; ``correct``: words that are a slip of none of theirs."""
        self._numbers: dict[str, int] = {}
        for name in names:
            for word in name.split(" "):
                self._numbers.setdefault(word, len(self._numbers))
        self._next: dict[int, int] = {}
        self._names: dict[int, str] = {}
        """The node behind the last word of a name to the name."""
        for name in names:
            words = name.split(" ")
            if len(words) <= MAX_WORDS:
                self._names[self._add(words)] = name
        self._slips = Slips(self._numbers, correct)

    def _add(self, words: list[str]) -> int:
        node = 0
        for word in words:
            node = self._next.setdefault(node * len(self._numbers) + self._numbers[word], len(self._next) + 1)
        return node

    def find(self, words: Sequence[str]) -> Iterator[tuple[int, int, list[str]]]:
        """Yield the runs of words that may be names: the index of the first word, that behind the last, and the
        names."""
        known = {word: self._readings(word) for word in set(words)}
        if not any(known.values()):
            return
        readings = [known[word] for word in words]
        follow, name_at, count, left = self._next.get, self._names.get, len(self._numbers), MAX_STEPS
        for first, starts in enumerate(readings):
            if not starts:
                continue
            nodes = [0]
            for last in range(first, min(first + MAX_WORDS, len(readings))):
                choices = readings[last]
                steps = len(nodes) * len(choices)
                if steps > 1:
                    if steps > left:
                        break
                    left -= steps
                nodes = [to for node in nodes for word in choices if (to := follow(node * count + word)) is not None]
                if not nodes:
                    break
                names = [name for node in nodes if (name := name_at(node)) is not None]
                if names:
                    yield first, last + 1, names

    def _readings(self, word: str) -> tuple[int, ...]:
        """Return the numbers of the known words that a word of a message may mean: itself, else those one slip away."""
        number = self._numbers.get(word)
        if number is not None:
            return (number,)
        near = self._slips.near(word)
        return tuple([self._numbers[known] for known in near]) if near else ()
