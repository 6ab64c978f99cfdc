"""Parses the JSON text of a parameter strictly, with the pointer of whatever is wrong. Knows no operator.

Refuses what could mean two things or could not be stored: doubled keys, NUL, half surrogate pairs, numbers that are not
finite, nesting beyond the limit.
"""

from __future__ import annotations

import json
import math
import re
from typing import Any

from dialoom.query.errors import child, invalid

MAX_BYTES = 16 * 1024
MAX_DEPTH = 10

# An integer of more digits cannot fit in double precision; Python itself refuses to read beyond 4,300 of them.
_MAX_DIGITS = 310

_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


class _Pairs(list[tuple[str, Any]]):
    """The members of an object as they were written, so that doubled keys can still be seen."""


def read_object(text: str, what: str) -> dict[str, Any]:
    """Return the object that the text holds. ``what`` names the parameter in the sentences."""
    check_length(text, what)
    try:
        value = json.loads(text, object_pairs_hook=_Pairs, parse_int=_integer, parse_constant=_constant)
    except json.JSONDecodeError as error:
        raise invalid("not-json", f"The {what} is not JSON: {error.msg} at character {error.pos + 1}.") from error
    except RecursionError as error:
        raise _too_deep("") from error
    if not isinstance(value, _Pairs):
        raise invalid("not-an-object", f"The {what} must be a JSON object, such as {{}}; this is {_named(value)}.")
    checked: dict[str, Any] = _checked(value, "", 1)
    return checked


def check_length(text: str, what: str) -> None:
    """Raise ``QueryError`` for a parameter that is too long."""
    # A half surrogate is counted here and refused, with its place, by whoever looks at the text itself.
    length = len(text.encode("utf-8", "surrogatepass"))
    if length > MAX_BYTES:
        raise invalid("too-long", f"The {what} has {length} bytes; at most {MAX_BYTES} are allowed.")


def check_text(text: str, pointer: str) -> None:
    """Raise ``QueryError`` for a text that no record can hold."""
    met = _UNSTORABLE.search(text)
    if met:
        name = "NUL" if met[0] == "\0" else "half a surrogate pair"
        raise invalid("bad-text", f"The text holds {name} at character {met.start() + 1}; leave it out.", pointer)


def _checked(value: Any, pointer: str, depth: int) -> Any:
    if isinstance(value, list) and depth > MAX_DEPTH:
        raise _too_deep(pointer)
    if isinstance(value, _Pairs):
        members: dict[str, Any] = {}
        for key, member in value:
            member_pointer = child(pointer, key)
            check_text(key, pointer)
            if key in members:
                raise invalid(
                    "doubled-key", f'The key "{key}" stands twice in one object; name it once.', member_pointer
                )
            members[key] = _checked(member, member_pointer, depth + 1)
        return members
    if isinstance(value, list):
        return [_checked(element, child(pointer, index), depth + 1) for index, element in enumerate(value)]
    if isinstance(value, str):
        check_text(value, pointer)
    elif isinstance(value, int | float) and not _is_finite(value):
        raise invalid("bad-number", "The number is not finite or too large; it must fit in double precision.", pointer)
    return value


def _integer(digits: str) -> int | float:
    return int(digits) if len(digits) <= _MAX_DIGITS else math.inf


def _constant(_name: str) -> float:
    # NaN, Infinity and -Infinity are no JSON; as infinity they are refused with their pointer.
    return math.inf


def _is_finite(value: float) -> bool:
    try:
        return math.isfinite(value)
    except OverflowError:
        return False


def _too_deep(pointer: str) -> Exception:
    return invalid("too-deep", f"Objects and arrays are nested deeper than {MAX_DEPTH}; make it flatter.", pointer)


def _named(value: Any) -> str:
    if isinstance(value, list):
        return "an array"
    return {str: "a text", bool: "a boolean", type(None): "null"}.get(type(value), "a number")
