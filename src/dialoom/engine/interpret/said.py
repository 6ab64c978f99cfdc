"""The first stage: a text as the user sent it, prepared once for all who read it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from dialoom.engine.interpret.cached import CachedProperty
from dialoom.understanding.normalise import Word, normalise, words_of

QUESTION_MARKS = frozenset("?？؟")


class Spanned(Protocol):
    """Something that stands in a text."""

    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...


class Said:
    """A text and its words."""

    def __init__(self, text: str) -> None:
        self.text = text

    @CachedProperty
    def words(self) -> list[Word]:
        return words_of(self.text)

    @CachedProperty
    def folded(self) -> tuple[str, ...]:
        """Return the words as they are compared."""
        return tuple([word.folded for word in self.words])

    @CachedProperty
    def phrase(self) -> str:
        return normalise(self.text)

    @property
    def is_question(self) -> bool:
        return not QUESTION_MARKS.isdisjoint(self.text)

    @property
    def is_capitalised(self) -> bool:
        """Return whether it is several words that all begin with a capital letter and go on in small ones."""
        words = [self.text[word.start : word.end] for word in self.words]
        return len(words) > 1 and all(word.istitle() for word in words)

    def without(self, spans: Iterable[Spanned]) -> Said:
        """Return the text with blanks in the place of values."""
        characters = list(self.text)
        for one in spans:
            characters[one.start : one.end] = " " * (one.end - one.start)
        return Said("".join(characters))
