"""Values lean on what is known (flow-language.md section 5, rule 4): "at eight" is 20:00 where 19:00 stands, "28
February" the last one where the question asks for the past.

A reader tells what else its words may mean (``Candidate.others``); which of it a question takes is decided here, by its
``range``, its stored value and what it offers.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from dialoom.engine.interpret.slots import NO_LIMITS, Limits, Slot, Stretch
from dialoom.engine.interpret.value_words import is_fraction
from dialoom.engine.options import offered, value_replies
from dialoom.engine.values import validations
from dialoom.errors import TemplateError
from dialoom.understanding import Candidate
from dialoom.understanding.asked_counts import counts_others, persons_told
from dialoom.understanding.candidate import Spans

if TYPE_CHECKING:
    from dialoom.engine.compiled import Question, QuestionNode
    from dialoom.engine.running_turn import RunningTurn

LEANING = ("Date", "Time")
_WHEN = ("Date", "Time", "Datetime")
_MINUTES_OF_DAY = 1440
_MORNING = 5 * 60
"""Before it hardly anybody means an hour: "no, at 3" where 08:00 stands is 15:00, though 03:00 is nearer."""


# ---- over values alone -------------------------------------------------------------------------------------------


def values_for(slot: Slot, stretch: Stretch) -> tuple[Any, ...]:
    """Return the values of a stretch as this question reads them."""
    if not stretch.others or slot.type not in LEANING:
        return stretch.values
    pairs = zip(stretch.values, stretch.others, strict=True)
    return tuple(dict.fromkeys(lean(slot.type, value, others, slot.current, slot.limits) for value, others in pairs))


def lean(type: str, value: Any, others: Sequence[Any], stored: Any, limits: Limits) -> Any:
    """Return which of the readings of the same words is meant: ``value``, which is what they mean by themselves, or one
    of ``others``."""
    if not others:
        return value
    if type == "Date":
        is_past = limits.most is not None and limits.most <= limits.today
        return others[0] if is_past and value > limits.today else value
    inside = [one for one in (value, *others) if _is_inside(one, limits)] or [value, *others]
    known = [one for one in ((stored,) if stored is not None else limits.offered) if _minutes(one) is not None]
    return min(inside, key=lambda one: min((_distance(one, other) for other in known), default=0))


def _is_inside(time: str, limits: Limits) -> bool:
    return (limits.least is None or limits.least <= time) and (limits.most is None or time <= limits.most)


def _distance(time: str, other: str) -> int:
    """Return the minutes between two times of the day, around midnight too; those to the small hours count twice."""
    minutes, known = _minutes(time) or 0, _minutes(other) or 0
    apart = abs(minutes - known)
    return min(apart, _MINUTES_OF_DAY - apart) * (2 if minutes < _MORNING else 1)


def _minutes(time: Any) -> int | None:
    hours, separator, minutes = str(time).partition(":")
    return int(hours) * 60 + int(minutes) if separator and hours.isdecimal() and minutes.isdecimal() else None


# ---- numbers -----------------------------------------------------------------------------------------------------


def as_asked(
    p: RunningTurn, question: Question | None, text: str, recognised: dict[str, list[Candidate]]
) -> dict[str, list[Candidate]]:
    """Return what was recognised, as the open question means it: at an Amount question bare numbers are amounts; at one
    that counts there is no half of a guest, and "just me" is one; at one for a day or an hour the numbers of what could
    not be read ("at the latest 9") are nobody's."""
    if question is None:
        return recognised
    if question.type in _WHEN and recognised.get("Number") and not recognised.get(question.type):
        unread = Spans()
        for start, end in p.flow.recogniser.unread(text, question.type, p.memory.now()):
            unread.add(start, end)
        numbers = [one for one in recognised["Number"] if unread.add(one.start, one.end)]
        return {**recognised, "Number": numbers}
    if question.type == "Number" and question.counts.wholes:
        wholes = [one for one in recognised.get("Number", ()) if not is_fraction(one.value)]
        if question.counts.persons and len(wholes) == 1:
            [one] = wholes
            wholes = [] if counts_others(text, one.start, one.end, p.flow.language) else wholes
        recognised = {**recognised, "Number": wholes or _persons(p, question, text, recognised)}
    return with_bare_amounts(p, question, text, recognised)


