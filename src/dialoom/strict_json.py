"""JSON from outside, read strictly: one meaning for every reader, and nothing that cannot be stored or sent on.

Which error a client is told is left to whoever asks: HTTP bodies and user tokens have words of their own.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from typing import Any, Literal, TypeGuard

Fault = Literal["json", "nesting", "number", "text"]


class Unfit(Exception):
    """``detail`` is a sentence; ``pointer`` a JSON pointer to what is at fault, empty for the whole."""

    def __init__(self, fault: Fault, detail: str, pointer: str = "") -> None:
        super().__init__(detail)
        self.fault = fault
        self.detail = detail
        self.pointer = pointer


def is_number(value: object) -> TypeGuard[float]:
    """Return whether a decoded value is a number; JSON's true and false are none."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def read(data: bytes, deepest: int) -> Any:
    """UTF-8, no doubled keys, no NaN, no NUL, no lone surrogates, at most so many levels. Raises ``Unfit``."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Unfit("json", f"This is not UTF-8: byte {error.start} is wrong.") from error
    try:
        value = _decoder.decode(text)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise Unfit("json", f"This is not JSON: {error.msg} at {where}.") from error
    except (RecursionError, ValueError) as error:
        raise Unfit("json", "This is nested too deeply or holds a number too long.") from error
    check_value(value, deepest)
    return value


def check_value(value: Any, deepest: int, depth: int = 0) -> None:
    """What a decoded value may hold. Raises ``Unfit``.

    The pointer is made on the way up from what is wrong: made on the way down it is copied for each element, and a long
    name around many elements takes the square of the body's length.
    """
    if isinstance(value, str):
        check_text(value)
    elif isinstance(value, dict | list):
        if depth >= deepest:
            raise Unfit("nesting", f"At most {deepest} levels of nesting.")
        for name, item in value.items() if isinstance(value, dict) else enumerate(value):
            if isinstance(name, str):
                check_text(name)
            try:
                check_value(item, deepest, depth + 1)
            except Unfit as unfit:
                unfit.pointer = f"/{name}{unfit.pointer}"
                raise
    elif isinstance(value, float) and not math.isfinite(value):
        raise Unfit("number", "A number here is too large.")


def check_text(text: str, pointer: str = "") -> None:
    """NUL and lone surrogates can be stored nowhere as they are (history-api.md). Raises ``Unfit``."""
    if text.isascii():
        if "\0" not in text:
            return
    else:
        try:
            text.encode()
        except UnicodeEncodeError as error:
            raise Unfit("text", f"A text holds a lone surrogate at character {error.start}.", pointer) from error
        if "\0" not in text:
            return
    raise Unfit("text", "A text holds the character NUL.", pointer)


def mended(data: bytes) -> bytes:
    """Return a JSON text that ``read`` refused for a text in it, with U+FFFD for each NUL and lone surrogate."""
    return json.dumps(_mended(_decoder.decode(data.decode())), ensure_ascii=False).encode()


def _mended(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace").replace("\0", "\ufffd")
    if isinstance(value, dict):
        return {_mended(name): _mended(item) for name, item in value.items()}
    return [_mended(item) for item in value] if isinstance(value, list) else value


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        twice, _ = Counter(name for name, _ in pairs).most_common(1)[0]
        raise Unfit("json", f'The key "{twice[:80]}" stands twice in one object.')
    return found


def _constant(name: str) -> Any:
    raise Unfit("json", f"{name} is no JSON value.")


# Made once: making it costs as much as reading a small body.
_decoder = json.JSONDecoder(object_pairs_hook=_pairs, parse_constant=_constant)
