"""Finds the values of a reply to a confirmation that are no corrections (flow-language.md section 5, rule 4, c): those
of a question, of a time when the user will answer, of what has happened; and the answers that a correction leaves open.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Mapping, Sequence

from dialoom.engine.compiled import Question
from dialoom.engine.interpret.proposals import Fill
from dialoom.engine.interpret.replies.new_text import MAX_NEW_TEXT_WORDS
from dialoom.engine.interpret.replies.other_deeds import CLAUSES, is_elsewhere
from dialoom.engine.interpret.said import Said
from dialoom.engine.interpret.situation import Situation
from dialoom.engine.interpret.slots import GUESS, Slot
from dialoom.engine.interpret.values.value_words import name_words
from dialoom.understanding import Candidate
from dialoom.understanding.normalise import normalise
from dialoom.understanding.replies import Phrases, folded_words
from dialoom.understanding.words import correcting_words, words_for

MIN_PART_CHARS = 4
"""Of a part of the day that is no word beside an hour: "evening", but not "am"."""


def asides(
    s: Situation, said: Said, recognised: Mapping[str, list[Candidate]], slots: Sequence[Slot], own: frozenset[str]
) -> list[Candidate]:
    """Return the values that change nothing, in no order. ``own``: the words of the open question and goal."""
    found = [one for type, read in recognised.items() if type not in s.flow.sense_types for one in read]
    if not found:
        return []
    found.sort(key=lambda one: one.start)
    starts = [one.start for one in found]
    others = [*_said_again(said, slots), *_longer(s, said, slots)]
    set_aside = [one for one in found if _is_at_once(one, s.language) or _is_part(one, others)]
    is_ahead = any(slot.type == "Date" and _day(slot.current) >= _today(s) for slot in slots)
    for clause in CLAUSES.finditer(said.text):
        inside = found[bisect_left(starts, clause.start()) : bisect_left(starts, clause.end())]
        if inside and ((is_ahead and _tells_past(s, said, clause, inside)) or is_elsewhere(s, clause[0], own)):
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


def _said_again(said: Said, slots: Sequence[Slot]) -> list[tuple[int, int]]:
    """Return where stored texts are said again, the first span of each."""
    words, folded = said.words, said.folded
    spans = []
    for slot in slots:
        known = folded_words(slot.current) if slot.type == "Text" and isinstance(slot.current, str) else ()
        starts = range(len(folded) - len(known) + 1) if 0 < len(known) <= MAX_NEW_TEXT_WORDS else ()
        start = next((start for start in starts if folded[start : start + len(known)] == known), None)
        if start is not None:
            spans.append((words[start].start, words[start + len(known) - 1].end))
    return spans


def _longer(s: Situation, said: Said, slots: Sequence[Slot]) -> list[tuple[int, int]]:
    """Return where phone numbers and sums of money stand whose digits count nothing: no question is for them, and none
    for a number is named. "Make it $300" says nothing else, and is an answer to any question for a number."""
    types = {slot.type for slot in slots}
    unasked = [type for type in ("PhoneNumber", "Amount") if type not in types]
    named = {word for slot in slots if slot.type == "Number" for word in _names(slot)}
    if "Number" not in types or not unasked or not named.isdisjoint(said.folded):
        return []
    read = s.sure_values(unasked, said.text)
    if not read or not _tells_more(said, (0, len(said.text)), read, s.language):
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


def _tells_past(s: Situation, said: Said, clause: re.Match[str], inside: Sequence[Candidate]) -> bool:
    """Return whether a clause tells of what has happened: it has a day such as "yesterday" and more words; a day in
    digits may be a wrong one, which a validation tells."""
    is_past = any(
        one.type == "Date"
        and one.confidence > GUESS
        and not any(character.isdigit() for character in one.text)
        and "" < _day(one.value) < _today(s)
        for one in inside
    )
    return is_past and _tells_more(said, clause.span(), inside, s.language)


def _tells_more(said: Said, clause: tuple[int, int], inside: Sequence[Candidate], language: str) -> bool:
    """Return whether a clause has words outside its values other than those that say that a value is meant."""
    rest = said.without(inside).text[slice(*clause)]
    return not correcting_words(language).issuperset(folded_words(rest))


def _day(value: object) -> str:
    return value if isinstance(value, str) else ""


def _today(s: Situation) -> str:
    return s.now.date().isoformat()


def hours_left_open(s: Situation, said: Said, fills: Sequence[Fill], slots: Sequence[Slot]) -> list[Slot]:
    """Return the questions for an hour whose answer a corrected day with a part of the day leaves open: "tomorrow
    evening"."""
    steps = [fill.found.node.step for fill in fills]
    types = {step.type for step in steps if isinstance(step, Question)}
    if "Date" not in types or "Time" in types:
        return []
    parts = Phrases(part for part in words_for(s.language).parts if len(part) >= MIN_PART_CHARS)
    words = said.words
    spans = [(words[start].start, words[end - 1].end) for start, end in parts.find(said.folded)]
    days = [(one.start, one.end) for fill in fills for one in fill.spans if one.type == "Date"]
    if not any(_touch(said.text, part, day) for part in spans for day in days):
        return []
    return [slot for slot in slots if slot.type == "Time" and slot.current is not None and not slot.takes_many]


def _touch(text: str, one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Return whether two spans overlap, or nothing but spaces is between them."""
    first, second = sorted((one, other))
    return not text[first[1] : second[0]].strip()