def _persons(p: RunningTurn, question: Question, text: str, recognised: dict[str, list[Candidate]]) -> list[Candidate]:
    if not question.counts.persons or recognised.get("Number"):
        return []
    characters = list(text)
    for one in itertools.chain.from_iterable(recognised.values()):
        if one.type not in p.flow.sense_types:
            characters[one.start : one.end] = " " * (one.end - one.start)
    told = persons_told("".join(characters), p.flow.language)
    return (
        []
        if told is None
        else [Candidate("Number", told.persons, 1.0, told.start, told.end, text[told.start : told.end])]
    )


def with_bare_amounts(
    p: RunningTurn, question: Question | None, text: str, recognised: dict[str, list[Candidate]]
) -> dict[str, list[Candidate]]:
    """Return what was recognised, at an open Amount question its bare numbers as amounts in its currency; where an
    amount stands with its currency it is the one that is meant."""
    if question is None or question.type != "Amount" or question.currency is None or recognised.get("Amount"):
        return recognised
    return {**recognised, "Amount": p.flow.recogniser.bare_amounts(text, question.currency, p.memory.now())}


def bare_amount(p: RunningTurn, question: Question, text: str) -> Any:
    """Return a whole text as an amount in the currency of the question: an option "50"; None where it is none."""
    for one in with_bare_amounts(p, question, text, {}).get("Amount", ()):
        if not any(map(str.isalnum, text[: one.start] + text[one.end :])):
            return one.value
    return None


# ---- what a question knows ---------------------------------------------------------------------------------------


def with_limits(p: RunningTurn, slots: Sequence[Slot], recognised: Mapping[str, Sequence[Candidate]]) -> list[Slot]:
    """Return the questions with what their values lean on, where the message has values that may lean."""
    leaning = {type for type in LEANING if any(one.others for one in recognised.get(type, ()))}
    return [
        msgspec.structs.replace(slot, limits=_limits(p, slot.node, is_open=slot.is_open))
        if slot.type in leaning
        else slot
        for slot in slots
    ]


def read_for(p: RunningTurn, slot: Slot, text: str) -> Any:
    """Return a whole text as the value of a question; None where it is none."""
    return _read(p, slot.node, text, slot.limits)


def read_at(p: RunningTurn, node: QuestionNode, text: str) -> Any:
    """The same where the question is no slot of a message."""
    return _read(p, node, text, NO_LIMITS)


def _read(p: RunningTurn, node: QuestionNode, text: str, limits: Limits) -> Any:
    question = node.step
    readings = p.flow.recogniser.readings(question.type, text, p.memory.now())
    if len(readings) < 2:
        return readings[0] if readings else None
    stored = p.memory.get(question.entity)
    limits = _limits(p, node, is_open=False) if limits is NO_LIMITS else limits
    return lean(question.type, readings[0], readings[1:], stored, limits)


def _limits(p: RunningTurn, node: QuestionNode, *, is_open: bool) -> Limits:
    question = node.step
    least = most = None
    for check in question.checks:
        if check.kind == "range":
            most = _bound(p, check.most, question.type)
            # A date leans on the end of its range alone.
            least = None if question.type == "Date" else _bound(p, check.least, question.type)
    return Limits(least, most, p.memory.now().date().isoformat(), _offered(p, node) if is_open else ())


def _bound(p: RunningTurn, limit: Any, type: str) -> str | None:
    try:
        bound = validations.bound(p, limit, type)
    except TemplateError:  # told when the validation runs
        return None
    text = "" if bound is None else str(bound)
    text = text.partition("T")[0] if type == "Date" else text
    if validations.is_stored_form(text, type):
        return text
    read: str | None = p.flow.recogniser.reads(type, text, p.memory.now())
    return read


def _offered(p: RunningTurn, node: QuestionNode) -> tuple[Any, ...]:
    """Return the times among the options of the open question, or the one that was suggested."""
    question, running = node.step, p.running
    if question.type != "Time" or p.ask is None or running is None:
        return ()
    if p.ask.is_suggestion:
        return (value_replies.suggested(p, running, node, question),)
    now = p.memory.now()
    texts = [choice.value for choice in offered.of_ask(p, node, p.ask) if isinstance(choice.value, str)]
    return tuple(time for text in texts if (time := p.flow.recogniser.reads("Time", text, now)) is not None)
