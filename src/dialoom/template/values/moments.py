"""Reads dates, times and moments that are written as text in the one form that needs no language.

What people type is left to understanding; this reads what memory, flows and services hold.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time, tzinfo
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from dialoom.template.values.types import DateText, DatetimeText, TimeText

DATE: Final = re.compile(r"(\d{4})([-./])(\d{1,2})\2(\d{1,2})", re.ASCII)
TIME: Final = re.compile(r"(\d{1,2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?", re.ASCII)
DATETIME: Final = re.compile(
    r"(\d{4}[-./]\d{1,2}[-./]\d{1,2})[Tt ](\d{1,2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)\s?([Zz]|[+-]\d{2}:?\d{2})?", re.ASCII
)

LATEST_MILLISECOND: Final = 253_402_300_799_999
"""9999-12-31T23:59:59.999Z, the last that a date can hold."""


def read_date(text: str) -> date | None:
    """Read ``2017-08-07``, also with points or slashes."""
    match = DATE.fullmatch(text.strip())
    if match is None:
        return None
    try:
        return date(int(match[1]), int(match[3]), int(match[4]))
    except ValueError:
        return None


def read_time(text: str) -> time | None:
    """Read ``9:30``, ``09:30`` or ``09:30:15``."""
    match = TIME.fullmatch(text.strip())
    if match is None:
        return None
    try:
        return time(int(match[1]), int(match[2]), int(match[3] or 0), int((match[4] or "0").ljust(6, "0")[:6]))
    except ValueError:
        return None


def read_datetime(text: str) -> datetime | None:
    """Read an ISO 8601 date and time; aware when an offset is written, else naive."""
    match = DATETIME.fullmatch(text.strip())
    if match is None:
        return None
    day, clock = read_date(match[1]), read_time(match[2])
    if day is None or clock is None:
        return None
    moment = datetime.combine(day, clock)
    offset = match[3]
    if offset is None:
        return moment
    if offset in "Zz":
        return moment.replace(tzinfo=UTC)
    try:
        return moment.replace(tzinfo=datetime.strptime(offset, "%z").tzinfo)
    except ValueError:
        return None


def zone_of(name: str) -> tzinfo:
    """Return the zone of an IANA name; ``Universal`` and what is no zone at all are UTC."""
    return find_zone(name) or UTC


def find_zone(name: str) -> tzinfo | None:
    """Reads a file unless somebody holds the zone already; for a name that is none, it looks each time again."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None


def in_zone(moment: datetime, zone: str) -> datetime:
    """Return the moment as the clocks of the zone show it; a naive one is taken as shown there."""
    if moment.tzinfo is None:
        return moment
    try:
        return moment.astimezone(zone_of(zone))
    except OverflowError:
        return moment


def read_moment(value: object, zone: str) -> datetime | date | time | None:
    """Return what a value says about time, in the zone's own clock; ``None`` when it says nothing."""
    if isinstance(value, bool):
        return None
    if isinstance(value, (int, float)):
        if not abs(value) <= LATEST_MILLISECOND:
            return None
        try:
            return in_zone(datetime.fromtimestamp(value / 1000, UTC), zone)
        except (ValueError, OverflowError, OSError):
            return None
    if not isinstance(value, str):
        return None
    if isinstance(value, DateText):
        return read_date(value)
    if isinstance(value, TimeText):
        return read_time(value)
    moment = read_datetime(value)
    if moment is not None:
        return in_zone(moment, zone)
    if isinstance(value, DatetimeText):
        return None
    return read_date(value) or read_time(value)
