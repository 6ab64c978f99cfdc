"""Words of a message that say which question takes which value (understanding.md, Recognition 2).

Three kinds: the name of the question's entity ("change the return date to the 5th"), the words of a language that
tell a first value from a second ("to Munich from Berlin"), and what a number counts, which ``CountedNumbers`` knows.
What no word decides is left to the order, in ``assign``.
"""

from __future__ import annotations

import itertools
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from functools import cache, lru_cache
from itertools import pairwise
from typing import Any

from dialoom.engine.interpret.alternatives import are_alternatives
from dialoom.engine.interpret.slots import Slot, Stretch
from dialoom.languages import Roles
from dialoom.understanding import Candidate
from dialoom.understanding.normalise import Word, fold, words_of
from dialoom.understanding.replies import folded_words, reply_words
from dialoom.understanding.words import words_for
from dialoom.understanding.words.counted import WHOLE, group_of, linking_words, things_for
from dialoom.understanding.words.roles import STAY, near_words, role_of_name, roles_for, turning_for

_NEAR = 4
"""Words before a number among which one may name what it counts: "a party of the usual 4"."""
_GLUE = frozenset("-‐‑")


def is_fraction(value: Any) -> bool:
    return isinstance(value, float) and not value.is_integer()


class CountedNumbers:
    """Finds what the numbers of one message count, from the words beside them."""

    def __init__(self, text: str, language: str) -> None:
        self._text = text
        self._things = things_for(language)
        self._linking = linking_words(language)

    def things_of(self, words: Iterable[str]) -> frozenset[str]:
        """Return what a question asks the number of, by the words of its entity's name; often nothing that is known."""
        return frozenset(self._things[word] for word in words if word in self._things)

    def behind(self, stretch: Stretch, following: Sequence[Word], known: frozenset[str], end: int) -> Word | None:
        """Return the word that says what a number counts: right behind it, or with one word between ("3 hotel rooms").

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
        """Return the thing that the last counting word before a number names: "rated above 4", "party of 3"."""
        return next(
            (self._things[word.folded] for word in reversed(words[-_NEAR:]) if word.folded in self._things), None
        )

    def thing(self, word: Word) -> str | None:
        return self._things.get(word.folded)

    def asking_for(self, thing: str, names: Sequence[Iterable[str]]) -> int | None:
        """Return the one question that asks how many of a thing there are; None where none or several do."""
        asked = [self.things_of(words) for words in names]
        for fitting in (
            [index for index, things in enumerate(asked) if thing in things],
            [index for index, things in enumerate(asked) if group_of(thing) in things],
        ):
            if fitting:
                return fitting[0] if len(fitting) == 1 else None
        return None

    def may_be(self, value: Any, word: Word | None, name: Sequence[str]) -> bool:
        """Return whether a number may answer a question that nobody asked: not if it counts another thing, nor if it is
        zero or a fraction of what comes in wholes."""
        things = self.things_of(name)
        if not things:
            return True
        if things & WHOLE and (value == 0 or is_fraction(value)):
            return False
        said = None if word is None or word.folded in name else self._things.get(word.folded)
        return said is None or group_of(said) in {group_of(thing) for thing in things}


_PARTS = re.compile(r"[A-Z]?[^\W_A-Z]+|[A-Z]+(?![a-z])|\d+")
_FIRST, _SECOND = 1, 2
_SHORT = 3
_ARTICLE_BEFORE = 2
"""Words before a pronoun among which an article stands: "a regular one"."""
_SENTENCE = 3
"""Words beside a value from which a message is more than "no, Friday please"."""
_SAY_NOTHING = frozenset({"number", "of", "the"})
"""In a name: ``number-of-guests`` is not named by "a rating of 4"."""
_PARTING = " \t\n'’"
_DENYING_BEFORE = 8
"""Words before a value among which "not" or "any day but" is looked for."""
_DENYING_BEHIND = 8
"""Words behind a value in which it is refused: "Friday is really no good for me"."""
_WHEN = ("Date", "Time", "Datetime")
_COUNT_OR_HOUR = {"Number", "Time"}
_CLAUSE_END = re.compile(r"[,.;:!?\n](?=\s|$)")
_BETWEEN = 4
"""Words at most: "pick the big red car up"."""


@lru_cache(maxsize=4096)
def name_words(entity: str) -> tuple[str, ...]:
    """Return the words of an entity's name: ``returnDate``, ``return-date`` and ``return_date`` have the same two."""
    return tuple(fold(part) for part in _PARTS.findall(entity))


