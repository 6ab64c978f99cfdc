"""Keeps a number that does not say what it is from correcting an answer (flow-language.md section 5, rule 4).

A number with a unit, a name or "at" beside it is left to ``assign``.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from dialoom.engine.interpret.said import Said
from dialoom.engine.interpret.situation import Situation
from dialoom.engine.interpret.slots import GUESS, Slot, Stretch
from dialoom.engine.interpret.values.assign import on_dial
from dialoom.engine.interpret.values.corrections import is_marked
from dialoom.engine.interpret.values.leaning import read_for
from dialoom.engine.interpret.values.value_words import ValueWords
from dialoom.engine.values.reactions import Found
from dialoom.understanding import Candidate
from dialoom.understanding.candidate import Spans
from dialoom.understanding.normalise import words_of
from dialoom.understanding.replies import folded_words, reply_words

MEASURES = ("Amount", "Duration")
"""Types whose values have a number in them that counts nothing else: "20 euros", "2 minutes"."""
MAX_NUMBERS = 8
"""In a message that is looked at: with more of them no single one is meant."""
MAX_DIGITS = 3
"""Of a number that may be an hour, a day or a count."""
_COUNT, _HOUR, _DAY = "Number", "Time", "Date"

Recognised = dict[str, list[Candidate]]


class Settled(msgspec.Struct, frozen=True):
    """Holds the readings of a message without the numbers that correct nothing, and what those numbers ask for."""

    recognised: Recognised
    repeated: tuple[Stretch, ...] = ()
    """The parts of the text that only repeat a stored value."""
    which: tuple[Slot, ...] = ()
    """The questions that the number may correct, where there are several."""
    number: str = ""
    """The number that may correct several questions, as the user wrote it; "" without one."""
    number_at: Stretch = Stretch(_COUNT, 0, 0, ())
    """Where that number stands."""
    made: tuple[Found, ...] = ()
    """The value in the place of a refused one."""
    refused: tuple[Slot, ...] = ()
    """The question whose value is turned down, with no other in its place."""


def settle(
    s: Situation, said: Said, slots: Sequence[Slot], recognised: Recognised, words: ValueWords, *, is_reply: bool
) -> Settled:
    """Set the bare numbers of a message aside. ``is_reply``: to a confirmation, not to a question for a value."""
    counted = [slot for slot in slots if slot.type in (_COUNT, _HOUR) and not slot.takes_many]
    if is_reply and _COUNT not in recognised and _HOUR in recognised:
        # "Can't do 10, 11 is fine" says no hour for sure: the numbers are looked for where nobody asks for one as well.
        numbers = _Numbers(s, said, counted, {**recognised, **s.recognise((_COUNT,), said.text)}, words)
        settled = numbers.settle(is_reply=True)
        kept = {type: found for type, found in settled.recognised.items() if type != _COUNT}
        return msgspec.structs.replace(settled, recognised=kept)
    return _Numbers(s, said, counted, recognised, words).settle(is_reply=is_reply)


class _Numbers:
    """The numbers of one message. ``slots``: the questions for a count or an hour."""

    def __init__(
        self, s: Situation, said: Said, slots: Sequence[Slot], recognised: Recognised, words: ValueWords
    ) -> None:
        self._s, self._said, self._slots, self._words = s, said, slots, words
        self._recognised = recognised
        self._replies = reply_words(s.language)

    def settle(self, *, is_reply: bool) -> Settled:
        if is_reply:
            self._leave_out_waiting()
        if any(slot.is_open or not slot.is_answered for slot in self._slots):
            return Settled(self._recognised)
        joined = self._joined()
        if joined:
            return self._of_alternatives(joined)
        unnamed = self._bare()
        unwanted = [one for one in unnamed if self._words.unwanted(_stretch(one))]
        bare = [one for one in unnamed if one not in unwanted]
        refused = self._refused(unwanted)
        new = [one for one in bare if not any(self._is_known(one, slot) for slot in self._slots)]
        if len(new) != 1:
            is_clear = not new and len(refused) == 1
            return self._set_aside(bare, new, refused=tuple(refused) if is_clear else ())
        return self._of_one(new[0], bare, unnamed, unwanted, refused, is_reply=is_reply)

    def _of_one(
        self,
        one: Candidate,
        bare: list[Candidate],
        unnamed: list[Candidate],
        unwanted: list[Candidate],
        refused: list[Slot],
        *,
        is_reply: bool,
    ) -> Settled:
        """Say what becomes of the one number that no question has as its value."""
        refuses = self._replies.refuses(self._said.folded)
        hours = self._sure_hours() if refuses else []
        known = [slot for slot in self._slots if slot in refused or self._is_any_known((*bare, *hours), slot)]
        fitting = self._fitting(one, self._slots)
        if len(known) == 1 and (refused or refuses):
            # In "10 is too early, 11 please" and "can't do 10, 11 is fine" the 11 is for what was 10.
            made = [Found(slot.key, slot.node, value, False) for slot, value in fitting if slot is known[0]]
            return self._set_aside(bare, [], new=one, made=tuple(made))
        if not is_reply and not is_marked(self._said, one, self._s.language):
            return self._set_aside(bare, [], new=one)
        others = {other.type for other in _numbers(self._recognised) if other not in unnamed}
        left = [slot for slot, _ in fitting if slot.type not in others]
        if {slot.type for slot in left} != {_COUNT, _HOUR}:
            # "Can't do 10, 11 is fine" where no answer is 10: what the 11 would be is not known either.
            is_of_unknown = bool(unwanted) and not refused
            return self._set_aside(bare, [] if is_of_unknown else [one], new=one)
        return self._set_aside(bare, [], new=one, which=tuple(left), number=one.text)

    def _set_aside(
        self, bare: Sequence[Candidate], left: Sequence[Candidate], new: Candidate | None = None, **more: Any
    ) -> Settled:
        """Set bare numbers aside but for those that are left. ``new``: the one that repeats no value."""
        dropped = [one for one in bare if one not in left]
        repeated = tuple(_stretch(one, _COUNT) for one in bare if one is not new and one not in left)
        if new is not None:
            more["number_at"] = _stretch(new, _COUNT)
        return Settled(_without(self._recognised, dropped), repeated, **more)

    # -- what the numbers are

    def _joined(self) -> tuple[Candidate, ...]:
        """Return the first two numbers of which the message leaves open which is meant: "10 or 11"."""
        numbers = _numbers(self._recognised)
        pairs = itertools.pairwise(numbers) if len(numbers) <= MAX_NUMBERS else ()
        return next((pair for pair in pairs if self._words.are_alternatives([_stretch(one) for one in pair])), ())

    def _of_alternatives(self, joined: Sequence[Candidate]) -> Settled:
        """Leave two joined numbers to the one type that they can be of; of two types, ask which question is meant."""
        recognised = self._recognised
        hours = [one for one in recognised.get(_HOUR, ()) if one.confidence > GUESS]
        if _HOUR in recognised:  # "10 to 12" is not 11:50 for sure
            kept = [one for one in recognised[_HOUR] if one in hours or len(_digits(one)) <= 1]
            recognised = {**recognised, _HOUR: kept}
        if all(any(_overlap(one, hour) for hour in hours) for one in joined):
            counts = [one for one in recognised.get(_COUNT, ()) if one not in joined]
            return Settled({**recognised, _COUNT: counts} if _COUNT in recognised else recognised)
        self._recognised = recognised
        bare = self._bare()
        fitting = [slot for slot, _ in self._fitting(joined[1], self._slots)]
        if not all(one in bare for one in joined) or {slot.type for slot in fitting} != {_COUNT, _HOUR}:
            return Settled(recognised)
        number_at = Stretch(_COUNT, joined[0].start, joined[1].end, (joined[0].value,))
        return Settled(_without(recognised, joined), which=tuple(fitting), number_at=number_at)

    def _sure_hours(self) -> list[Candidate]:
        return [one for one in self._recognised.get(_HOUR, ())[:MAX_NUMBERS] if one.confidence > GUESS]

    def _refused(self, unwanted: Sequence[Candidate]) -> list[Slot]:
        """Return the questions whose value the message turns down: "not 10 but 11", "10 uur kan niet"."""
        denied = [*unwanted, *(one for one in self._sure_hours() if self._words.unwanted(_stretch(one)))]
        return [slot for slot in self._slots if self._is_any_known(denied, slot)]

    def _bare(self) -> list[Candidate]:
        """Return the numbers with nothing beside them that says what they are."""
        numbers = _numbers(self._recognised)
        if not self._slots or len(numbers) > MAX_NUMBERS:
            return []
        kept = [_stretch(one) for one in numbers]
        named = self._words.among(kept).say_what(kept, self._slots)
        return [
            one
            for one, stretch, is_named in zip(numbers, kept, named, strict=True)
            if not is_named and not self._is_inside(one) and not self._words.is_measured(stretch)
        ]

    def _is_inside(self, one: Candidate) -> bool:
        """Return whether a number is part of a longer value: "10:30", "at 11"; but "about 9" is no more than the 9."""
        return any(
            other.start <= one.start
            and one.end <= other.end
            and other.end - other.start > one.end - one.start
            and not (other.end == one.end and self._words.near(other.start, other.end) == one.start - other.start)
            for candidates in self._recognised.values()
            for other in candidates
            if other.confidence > GUESS
        )

    def _is_known(self, one: Candidate, slot: Slot) -> bool:
        return any(on_dial(value) == on_dial(slot.current) for _, value in self._fitting(one, [slot]))

    def _is_any_known(self, numbers: Sequence[Candidate], slot: Slot) -> bool:
        return any(self._is_known(one, slot) for one in numbers)

    def _fitting(self, one: Candidate, slots: Sequence[Slot]) -> list[tuple[Slot, Any]]:
        read = [(slot, read_for(self._s, slot, one.text)) for slot in slots if slot.current is not None]
        return [(slot, value) for slot, value in read if value is not None]

    def _leave_out_waiting(self) -> None:
        """Leave out what asks to wait: "in a minute" is no hour."""
        hours = self._recognised.get(_HOUR)
        words = self._words.measured[:MAX_NUMBERS] if hours else []
        waiting = [one for one in words if self._replies.asks_to_wait(folded_words(one.text))]
        if waiting and hours:
            kept = [one for one in hours if not any(_overlap(one, other) for other in waiting)]
            self._recognised = {**self._recognised, _HOUR: kept}


def _stretch(one: Candidate, type: str = "") -> Stretch:
    return Stretch(type or one.type, one.start, one.end, (one.value,))


def _numbers(recognised: Mapping[str, list[Candidate]]) -> list[Candidate]:
    """Return the numbers of a message in text order: at each position one, read as a count or as an hour."""
    spans = Spans()
    read = [*recognised.get(_COUNT, ()), *(one for one in recognised.get(_HOUR, ()) if one.confidence <= GUESS)]
    found = [one for one in read if spans.add(one.start, one.end)]
    return sorted(found, key=lambda one: one.start)


def _without(recognised: Recognised, dropped: Sequence[Candidate]) -> Recognised:
    """Leave out every reading of these numbers that has no other number in it."""
    if not dropped:
        return recognised
    return {
        type: [one for one in found if type not in (_COUNT, _HOUR, _DAY) or not _is_bare_of(one, dropped)]
        for type, found in recognised.items()
    }


def _is_bare_of(one: Candidate, dropped: Sequence[Candidate]) -> bool:
    return any(_overlap(one, other) and _digits(one) == _digits(other) for other in dropped)


def _digits(one: Candidate) -> list[str]:
    return [word.folded for word in words_of(one.text) if word.folded.isdecimal()]


def _overlap(one: Candidate, other: Candidate) -> bool:
    return one.start < other.end and other.start < one.end
