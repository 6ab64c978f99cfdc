"""The values that are more than plain JSON, and the truth rule. Printing and comparing are left to their own modules.

A template meets JSON values and these: a value that is not there, a value with metadata, a value with a text of its
own, and the texts that are dates and times. Each is still plain JSON to everything that stores it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Final, final


@final
class Missing:
    """The one value that says "not there"; JSON's null is ``None`` and is there."""

    __slots__ = ()

    def __bool__(self) -> bool:
        return False

    def __repr__(self) -> str:
        return "MISSING"


MISSING: Final = Missing()


class CustomValue(dict[str, Any]):
    """A custom type's value with its metadata; it stands for ``bare`` wherever a single value is wanted.

    ``display`` is what ``entity-display`` makes of it; it is printed in messages and option titles only.
    """

    __slots__ = ("bare", "display")

    def __init__(self, mapping: Mapping[str, object], *, bare: object = None, display: str | None = None) -> None:
        super().__init__(mapping)
        self.bare = bare
        self.display = display


@final
class DisplayedValue:
    """Any other value with an ``entity-display``: stands for ``value`` everywhere, reads as ``display`` in messages."""

    __slots__ = ("display", "value")

    def __init__(self, value: object, display: str) -> None:
        self.value = value
        self.display = display

    def __repr__(self) -> str:
        return f"DisplayedValue({self.value!r}, {self.display!r})"


class DateText(str):
    """A date as ``YYYY-MM-DD``; stands for ``YYYY.MM.DD``, ordered by time."""

    __slots__ = ()


class TimeText(str):
    """A time of day as ``HH:mm``, ordered by time."""

    __slots__ = ()


class DatetimeText(str):
    """A moment as ISO 8601 with its offset, ordered by time."""

    __slots__ = ()


FALSE_TEXTS: Final = frozenset({"", "false", "0", "null", "undefined"})

PLAIN: Final = frozenset({str, int, bool, float, type(None), list, dict, Missing})
"""Types that stand for nothing but themselves. One set look-up decides, which keeps the hot path short."""


def single_value(value: object) -> object:
    """Return the single value that ``value`` stands for: the bare value of one with metadata, else itself."""
    while type(value) not in PLAIN:
        if isinstance(value, CustomValue):
            value = value.bare
        elif isinstance(value, DisplayedValue):
            value = value.value
        else:
            return value
    return value


def without_display(value: object) -> object:
    """Return the value with all its metadata but without a text of its own."""
    while isinstance(value, DisplayedValue):
        value = value.value
    return value


def is_nan(number: float) -> bool:
    """Return whether it is no number; ``math.isnan`` fails on integers past 1e308."""
    return isinstance(number, float) and math.isnan(number)


def is_there(value: object) -> bool:
    """Return whether there is a value: false, 0 and an empty text are values, null is none."""
    value = single_value(value)
    return value is not None and value is not MISSING


def is_true(value: object) -> bool:
    """Return the truth rule of conditions (flow-language.md section 6)."""
    value = single_value(value)
    if isinstance(value, str):
        return value not in FALSE_TEXTS
    return is_truthy(value)


def is_truthy(value: object, *, include_zero: bool = False) -> bool:
    """Return the truth of ``#if`` and its like, which is Handlebars' own: every text that is not empty is true."""
    value = single_value(value)
    if value is None or value is MISSING or value is False:
        return False
    if isinstance(value, (int, float)):
        return (include_zero and value == 0) or not (value == 0 or is_nan(value))
    if isinstance(value, (str, list, tuple)):
        return len(value) > 0
    return True
