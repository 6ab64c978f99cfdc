"""Words that tell the first of two values of one type from the second: "to Munich from Berlin", "back on the 5th"
(understanding.md, Recognition 2).
"""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from functools import cache
from itertools import pairwise

from dialoom.engine.interpret.cached import CachedProperty
from dialoom.engine.interpret.slots import Stretch
from dialoom.engine.interpret.values.placed_values import PlacedValues
from dialoom.understanding.normalise import Word
from dialoom.understanding.words.roles import STAY, role_of_name, roles_for, turning_for

FIRST, SECOND = 1, 2
_BETWEEN = 4
"""Words at most: "pick the big red car up"."""


@cache
def _leading_words(language: str) -> frozenset[str]:
    """Return the words that lead to a value and give it a role."""
    roles = roles_for(language)
    return roles.first | roles.second | roles.first_of_two | roles.second_after_first | roles.second_of_places


class ValueRoles:
    """Reads the roles of questions from their names, and of values from the words before them."""

    def __init__(self, values: PlacedValues, language: str, custom_types: AbstractSet[str]) -> None:
        """``custom_types``: those whose values may be places."""
        self._values = values
        self._roles = roles_for(language)
        self._turning = turning_for(language)
        self._custom = custom_types
        self._leading = _leading_words(language)
        self._is_turned = False

    @CachedProperty
    def is_change(self) -> bool:
        """Return whether the message has a word of change: "change it from 10 to 11"."""
        return not self._roles.changing.isdisjoint(self._values.said.folded)

    def of_names(self, names: Sequence[tuple[str, ...]]) -> list[int]:
        """Return the role of each question, by the words of its name; 0 for none."""
        self._is_turned = False
        roles, is_stay = [], False
        for words in names:
            joined = {one + other for one, other in pairwise(words)}  # check-in, pick-up
            found = {role_of_name(word, self._roles) for word in (*words, *joined, "".join(words))} - {0}
            roles.append(found.pop() if len(found) == 1 else 0)
            is_stay = is_stay or not STAY.isdisjoint((*words, *joined))
        pair = [index for index, role in enumerate(roles) if role]
        turns = len(pair) == 2 and all(not self._turning.isdisjoint(names[index]) for index in pair)
        if turns and roles[pair[0]] == SECOND:
            # Arrival is asked before departure: a stay, not a journey.
            roles[pair[0]], roles[pair[1]] = FIRST, SECOND
            is_stay = True
        self._is_turned = is_stay
        return roles

    def of_values(self, stretches: Sequence[Stretch]) -> list[int]:
        """Return the role that the words before each value give it; of words that count only in a pair, what their
        partners say."""
        roles, known = self._roles, list[int]()
        weak: list[str] = []
        for stretch in stretches:
            role, word = self._role(stretch)
            known.append(role)
            weak.append(word)
        for index, (one, other) in enumerate(pairwise(weak)):
            is_first = known[index] == FIRST or one in roles.first_of_two
            follows = known[index + 1] == SECOND or (not known[index + 1] and other in roles.second_after_first)
            if is_first and follows:
                known[index], known[index + 1] = FIRST, SECOND
        return known

    def _role(self, stretch: Stretch) -> tuple[int, str]:
        """Return the role of a value, and the preposition that leads to it."""
        noun = self._noun(self._values.before(stretch))
        word = "" if self.is_change else self._preposition(stretch)
        if self._outweighs(word, noun, stretch):
            noun = 0
        elif self._roles.ends_with_verb:
            last = self._verb_behind(stretch)
            noun = noun if last is None else self._noun([last])
        if noun:
            return noun, ""
        if word in self._roles.first:
            return FIRST, word
        return (SECOND if self._leads_to_second(word, stretch) else 0), word

    def _outweighs(self, word: str, noun: int, stretch: Stretch) -> bool:
        """Return whether the word right before a value says more than a noun or verb further off: "leaving to Munich",
        "my return flight from Varna", "pick it up and keep it until Friday"; but "back from the 5th" is the return."""
        if noun == SECOND:
            return stretch.type in self._custom and word in self._roles.first
        return noun == FIRST and self._leads_to_second(word, stretch)

    def _leads_to_second(self, word: str, stretch: Stretch) -> bool:
        return word in self._roles.second or (stretch.type in self._custom and word in self._roles.second_of_places)

    def _noun(self, before: list[Word]) -> int:
        """Return the role that the last noun or verb before the value gives it; 0 for none."""
        for index in range(len(before) - 1, -1, -1):
            word = before[index].folded
            for role, names in ((FIRST, self._roles.first_names), (SECOND, self._roles.second_names)):
                if word in names:
                    return 3 - role if self._is_turned and word in self._turning else role
            role = self._phrase([one.folded for one in before[max(0, index - _BETWEEN) : index]], word)
            if role:
                return role
        return 0

    def _phrase(self, words: list[str], particle: str) -> int:
        """Return the role of a verb in two parts, "pick it up"; 0 for none."""
        for role, phrases in ((FIRST, self._roles.first_phrases), (SECOND, self._roles.second_phrases)):
            if any((word, particle) in phrases for word in words):
                return role
        return 0

    def _verb_behind(self, stretch: Stretch) -> Word | None:
        """Return a verb right behind the value, in languages whose sentences may end with it: "am 8. abholen"."""
        word = next(self._values.behind(stretch), None)
        if word is None or self._values.text[stretch.end : word.start].strip(" ."):
            return None
        return word if word.folded in self._roles.first_names | self._roles.second_names else None

    def _preposition(self, stretch: Stretch) -> str:
        """Return the word that leads to the value: its own first one ("until 5"), or the one before it."""
        passed, inside = self._roles.passed, self._values.inside(stretch)
        own = inside[0] if len(inside) > 1 and inside[0] in self._leading else ""
        if own and own not in passed:
            return own
        for word in reversed(self._values.before(stretch)):
            if word.folded not in passed:
                return word.folded if word.folded in self._leading else own
            if word.folded in self._leading:
                own = own or word.folded
        return own
