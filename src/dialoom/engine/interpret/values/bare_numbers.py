"""What bare numbers say to answered questions for a count or an hour: which repeat a known value, which take the place
of a refused one, and which may be for several questions, so that it is asked (flow-language.md section 5, rule 4).

A number with a unit, a name or "at" beside it is left to ``assign``.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import msgspec

from dialoom.engine.interpret.proposals import Fill
from dialoom.engine.interpret.said import Said
from dialoom.engine.interpret.situation import Situation
from dialoom.engine.interpret.slots import GUESS, Slot, Stretch
from dialoom.engine.interpret.values.assign import BY, on_dial
from dialoom.engine.interpret.values.correction_marks import is_marked
from dialoom.engine.interpret.values.leaning import read_for
from dialoom.engine.interpret.values.value_words import ValueWords
from dialoom.engine.values.reactions import Found
from dialoom.understanding import Candidate
from dialoom.understanding.candidate import Spans
from dialoom.understanding.normalise import words_of
from dialoom.understanding.replies import folded_words, reply_words
from dialoom.understanding.words.roles import roles_for

MAX_NUMBERS = 8
"""In a message that is looked at: with more of them no single one is meant."""
_COUNT, _HOUR, _DAY = "Number", "Time", "Date"

Recognised = dict[str, list[Candidate]]


class BareNumbers(msgspec.Struct, frozen=True):
    recognised: Recognised
    """What was recognised, without the numbers that are spoken for here."""
    repeated: tuple[Stretch, ...] = ()
    """The parts of the text that only repeat a known value."""
    fills: tuple[Fill, ...] = ()
    """The answer that a number changes."""
    denied: tuple[Slot, ...] = ()
    """The questions whose value is turned down, with no other in its place."""
    which: tuple[Slot, ...] = ()
    """The questions that a number may be for, where there are several."""
    number: str = ""
    """That number as the user wrote it; "" where it is one of two."""
    number_at: Stretch = Stretch(_COUNT, 0, 0, ())
    """The part of the text that is that number, or both numbers that were joined."""


def bare_numbers(
    s: Situation, said: Said, slots: Sequence[Slot], recognised: Recognised, words: ValueWords, *, is_reply: bool
) -> BareNumbers:
    """Read the bare numbers of a message. ``is_reply``: to a confirmation, not to a question for a value."""
    counted = [slot for slot in slots if slot.type in (_COUNT, _HOUR) and not slot.takes_many]
    if not any(slot.is_open and slot.type == _HOUR for slot in slots):
        recognised = _without_waiting(s, recognised, words)
    if not counted or any(slot.is_open or not slot.is_answered for slot in counted):
        return BareNumbers(recognised)
    # "Can't do 10, 11 is fine" says no hour for sure: the numbers are looked for where nobody asks for one as well.
    read = recognised if _COUNT in recognised or not is_reply else {**recognised, **s.recognise((_COUNT,), said.text)}
    numbers = _numbers(read)
    if len(numbers) > MAX_NUMBERS:
        return BareNumbers(recognised)
    bare = _bare(numbers, read, counted, words)
    both = next((pair for pair in pairwise(numbers) if words.are_alternatives([_stretch(one) for one in pair])), None)
    if both is not None:
        return _of_alternatives(s, both, bare, counted, recognised)
    unwanted = [one for one in bare if words.unwanted(_stretch(one))]
    known = [one for one in bare if any(_is_known(s, one, slot) for slot in counted)]
    left = BareNumbers(_without(recognised, known), tuple(_stretch(one) for one in known))
    is_refusal = reply_words(s.language).refuses(said.folded)
    hours = [one for one in recognised.get(_HOUR, ())[:MAX_NUMBERS] if one.confidence > GUESS]
    turned_down = [one for one in (*known, *hours) if is_refusal or words.unwanted(_stretch(one))]
    refused = [slot for slot in counted if any(_is_known(s, one, slot) for one in turned_down)]
    new = [one for one in bare if one not in known and one not in unwanted]
    if not new:
        return msgspec.structs.replace(left, denied=tuple(refused)) if len(refused) == 1 else left
    if len(new) > 1:
        return left
    number, fitting = new[0], _fitting(s, new[0], counted)
    taken = msgspec.structs.replace(left, recognised=_without(left.recognised, new))
    if len(refused) == 1:  # in "10 is too early, 11 please" the 11 is for what was 10
        return _filled(taken, number, [(slot, value) for slot, value in fitting if slot is refused[0]])
    others = {one.type for one in numbers if one not in bare}
    fitting = [(slot, value) for slot, value in fitting if slot.type not in others]
    is_meant = not roles_for(s.language).making.isdisjoint(said.folded) or is_marked(said, number, s.language)
    if is_refusal or not (is_reply or is_meant):
        return left
    if _are_of_two_types(fitting):
        which = tuple(slot for slot, _ in fitting)
        return msgspec.structs.replace(taken, which=which, number=number.text, number_at=_stretch(number))
    if unwanted and not refused:
        return taken  # what the 11 of "not 10, 11" would be is not known where no answer is 10
    return _filled(taken, number, fitting) if is_reply and is_meant and len(fitting) == 1 else left


def _of_alternatives(
    s: Situation, both: Sequence[Candidate], bare: Sequence[Candidate], slots: Sequence[Slot], recognised: Recognised
) -> BareNumbers:
    """Leave two joined numbers ("10 or 11") to the one type that they can be of; of two, it is asked which is meant."""
    if _HOUR in recognised:  # "10 to 12" is not 11:50 for sure
        hours = [one for one in recognised[_HOUR] if one.confidence > GUESS or len(_digits(one)) <= 1]
        recognised = {**recognised, _HOUR: hours}
    fitting = _fitting(s, both[1], slots)
    if not all(one in bare for one in both) or not _are_of_two_types(fitting):
        return BareNumbers(recognised)
    number_at = Stretch(_COUNT, both[0].start, both[1].end, (both[0].value,))
    return BareNumbers(_without(recognised, both), which=tuple(slot for slot, _ in fitting), number_at=number_at)


def _filled(numbers: BareNumbers, number: Candidate, fitting: Sequence[tuple[Slot, Any]]) -> BareNumbers:
    found = [Found(slot.key, slot.node, value, is_asked=False) for slot, value in fitting]
    fills = tuple(Fill(by=BY, spans=(_stretch(number),), found=one) for one in found)
    return msgspec.structs.replace(numbers, fills=fills)


def _fitting(s: Situation, one: Candidate, slots: Sequence[Slot]) -> list[tuple[Slot, Any]]:
    """Return the questions that a number may be for, each with what it says there."""
    read = [(slot, read_for(s, slot, one.text)) for slot in slots]
    return [(slot, value) for slot, value in read if value is not None]


def _are_of_two_types(fitting: Sequence[tuple[Slot, Any]]) -> bool:
    return {slot.type for slot, _ in fitting} == {_COUNT, _HOUR}


def _bare(
    numbers: Sequence[Candidate], recognised: Recognised, slots: Sequence[Slot], words: ValueWords
) -> list[Candidate]:
    """Return the numbers with nothing beside them that says what they are."""
    kept = [Stretch(one.type, one.start, one.end, (one.value,)) for one in numbers]
    named = words.among(kept).say_what(kept, slots)
    return [
        one
        for one, stretch, is_named in zip(numbers, kept, named, strict=True)
        if not is_named and not _is_inside(one, recognised, words) and not words.is_measured(stretch)
    ]


def _numbers(recognised: Recognised) -> list[Candidate]:
    """Return the numbers of a message in text order: at each position one, read as a count or as an hour."""
    spans = Spans()
    read = [*recognised.get(_COUNT, ()), *(one for one in recognised.get(_HOUR, ()) if one.confidence <= GUESS)]
    found = [one for one in read if spans.add(one.start, one.end)]
    return sorted(found, key=lambda one: one.start)


def _is_inside(one: Candidate, recognised: Recognised, words: ValueWords) -> bool:
    """Return whether a number is part of a longer value: "10:30", "at 11"; but "about 9" is no more than the 9."""
    return any(
        other.start <= one.start
        and one.end <= other.end
        and other.end - other.start > one.end - one.start
        and not (other.end == one.end and words.near(other.start, other.end) == one.start - other.start)
        for candidates in recognised.values()
        for other in candidates
        if other.confidence > GUESS
    )


def _is_known(s: Situation, one: Candidate, slot: Slot) -> bool:
    return any(on_dial(value) == on_dial(slot.current) for _, value in _fitting(s, one, [slot]))


def _without_waiting(s: Situation, recognised: Recognised, words: ValueWords) -> Recognised:
    """Leave out what asks to wait: "in a minute" is no hour."""
    hours, replies = recognised.get(_HOUR), reply_words(s.language)
    waiting = (
        [one for one in words.measured[:MAX_NUMBERS] if replies.asks_to_wait(folded_words(one.text))] if hours else []
    )
    if not hours or not waiting:
        return recognised
    return {**recognised, _HOUR: [one for one in hours if not any(_overlap(one, other) for other in waiting)]}


def _without(recognised: Recognised, dropped: Sequence[Candidate]) -> Recognised:
    """Leave out every reading of these numbers that has no other number in it."""
    if not dropped:
        return recognised
    return {
        type: [
            one
            for one in found
            if type not in (_COUNT, _HOUR, _DAY)
            or not any(_overlap(one, other) and _digits(one) == _digits(other) for other in dropped)
        ]
        for type, found in recognised.items()
    }


def _stretch(one: Candidate) -> Stretch:
    return Stretch(_COUNT, one.start, one.end, (one.value,))


def _digits(one: Candidate) -> list[str]:
    return [word.folded for word in words_of(one.text) if word.folded.isdecimal()]


def _overlap(one: Candidate, other: Candidate) -> bool:
    return one.start < other.end and other.start < one.end
