"""Works out which days a date-picker offers. What is no answer is left to the validations: this is for the eye."""

from __future__ import annotations

from typing import Any, NamedTuple

from dialoom.engine.compiled import Days, Flow
from dialoom.engine.memory import Memory
from dialoom.engine.running_turn import FlowBroken
from dialoom.flow.words import WEEKDAYS
from dialoom.template.values import plain_text

MAX_DAY_CHARS = 80
MAX_OFF_DAYS = 1000
"""Each is read as a date, which takes time that all chats wait for."""


class ShownDays(NamedTuple):
    """The first and the last day, ``YYYY-MM-DD``; days and weekdays between them that are off."""

    least: str | None = None
    most: str | None = None
    off: tuple[str, ...] = ()


def rendered(flow: Flow, memory: Memory, step: str, days: Days | None) -> ShownDays:
    """Return the days as they are at this moment. Raises ``FlowBroken`` for a text that is no day, and
    ``TemplateError``."""
    if days is None:
        return ShownDays()
    scope = memory.scope()
    least = None if days.least is None else _day(flow, memory, step, "min", days.least.value(scope))
    most = None if days.most is None else _day(flow, memory, step, "max", days.most.value(scope))
    given = [] if days.off is None else days.off.render(scope)
    # One expression may give a whole list.
    entries = [one for entry in given for one in (entry if isinstance(entry, list | tuple) else [entry])]
    if len(entries) > MAX_OFF_DAYS:
        raise FlowBroken(step, f'"off" of the date-picker has {len(entries)} days. Give at most {MAX_OFF_DAYS}.')
    off: dict[str, None] = {}
    for one in entries:
        weekday = plain_text(one).strip().lower()
        day = weekday if weekday in WEEKDAYS else _day(flow, memory, step, "off", one)
        if day is not None:
            off[day] = None
    return ShownDays(least, most, tuple(off))


def _day(flow: Flow, memory: Memory, step: str, key: str, value: Any) -> str | None:
    """Return a value as ``YYYY-MM-DD``; None for nothing at all."""
    text = "" if value is None else plain_text(value).strip()
    if not text:
        return None
    # A moment counts as its day.
    day = flow.recogniser.reads("Date", text.partition("T")[0] if "T" in text[10:] else text, memory.now())
    if day is None:
        raise FlowBroken(
            step, f'"{key}" of the date-picker is no day: "{text[:MAX_DAY_CHARS]}". Write YYYY-MM-DD, or today.'
        )
    return str(day)
