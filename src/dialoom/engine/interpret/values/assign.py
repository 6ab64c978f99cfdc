"""Which question takes which value of a message (flow-language.md section 5 rule 3, understanding.md Recognition).

The open question first, then those without a value in step order, then corrections. Of overlapping stretches the
longest wins, the expected type on a tie. What a text means besides is left to ``decision``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from dialoom.engine.interpret.proposals import Fill
from dialoom.engine.interpret.slots import GUESS, ONLY_ASKED, Slot, Stretch
from dialoom.engine.interpret.values.leaning import values_for
from dialoom.engine.interpret.values.value_words import ValueWords, weekday_of
from dialoom.engine.values.reactions import Found
from dialoom.understanding import Candidate
from dialoom.understanding.candidate import Spans
from dialoom.understanding.keywords import MAX_ALIKE

BY = "values"
MAX_NAMED = 8
"""Values in a message whose numbers are looked at for names: with more of them no single one is meant."""


class Assigned(msgspec.Struct, frozen=True):
    """What becomes of the values of a message."""

    fills: tuple[Fill, ...] = ()
    """In step order."""
    denied: tuple[Slot, ...] = ()
    """The questions whose stored value is denied: "not Tuesday"."""
    replaced: tuple[Fill, ...] = ()
    """Of the values those that stand beside the denial of the stored one: "not Tuesday but Friday"."""

    @property
    def used(self) -> list[Stretch]:
        """Return where the values stand that are taken."""
        return [span for fill in self.fills for span in fill.spans]


def assign(
    slots: Sequence[Slot],
    recognised: Mapping[str, list[Candidate]],
    whole: frozenset[str],
    value_words: ValueWords | None = None,
    shared: Mapping[str, Candidate] | None = None,
) -> Assigned:
    """Assign the values of a message to questions.

    ``whole``: types that are read from the sentence as a whole and so overlap with nothing. ``value_words``: the
    words of the message, where they may decide who takes what. ``shared``: entity to the value that a trained
    expression gives it by its slots.
    """
    if not slots:
        return Assigned()
    order = list(dict.fromkeys(slot.type for slot in sorted(slots, key=lambda slot: not slot.is_open)))
    kept = _longest(recognised, slots, order, whole, value_words)
    words = None if value_words is None else value_words.among(kept)
    denied = [one for one in kept if words is not None and _may_be_denied(one, whole) and words.unwanted(one)]
    assignment = _Assignment(slots, shared or {})
    for type in order:
        left = [stretch for stretch in kept if stretch.type == type and stretch not in denied]
        if left:
            assignment.give(type, left, None if type in whole else words)
    fills = assignment.fills
    refused = [
        index for index, slot in enumerate(slots) if slot.current is not None and _is_denied(slot, denied, words)
    ]
    return Assigned(
        tuple(fills[index] for index in sorted(fills)),
        tuple(slots[index] for index in refused if index not in fills),
        tuple(fills[index] for index in refused if index in fills),
    )


# ---- what is denied ----------------------------------------------------------------------------------------------


def _may_be_denied(stretch: Stretch, whole: frozenset[str]) -> bool:
    return stretch.type not in whole and stretch.type not in ONLY_ASKED


def _is_denied(slot: Slot, denied: Sequence[Stretch], value_words: ValueWords | None) -> bool:
    return any(one.type == slot.type and _is_same(slot.current, one, value_words) for one in denied)


def _is_same(current: Any, denied: Stretch, value_words: ValueWords | None) -> bool:
    """Return whether a denied value is the one that is stored: "not Tuesday" denies the Tuesday that was told, not only
    the next one, and "not at 3" 15:00 as well."""
    if current in denied.values or any(current in others for others in denied.others):
        return True
    if denied.type == "Time":
        return on_dial(current) in map(on_dial, denied.values)
    if denied.type != "Date" or value_words is None or not value_words.names_weekday(denied):
        return False
    return weekday_of(current) in map(weekday_of, denied.values)


def on_dial(time: Any) -> str:
    """Return a time as a clock with a dial shows it, "3:00" for "15:00"; what is no time as it is."""
    hours, separator, minutes = str(time).partition(":")
    return f"{int(hours) % 12}:{minutes}" if separator and hours.isdecimal() else str(time)


# ---- of overlapping stretches the longest ------------------------------------------------------------------------


def _longest(
    recognised: Mapping[str, list[Candidate]],
    slots: Sequence[Slot],
    order: list[str],
    whole: frozenset[str],
    value_words: ValueWords | None,
) -> list[Stretch]:
    """Return of overlapping stretches the longest, then the expected type, then the first in step order; in text
    order."""
    expected = next((slot.type for slot in slots if slot.is_open), None)
    stretches = _stretches(recognised, order, expected)
    if len(stretches) == 1:
        return stretches
    rank = {type: index for index, type in enumerate(order)}
    asked = [(one.start, one.end) for one in stretches if one.type == expected]
    if value_words is not None and expected != "Number" and len(stretches) <= MAX_NAMED:
        # Of "change the people to 7" the 7 is no hour.
        longer = {one.end: one.start for one in stretches if one.type != "Number"}
        numbers = [one for one in stretches if one.type == "Number" and longer.get(one.end, one.start) < one.start]
        asked += [(one.start, one.end) for one in numbers if _is_named_number(one, slots, value_words)]
    phones = {(one.start, one.end) for one in stretches if one.type == "PhoneNumber" and one.sureness > GUESS}

    def precedence(one: Stretch) -> tuple[int, bool, bool, int, int]:
        length, is_expected = one.end - one.start, one.type == expected or (one.start, one.end) in asked
        if value_words is not None and not is_expected and any(one.start <= a and b <= one.end for a, b in asked):
            length -= value_words.near(one.start, one.end)
        # Seven digits and more are a telephone number sooner than a count.
        is_phone = one.type == "Number" and (one.start, one.end) in phones
        return (-length, not is_expected, is_phone, rank[one.type], one.start)

    spans = Spans()
    kept = [one for one in sorted(stretches, key=precedence) if one.type in whole or spans.add(one.start, one.end)]
    return sorted(kept, key=lambda one: one.start)


def _is_named_number(one: Stretch, slots: Sequence[Slot], words: ValueWords) -> bool:
    """Return whether a number stands behind the name of a question for one, and of no other."""
    words.among(())
    named = [
        slot.type for slot in slots if one.type == "Number" and words.is_of(one, slot.entity, slot.node.step.names)
    ]
    return named != [] and set(named) == {"Number"}


def _stretches(recognised: Mapping[str, list[Candidate]], order: list[str], expected: str | None) -> list[Stretch]:
    """Return the candidates of these types, those of one type at one place together."""
    found: dict[tuple[str, int, int], list[Candidate]] = {}
    for type in order:
        for one in recognised.get(type, ()):
            if one.confidence > GUESS or expected in (None, type):
                found.setdefault((type, one.start, one.end), []).append(one)
    return [_stretch(rivals) for rivals in found.values()]


def _stretch(rivals: Sequence[Candidate]) -> Stretch:
    """Return the readings of one type at one place as one stretch."""
    first, sureness = rivals[0], max(one.confidence for one in rivals)
    others = {repr(one.value): one.others for one in reversed(rivals)}
    values = _distinct(one.value for one in rivals)
    leaning = tuple(others[repr(value)] for value in values) if any(others.values()) else ()
    return Stretch(first.type, first.start, first.end, values, sureness, leaning)


def _distinct(values: Any) -> tuple[Any, ...]:
    kept: list[Any] = []
    for value in values:
        if value not in kept:
            kept.append(value)
    return tuple(kept)


# ---- who takes what ----------------------------------------------------------------------------------------------

_Mine = list[tuple[int, Slot]]
"""Questions of one type, with their numbers."""


class _Assignment:
    """Assigns the values of a message to its questions, one type of value after the other."""

    def __init__(self, slots: Sequence[Slot], shared: Mapping[str, Candidate]) -> None:
        self._slots = slots
        self._shared = {name: (one.start, one.end) for name, one in shared.items()}
        self.fills: dict[int, Fill] = {}
        """By the number of the question."""

    def give(self, type: str, stretches: list[Stretch], words: ValueWords | None) -> None:
        """Assign stretches of one type to the questions of that type: where no words say which, in text order."""
        mine = [(index, slot) for index, slot in enumerate(self._slots) if slot.type == type]
        for by_words in (self._by_slots, self._by_words):
            if words is not None and len(mine) > 1:
                stretches = self._give_named(by_words(words, stretches, mine), stretches, mine)
                mine = [pair for pair in mine if pair[0] not in self.fills]
        waiting = [pair for pair in mine if pair[1].is_open]
        waiting += [pair for pair in mine if not pair[1].is_open and not pair[1].is_answered]
        if waiting:
            self._fill(waiting, stretches, words)
        elif stretches:
            self._correct([pair for pair in mine if pair[1].is_answered], stretches, words)

    def _fill(self, waiting: _Mine, stretches: list[Stretch], words: ValueWords | None) -> None:
        """Give values to the open question and to those without one: one each, to the last one all that are left."""
        for number, (index, slot) in enumerate(waiting, 1):
            fitting = [stretch for stretch in stretches if words is None or words.fits(stretch, slot)]
            if not slot.takes_many and number < len(waiting):
                fitting = fitting[:1]
            if fitting:
                stretches = [stretch for stretch in stretches if stretch not in fitting]
                self._take(index, slot, fitting)

    def _by_slots(self, words: ValueWords, stretches: list[Stretch], mine: _Mine) -> dict[int, int]:
        """Return the index of each stretch that a slot of a trained expression gives to a question, with that of the
        question."""
        return {
            number: index
            for number, stretch in enumerate(stretches)
            for index, (_, slot) in enumerate(mine)
            if self._shared.get(slot.entity) == (stretch.start, stretch.end)
        }

    def _by_words(self, words: ValueWords, stretches: list[Stretch], mine: _Mine) -> dict[int, int]:
        return words.assign(stretches, [slot for _, slot in mine])

    def _give_named(self, steered: Mapping[int, int], stretches: list[Stretch], mine: _Mine) -> list[Stretch]:
        """Assign stretches to the questions that are told; return those that are left."""
        by_slot: dict[int, list[Stretch]] = {}
        for number, node in steered.items():
            by_slot.setdefault(node, []).append(stretches[number])
        for node, taken in by_slot.items():
            self._take(*mine[node], taken)
        return [stretch for number, stretch in enumerate(stretches) if number not in steered]

    def _correct(self, filled: _Mine, stretches: list[Stretch], words: ValueWords | None) -> None:
        """Let values that no question without a value takes correct those of questions that have one.

        What only repeats a value corrects nothing. As many values as questions go in order; a single one goes to the
        last question of its type; more than that would be a guess.
        """
        if not filled:
            return
        if len(stretches) > 1 and len(filled) == 1 and words is not None and words.are_alternatives(stretches):
            self._take(*filled[0], stretches)
            return
        new = [stretch for stretch in stretches if not self._repeats(filled, stretch, words)]
        if len(new) == len(filled) and len(new) > 1:
            for (index, slot), stretch in zip(filled, new, strict=True):
                self._take(index, slot, [stretch])
        elif new:
            self._correct_one(filled, new, words)

    def _repeats(self, filled: _Mine, stretch: Stretch, words: ValueWords | None) -> bool:
        """Note a value that is said again; return whether it is one."""
        for index, slot in filled:
            is_weekday = words is not None and words.repeats_weekday(stretch, weekday_of(slot.current))
            if is_weekday or slot.current in values_for(slot, stretch):
                spans = (*(self.fills[index].spans if index in self.fills else ()), stretch)
                self.fills[index] = Fill(by=BY, spans=spans, found=Found(slot.key, slot.node, slot.current, False))
                return True
        return False

    def _correct_one(self, filled: _Mine, new: list[Stretch], words: ValueWords | None) -> None:
        free = [pair for pair in filled if pair[0] not in self.fills] or filled
        if words is not None:
            free = [pair for pair in free if all(words.fits(stretch, pair[1]) for stretch in new)]
        if not free:
            return
        first = None if words is None or len(new) > 1 else words.restated(new[0], [slot for _, slot in free])
        index, slot = free[-1 if first is None else first]
        if len(new) == 1 or slot.takes_many:
            self._take(index, slot, new)

    def _take(self, index: int, slot: Slot, stretches: Sequence[Stretch]) -> None:
        taken = stretches
        if not slot.takes_many:
            # Beside a value as it is written, one with a slip is no ambiguity: "a drama to watch", where "match" is
            # known.
            surest = max(stretch.sureness for stretch in stretches)
            taken = [stretch for stretch in stretches if stretch.sureness == surest]
        values: list[Any] = list(_distinct(value for stretch in taken for value in values_for(slot, stretch)))
        is_ambiguous = not slot.takes_many and len(values) > 1
        value = values if slot.takes_many else values[:MAX_ALIKE] if is_ambiguous else values[0]
        found = Found(slot.key, slot.node, value, slot.is_open, is_ambiguous)
        spans = (*(self.fills[index].spans if index in self.fills else ()), *stretches)
        self.fills[index] = Fill(by=BY, spans=spans, found=found)
