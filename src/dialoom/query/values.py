"""Compares JSON values: their kinds, one exact order over all of them, and equality.

The order is that of MongoDB for the values that JSON has: null and missing, numbers, texts, objects, arrays, booleans.
"""

from __future__ import annotations

from enum import Enum
from typing import Any, Final, Literal

Kind = Literal["missing", "null", "number", "text", "object", "array", "false", "true"]


class _Absence(Enum):
    MISSING = "missing"


MISSING: Final = _Absence.MISSING
"""The value of a path that reaches nothing. Equal to null in comparisons, different from it for ``$exists``."""

FIRST_TIME: Final = "0001-01-01T00:00:00.000Z"
LAST_TIME: Final = "9999-12-31T23:59:59.999Z"
"""Times are stored as texts. Texts between these two count as times where MongoDB would ask for a date."""

_NULL, _NUMBER, _TEXT, _OBJECT, _ARRAY, _BOOLEAN = range(1, 7)

TYPE_RANKS: Final[dict[type, int]] = {
    type(None): _NULL,
    _Absence: _NULL,
    int: _NUMBER,
    float: _NUMBER,
    str: _TEXT,
    dict: _OBJECT,
    list: _ARRAY,
    bool: _BOOLEAN,
}
"""The place of each type in the order of a sort. Comparisons cross no rank: a number is never less than a text."""

EMPTY_ARRAY_KEY: Final = (0, 0)
"""The key of an empty array in a sort, which comes before null."""


def comparison_key(value: Any) -> tuple[int, Any]:
    """Return a key that compares as the value does: numbers by value, texts by code points (the order of UTF-8 bytes).

    Objects compare member by member in their own key order: first the kind, then the name, then the value.
    """
    rank = TYPE_RANKS[type(value)]
    if rank == _OBJECT:
        members = ((name, comparison_key(member)) for name, member in value.items())
        return rank, tuple((kind, name, rest) for name, (kind, rest) in members)
    if rank == _ARRAY:
        return rank, tuple(comparison_key(element) for element in value)
    return rank, 0 if rank == _NULL else value


def kind_of(value: Any) -> Kind:
    """Return the kind of a value that is not missing."""
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case int() | float():
            return "number"
        case str():
            return "text"
        case list():
            return "array"
        case _:
            return "object"
