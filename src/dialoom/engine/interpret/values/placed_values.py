"""The words of a message around its values: what stands before, behind and between them."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import islice

from dialoom.engine.interpret.said import Said
from dialoom.engine.interpret.slots import Stretch
from dialoom.understanding.normalise import Word


class PlacedValues:
    """A text and the values that stand in it.

    Places are found by bisection: of hundreds of numbers for many questions each is looked at again and again.
    """

    def __init__(self, said: Said) -> None:
        self.said = said
        self.text = said.text
        self._kept: Sequence[Stretch] = ()
        self._ends: list[int] = []

    @property
    def words(self) -> list[Word]:
        return self.said.words

    def place(self, kept: Sequence[Stretch]) -> None:
        """Set the values that stand in the message, in text order."""
        if kept is not self._kept:
            self._kept = kept
            self._ends = sorted(one.end for one in kept)

    def index_from(self, position: int) -> int:
        """Return the index of the first word that begins at a position or behind it."""
        return bisect_left(self.words, position, key=lambda word: word.start)

    def index_until(self, position: int) -> int:
        """Return the index behind the last word that ends at a position or before it."""
        return bisect_right(self.words, position, key=lambda word: word.end)

    def inside(self, stretch: Stretch) -> list[str]:
        words = self.words[self.index_from(stretch.start) : self.index_from(stretch.end)]
        return [word.folded for word in words]

    def before(self, stretch: Stretch) -> list[Word]:
        """Return the words between the value before it and this one."""
        ended = bisect_right(self._ends, stretch.start)
        start = self._ends[ended - 1] if ended else 0
        return self.words[self.index_from(start) : self.index_until(stretch.start)]

    def behind(self, stretch: Stretch) -> Iterator[Word]:
        """Yield the words behind a value, to the end of the text."""
        return islice(self.words, self.index_from(stretch.end), None)

    def values_behind(self, stretch: Stretch) -> Iterator[Stretch]:
        return islice(self._kept, bisect_left(self._kept, stretch.end, key=lambda one: one.start), None)

    def next_value(self, stretch: Stretch) -> int:
        """Return where the next value begins, or the text ends."""
        behind = next(self.values_behind(stretch), None)
        return len(self.text) if behind is None else behind.start

    def outside(self) -> list[str]:
        """Return the words of the message outside its values."""
        covered = bytearray(len(self.text))
        for one in self._kept:
            covered[one.start : one.end] = b"\1" * (one.end - one.start)
        return [word.folded for word in self.words if not covered[word.start]]
