"""What the table of helpers says about each of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import msgspec

from dialoom.errors import TemplateError
from dialoom.template.values.printing import plain_text
from dialoom.template.values.types import MISSING, DateText, DisplayedValue


class Helper(msgspec.Struct, frozen=True):
    """One row. ``function`` gets the arguments, each as the single value it stands for."""

    name: str
    function: Callable[..., object]
    least: int
    most: int | None
    """Number of arguments; ``None``: any."""
    named: tuple[str, ...] = ()
    is_quiet: bool = True
    """Gives nothing when the first argument is missing or null (flow-language.md section 6)."""
    keeps_metadata: bool = False
    """Arguments come with their metadata."""
    takes_frame: bool = False
    """The frame comes before the arguments: for language, zone and the account of work."""
    reads_all: bool = False
    """Reads its arguments to their ends, so that long ones count as work."""
    work: int = 0
    """What a call costs besides, in the units of ``MAX_WORK`` (0.4 µs); formatting by language takes 10 to 20 µs."""
    formats: bool = False
    """Needs the data of the language; its library is imported when the template is compiled."""
    is_lazy: bool = False
    """``function`` gets the compiled arguments and gives a compiled expression, so that it may leave some unread."""


def text_argument(value: object) -> str:
    """Return a text, number, boolean or date as text; an object or list is of the wrong kind."""
    if isinstance(value, str) and not isinstance(value, DateText):
        return value
    if isinstance(value, (dict, list, tuple)):
        raise TemplateError(f"{kind_of(value)} is no text. Pick a part of it by path.")
    return plain_text(value)


def kind_of(value: object) -> str:
    """Return the kind of a value, for errors; never the value itself, which may be private."""
    if isinstance(value, bool):
        return "a boolean"
    if isinstance(value, (int, float)):
        return "a number"
    if isinstance(value, str):
        return "a text"
    if isinstance(value, (list, tuple)):
        return "a list"
    return "nothing" if value is None or value is MISSING else "an object"


def weigh(value: object) -> int:
    """Return how much work it is to look at the whole value."""
    weight, pending = 0, [value]
    while pending:
        value = pending.pop()
        if isinstance(value, str):
            weight += len(value) >> 6
        elif isinstance(value, (list, tuple)):
            weight += len(value) + 1
            pending.extend(value)
        elif isinstance(value, Mapping):
            weight += len(value) + 1
            pending.extend(value.values())
        elif isinstance(value, DisplayedValue):
            pending.append(value.value)
    return weight
