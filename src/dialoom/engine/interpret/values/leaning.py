"""Values lean on what is known (flow-language.md section 5, rule 4): "at eight" is 20:00 where 19:00 stands, "28
February" the last one where the question asks for the past, "Friday" the one that is offered.

A reader tells what else its words may mean (``Candidate.others``); which of it a question takes is decided here, by its
``range``, its stored value and what it offers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from typing import Any

import msgspec

from dialoom.engine.compiled import QuestionNode
from dialoom.engine.interpret.situation import Situation
from dialoom.engine.interpret.slots import GUESS, NO_LIMITS, Limits, Slot, Stretch
from dialoom.understanding import Candidate

LEANING = ("Date", "Time")
MAX_OFFERED = 60
"""Options of a Date question that are looked at: each has to be read."""
MINUTES_OF_DAY = 1440
_MORNING = 5 * 60
"""Before it hardly anybody means an hour: "no, at 3" where 08:00 stands is 15:00, though 03:00 is nearer."""


# ---- over values alone -------------------------------------------------------------------------------------------


def values_for(slot: Slot, stretch: Stretch) -> tuple[Any, ...]:
    """Return the values of a stretch as this question reads them."""
    if not stretch.others or slot.type not in LEANING:
        return stretch.values
    pairs = zip(stretch.values, stretch.others, strict=True)
    meant = (
        one
        for value, others in pairs
        for one in _offered_days(slot, value, others) or [lean(slot.type, value, others, slot.current, slot.limits)]
    )
    return tuple(dict.fromkeys(meant))


def _offered_days(slot: Slot, value: Any, others: Sequence[Any]) -> list[Any]:
    """Return the offered days that the words of a day name: of "Friday" the coming one, else each Friday, of "the 4th"
    each 4th."""
    if slot.type != "Date" or not others or value in slot.limits.offered:
        return []
    day, other = date.fromisoformat(value), date.fromisoformat(others[0])
    return [one for one in slot.limits.offered if _is_such(day, other, date.fromisoformat(one))]


def _is_weekday(day: date, other: date) -> bool:
    """Return whether the words of these two days name a weekday: only its days lie so near to each other."""
    return abs(day - other) <= timedelta(days=14)


def _is_such(day: date, other: date, offered: date) -> bool:
    """Return whether the words that mean one of two days can mean the offered one: what the two have in common, it has
    too."""
    if _is_weekday(day, other):
        return offered.weekday() == day.weekday()
    return offered.day == day.day and (day.month != other.month or offered.month == day.month)


def lean(type: str, value: Any, others: Sequence[Any], stored: Any, limits: Limits) -> Any:
    """Return which of the readings of the same words is meant: ``value``, which is what they mean by themselves, or one
    of ``others``."""
    if not others:
        return value
    if type == "Date":
        return others[0] if _is_past(limits) and value > limits.today else value
    inside = [one for one in (value, *others) if _is_inside(one, limits)] or [value, *others]
    known = [one for one in ((stored,) if stored is not None else limits.offered) if _minutes(one) is not None]
    return min(inside, key=lambda one: min((_distance(one, other) for other in known), default=0))


def _is_past(limits: Limits) -> bool:
    """Return whether the question asks for what is over."""
    return limits.most is not None and limits.most <= limits.today


def _is_inside(time: str, limits: Limits) -> bool:
    return (limits.least is None or limits.least <= time) and (limits.most is None or time <= limits.most)


def _distance(time: str, other: str) -> int:
    """Return the minutes between two times of the day, around midnight too; those to the small hours count twice."""
    minutes, known = _minutes(time) or 0, _minutes(other) or 0
    apart = abs(minutes - known)
    return min(apart, MINUTES_OF_DAY - apart) * (2 if minutes < _MORNING else 1)


def _minutes(time: Any) -> int | None:
    hours, separator, minutes = str(time).partition(":")
    return int(hours) * 60 + int(minutes) if separator and hours.isdecimal() and minutes.isdecimal() else None


# ---- what a question knows ---------------------------------------------------------------------------------------


def with_limits(s: Situation, slots: Sequence[Slot], recognised: Mapping[str, Sequence[Candidate]]) -> list[Slot]:
    """Return the questions with what their values lean on, where the message has values that may lean. A Date that only
    its question makes likely ("fr") is for the open one alone."""
    leaning = {type for type in LEANING if any(one.others for one in recognised.get(type, ()))}
    days = recognised.get("Date", ())
    are_guesses = bool(days) and all(one.confidence <= GUESS for one in days)
    return [
        _with_limits(s, slot) if slot.type in leaning else slot
        for slot in slots
        if slot.is_open or slot.type != "Date" or not are_guesses
    ]


def _with_limits(s: Situation, slot: Slot) -> Slot:
    limits = s.limits(slot.node, is_open=slot.is_open)
    if slot.is_open and slot.type == "Date":
        days = _days_among(s)
        if slot.node.step.suggestions and not _is_past(limits):
            days = tuple(day for day in days if day >= limits.today)  # those of past runs are over
        limits = msgspec.structs.replace(limits, offered=days)
    return msgspec.structs.replace(slot, limits=limits)


def _days_among(s: Situation) -> tuple[str, ...]:
    """Return the days among the options of the open question, or the one that is suggested."""
    values = (s.suggested_value(),) if s.is_suggestion else [choice.value for choice in s.choices[:MAX_OFFERED]]
    days = (s.reads("Date", value) for value in values if isinstance(value, str))
    return tuple(dict.fromkeys(day for day in days if day is not None))


def read_for(s: Situation, slot: Slot, text: str) -> Any:
    """Return a whole text as the value of a question; None where it is none."""
    return _read(s, slot.node, text, slot.limits)


def read_at(s: Situation, node: QuestionNode, text: str) -> Any:
    """The same where the question is no slot of a message."""
    return _read(s, node, text, NO_LIMITS)


def _read(s: Situation, node: QuestionNode, text: str, limits: Limits) -> Any:
    question = node.step
    readings = s.recogniser.readings(question.type, text, s.now)
    if len(readings) < 2:
        return readings[0] if readings else None
    limits = s.limits(node, is_open=False) if limits is NO_LIMITS else limits
    return lean(question.type, readings[0], readings[1:], s.value(question.entity), limits)
