"""Which question takes which value of a message (flow-language.md section 5 rule 3, understanding.md Recognition).

The open question first, then those without a value in step order, then corrections. Of overlapping stretches the
longest wins, the expected type on a tie. What a text means besides is left to ``hearing``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from dialoom.engine.script import Place

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from dialoom.engine.memory import Memory
    from dialoom.engine.script import Script
    from dialoom.understanding import Candidate


class Slot(msgspec.Struct, frozen=True):
    """A question that may take a value. ``current``: the value it has, None without one."""

    key: str
    """Of the conversation."""
    place: Place
    type: str
    entity: str
    is_open: bool
    takes_many: bool
    current: Any


class Found(msgspec.Struct, frozen=True):
    """A value for a question; of an ambiguity, the list of those that fit."""

    key: str
    """Of the conversation."""
    place: Place
    value: Any
    is_asked: bool
    is_ambiguous: bool = False


class Stretch(msgspec.Struct, frozen=True):
    """A part of the text and what it may mean: values of one type, several when they fit equally."""

    type: str
    start: int
    end: int
    values: tuple[Any, ...]


def slots_of(scripts: Iterable[Script], memory: Memory, opened: tuple[str, Place] | None) -> list[Slot]:
    """The questions that a message may answer, in step order, one for each entity. ``opened``: the open question, which
    stands for its entity wherever else in the flow that is asked."""
    slots: list[Slot] = []
    seen = {opened[1].step.entity} if opened is not None else set[str]()
    for script in scripts:
        for place in script.fillable:
            question = place.step
            is_open = opened is not None and place is opened[1] and script.key == opened[0]
            if not is_open and (question.is_explicit or question.entity in seen):
                continue
            seen.add(question.entity)
            current = memory.get(question.entity)
            slots.append(Slot(script.key, place, question.type, question.entity, is_open, question.takes_many, current))
    return slots


def assign(
    slots: list[Slot], recognised: Mapping[str, list[Candidate]], whole: frozenset[str]
) -> tuple[list[Found], list[Stretch]]:
    """The values that are taken, in step order, and the stretches they stand in.

    ``whole``: types that are read from the sentence as a whole and so overlap with nothing.
    """
    expected = next((slot.type for slot in slots if slot.is_open), None)
    order = list(dict.fromkeys(slot.type for slot in sorted(slots, key=lambda slot: not slot.is_open)))
    kept = _longest(recognised, order, expected, whole)
    found: dict[int, Found] = {}
    used: list[Stretch] = []
    for type in order:
        left = [stretch for stretch in kept if stretch.type == type]
        if left:
            _give(type, left, slots, found, used)
    return [found[index] for index in sorted(found)], used


def _longest(
    recognised: Mapping[str, list[Candidate]], order: list[str], expected: str | None, whole: frozenset[str]
) -> list[Stretch]:
    """Of overlapping stretches the longest, then the expected type, then the first in step order; in text order."""
    stretches: dict[tuple[str, int, int], list[Any]] = {}
    for type in order:
        for candidate in recognised.get(type, ()):
            values = stretches.setdefault((type, candidate.start, candidate.end), [])
            if candidate.value not in values:
                values.append(candidate.value)
    if len(stretches) == 1:
        [((type, start, end), values)] = stretches.items()
        return [Stretch(type, start, end, tuple(values))]
    rank = {type: index for index, type in enumerate(order)}
    kept: list[Stretch] = []

    def precedence(one: tuple[tuple[str, int, int], list[Any]]) -> tuple[int, bool, int, int]:
        (type, start, end), _ = one
        return (start - end, type != expected, rank[type], start)

    for (type, start, end), values in sorted(stretches.items(), key=precedence):
        if type in whole or all(end <= other.start or start >= other.end for other in kept if other.type not in whole):
            kept.append(Stretch(type, start, end, tuple(values)))
    kept.sort(key=lambda stretch: stretch.start)
    return kept


def _give(type: str, stretches: list[Stretch], slots: list[Slot], found: dict[int, Found], used: list[Stretch]) -> None:
    """Stretches of one type, in text order, to the questions of that type."""
    taken = {one.place.step.entity for one in found.values()}
    mine = [(index, slot) for index, slot in enumerate(slots) if slot.type == type and slot.entity not in taken]
    waiting = [pair for pair in mine if pair[1].is_open]
    waiting += [pair for pair in mine if not pair[1].is_open and pair[1].current is None]
    left = list(stretches)
    for number, (index, slot) in enumerate(waiting):
        if not left:
            return
        is_last = number == len(waiting) - 1
        mine_now = left if slot.takes_many or is_last else left[:1]
        left = left[len(mine_now) :]
        found[index] = _taken(slot, mine_now)
        used += mine_now
    if left and not waiting:
        _correct([pair for pair in mine if pair[1].current is not None], left, found, used)


def _correct(
    filled: list[tuple[int, Slot]], stretches: list[Stretch], found: dict[int, Found], used: list[Stretch]
) -> None:
    """What no question without a value takes may correct one that has a value.

    What only repeats a value corrects nothing. As many values as questions go in order; a single one goes to the last
    question of its type; more than that would be a guess.
    """
    if not filled:
        return
    new = []
    for stretch in stretches:
        same = next((pair for pair in filled if pair[1].current in stretch.values), None)
        if same is None:
            new.append(stretch)
        else:
            found[same[0]] = Found(same[1].key, same[1].place, same[1].current, is_asked=False)
            used.append(stretch)
    if not new:
        return
    if len(new) == len(filled) and len(new) > 1:
        for (index, slot), stretch in zip(filled, new, strict=True):
            found[index] = _taken(slot, [stretch])
        used += new
        return
    free = [pair for pair in filled if pair[0] not in found] or filled
    index, slot = free[-1]
    if len(new) == 1 or slot.takes_many:
        found[index] = _taken(slot, new)
        used += new


def _taken(slot: Slot, stretches: list[Stretch]) -> Found:
    values: list[Any] = []
    for stretch in stretches:
        values += [value for value in stretch.values if value not in values]
    if slot.takes_many:
        return Found(slot.key, slot.place, values, slot.is_open)
    if len(values) == 1:
        return Found(slot.key, slot.place, values[0], slot.is_open)
    return Found(slot.key, slot.place, values, slot.is_open, is_ambiguous=True)
