"""Equality and order of values as ``$eq``, ``$in``, ``$gt`` and their kin see them (flow-language.md section 6)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, date, datetime, time
from typing import Final

from dialoom.errors import TemplateError
from dialoom.template.values.moments import in_zone, read_date, read_datetime, read_time, zone_of
from dialoom.template.values.printing import MAX_DEPTH, plain_text
from dialoom.template.values.types import MISSING, DateText, DatetimeText, TimeText, is_nan, single_value

NUMBER: Final = re.compile(r"\s*[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d{1,3})?\s*", re.ASCII)
MAX_NUMBER_CHARS: Final = 400
"""Longer texts are no numbers: Python refuses to read integers of some thousand digits, and floats end at 309."""


def read_number(value: object) -> float | None:
    """Return the number that a number is or a text spells; ``None`` for anything else (a boolean is no number)."""
    if isinstance(value, bool):
        return None
    if isinstance(value, (int, float)):
        return value
    if isinstance(value, str) and len(value) <= MAX_NUMBER_CHARS and NUMBER.fullmatch(value):
        try:
            return int(value)
        except ValueError:
            return float(value)
    return None


def equal(first: object, second: object) -> bool:
    """Return equality of JSON values; a number equals a text that spells it, null and missing are equal."""
    return _equal(first, second, 0)


def _equal(first: object, second: object, depth: int) -> bool:
    first, second = single_value(first), single_value(second)
    if first is None or first is MISSING:
        return second is None or second is MISSING
    if second is None or second is MISSING or isinstance(first, bool) or isinstance(second, bool):
        return first is second
    if isinstance(first, str) and isinstance(second, str):
        return first == second or _spell_alike(first, second)
    if isinstance(first, (int, float)) or isinstance(second, (int, float)):
        left, right = read_number(first), read_number(second)
        return left is not None and left == right
    if depth >= MAX_DEPTH:
        raise TemplateError(f"The values are nested deeper than {MAX_DEPTH} levels. Compare the part that matters.")
    if isinstance(first, (list, tuple)) and isinstance(second, (list, tuple)):
        return len(first) == len(second) and all(map(_equal, first, second, [depth + 1] * len(first)))
    if isinstance(first, Mapping) and isinstance(second, Mapping):
        return len(first) == len(second) and all(
            key in second and _equal(element, second[key], depth + 1) for key, element in first.items()
        )
    return False


def _spell_alike(first: str, second: str) -> bool:
    """Return whether two texts, one of them a date or time, spell the same one."""
    for kind, read in ((DateText, read_date), (TimeText, read_time), (DatetimeText, read_datetime)):
        if isinstance(first, kind) or isinstance(second, kind):
            left, right = read(first), read(second)
            if isinstance(left, datetime) and isinstance(right, datetime) and bool(left.tzinfo) != bool(right.tzinfo):
                return False
            return left is not None and left == right
    return False


def order(first: object, second: object, zone: str = "UTC") -> int | None:
    """Return -1, 0 or 1; ``None`` when a side is missing or is no number at all (NaN)."""
    first, second = single_value(first), single_value(second)
    for value in (first, second):
        if value is None or value is MISSING:
            return None
        if isinstance(value, (list, tuple, Mapping)):
            kind = "An object" if isinstance(value, Mapping) else "A list"
            raise TemplateError(f"{kind} has no order. Compare numbers, texts, dates or times.")
    left, right = read_number(first), read_number(second)
    if left is not None and right is not None:
        return None if is_nan(left) or is_nan(right) else (left > right) - (left < right)
    ours, theirs = _in_time(first, second, zone), _in_time(second, first, zone)
    if ours is not None and theirs is not None:
        return (ours > theirs) - (ours < theirs)
    one, other = plain_text(first), plain_text(second)
    return (one > other) - (one < other)


def _in_time(value: object, other: object, zone: str) -> datetime | None:
    """Read the value as a moment when it or the other is a date or time; times of day fall on one and the same day."""
    if not isinstance(value, str) or not isinstance(other, str):
        return None
    if isinstance(value, TimeText) or isinstance(other, TimeText):
        clock = read_time(value)
        return None if clock is None else datetime.combine(date.min, clock, UTC)
    if isinstance(value, (DateText, DatetimeText)) or isinstance(other, (DateText, DatetimeText)):
        day = read_date(value)
        moment = read_datetime(value) if day is None else datetime.combine(day, time())
        if moment is None:
            return None
        return moment.replace(tzinfo=zone_of(zone)) if moment.tzinfo is None else in_zone(moment, zone)
    return None
