"""What a number in a message counts, by the word beside it: "4 people", "3-star", "a table for 2".

Which question that is, by its entity's name, and which questions it is not. Names word by word, and what is no number,
are left to ``value_words``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dialoom.understanding.words.counted import WHOLE, group_of, linking_words, things_for

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from dialoom.engine.slots import Stretch
    from dialoom.understanding.normalise import Word

_NEAR = 4
"""Words before a number among which one may name what it counts: "a party of the usual 4"."""
_GLUE = frozenset("-‐‑")


def is_fraction(value: Any) -> bool:
    return isinstance(value, float) and not value.is_integer()


class CountedNumbers:
    """The words of one message as things that are counted."""

    def __init__(self, text: str, language: str) -> None:
        self._text = text
        self._things = things_for(language)
        self._linking = linking_words(language)

    def things_of(self, words: Iterable[str]) -> frozenset[str]:
        """What a question asks the number of, by the words of its entity's name; often nothing that is known."""
        return frozenset(self._things[word] for word in words if word in self._things)

    def behind(self, stretch: Stretch, following: Sequence[Word], known: frozenset[str], end: int) -> Word | None:
        """The word that says what a number counts: right behind it, or with one word between ("3 hotel rooms").

        ``following``: the words behind it; ``known``: words of names; ``end``: where the next value begins, or the text
        ends.
        """
        at = stretch.end
        for word in following[:2]:
            if word.start >= end:
                return None
            gap = self._text[at : word.start]
            if word.folded in self._linking or not (gap.isspace() or gap in _GLUE):
                return None
            if word.folded in self._things or word.folded in known:
                return word
            at = word.end
        return None

    def before(self, words: Sequence[Word]) -> str | None:
        """What is counted by the last such word before a number: "rated above 4", "party of 3"."""
        return next(
            (self._things[word.folded] for word in reversed(words[-_NEAR:]) if word.folded in self._things), None
        )

    def thing(self, word: Word) -> str | None:
        return self._things.get(word.folded)

    def asking_for(self, thing: str, names: Sequence[Iterable[str]]) -> int | None:
        """The one question that asks how many of a thing there are."""
        asked = [self.things_of(words) for words in names]
        for fitting in (
            [index for index, things in enumerate(asked) if thing in things],
            [index for index, things in enumerate(asked) if group_of(thing) in things],
        ):
            if fitting:
                return fitting[0] if len(fitting) == 1 else None
        return None

    def may_be(self, value: Any, word: Word | None, name: Sequence[str]) -> bool:
        """Whether a number may answer a question that nobody asked: not if it counts another thing, nor if it is none
        or a fraction of what comes in wholes."""
        things = self.things_of(name)
        if not things:
            return True
        if things & WHOLE and (value == 0 or is_fraction(value)):
            return False
        said = None if word is None or word.folded in name else self._things.get(word.folded)
        return said is None or group_of(said) in {group_of(thing) for thing in things}
