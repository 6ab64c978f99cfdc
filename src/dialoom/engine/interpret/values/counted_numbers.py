"""What the numbers of a message count, from the words beside them: "4 people", "a party of 4", "3 hotel rooms"."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from dialoom.engine.interpret.slots import Stretch
from dialoom.engine.interpret.values.placed_values import PlacedValues
from dialoom.understanding.normalise import Word
from dialoom.understanding.words.counted import WHOLE, group_of, linking_words, singular, things_for

_NEAR = 4
"""Words before a number among which one may name what it counts: "a party of the usual 4"."""
MAX_COUNT = 9999
"""Of persons or rooms: more digits are a telephone number."""
_GLUE = frozenset("-‐‑")


def is_fraction(value: Any) -> bool:
    return isinstance(value, float) and not value.is_integer()


class CountedNumbers:
    """Finds what the numbers of one message count."""

    def __init__(self, values: PlacedValues, language: str) -> None:
        self._values, self._language = values, language
        self._things = things_for(language)
        self._linking = linking_words(language)

    def things_of(self, words: Iterable[str]) -> frozenset[str]:
        """Return what a question asks the number of, by the words of its entity's name; often nothing that is known."""
        return frozenset(self._things[word] for word in words if word in self._things)

    def unit(self, stretch: Stretch, names: Sequence[Iterable[str]]) -> Word | None:
        """Return the word that says what a number counts: right behind it, or with one word between ("3 hotel rooms").
        ``names``: those of questions, which count as well."""
        known = frozenset(singular(word, self._language) for words in names for word in words)
        end, at = self._values.next_value(stretch), stretch.end
        first = self._values.index_from(stretch.end)
        for word in self._values.words[first : first + 2]:
            gap = self._values.text[at : word.start]
            if word.start >= end or word.folded in self._linking or not (gap.isspace() or gap in _GLUE):
                return None
            if word.folded in self._things or singular(word.folded, self._language) in known:
                return word
            at = word.end
        return None

    def before(self, words: Sequence[Word]) -> str | None:
        """Return the thing that the last counting word before a number names: "rated above 4", "party of 3"."""
        near = (self._things.get(word.folded) for word in reversed(words[-_NEAR:]))
        return next((thing for thing in near if thing is not None), None)

    def thing(self, word: Word) -> str | None:
        return self._things.get(word.folded)

    def asking_for(self, thing: str, names: Sequence[Iterable[str]]) -> int | None:
        """Return the one question that asks how many of a thing there are; None where none or several do."""
        asked = [self.things_of(words) for words in names]
        for wanted in (thing, group_of(thing)):
            fitting = [index for index, things in enumerate(asked) if wanted in things]
            if fitting:
                return fitting[0] if len(fitting) == 1 else None
        return None

    def may_be(self, value: Any, word: Word | None, name: Sequence[str]) -> bool:
        """Return whether a number may answer a question that nobody asked: not if it counts another thing, nor if it is
        zero or a fraction of what comes in wholes."""
        things = self.things_of(name)
        if not things:
            return True
        if things & WHOLE and (not 0 < value <= MAX_COUNT or is_fraction(value)):
            return False
        said = None if word is None or word.folded in name else self._things.get(word.folded)
        return said is None or group_of(said) in {group_of(thing) for thing in things}
