"""Which question takes which value of a message (flow-language.md section 5 rule 3, understanding.md Recognition).

The open question first, then those without a value in step order, then corrections. Of overlapping stretches the
longest wins, the expected type on a tie. What a text means besides is left to ``meaning``.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

from dialoom.engine.interpret.leaning import values_for
from dialoom.engine.interpret.slots import GUESS, ONLY_ASKED, Slot, Stretch
from dialoom.engine.interpret.value_words import ValueWords
from dialoom.engine.values.reactions import Found
from dialoom.understanding import Candidate
from dialoom.understanding.candidate import Spans
from dialoom.understanding.keywords import MAX_ALIKE


def assign(
    slots: list[Slot],
    recognised: Mapping[str, list[Candidate]],
    whole: frozenset[str],
    value_words: ValueWords | None = None,
) -> tuple[list[Found], list[Stretch], list[Slot]]:
    """Return the values that are taken, in step order, the stretches they stand in, and the questions whose value is
    denied ("not Tuesday").

    ``whole``: types that are read from the sentence as a whole and so overlap with nothing. ``value_words``: the
    words of the message, where they may decide who takes what.
    """
    if not slots:
        return [], [], []
    expected = next((slot.type for slot in slots if slot.is_open), None)
    order = list(dict.fromkeys(slot.type for slot in sorted(slots, key=lambda slot: not slot.is_open)))
    kept = _longest(recognised, order, expected, whole, value_words)
    found: dict[int, Found] = {}
    used: list[Stretch] = []
    denied: list[Stretch] = []
    for type in order:
        left = [stretch for stretch in kept if stretch.type == type]
        if value_words is not None and type not in whole and type not in ONLY_ASKED:
            value_words.among(kept)
            denied += [stretch for stretch in left if value_words.unwanted(stretch)]
            left = [stretch for stretch in left if stretch not in denied]
        if left:
            _give(
                type,
                left,
                slots,
                found,
                used,
                None if type in whole or value_words is None else value_words.among(kept),
            )
    reopened = [
        slot
        for index, slot in enumerate(slots)
        if index not in found
        and slot.current is not None
        and any(one.type == slot.type and _is_same(slot.current, one, value_words) for one in denied)
    ]
    return [found[index] for index in sorted(found)], used, reopened


def _is_same(current: Any, denied: Stretch, value_words: ValueWords | None) -> bool:
    """Return whether a denied value is the one that is stored: "not Tuesday" denies the Tuesday that was told, not only
    the next one, and "not at 3" 15:00 as well."""
    if current in denied.values or any(current in others for others in denied.others):
        return True
    if denied.type == "Time":
        return on_dial(current) in map(on_dial, denied.values)
    if denied.type != "Date" or value_words is None or not value_words.names_weekday(denied):
        return False
    return _weekday(current) in map(_weekday, denied.values)


def on_dial(time: Any) -> str:
    """Return a time as a clock with a dial shows it, "3:00" for "15:00"; what is no time as it is."""
    hours, separator, minutes = str(time).partition(":")
    return f"{int(hours) % 12}:{minutes}" if separator and hours.isdecimal() else str(time)


def _weekday(day: Any) -> int | str:
    """Return the weekday of a date; what is no date as it is."""
    try:
        return date.fromisoformat(str(day)).weekday()
    except ValueError:
        return str(day)


def _longest(
    recognised: Mapping[str, list[Candidate]],
    order: list[str],
    expected: str | None,
    whole: frozenset[str],
    value_words: ValueWords | None,
) -> list[Stretch]:
    """Return of overlapping stretches the longest, then the expected type, then the first in step order; in text
    order."""
    stretches: dict[tuple[str, int, int], list[Candidate]] = {}
    for type in order:
        for candidate in recognised.get(type, ()):
            if candidate.confidence <= GUESS and expected not in (None, type):
                continue
            stretches.setdefault((type, candidate.start, candidate.end), []).append(candidate)
    if len(stretches) == 1:
        [readings] = stretches.values()
        return [_stretch_of(readings)]
    rank = {type: index for index, type in enumerate(order)}
    kept, spans = list[Stretch](), Spans()
    asked = [(start, end) for type, start, end in stretches if type == expected]

    def precedence(one: tuple[tuple[str, int, int], list[Candidate]]) -> tuple[int, bool, bool, int, int]:
        (type, start, end), _ = one
        length = end - start
        if value_words is not None and type != expected and any(start <= own and last <= end for own, last in asked):
            length -= value_words.near(start, end)
        # Seven digits and more are a telephone number sooner than a count.
        phones = stretches.get(("PhoneNumber", start, end), ()) if type == "Number" else ()
        is_phone = any(one.confidence > GUESS for one in phones)
        return (-length, type != expected, is_phone, rank[type], start)

    for (type, start, end), readings in sorted(stretches.items(), key=precedence):
        if type in whole or spans.add(start, end):
            kept.append(_stretch_of(readings))
    kept.sort(key=lambda stretch: stretch.start)
    return kept


def _stretch_of(readings: list[Candidate]) -> Stretch:
    """Return the stretch of the readings of one place."""
    first, values, others = readings[0], list[Any](), list[tuple[Any, ...]]()
    for one in readings:
        if one.value not in values:
            values.append(one.value)
            others.append(one.others)
    sureness = max(one.confidence for one in readings)
    return Stretch(first.type, first.start, first.end, tuple(values), sureness, tuple(others) if any(others) else ())


def _give(
    type: str,
    stretches: list[Stretch],
    slots: list[Slot],
    found: dict[int, Found],
    used: list[Stretch],
    value_words: ValueWords | None,
) -> None:
    """Assign stretches of one type to the questions of that type: where no words say which, in text order."""
    mine = [(index, slot) for index, slot in enumerate(slots) if slot.type == type]
    left = list(stretches)
    if value_words is not None and len(mine) > 1:
        left = _give_named(value_words.assign(left, [slot for _, slot in mine]), left, mine, found, used)
        mine = [pair for pair in mine if pair[0] not in found]
    waiting = [pair for pair in mine if pair[1].is_open]
    waiting += [pair for pair in mine if not pair[1].is_open and not pair[1].is_answered]
    for number, (index, slot) in enumerate(waiting):
        fitting = [stretch for stretch in left if value_words is None or value_words.fits(stretch, slot)]
        if not fitting:
            continue
        is_last = number == len(waiting) - 1
        mine_now = fitting if slot.takes_many or is_last else fitting[:1]
        left = [stretch for stretch in left if stretch not in mine_now]
        found[index] = _taken(slot, mine_now)
        used += mine_now
    if left and not waiting:
        _correct([pair for pair in mine if pair[1].is_answered], left, found, used, value_words)


def _give_named(
    steered: dict[int, int],
    stretches: list[Stretch],
    mine: list[tuple[int, Slot]],
    found: dict[int, Found],
    used: list[Stretch],
) -> list[Stretch]:
    """Assign stretches to the questions that words name; return those that are left. ``steered``: index of a stretch to
    that of its question among ``mine``."""
    by_slot: dict[int, list[Stretch]] = {}
    for number, node in steered.items():
        by_slot.setdefault(node, []).append(stretches[number])
    for node, taken in by_slot.items():
        index, slot = mine[node]
        found[index] = _taken(slot, taken)
        used += taken
    return [stretch for number, stretch in enumerate(stretches) if number not in steered]


def _correct(
    filled: list[tuple[int, Slot]],
    stretches: list[Stretch],
    found: dict[int, Found],
    used: list[Stretch],
    value_words: ValueWords | None,
) -> None:
    """Let values that no question without a value takes correct those of questions that have one.

    What only repeats a value corrects nothing. As many values as questions go in order; a single one goes to the last
    question of its type; more than that would be a guess.
    """
    if not filled:
        return
    if len(stretches) > 1 and len(filled) == 1 and value_words is not None and value_words.are_alternatives(stretches):
        found[filled[0][0]] = _taken(filled[0][1], stretches)
        used += stretches
        return
    new = []
    for stretch in stretches:
        same = next((pair for pair in filled if pair[1].current in values_for(pair[1], stretch)), None)
        if same is None:
            new.append(stretch)
        else:
            found[same[0]] = Found(same[1].key, same[1].node, same[1].current, is_asked=False)
            used.append(stretch)
    if not new:
        return
    if len(new) == len(filled) and len(new) > 1:
        for (index, slot), stretch in zip(filled, new, strict=True):
            found[index] = _taken(slot, [stretch])
        used += new
        return
    free = [pair for pair in filled if pair[0] not in found] or filled
    if value_words is not None:
        free = [pair for pair in free if all(value_words.fits(stretch, pair[1]) for stretch in new)]
    if not free:
        return
    index, slot = free[-1]
    if len(new) == 1 and value_words is not None:
        first = value_words.restated(new[0], [pair[1] for pair in free])
        index, slot = free[-1 if first is None else first]
    if len(new) == 1 or slot.takes_many:
        found[index] = _taken(slot, new)
        used += new


def _taken(slot: Slot, stretches: list[Stretch]) -> Found:
    if not slot.takes_many:
        # Beside a value as it is written, one with a slip is no ambiguity: "a drama to watch", where "match" is known.
        surest = max(stretch.sureness for stretch in stretches)
        stretches = [stretch for stretch in stretches if stretch.sureness == surest]
    values: list[Any] = []
    for stretch in stretches:
        values += [value for value in values_for(slot, stretch) if value not in values]
    if slot.takes_many:
        return Found(slot.key, slot.node, values, slot.is_open)
    if len(values) == 1:
        return Found(slot.key, slot.node, values[0], slot.is_open)
    return Found(slot.key, slot.node, values[:MAX_ALIKE], slot.is_open, is_ambiguous=True)
