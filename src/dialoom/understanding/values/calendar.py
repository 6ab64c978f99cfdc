"""Arithmetic of days: the next such date, a distance from today, the edges of a month."""

from __future__ import annotations

import calendar
from collections.abc import Callable, Iterator, Mapping
from datetime import date, timedelta
from typing import Literal

from dialoom.languages.sections import Unit

Edge = Literal["start", "middle", "end"]


def next_date(today: date, month: int, day: int) -> date | None:
    """Return the first such date on or after today; 29 February may take eight years."""
    for year in range(today.year, today.year + 9):
        try:
            one = date(year, month, day)
        except ValueError:
            continue
        if one >= today:
            return one
    return None


def last_of(next_from: Callable[[date], date | None], today: date, months: int) -> date | None:
    """Return the last day on or before today of those that come again, no sooner than after so many months.
    ``next_from``: the next one from a day on."""
    for back in range(0, 9 * 12, months):
        try:
            one = next_from(date(*month_ahead(today, -back), 1))
        except ValueError:
            continue
        if one is not None and one <= today:
            return one
    return None


def coming_days(today: date, day: int, months: int) -> Iterator[date]:
    """Yield the days of that number on or after today, in as many months."""
    for ahead in range(months):
        year, month = month_ahead(today, ahead)
        try:
            one = date(year, month, day)
        except ValueError:
            continue
        if one >= today:
            yield one


def month_ahead(today: date, months: int) -> tuple[int, int]:
    """Return year and number of the month at a distance from this one."""
    year, month = divmod(today.year * 12 + today.month - 1 + months, 12)
    return year, month + 1


def edge_of(year: int, month: int, edge: Edge) -> date:
    """Return the first, the fifteenth or the last day of a month."""
    last = calendar.monthrange(year, month)[1]
    return date(year, month, {"start": 1, "middle": 15, "end": last}[edge])


def next_edge(today: date, month: int, edge: Edge) -> date:
    """Return that day of a month by its name, on or after today."""
    this_year = edge_of(today.year, month, edge)
    return this_year if this_year >= today else edge_of(today.year + 1, month, edge)


def nth_weekday(year: int, month: int, weekday: int, nth: int) -> date | None:
    """The first, second ... such weekday of a month, the last for -1; None where the month has not so many."""
    first = date(year, month, 1)
    days = [first + timedelta(days=ahead) for ahead in range((weekday - first.weekday()) % 7, 31, 7)]
    days = [day for day in days if day.month == month]
    return days[nth - 1 if nth > 0 else nth] if nth <= len(days) else None


def full_year(text: str) -> int:
    """Return a year in four digits, or in two: up to 69 of this century. Thai years are 543 ahead."""
    digits = int(text.lstrip("'’"))
    if digits >= 2500:
        return digits - 543
    return digits if digits > 99 else digits + (2000 if digits < 70 else 1900)


def at_distance(today: date, length: Mapping[Unit, int], direction: int) -> date | None:
    """Return the day at a length of time from today; None for a length that has hours in it, which is a matter of
    times.

    A month later is the same day of the next month, or its last when it has no such day.
    """
    if not length or any(unit in ("hour", "minute", "second") for unit in length):
        return None
    months = 12 * length.get("year", 0) + length.get("month", 0)
    year, month = month_ahead(today, direction * months)
    day = min(today.day, calendar.monthrange(year, month)[1]) if 1 <= year <= 9999 else today.day
    days = length.get("day", 0) + 7 * length.get("week", 0)
    return date(year, month, day) + timedelta(days=direction * days)
