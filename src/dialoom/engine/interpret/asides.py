"""Finds the values of a reply to a confirmation that are no corrections (flow-language.md section 5, rule 4, c): those
of a question, of a time when the user will answer, of what has happened; and the answers that a correction leaves open.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import TYPE_CHECKING

from dialoom.engine.compiled import Question
from dialoom.engine.interpret.new_text import MAX_NEW_TEXT_WORDS
from dialoom.engine.interpret.slots import GUESS
from dialoom.engine.interpret.value_words import name_words
from dialoom.understanding.normalise import normalise, words_of
from dialoom.understanding.replies import Phrases, folded_words, reply_words
from dialoom.understanding.words import correcting_words, words_for
from dialoom.understanding.words.roles import roles_for

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from dialoom.engine.interpret.slots import Slot, Stretch
    from dialoom.engine.running_turn import RunningTurn
    from dialoom.engine.values.reactions import Found
    from dialoom.understanding import Candidate

_CLAUSES = re.compile(r"(?:[^,;!?？؟，；。.]|[,.](?=\S))+")
"""Stretches between commas and ends of sentences; "1,200" and "p.m." stay whole."""

MIN_PART_CHARS = 4
"""Of a part of the day that is no word beside an hour: "evening", but not "am"."""


def asides(
    p: RunningTurn, text: str, recognised: Mapping[str, list[Candidate]], slots: Sequence[Slot]
) -> list[Candidate]:
    """Return the values that change nothing, in no order."""
    found = [one for type, read in recognised.items() if type not in p.flow.sense_types for one in read]
    if not found:
        return []
    found.sort(key=lambda one: one.start)
    starts = [one.start for one in found]
    language = p.flow.language
    replies, meant = reply_words(language), roles_for(language).making
    again = _said_again(text, slots)
    others = [*again, *_longer(p, text, slots)]
    set_aside = [one for one in found if _is_at_once(one, language) or _is_part(one, others)]
    is_ahead = any(slot.type == "Date" and _day(slot.current) >= _today(p) for slot in slots)
    for clause in _CLAUSES.finditer(text):
        inside = found[bisect_left(starts, clause.start()) : bisect_left(starts, clause.end())]
        if not inside:
            continue
        words = folded_words(clause[0])
        is_past = is_ahead and any(_is_past(p, one) for one in inside)
        is_past = is_past and _tells_more(text, clause.span(), inside, language)
        if is_past or replies.tells_elsewhere(words, meant):
            set_aside += inside
    return set_aside


def without(recognised: dict[str, list[Candidate]], values: Sequence[Candidate]) -> dict[str, list[Candidate]]:
    """Return what was recognised without these values."""
    if not values:
        return recognised
    left_out = {id(one) for one in values}
    return {type: [one for one in found if id(one) not in left_out] for type, found in recognised.items()}


def _is_at_once(one: Candidate, language: str) -> bool:
    """Return whether a day or an hour is a word such as "now", which rather says when to act."""
    return one.type in ("Date", "Time") and normalise(one.text) in map(normalise, words_for(language).now)


def _said_again(text: str, slots: Sequence[Slot]) -> list[tuple[int, int]]:
    """Return where stored texts are said again, the first span of each."""
    words = words_of(text)
    said = [word.folded for word in words]
    spans = []
    for slot in slots:
        known = list(folded_words(slot.current)) if slot.type == "Text" and isinstance(slot.current, str) else []
        starts = range(len(said) - len(known) + 1) if 0 < len(known) <= MAX_NEW_TEXT_WORDS else ()
        start = next((start for start in starts if said[start : start + len(known)] == known), None)
        if start is not None:
            spans.append((words[start].start, words[start + len(known) - 1].end))
    return spans


def _longer(p: RunningTurn, text: str, slots: Sequence[Slot]) -> list[tuple[int, int]]:
    """Return where phone numbers and sums of money stand whose digits count nothing: no question is for them, and none
    for a number is named. "Make it $300" says nothing else, and is an answer to any question for a number."""
    types = {slot.type for slot in slots}
    unasked = [type for type in ("PhoneNumber", "Amount") if type not in types]
    named = {word for slot in slots if slot.type == "Number" for word in _names(slot)}
    if "Number" not in types or not unasked or not named.isdisjoint(folded_words(text)):
        return []
    found = p.flow.recogniser.recognise(text, unasked, p.memory.now()).values()
    read = [one for candidates in found for one in candidates if one.confidence > GUESS]
    if not read or not _tells_more(text, (0, len(text)), read, p.flow.language):
        return []
    return [(one.start, one.end) for one in read]


def _names(slot: Slot) -> set[str]:
    """Return the words that name a question."""
    return {*name_words(slot.entity), *(word for name in slot.node.step.names for word in folded_words(name))}


def _is_part(one: Candidate, spans: Sequence[tuple[int, int]]) -> bool:
    """Return whether a value is a part of one of these spans: the number of "12 Mill Road"."""
    is_number = one.type in ("Number", "Time")
    return any(
        start <= one.start and one.end <= end and (is_number or one.end - one.start < end - start)
        for start, end in spans
    )


def _is_past(p: RunningTurn, one: Candidate) -> bool:
    """Return whether a day is one such as "yesterday"; one in digits may be a wrong one, which a validation tells."""
    in_words = not any(character.isdigit() for character in one.text)
    return one.type == "Date" and one.confidence > GUESS and in_words and "" < _day(one.value) < _today(p)


def _tells_more(text: str, clause: tuple[int, int], inside: Sequence[Candidate], language: str) -> bool:
    """Return whether a clause has words outside its values other than those that say that a value is meant."""
    rest = list(text[clause[0] : clause[1]])
    for one in inside:
        rest[one.start - clause[0] : one.end - clause[0]] = " " * (one.end - one.start)
    return not correcting_words(language).issuperset(folded_words("".join(rest)))


def _day(value: object) -> str:
    return value if isinstance(value, str) else ""


def _today(p: RunningTurn) -> str:
    return p.memory.now().date().isoformat()


def hours_left_open(
    p: RunningTurn, text: str, filled: Sequence[Found], used: Sequence[Stretch], slots: Sequence[Slot]
) -> list[Slot]:
    """Return the questions for an hour whose answer a corrected day with a part of the day leaves open: "tomorrow
    evening"."""
    types = [one.node.step.type for one in filled if isinstance(one.node.step, Question)]
    if "Date" not in types or "Time" in types:
        return []
    parts = Phrases(part for part in words_for(p.flow.language).parts if len(part) >= MIN_PART_CHARS)
    words = words_of(text)
    spans = [(words[start].start, words[end - 1].end) for start, end in parts.find([word.folded for word in words])]
    days = [(one.start, one.end) for one in used if one.type == "Date"]
    if not any(_touch(text, part, day) for part in spans for day in days):
        return []
    return [slot for slot in slots if slot.type == "Time" and slot.current is not None and not slot.takes_many]


def _touch(text: str, one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Return whether two spans overlap, or nothing but spaces is between them."""
    first, second = sorted((one, other))
    return not text[first[1] : second[0]].strip()
