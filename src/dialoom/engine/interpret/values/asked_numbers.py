"""Numbers as the open question means them: bare ones as amounts, whole ones where things are counted, "just me" as
one (flow-language.md section 5, rule 4).
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

from dialoom.engine.compiled import Question
from dialoom.engine.interpret.replies.yes_no import texts_words
from dialoom.engine.interpret.said import Said
from dialoom.engine.interpret.situation import Situation
from dialoom.engine.interpret.slots import Slot
from dialoom.engine.interpret.values.counted_numbers import is_fraction
from dialoom.understanding import Candidate
from dialoom.understanding.asked_counts import (
    CountTold,
    add_kinds,
    counts_others,
    glued_count,
    may_tell_persons,
    read_article,
    read_persons,
)
from dialoom.understanding.candidate import Spans
from dialoom.understanding.replies.forms import Forms

_WHEN = ("Date", "Time", "Datetime")

Recognised = dict[str, list[Candidate]]


def as_asked(s: Situation, said: Said, recognised: Recognised) -> Recognised:
    """Return what was recognised, as the open question means it. At one for a day or an hour the numbers of what could
    not be read ("at the latest 9") are nobody's."""
    question = s.question
    if question is None:
        return recognised
    if question.type in _WHEN and recognised.get("Number") and not recognised.get(question.type):
        unread = Spans()
        for start, end in s.recogniser.unread(said.text, question.type, s.now):
            unread.add(start, end)
        return {**recognised, "Number": [one for one in recognised["Number"] if unread.add(one.start, one.end)]}
    if question.type == "Number" and question.counts.wholes:
        return {**recognised, "Number": _counts(s, said, question, recognised)}
    return _with_bare_amounts(s, question, said.text, recognised)


def _counts(s: Situation, said: Said, question: Question, recognised: Recognised) -> list[Candidate]:
    """Return the numbers for a question that counts: there is no half of a guest, "just me" is one, and "two adults and
    a child" are three where nobody asks for the children."""
    wholes = [one for one in recognised.get("Number", ()) if not is_fraction(one.value)]
    is_of_persons = question.counts.persons
    if is_of_persons and len(wholes) == 1 and counts_others(said.text, wholes[0].start, wholes[0].end, s.language):
        wholes = []
    if is_of_persons and not _asks_twice(s) and (told := _add_kinds(s, said, wholes)) is not None:
        return [_as_candidate(told, said)]
    if wholes or recognised.get("Number"):
        return wholes
    values = (one for one in itertools.chain.from_iterable(recognised.values()) if one.type not in s.flow.sense_types)
    rest = said.without(values).text
    told = (read_persons(rest, s.language) or glued_count(rest, s.language)) if is_of_persons else None
    if told is None and s.node is not None:
        told = read_article(rest, Forms(texts_words(s, s.node.step.texts, is_whole=True)), s.language)
    return [] if told is None else [_as_candidate(told, said)]


def _add_kinds(s: Situation, said: Said, wholes: Sequence[Candidate]) -> CountTold | None:
    return add_kinds(said.text, [CountTold(one.value, one.start, one.end) for one in wholes], s.language)


def _asks_twice(s: Situation) -> bool:
    """Return whether several questions ask for persons: adults and children."""
    return sum(slot.type == "Number" and slot.node.step.counts.persons for slot in s.slots()) > 1


def with_persons_told(s: Situation, said: Said, slots: Sequence[Slot], recognised: Recognised) -> Recognised:
    """Return what was recognised, with the number of persons that a message tells without one ("no, zu dritt") where
    one answered question asks for them."""
    numbers = recognised.get("Number", [])
    if len(numbers) < 2 and not may_tell_persons(said.folded, s.language):
        return recognised
    asking = [slot for slot in slots if slot.type == "Number" and slot.node.step.counts.persons]
    if len(asking) != 1 or asking[0].is_open or not asking[0].is_answered:
        return recognised
    told = read_persons(said.text, s.language) or _add_kinds(s, said, numbers)
    if told is None or any(one.start < told.start or told.end < one.end for one in numbers):
        return recognised
    return {**recognised, "Number": [_as_candidate(told, said)]}


def _as_candidate(told: CountTold, said: Said) -> Candidate:
    return Candidate("Number", told.number, 1.0, told.start, told.end, said.text[told.start : told.end])


def _with_bare_amounts(s: Situation, question: Question, text: str, recognised: Recognised) -> Recognised:
    """Return what was recognised, at an open Amount question its bare numbers as amounts in its currency; where an
    amount stands with its currency it is the one that is meant."""
    if question.type != "Amount" or question.currency is None or recognised.get("Amount"):
        return recognised
    return {**recognised, "Amount": s.recogniser.bare_amounts(text, question.currency, s.now)}


def bare_amount(s: Situation, question: Question, text: str) -> Any:
    """Return a whole text as an amount in the currency of the question: an option "50"; None where it is none."""
    for one in _with_bare_amounts(s, question, text, {}).get("Amount", ()):
        if not any(map(str.isalnum, text[: one.start] + text[one.end :])):
            return one.value
    return None