@cache
def other_words(language: str) -> frozenset[str]:
    """Return words that name no question, since they mean something else in any sentence."""
    roles = roles_for(language)
    leading = roles.first | roles.first_of_two | roles.second | roles.second_after_first
    return leading | linking_words(language) | _SAY_NOTHING


@cache
def _months(language: str) -> frozenset[str]:
    return frozenset(fold(name) for name in words_for(language).months)


@cache
def _weekdays(language: str) -> frozenset[str]:
    return frozenset(fold(name) for name in words_for(language).weekdays)


def _singular(word: str) -> str:
    return word[:-1] if len(word) > _SHORT and word.endswith("s") else word


class ValueWords:
    """Decides from the words of one message which question takes which value."""

    def __init__(
        self, text: str, language: str, custom_types: AbstractSet[str], measured: Sequence[Candidate] = ()
    ) -> None:
        """Prepare to read one message. ``custom_types``: those whose values may be places. ``measured``: amounts and
        durations in it, whoever asks for them."""
        self.text = self._text = text
        self.measured = sorted(measured, key=lambda one: one.start)
        self._language = language
        self._roles: Roles = roles_for(language)
        self._turning = turning_for(language)
        self._other = other_words(language)
        self._replies = reply_words(language)
        self._denying = self._replies.denying
        self._custom = custom_types
        self._kept: Sequence[Stretch] = ()
        self._kept_ends: list[int] = []
        self._words: list[Word] = []
        self._is_change = self._is_turned = False
        self._counting = CountedNumbers(text, language)

    def are_alternatives(self, stretches: Sequence[Stretch]) -> bool:
        """Return whether the text leaves open which of these values is meant: "10 or 11", "between 9 and 11"."""
        self._cut()
        return are_alternatives(self.text, self._words, stretches, self._language)

    def among(self, kept: Sequence[Stretch]) -> ValueWords:
        """Set the stretches that stand in the message, in text order, and return ``self``."""
        if kept is not self._kept:
            self._kept = kept
            self._kept_ends = sorted(one.end for one in kept)
        return self

    def assign(self, stretches: Sequence[Stretch], slots: Sequence[Slot]) -> dict[int, int]:
        """Return for stretches and questions of one type the index of each stretch with that of the question that takes
        it."""
        self._cut()
        names = [name_words(slot.entity) for slot in slots]
        slot_roles = self._roles_of(names)
        roles = self._said_roles(stretches)
        steered: dict[int, int] = {}
        claimed: set[Word] = set()
        for index, stretch in enumerate(stretches):
            before = self._before(stretch)
            free = [word for word in before if word not in claimed]
            slot = self._counted(stretch, free, names) if stretch.type == "Number" else self._named(free, names)
            if slot is None:
                claimed.update(self._behind(stretch, names))
                slot = self._named([word for word in claimed if word.start >= stretch.end], names)
            elif (unit := self._unit(stretch, names)) is not None:
                claimed.add(unit)
            if slot is None and roles[index]:
                slot = _with_role(slots, slot_roles, roles[index], set(steered.values()))
            if slot is None and index and index - 1 in steered:
                slot = self._continued(before, stretches[index - 1], slots[steered[index - 1]], steered[index - 1])
            if slot is not None:
                steered[index] = slot
        return steered

    def near(self, start: int, end: int) -> int:
        """Return how long the words are at the beginning of a stretch that say little: "about 5" is no more than
        "5"."""
        words = near_words(self._language)
        inside = [word for word in words_of(self._text[start:end]) if word.folded not in words]
        return inside[0].start if inside else 0

    def unwanted(self, stretch: Stretch) -> bool:
        """Return whether the text says that it is not this value: "not Friday, Saturday", "any day but Friday",
        "Friday no"; but "why not Friday" proposes it."""
        self._cut()
        if self._refused_behind(stretch):
            return True
        if stretch.start == 0:
            return False
        roles = self._roles
        # The words before it that nothing but spaces and elisions ("l'Audi") part from it, the last of them first.
        before: list[str] = []
        end, last = stretch.start, self._until(stretch.start) - 1
        while last >= 0 and len(before) < _DENYING_BEFORE:
            if self._text[self._words[last].end : end].strip(_PARTING):
                break
            before.append(self._words[last].folded)
            end, last = self._words[last].start, last - 1
        said = before[::-1]
        for first, after in self._denying_in(said):
            if all(word in roles.passed | roles.weighing | roles.articles for word in said[after:]):
                return first == 0 or said[first - 1] not in roles.why
        return False

    def is_measured(self, stretch: Stretch) -> bool:
        """Return whether a number is part of an amount or a duration: "20 euros", "1 sec"."""
        return self._measure(stretch) is not None

    def _measure(self, stretch: Stretch) -> Candidate | None:
        index = bisect_right(self.measured, stretch.start, key=lambda one: one.start) - 1
        return self.measured[index] if index >= 0 and stretch.end <= self.measured[index].end else None

    def say_what(self, stretches: Sequence[Stretch], slots: Sequence[Slot]) -> list[bool]:
        """Return for each number whether words beside it say what it is: a name, what it counts, or "for" people."""
        self._cut()
        names = [(*name_words(slot.entity), *_words_of_all(slot.node.step.names)) for slot in slots]
        known = {_singular(word) for words in names for word in self._naming(words)}
        claimed: set[Word] = set()
        found = []
        for stretch in stretches:
            before = [word for word in self._before(stretch) if word not in claimed]
            # The "time" of "any time but 10" names no question.
            denying = {
                position for span in self._denying.find([one.folded for one in before]) for position in range(*span)
            }
            before = [word for position, word in enumerate(before) if position not in denying]
            behind = self._behind(stretch, names)
            unit = self._unit(stretch, names)
            claimed.update(behind if unit is None else (*behind, unit))
            said = {_singular(word.folded) for word in (*before, *behind)}
            found.append(
                unit is not None or not known.isdisjoint(said) or self._counted(stretch, before, names) is not None
            )
        return found

    def _refused_behind(self, stretch: Stretch) -> bool:
        """Return whether the clause goes on behind a value with its refusal: "Friday no", "Friday I can't"."""
        behind: list[str] = []
        end = stretch.end
        others = iter(self._kept[bisect_left(self._kept, end, key=lambda one: one.start) :])
        other = next(others, None)
        for word in itertools.islice(self._words, self._from(end), None):
            if len(behind) > _DENYING_BEHIND or _CLAUSE_END.search(self._text, end, word.start):
                break
            end = word.end
            if other is not None and word.start >= other.start:
                if other.type == stretch.type or {other.type, stretch.type} == _COUNT_OR_HOUR:
                    return False  # "Friday not Saturday", "at 11 not 10"
                other = other if word.end < other.end else next(others, None)
            elif word.folded in self._replies.clauses:
                break
            else:
                behind.append(word.folded)
        if behind and self._replies.no.at(behind, 0) == len(behind):
            return True
        return stretch.type in _WHEN and self._replies.refuses(behind)  # "my Audi doesn't work" is an Audi

    def names_weekday(self, stretch: Stretch) -> bool:
        """Return whether a date is told by no more than a weekday, whose other dates may be meant as well."""
        inside = [word.folded for word in words_of(self._text[stretch.start : stretch.end])]
        left = [word for word in inside if word not in self._roles.passed]
        return len(left) == 1 and left[0] in _weekdays(self._language)

    def _denying_in(self, said: list[str]) -> list[tuple[int, int]]:
        found = list(self._denying.find(said))
        return found + [(index, index + 1) for index, word in enumerate(said) if word in self._roles.not_]

    def fits(self, stretch: Stretch, slot: Slot) -> bool:
        """Return whether a value that no word assigns may go to the question at all."""
        if stretch.type == "Number" and slot.node.step.counts.wholes and is_fraction(stretch.values[0]):
            return False
        if stretch.type == "Number" and not slot.is_open:
            self._cut()
            words = name_words(slot.entity)
            unit = self._unit(stretch, [words])
            if unit is None and (self._is_pronoun(stretch) or self._is_of_a_month(stretch)):
                return False
            measure = None if unit is not None else self._measure(stretch)
            if measure is not None and self._counting.things_of(words):
                return False  # "20 euros" are no people
            return self._counting.may_be(stretch.values[0], unit, words)
        if stretch.sureness < 1 and stretch.type in self._custom:
            # "a moderate price" is no slip for "pricey" where the question is about the price
            said = {_singular(word.folded) for word in words_of(self._text[stretch.start : stretch.end])}
            return not said <= {_singular(word) for word in name_words(slot.entity)}
        return True

    def _cut(self) -> None:
        """Split the text into words when they are first needed: most messages hold no values of a type that two
        questions have."""
        if not self._words:
            self._words = words_of(self._text)
            self._is_change = any(word.folded in self._roles.changing for word in self._words)

    def _is_of_a_month(self, stretch: Stretch) -> bool:
        """Return whether a number stands beside a month: "31 February" is no date, and its 31 answers no question."""
        months = _months(self._language)
        after, before = self._from(stretch.end + 1), self._until(stretch.start - 1)
        near = [word for word in self._words[after : after + 1] if word.start == stretch.end + 1]
        near += [word for word in self._words[max(0, before - 1) : before] if word.end == stretch.start - 1]
        return any(word.folded in months for word in near)

    def _is_pronoun(self, stretch: Stretch) -> bool:
        """Return whether a "one" counts nothing: "find me one in Berlin"; "only one", "make it one" and "I want one."
        do."""
        roles = self._roles
        if self._text[stretch.start : stretch.end].lower() not in roles.pronouns:
            return False
        before = self._before(stretch)
        if not before or self._counting.before(before) is not None:
            return False
        if any(word.folded in roles.articles for word in before[-_ARTICLE_BEFORE:]):
            return True
        if self._text[stretch.end :].lstrip()[:1] in ("", ".", "!", ","):
            return False
        return before[-1].folded not in roles.counting_pronouns | roles.leading_to_persons | roles.second

    def restated(self, stretch: Stretch, slots: Sequence[Slot]) -> int | None:
        """Return the question that a whole sentence corrects when no word of it says which ("I need it on Friday"): of
        a first and a second day or time the first, since people mark the second ("until", "back")."""
        if stretch.type in self._custom or len(slots) != len((_FIRST, _SECOND)):
            return None
        self._cut()
        roles = self._roles_of([name_words(slot.entity) for slot in slots])
        inside = bytearray(len(self._text))
        for one in self._kept:
            inside[one.start : one.end] = b"\1" * (one.end - one.start)
        said = [word.folded for word in self._words if not inside[word.start]]
        if sorted(roles) != [_FIRST, _SECOND] or len(said) < _SENTENCE or self._is_change:
            return None
        return None if any(word in self._roles.making for word in said) else roles.index(_FIRST)

    # -- what is counted

    def _counted(self, stretch: Stretch, before: list[Word], names: list[tuple[str, ...]]) -> int | None:
        """Return the question of a number: by a name right before it, what stands behind it, "for", or a name further
        off, in this order."""
        slot = self._named(before[-1:], names)
        if slot is not None:
            return slot
        unit = self._unit(stretch, names)
        if unit is not None:
            thing = self._counting.thing(unit)
            slot = self._named([unit], names)
            return slot if slot is not None or thing is None else self._counting.asking_for(thing, names)
        ends = {" ".join(word.folded for word in before[-length:]) for length in (1, 2)} if before else set[str]()
        if not ends.isdisjoint(self._roles.leading_to_persons):
            slot = self._counting.asking_for("persons", names)
            if slot is not None:
                return slot
        slot = self._named(before, names)
        if slot is not None:
            return slot
        thing = self._counting.before(before)
        return None if thing is None else self._counting.asking_for(thing, names)

    def _unit(self, stretch: Stretch, names: Sequence[tuple[str, ...]]) -> Word | None:
        known = frozenset(word for words in names for word in words)
        behind = bisect_left(self._kept, stretch.end, key=lambda other: other.start)
        end = self._kept[behind].start if behind < len(self._kept) else len(self._text)
        after = self._from(stretch.end)
        return self._counting.behind(stretch, self._words[after : after + 2], known, end)

    # -- names

    def _named(self, before: list[Word], names: list[tuple[str, ...]]) -> int | None:
        """Return the question whose name stands there: all of its words, or one that no other has."""
        said = {_singular(word.folded) for word in before}
        own = [self._naming(words) for words in names]
        whole = [(len(words), index) for index, words in enumerate(own) if words and words <= said]
        if whole:
            most = max(whole)
            return most[1] if sum(length == most[0] for length, _ in whole) == 1 else None
        marked = [
            index
            for index, words in enumerate(own)
            if any(word in said and sum(word in other for other in own) == 1 for word in words)
        ]
        return marked[0] if len(marked) == 1 else None

    def _naming(self, words: tuple[str, ...]) -> frozenset[str]:
        """Return the words of a name without those that mean something else in any sentence: an entity ``to`` is not
        named by each "to"."""
        return frozenset(_singular(word) for word in words if word not in self._other)

    def _behind(self, stretch: Stretch, names: list[tuple[str, ...]]) -> list[Word]:
        """Return the words of names right behind the value, nothing but spaces between: "2 adults and 3 children"."""
        known = {_singular(word) for words in names for word in words}
        behind: list[Word] = []
        end = stretch.end
        for word in itertools.islice(self._words, self._from(end), None):
            if not self._text[end : word.start].isspace() or _singular(word.folded) not in known:
                break
            behind.append(word)
            end = word.end
        return behind

    # -- roles

    def _roles_of(self, names: list[tuple[str, ...]]) -> list[int]:
        self._is_turned = False
        roles = []
        turning = []
        is_stay = []
        for words in names:
            joined = {one + other for one, other in pairwise(words)}  # check-in, pick-up
            found = {role_of_name(word, self._roles) for word in (*words, *joined, "".join(words))} - {0}
            roles.append(found.pop() if len(found) == 1 else 0)
            turning.append(not self._turning.isdisjoint(words))
            is_stay.append(not STAY.isdisjoint((*words, *joined)))
        pair = [index for index, role in enumerate(roles) if role]
        if len(pair) == 2 and all(turning[index] for index in pair) and roles[pair[0]] == _SECOND:
            # Arrival is asked before departure: a stay, not a journey.
            self._is_turned = True
            roles[pair[0]], roles[pair[1]] = _FIRST, _SECOND
        elif any(is_stay):
            self._is_turned = True
        return roles

    def _said_roles(self, stretches: Sequence[Stretch]) -> list[int]:
        """Return the role that the words before each stretch give it; of words that count only in a pair, what their
        partners say."""
        roles, known = self._roles, []
        weak: list[str] = []
        for stretch in stretches:
            before = self._before(stretch)
            noun = self._noun(before)
            word = "" if self._is_change else self._preposition(stretch)
            if self._outweighs(word, noun, stretch):
                noun = 0
            elif roles.ends_with_verb:
                last = self._verb_behind(stretch)
                noun = noun if last is None else self._noun([last])
            if noun:
                word = ""
                known.append(noun)
            elif word in roles.first:
                known.append(_FIRST)
            elif self._leads_to_second(word, stretch):
                known.append(_SECOND)
            else:
                known.append(0)
            weak.append(word)
        for index in range(len(stretches) - 1):
            is_first = known[index] == _FIRST or weak[index] in roles.first_of_two
            follows = known[index + 1] == _SECOND or (
                not known[index + 1] and weak[index + 1] in roles.second_after_first
            )
            if is_first and follows:
                known[index], known[index + 1] = _FIRST, _SECOND
        return known

    def _outweighs(self, word: str, noun: int, stretch: Stretch) -> bool:
        """Return whether the word right before a value says more than a noun or verb further off: "leaving to Munich",
        "my return flight from Varna", "pick it up and keep it until Friday"; but "back from the 5th" is the return."""
        if noun == _SECOND:
            return stretch.type in self._custom and word in self._roles.first
        return noun == _FIRST and self._leads_to_second(word, stretch)

    def _leads_to_second(self, word: str, stretch: Stretch) -> bool:
        return word in self._roles.second or (stretch.type in self._custom and word in self._roles.second_of_places)

    def _noun(self, before: list[Word]) -> int:
        """Return the role that the last noun or verb before the value gives it; 0 for none."""
        for index in range(len(before) - 1, -1, -1):
            word = before[index].folded
            for role, names in ((_FIRST, self._roles.first_names), (_SECOND, self._roles.second_names)):
                if word in names:
                    return 3 - role if self._is_turned and word in self._turning else role
            role = self._phrase([one.folded for one in before[max(0, index - _BETWEEN) : index]], word)
            if role:
                return role
        return 0

    def _phrase(self, words: list[str], particle: str) -> int:
        """Return the role of a verb in two parts, "pick it up"; 0 for none."""
        for role, phrases in ((_FIRST, self._roles.first_phrases), (_SECOND, self._roles.second_phrases)):
            if any((word, particle) in phrases for word in words):
                return role
        return 0

    def _verb_behind(self, stretch: Stretch) -> Word | None:
        """Return a verb right behind the value, in languages whose sentences may end with it: "am 8. abholen"."""
        after = self._from(stretch.end)
        if after == len(self._words):
            return None
        word = self._words[after]
        if self._text[stretch.end : word.start].strip(" ."):
            return None
        return word if word.folded in self._roles.first_names | self._roles.second_names else None

    def _preposition(self, stretch: Stretch) -> str:
        """Return the word that leads to the value: its own first one ("until 5"), or the one before it."""
        roles = self._roles
        leading = roles.first | roles.second | roles.first_of_two | roles.second_after_first | roles.second_of_places
        inside = [word.folded for word in self._words[self._from(stretch.start) : self._from(stretch.end)]]
        if len(inside) > 1 and inside[0] in leading and inside[0] not in roles.passed:
            return inside[0]
        own = inside[0] if len(inside) > 1 and inside[0] in leading else ""
        for word in reversed(self._before(stretch)):
            if word.folded not in roles.passed:
                return word.folded if word.folded in leading else own
            if word.folded in leading:
                own = own or word.folded
        return own

    def _continued(self, before: list[Word], last: Stretch, slot: Slot, index: int) -> int | None:
        """Return the question of the value before, where this one only goes on with it: "to Varna or Burgas"."""
        between = [word.folded for word in before if word.start >= last.end]
        joins = self._roles.alternatives | (self._roles.both if slot.takes_many else frozenset())
        return index if between and all(word in joins for word in between) else None

    def _before(self, stretch: Stretch) -> list[Word]:
        """Return the words between the value before it and this one."""
        ended = bisect_right(self._kept_ends, stretch.start)
        start = self._kept_ends[ended - 1] if ended else 0
        return self._words[self._from(start) : self._until(stretch.start)]

    # -- positions, by bisection: of hundreds of numbers for many questions each is looked at again and again

    def _from(self, position: int) -> int:
        """Return the index of the first word that begins at a position or behind it."""
        return bisect_left(self._words, position, key=lambda word: word.start)

    def _until(self, position: int) -> int:
        """Return the index behind the last word that ends at a position or before it."""
        return bisect_right(self._words, position, key=lambda word: word.end)


def _words_of_all(names: Iterable[str]) -> list[str]:
    return [word for name in names for word in folded_words(name)]


def _with_role(slots: Sequence[Slot], roles: list[int], role: int, taken: set[int]) -> int | None:
    """Return the one question of that role, of several the open one, then the first without a value."""
    fitting = [index for index, own in enumerate(roles) if own == role and index not in taken]
    waiting = [index for index in fitting if slots[index].is_open or not slots[index].is_answered]
    if waiting:
        return min(waiting, key=lambda index: not slots[index].is_open)
    return fitting[0] if len(fitting) == 1 else None
