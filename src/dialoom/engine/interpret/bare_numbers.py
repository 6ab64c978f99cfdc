"""Keeps a number that does not say what it is from correcting an answer (flow-language.md section 5, rule 4, c).

A number with a unit, a name or "at" beside it is left to ``assign``.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

import msgspec

from dialoom.engine.compiled import Question
from dialoom.engine.interpret.assign import on_dial
from dialoom.engine.interpret.leaning import read_for
from dialoom.engine.interpret.slots import GUESS, Slot, Stretch
from dialoom.engine.values.reactions import Found
from dialoom.understanding.candidate import Spans
from dialoom.understanding.normalise import words_of
from dialoom.understanding.replies import folded_words, reply_words

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from dialoom.engine.interpret.value_words import ValueWords
    from dialoom.engine.running_turn import RunningTurn
    from dialoom.understanding import Candidate

MEASURES = ("Amount", "Duration")
"""Types whose values have a number in them that counts nothing else: "20 euros", "2 minutes"."""
_IN_DIGITS = frozenset({"PhoneNumber", "Amount", "Duration", "Date", "Datetime"})
MAX_NUMBERS = 8
"""In a message that is looked at: with more of them no single one is meant."""
_COUNT, _HOUR = "Number", "Time"


class Settled(msgspec.Struct, frozen=True):
    """What is left to assign once the numbers that are no corrections are set aside."""

    recognised: dict[str, list[Candidate]]
    repeated: tuple[Stretch, ...] = ()
    """Where a stored value is said again."""
    which: tuple[Slot, ...] = ()
    """The questions that the number may correct, where there are several."""
    number: str = ""
    """As the user wrote it."""
    number_at: Stretch = Stretch(_COUNT, 0, 0, ())
    """Where that number stands."""
    made: tuple[Found, ...] = ()
    """The value in the place of a refused one."""
    refused: tuple[Slot, ...] = ()
    """The question whose value is turned down, with no other in its place."""


def settle(
    p: RunningTurn,
    text: str,
    slots: Sequence[Slot],
    recognised: dict[str, list[Candidate]],
    value_words: ValueWords,
    *,
    is_reply: bool,
) -> Settled:
    """Set the bare numbers of a message aside. ``is_reply``: to a confirmation, not to a question for a value."""
    if not is_reply or _COUNT in recognised or _HOUR not in recognised:
        return _settle(p, text, slots, recognised, value_words, is_reply=is_reply)
    # "Can't do 10, 11 is fine" says no hour for sure: the numbers are looked for where nobody asks for one as well.
    numbers = p.flow.recogniser.recognise(text, (_COUNT,), p.memory.now())
    settled = _settle(p, text, slots, {**recognised, **numbers}, value_words, is_reply=True)
    kept = {type: found for type, found in settled.recognised.items() if type != _COUNT}
    return msgspec.structs.replace(settled, recognised=kept)


def _settle(
    p: RunningTurn,
    text: str,
    slots: Sequence[Slot],
    recognised: dict[str, list[Candidate]],
    value_words: ValueWords,
    *,
    is_reply: bool,
) -> Settled:
    recognised = _without_waiting(p, recognised, value_words.measured) if is_reply else recognised
    counted = [slot for slot in slots if slot.type in (_COUNT, _HOUR) and not slot.takes_many]
    if any(slot.is_open or not slot.is_answered for slot in counted):
        return Settled(recognised)
    joined = _joined(recognised, value_words)
    if joined:
        return _of_alternatives(p, joined, counted, recognised, value_words)
    unnamed = _bare(text, counted, recognised, value_words)
    unwanted = [one for one in unnamed if value_words.unwanted(_stretch(one))]
    bare = [one for one in unnamed if one not in unwanted]
    refused = _refused(p, counted, unwanted, recognised, value_words)
    refuses = reply_words(p.flow.language).refuses(folded_words(text))
    hours = [one for one in recognised.get(_HOUR, ())[:MAX_NUMBERS] if one.confidence > GUESS and refuses]
    known = [slot for slot in counted if slot in refused or any(_is_known(p, one, slot) for one in (*bare, *hours))]
    new = [one for one in bare if not any(_is_known(p, one, slot) for slot in counted)]
    repeated = tuple(Stretch(_COUNT, one.start, one.end, (one.value,)) for one in bare if one not in new)
    dropped = [one for one in bare if one not in new]
    if len(new) != 1:
        is_clear = not new and len(refused) == 1
        return Settled(_without(recognised, dropped), repeated, refused=tuple(refused) if is_clear else ())
    [one] = new
    fitting = _fitting(p, one, counted)
    number_at = Stretch(_COUNT, one.start, one.end, (one.value,))
    if len(known) == 1 and (refused or refuses):
        # In "10 is too early, 11 please" and "can't do 10, 11 is fine" the 11 is for what was 10.
        made = [Found(slot.key, slot.node, value, is_asked=False) for slot, value in fitting if slot is known[0]]
        return Settled(_without(recognised, bare), repeated, made=tuple(made), number_at=number_at)
    if not is_reply and _is_all(p, text, one) and not _corrects_last(p, fitting):
        return Settled(_without(recognised, bare), repeated)
    others = {other.type for other in _numbers(recognised) if other not in unnamed}
    left = [slot for slot, _ in fitting if slot.type not in others]
    if {slot.type for slot in left} != {_COUNT, _HOUR}:
        # "Can't do 10, 11 is fine" where no answer is 10: what the 11 would be is not known either.
        is_of_unknown = bool(unwanted) and not refused
        return Settled(_without(recognised, bare if is_of_unknown else dropped), repeated)
    return Settled(_without(recognised, bare), repeated, tuple(left), one.text, number_at)


def _joined(recognised: Mapping[str, list[Candidate]], value_words: ValueWords) -> tuple[Candidate, ...]:
    """Return the first two numbers of which the message leaves open which is meant: "10 or 11", "between 9 and 11"."""
    numbers = _numbers(recognised)[: MAX_NUMBERS + 1]
    pairs = itertools.pairwise(numbers) if len(numbers) <= MAX_NUMBERS else ()
    return next((pair for pair in pairs if value_words.are_alternatives([_stretch(one) for one in pair])), ())


def _of_alternatives(
    p: RunningTurn,
    joined: Sequence[Candidate],
    slots: Sequence[Slot],
    recognised: dict[str, list[Candidate]],
    value_words: ValueWords,
) -> Settled:
    """Leave two joined numbers to the one type that they can be of; of two types, ask which question is meant."""
    hours = [one for one in recognised.get(_HOUR, ()) if one.confidence > GUESS]
    if _HOUR in recognised:  # "10 to 12" is not 11:50 for sure
        guessed = [one for one in recognised[_HOUR] if one not in hours and len(_digits(one)) > 1]
        recognised = {**recognised, _HOUR: [one for one in recognised[_HOUR] if one not in guessed]}
    if all(any(_overlap(one, hour) for hour in hours) for one in joined):
        counts = [one for one in recognised.get(_COUNT, ()) if one not in joined]
        return Settled({**recognised, _COUNT: counts} if _COUNT in recognised else recognised)
    bare = _bare(value_words.text, slots, recognised, value_words)
    fitting = [slot for slot, _ in _fitting(p, joined[1], slots)]
    if not all(one in bare for one in joined) or {slot.type for slot in fitting} != {_COUNT, _HOUR}:
        return Settled(recognised)
    number_at = Stretch(_COUNT, joined[0].start, joined[1].end, (joined[0].value,))
    return Settled(_without(recognised, joined), which=tuple(fitting), number_at=number_at)


def _refused(
    p: RunningTurn,
    slots: Sequence[Slot],
    unwanted: Sequence[Candidate],
    recognised: Mapping[str, list[Candidate]],
    value_words: ValueWords,
) -> list[Slot]:
    """Return the questions whose value the message turns down: "not 10 but 11", "10 uur kan niet"."""
    hours = [one for one in recognised.get(_HOUR, ())[:MAX_NUMBERS] if one.confidence > GUESS]
    denied = [*unwanted, *(one for one in hours if value_words.unwanted(_stretch(one)))]
    return [slot for slot in slots if any(_is_known(p, one, slot) for one in denied)]


def _stretch(one: Candidate) -> Stretch:
    return Stretch(one.type, one.start, one.end, (one.value,))


def _is_known(p: RunningTurn, one: Candidate, slot: Slot) -> bool:
    return any(on_dial(value) == on_dial(slot.current) for _, value in _fitting(p, one, [slot]))


def _bare(
    text: str, slots: Sequence[Slot], recognised: Mapping[str, list[Candidate]], value_words: ValueWords
) -> list[Candidate]:
    """Return the numbers with nothing beside them that says what they are."""
    numbers = _numbers(recognised)
    if not slots or len(numbers) > MAX_NUMBERS:
        return []
    kept = [_stretch(one) for one in numbers]
    value_words.among(kept)
    named = value_words.say_what(kept, slots)
    return [
        one
        for one, stretch, is_named in zip(numbers, kept, named, strict=True)
        if not is_named and not _is_inside(one, recognised, value_words) and not value_words.is_measured(stretch)
    ]


def _numbers(recognised: Mapping[str, list[Candidate]]) -> list[Candidate]:
    """Return the numbers of a message in text order: at each position one, read as a count or as an hour."""
    spans = Spans()
    read = [*recognised.get(_COUNT, ()), *(one for one in recognised.get(_HOUR, ()) if one.confidence <= GUESS)]
    found = [one for one in read if spans.add(one.start, one.end)]
    return sorted(found, key=lambda one: one.start)


def _is_inside(one: Candidate, recognised: Mapping[str, list[Candidate]], value_words: ValueWords) -> bool:
    """Return whether a number is part of a longer value: "10:30", "at 11"; but "about 9" is no more than the 9."""
    return any(
        other.start <= one.start
        and one.end <= other.end
        and other.end - other.start > one.end - one.start
        and not (other.end == one.end and value_words.near(other.start, other.end) == one.start - other.start)
        for candidates in recognised.values()
        for other in candidates
        if other.confidence > GUESS
    )


def _fitting(p: RunningTurn, one: Candidate, slots: Sequence[Slot]) -> list[tuple[Slot, Any]]:
    read = [(slot, read_for(p, slot, one.text)) for slot in slots if slot.current is not None]
    return [(slot, value) for slot, value in read if value is not None]


def _is_all(p: RunningTurn, text: str, one: Candidate) -> bool:
    """Return whether a message is a number and polite words."""
    return not reply_words(p.flow.language).polite.without(folded_words(text[: one.start] + " " + text[one.end :]))


def _corrects_last(p: RunningTurn, fitting: Sequence[tuple[Slot, Any]]) -> bool:
    """Return whether a number alone goes to the question that was answered last: not where the open one is answered
    with digits as well."""
    node, running = p.open_node(), p.running
    if node is None or running is None or not isinstance(node.step, Question):
        return False
    type = node.step.type
    if type in _IN_DIGITS or p.flow.recogniser.kind(type) == "regex":
        return False
    return bool(running.answered) and any(slot.node.index == running.answered[-1] for slot, _ in fitting)


def _without_waiting(
    p: RunningTurn, recognised: dict[str, list[Candidate]], measured: Sequence[Candidate]
) -> dict[str, list[Candidate]]:
    """Leave out what asks to wait: "in a minute" is no hour."""
    words = reply_words(p.flow.language)
    waiting = [one for one in measured[:MAX_NUMBERS] if words.asks_to_wait(folded_words(one.text))]
    hours = [one for one in recognised.get(_HOUR, ()) if not any(_overlap(one, other) for other in waiting)]
    return {**recognised, _HOUR: hours} if waiting and _HOUR in recognised else recognised


def _without(recognised: dict[str, list[Candidate]], dropped: Sequence[Candidate]) -> dict[str, list[Candidate]]:
    if not dropped:
        return recognised
    types = (_COUNT, _HOUR, "Date")
    return {
        type: [one for one in found if type not in types or not _is_bare_of(one, dropped)]
        for type, found in recognised.items()
    }


def _is_bare_of(one: Candidate, dropped: Sequence[Candidate]) -> bool:
    """Return whether a reading is one of a dropped number: it has no other number in it."""
    return any(_overlap(one, other) and _digits(one) == _digits(other) for other in dropped)


def _digits(one: Candidate) -> list[str]:
    return [word.folded for word in words_of(one.text) if word.folded.isdecimal()]


def _overlap(one: Candidate, other: Candidate) -> bool:
    return one.start < other.end and other.start < one.end
