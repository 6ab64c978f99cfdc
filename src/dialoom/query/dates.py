"""Reads ``$date`` in a query: a point in time becomes the text that records store."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from dialoom.query.errors import child, invalid

# The time of day and the offset may be left out.
_ISO_DATE = re.compile(r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?)?(?:Z|[+-]\d\d:?\d\d)?", re.ASCII)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def is_date(value: Any) -> bool:
    """Return whether the value is an object with ``$date``."""
    return isinstance(value, dict) and "$date" in value


def read_date(value: Mapping[str, Any], pointer: str) -> str:
    """Return the stored text of a point in time: UTC, ISO 8601, milliseconds. A time without an offset is in UTC."""
    moment = _moment(value["$date"]) if len(value) == 1 else None
    if moment is None:
        detail = (
            '$date must hold a time such as "2026-11-20T08:15:30.250Z", or milliseconds since 1970, in the years 1 to '
            "9999, and stand alone in its object."
        )
        raise invalid("bad-date", detail, pointer)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def stored_dates(value: Any, pointer: str = "") -> Any:
    """Return the value with every ``$date`` in it turned into the text that records store."""
    if is_date(value):
        return read_date(value, pointer)
    if isinstance(value, dict):
        return {name: stored_dates(member, child(pointer, name)) for name, member in value.items()}
    if isinstance(value, list):
        return [stored_dates(element, child(pointer, index)) for index, element in enumerate(value)]
    return value


def _moment(value: Any) -> datetime | None:
    if isinstance(value, dict) and list(value) == ["$numberLong"]:
        number = value["$numberLong"]
        value = int(number) if isinstance(number, str) and re.fullmatch(r"-?\d{1,19}", number, re.ASCII) else None
    try:
        if isinstance(value, int) and not isinstance(value, bool):
            return _EPOCH + timedelta(milliseconds=value)
        if isinstance(value, str) and _ISO_DATE.fullmatch(value):
            moment = datetime.fromisoformat(value.replace(",", "."))
            return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):
        return None
    return None
