"""Words of a message that say which question takes which value (understanding.md, Recognition 2).

Three kinds: the name of the question's entity ("change the return date to the 5th"), the words of a language that
tell a first value from a second (``ValueRoles``), and what a number counts (``CountedNumbers``). What no word decides
is left to the order, in ``assign``.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from collections.abc import Set as AbstractSet
from datetime import date
from functools import cache, lru_cache

from dialoom.engine.interpret.cached import CachedProperty
from dialoom.engine.interpret.said import Said
from dialoom.engine.interpret.slots import Slot, Stretch
from dialoom.engine.interpret.values.alternatives import are_alternatives
from dialoom.engine.interpret.values.counted_numbers import CountedNumbers, is_fraction
from dialoom.engine.interpret.values.denied_values import denying_in, is_denied
from dialoom.engine.interpret.values.placed_values import PlacedValues
from dialoom.engine.interpret.values.value_roles import FIRST, SECOND, ValueRoles
from dialoom.languages import reader_words
from dialoom.understanding import Candidate
from dialoom.understanding.normalise import Word, fold
from dialoom.understanding.replies import Phrases, folded_words, reply_words
from dialoom.understanding.words import words_for
from dialoom.understanding.words.counted import linking_words, singular
from dialoom.understanding.words.roles import near_words, roles_for

_PARTS = re.compile(r"[A-Z]?[^\W_A-Z]+|[A-Z]+(?![a-z])|\d+")
_ARTICLE_BEFORE = 2
"""Words before a pronoun among which an article stands: "a regular one"."""
_SENTENCE = 3
"""Words beside a value from which a message is more than "no, Friday please"."""
_SAY_NOTHING = frozenset({"number", "of", "the"})
"""In a name: ``number-of-guests`` is not named by "a rating of 4"."""


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


@lru_cache(maxsize=4096)
def _naming_words(language: str, words: tuple[str, ...]) -> frozenset[str]:
    """Return the words of a name without those that mean something else in any sentence: an entity ``to`` is not named
    by each "to"."""
    return frozenset(singular(word, language) for word in words if word not in other_words(language))


@cache
def _months(language: str) -> frozenset[str]:
    return frozenset(fold(name) for name in words_for(language).months)


@cache
def _weekdays(language: str) -> frozenset[str]:
    return frozenset(fold(name) for name in words_for(language).weekdays)


@cache
def correction_marks(language: str) -> Phrases:
    """Return the phrases that mark a value as a correction: "no wait", "I meant"."""
    return Phrases(reader_words(language).replies.marks)


def weekday_of(day: object) -> int | str:
    """Return the weekday of a date, from 0 for Monday; what is no date as it is."""
    try:
        return date.fromisoformat(str(day)).weekday()
    except ValueError:
        return str(day)


class ValueWords:
    """Decides from the words of one message which question takes which value."""

    def __init__(
        self, said: Said, language: str, custom_types: AbstractSet[str], measure: Callable[[], Sequence[Candidate]]
    ) -> None:
        """Prepare to read one message. ``custom_types``: those whose values may be places. ``measure``: finds amounts
        and durations in it, whoever asks for them."""
        self.said = said
        self._measure = measure
        self._values = PlacedValues(said)
        self._language = language
        self._words = roles_for(language)
        self._custom = custom_types
        self._roles = ValueRoles(self._values, language, custom_types)
        self._counting = CountedNumbers(self._values, language)

    @CachedProperty
    def measured(self) -> list[Candidate]:
        """Return the amounts and durations of the message, in text order."""
        return sorted(self._measure(), key=lambda one: one.start)

    @property
    def is_change(self) -> bool:
        """Return whether the message has a word of change: "change it from 10 to 11"."""
        return self._roles.is_change

    def among(self, kept: Sequence[Stretch]) -> ValueWords:
        """Set the stretches that stand in the message, in text order, and return ``self``."""
        self._values.place(kept)
        return self

    def are_alternatives(self, stretches: Sequence[Stretch]) -> bool:
        """Return whether the text leaves open which of these values is meant: "10 or 11", "between 9 and 11"."""
        return are_alternatives(self.said, stretches, self._language)

    def unwanted(self, stretch: Stretch) -> bool:
        """Return whether the text says that it is not this value."""
        return is_denied(self._values, stretch, self._language)

    def near(self, start: int, end: int) -> int:
        """Return how long the words are at the beginning of a stretch that say little: "about 5" is no more than
        "5"."""
        words, first = near_words(self._language), self._values.index_from(start)
        for word in self._values.words[first : self._values.index_from(end)]:
            if word.folded not in words:
                return word.start - start
        return 0

    def repeats_weekday(self, stretch: Stretch, weekday: int | str) -> bool:
        """Return whether a date is only the weekday of the known one, said again behind a yes: "yes, see you
        Friday"."""
        if stretch.type != "Date" or not self.names_weekday(stretch):
            return False
        words, replies = self.said.folded, reply_words(self._language)
        is_meant = self.is_change or not replies.yes.at(words, 0) or correction_marks(self._language).any_in(words)
        return not is_meant and any(weekday_of(value) == weekday for value in stretch.values)

    def names_weekday(self, stretch: Stretch) -> bool:
        """Return whether a date is told by no more than a weekday, whose other dates may be meant as well."""
        left = [word for word in self._values.inside(stretch) if word not in self._words.passed]
        return len(left) == 1 and left[0] in _weekdays(self._language)

    # -- which question

    def assign(self, stretches: Sequence[Stretch], slots: Sequence[Slot]) -> dict[int, int]:
        """Return for stretches and questions of one type the index of each stretch with that of the question that takes
        it."""
        names = [name_words(slot.entity) for slot in slots]
        slot_roles, roles = self._roles.of_names(names), self._roles.of_values(stretches)
        steered: dict[int, int] = {}
        claimed: set[Word] = set()
        for index, stretch in enumerate(stretches):
            slot = self._by_name(stretch, names, claimed)
            if slot is None and roles[index]:
                slot = _with_role(slots, slot_roles, roles[index], set(steered.values()))
            last = steered.get(index - 1)
            if slot is None and last is not None and self._goes_on(stretches[index - 1], stretch, slots[last]):
                slot = last
            if slot is not None:
                steered[index] = slot
        return steered

    def _by_name(self, stretch: Stretch, names: list[tuple[str, ...]], claimed: set[Word]) -> int | None:
        """Return the question that words before or behind a value name. ``claimed``: words that belong to the values
        before; those behind this one are added."""
        free = [word for word in self._values.before(stretch) if word not in claimed]
        slot = self._counted(stretch, free, names) if stretch.type == "Number" else self._named(free, names)
        if slot is None:
            claimed.update(self._behind(stretch, names))
            return self._named([word for word in claimed if word.start >= stretch.end], names)
        unit = self._counting.unit(stretch, names)
        if unit is not None:
            claimed.add(unit)
        return slot

    def fits(self, stretch: Stretch, slot: Slot) -> bool:
        """Return whether a value that no word assigns may go to the question at all."""
        if stretch.type == "Number" and slot.node.step.counts.wholes and is_fraction(stretch.values[0]):
            return False
        if stretch.type == "Number" and not slot.is_open:
            words = name_words(slot.entity)
            unit = self._counting.unit(stretch, [words])
            if unit is None and (self._is_pronoun(stretch) or self._is_of_a_month(stretch)):
                return False
            if unit is None and self.is_measured(stretch) and self._counting.things_of(words):
                return False  # "20 euros" are no people
            return self._counting.may_be(stretch.values[0], unit, words)
        if stretch.sureness < 1 and stretch.type in self._custom:
            # "a moderate price" is no slip for "pricey" where the question is about the price
            inside = {singular(word, self._language) for word in self._values.inside(stretch)}
            return not inside <= {singular(word, self._language) for word in name_words(slot.entity)}
        return True

    def restated(self, stretch: Stretch, slots: Sequence[Slot]) -> int | None:
        """Return the question that a whole sentence corrects when no word of it says which ("I need it on Friday"): of
        a first and a second day or time the first, since people mark the second ("until", "back")."""
        if stretch.type in self._custom or len(slots) != len((FIRST, SECOND)):
            return None
        roles = self._roles.of_names([name_words(slot.entity) for slot in slots])
        outside = self._values.outside()
        if sorted(roles) != [FIRST, SECOND] or len(outside) < _SENTENCE or self._roles.is_change:
            return None
        return None if not self._words.making.isdisjoint(outside) else roles.index(FIRST)

    def _goes_on(self, last: Stretch, stretch: Stretch, slot: Slot) -> bool:
        """Return whether a value only goes on with the one before it: "to Varna or Burgas"."""
        between = [word.folded for word in self._values.before(stretch) if word.start >= last.end]
        joins = self._words.alternatives | (self._words.both if slot.takes_many else frozenset())
        return bool(between) and all(word in joins for word in between)

    # -- what a number is

    def is_measured(self, stretch: Stretch) -> bool:
        """Return whether a number is part of an amount or a duration: "20 euros", "1 sec"."""
        index = bisect_right(self.measured, stretch.start, key=lambda one: one.start) - 1
        return index >= 0 and stretch.end <= self.measured[index].end

    def say_what(self, stretches: Sequence[Stretch], slots: Sequence[Slot]) -> list[bool]:
        """Return for each number whether words beside it say what it is: a name, what it counts, or "for" people."""
        names = [(*name_words(slot.entity), *_words_of_all(slot.node.step.names)) for slot in slots]
        known = {word for words in names for word in _naming_words(self._language, words)}
        claimed: set[Word] = set()
        found = []
        for stretch in stretches:
            before = [word for word in self._values.before(stretch) if word not in claimed]
            # The "time" of "any time but 10" names no question.
            denying = denying_in([one.folded for one in before], self._language)
            skipped = {position for span in denying for position in range(*span)}
            before = [word for position, word in enumerate(before) if position not in skipped]
            behind, unit = self._behind(stretch, names), self._counting.unit(stretch, names)
            claimed.update(behind if unit is None else (*behind, unit))
            said = {singular(word.folded, self._language) for word in (*before, *behind)}
            is_named = unit is not None or not known.isdisjoint(said)
            found.append(is_named or self._counted(stretch, before, names) is not None)
        return found

    def is_of(self, stretch: Stretch, entity: str, names: Iterable[str]) -> bool:
        """Return whether words beside a value say that it is for a question: its name, or what it asks how many of."""
        name = (*name_words(entity), *_words_of_all(names))
        before = self._values.before(stretch)
        if (
            self._behind(stretch, [tuple(_naming_words(self._language, name))])
            or self._named(before, [name]) is not None
        ):
            return True
        is_count = stretch.type == "Number" and not self.is_measured(stretch)
        return is_count and self._counted(stretch, before, [name]) is not None

    def _is_of_a_month(self, stretch: Stretch) -> bool:
        """Return whether a number stands beside a month: "31 February" is no date, and its 31 answers no question."""
        words, months = self._values.words, _months(self._language)
        after, before = self._values.index_from(stretch.end + 1), self._values.index_until(stretch.start - 1)
        near = [word for word in words[after : after + 1] if word.start == stretch.end + 1]
        near += [word for word in words[max(0, before - 1) : before] if word.end == stretch.start - 1]
        return any(word.folded in months for word in near)

    def _is_pronoun(self, stretch: Stretch) -> bool:
        """Return whether a "one" counts nothing: "find me one in Berlin"; "only one", "make it one" and "I want one."
        do."""
        roles = self._words
        if self.said.text[stretch.start : stretch.end].lower() not in roles.pronouns:
            return False
        before = self._values.before(stretch)
        if not before or self._counting.before(before) is not None:
            return False
        if any(word.folded in roles.articles for word in before[-_ARTICLE_BEFORE:]):
            return True
        if self.said.text[stretch.end :].lstrip()[:1] in ("", ".", "!", ","):
            return False
        return before[-1].folded not in roles.counting_pronouns | roles.leading_to_persons | roles.second

    def _counted(self, stretch: Stretch, before: list[Word], names: list[tuple[str, ...]]) -> int | None:
        """Return the question of a number: by a name right before it, what stands behind it, "for", or a name further
        off, in this order."""
        slot = self._named(before[-1:], names)
        if slot is not None:
            return slot
        unit = self._counting.unit(stretch, names)
        if unit is not None:
            thing = self._counting.thing(unit)
            slot = self._named([unit], names)
            return slot if slot is not None or thing is None else self._counting.asking_for(thing, names)
        ends = {" ".join(word.folded for word in before[-length:]) for length in (1, 2)} if before else set[str]()
        if not ends.isdisjoint(self._words.leading_to_persons):
            slot = self._counting.asking_for("persons", names)
        slot = self._named(before, names) if slot is None else slot
        thing = self._counting.before(before) if slot is None else None
        return slot if thing is None else self._counting.asking_for(thing, names)

    # -- names

    def _named(self, before: list[Word], names: list[tuple[str, ...]]) -> int | None:
        """Return the question whose name stands there: all of its words, or one that no other has."""
        said = {singular(word.folded, self._language) for word in before}
        own = [_naming_words(self._language, words) for words in names]
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

    def _behind(self, stretch: Stretch, names: list[tuple[str, ...]]) -> list[Word]:
        """Return the words of names right behind the value, nothing but spaces between: "2 adults and 3 children"."""
        known = {singular(word, self._language) for words in names for word in words}
        behind: list[Word] = []
        end = stretch.end
        for word in self._values.behind(stretch):
            if not self.said.text[end : word.start].isspace() or singular(word.folded, self._language) not in known:
                break
            behind.append(word)
            end = word.end
        return behind


def _words_of_all(names: Iterable[str]) -> list[str]:
    return [word for name in names for word in folded_words(name)]


def _with_role(slots: Sequence[Slot], roles: list[int], role: int, taken: set[int]) -> int | None:
    """Return the one question of that role, of several the open one, then the first without a value."""
    fitting = [index for index, own in enumerate(roles) if own == role and index not in taken]
    waiting = [index for index in fitting if slots[index].is_open or not slots[index].is_answered]
    if waiting:
        return min(waiting, key=lambda index: not slots[index].is_open)
    return fitting[0] if len(fitting) == 1 else None
