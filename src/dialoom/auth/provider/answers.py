"""What all answers of a provider have in common: bytes in, one JSON object out. Their members are left to each file."""

from __future__ import annotations

import re
from typing import Any, TypeGuard

from dialoom import strict_json
from dialoom.auth.provider.checks import Wrong
from dialoom.strict_json import Unfit

MAX_BYTES = 1024 * 1024
"""Of one answer (login.md, What is checked). The caller reads no more than that either."""
MAX_DEPTH = 32
"""Levels of nesting."""
LATEST = 10**12
"""Seconds since 1970. A time further away is none, and Python's floats would lose its seconds."""

_is_visible = re.compile(r"[\x20-\x7e]+").fullmatch


def read_object(body: bytes, code: str) -> dict[str, Any]:
    """Raises ``Wrong`` with this code, and says nothing of the content: a provider may answer with what it was sent."""
    if len(body) > MAX_BYTES:
        raise Wrong(code, f"It has more than {MAX_BYTES} bytes.")
    try:
        value = strict_json.read(body, MAX_DEPTH)
    except Unfit as unfit:
        raise Wrong(code, _WHY[unfit.fault]) from None
    if not isinstance(value, dict):
        raise Wrong(code)
    return value


_WHY = {
    "json": "It is no JSON in UTF-8, or has one key twice.",
    "nesting": f"It has more than {MAX_DEPTH} levels of nesting.",
    "number": "A number in it is too large.",
    "text": "A text in it has a character that cannot be stored.",
}


def is_visible(value: object, most: int) -> TypeGuard[str]:
    """Return whether a value is a text of 1 to ``most`` characters of VSCHAR (RFC 6749 appendix A)."""
    return isinstance(value, str) and len(value) <= most and _is_visible(value) is not None
