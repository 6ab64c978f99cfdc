"""How values read as text: in a message, outside of one, and as JSON. Formats by language are left to the helpers."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from decimal import Decimal
from json.encoder import encode_basestring
from typing import Final

from dialoom.errors import TemplateError
from dialoom.template.values.types import MISSING, CustomValue, DateText, DisplayedValue

MAX_DEPTH: Final = 100
"""Of lists and objects in each other; Python's own stack holds about ten times that."""

EXPONENT_FROM: Final = 10**21
"""ECMA-262, Number::toString: from here on a number is written with an exponent."""

LONE_SURROGATE: Final = re.compile("[\ud800-\udfff]")


def number_text(number: float) -> str:
    """Return the number as JavaScript writes it: ``1.0`` is ``1``, and no exponent between 1e-6 and 1e21."""
    if isinstance(number, int):
        if -EXPONENT_FROM < number < EXPONENT_FROM:
            return str(int(number))
        try:
            number = float(number)
        except OverflowError:
            return "Infinity" if number > 0 else "-Infinity"
    text = repr(number)
    if text.endswith(".0"):
        return "0" if text == "-0.0" else text[:-2]
    if "e" in text:
        return _exponent_text(number, text)
    return {"nan": "NaN", "inf": "Infinity", "-inf": "-Infinity"}.get(text, text)


def _exponent_text(number: float, text: str) -> str:
    """Write an exponent below 1e-6 and from 1e21 on, as JavaScript does; Python does below 1e-4 and from 1e16 on."""
    if 1e-6 <= abs(number) < EXPONENT_FROM:
        return f"{Decimal(text):f}"
    mantissa, _, exponent = text.partition("e")
    power = int(exponent)
    return f"{mantissa.removesuffix('.0')}e{'+' if power > 0 else '-'}{abs(power)}"


def print_value(value: object) -> str:
    """Return how a value reads in a message or an option title: its ``entity-display`` when it has one."""
    return _print(value, True, 0)


def plain_text(value: object) -> str:
    """Return how a value reads anywhere else: the single value it stands for, as text."""
    return _print(value, False, 0)


def _print(value: object, display: bool, depth: int) -> str:
    if isinstance(value, str):
        return dotted(value) if isinstance(value, DateText) else str(value)
    if value is None or value is MISSING:
        return ""
    if value is True:
        return "true"
    if value is False:
        return "false"
    if isinstance(value, (int, float)):
        return number_text(value)
    if isinstance(value, DisplayedValue):
        return value.display if display else _print(value.value, display, _deeper(depth))
    if isinstance(value, CustomValue):
        if display and value.display is not None:
            return value.display
        return _print(value.bare, display, _deeper(depth))
    if isinstance(value, (list, tuple)):
        depth = _deeper(depth)
        return ", ".join([_print(element, display, depth) for element in value])
    if isinstance(value, Mapping):
        return json_text(value)
    raise TemplateError(
        f"A value of the Python type {type(value).__name__} has no text. Memory holds JSON values only."
    )


def dotted(date: str) -> str:
    """Return a stored date as ``YYYY.MM.DD``."""
    return date.replace("-", ".")


def _deeper(depth: int) -> int:
    if depth >= MAX_DEPTH:
        raise TemplateError(
            f"The value is nested deeper than {MAX_DEPTH} levels. Pick the part that is needed by path."
        )
    return depth + 1


def json_text(value: object) -> str:
    """Return ``JSON.stringify(value)``, with all metadata; what is not there is ``null``."""
    pieces: list[str] = []
    _write_json(value, pieces.append, 0)
    return "".join(pieces)


def _write_json(value: object, write: Callable[[str], None], depth: int) -> None:
    if isinstance(value, str):
        write(json_string(dotted(value) if isinstance(value, DateText) else value))
    elif isinstance(value, bool):
        write("true" if value else "false")
    elif value is None or value is MISSING:
        write("null")
    elif isinstance(value, (int, float)):
        text = number_text(value)
        write("null" if text[-1] in "Ny" else text)
    elif isinstance(value, Mapping):
        depth = _deeper(depth)
        separator = "{"
        for key, element in value.items():
            write(f"{separator}{json_string(str(key))}:")
            _write_json(element, write, depth)
            separator = ","
        write("{}" if separator == "{" else "}")
    elif isinstance(value, (list, tuple)):
        depth = _deeper(depth)
        separator = "["
        for element in value:
            write(separator)
            _write_json(element, write, depth)
            separator = ","
        write("[]" if separator == "[" else "]")
    elif isinstance(value, DisplayedValue):
        _write_json(value.value, write, _deeper(depth))
    else:
        raise TemplateError(f"A value of the Python type {type(value).__name__} is no JSON value.")


def json_string(text: str) -> str:
    """Quote the text; lone surrogates are escaped as JSON.stringify does, so that the result can be encoded."""
    quoted = encode_basestring(text)
    if not quoted.isascii() and LONE_SURROGATE.search(quoted):
        return LONE_SURROGATE.sub(lambda match: f"\\u{ord(match.group()):04x}", quoted)
    return quoted


def payload_value(value: object, depth: int = 0) -> object:
    """Return the value as it leaves in a payload leaf: values with metadata and dates become what they stand for."""
    if isinstance(value, CustomValue):
        return payload_value(value.bare, _deeper(depth))
    if isinstance(value, (list, tuple)):
        depth = _deeper(depth)
        return [payload_value(element, depth) for element in value]
    return json_value(value, depth)


def json_value(value: object, depth: int = 0) -> object:
    """Return the value with all its metadata as plain JSON, as ``$json`` gives it to a payload."""
    if isinstance(value, str):
        return dotted(value) if isinstance(value, DateText) else str(value)
    if value is MISSING:
        return None
    if isinstance(value, DisplayedValue):
        return json_value(value.value, _deeper(depth))
    if isinstance(value, Mapping):
        depth = _deeper(depth)
        return {str(key): json_value(element, depth) for key, element in value.items()}
    if isinstance(value, (list, tuple)):
        depth = _deeper(depth)
        return [json_value(element, depth) for element in value]
    return value
