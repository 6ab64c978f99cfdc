"""Writes the place of a record in an order as the opaque text of ``after``, and reads it back.

A cursor comes from anybody: what it holds is checked as strictly as a query.
"""

from __future__ import annotations

import base64
import hashlib
import json
import math
import re
from typing import Any, Final

from dialoom.errors import QueryError
from dialoom.query.errors import invalid
from dialoom.query.sort import with_tie_breaker
from dialoom.query.tree import Place, Sort
from dialoom.query.values import EMPTY_ARRAY_KEY, TYPE_RANKS, comparison_key

MAX_CURSOR_CHARS: Final = 16 * 1024
"""Characters of a cursor: a longer one would not go through every proxy as part of a header."""
_MAX_DEPTH: Final = 100
"""Levels of arrays and objects in a value that a cursor holds."""
_MAX_DIGITS: Final = 310
"""As in a query: an integer of more digits does not fit in double precision."""
_FINGERPRINT_BYTES: Final = 9

_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_NUMBER, _TEXT, _OBJECT, _ARRAY, _BOOLEAN = (TYPE_RANKS[kind] for kind in (int, str, dict, list, bool))


def write_cursor(place: Place, sort: Sort, query_text: str | None) -> str:
    """Return the cursor of the place in this order of what the query finds. ``QueryError`` when a value there is too
    long or too deep for it."""
    text = json.dumps([_fingerprint(sort, query_text), *place], ensure_ascii=False, separators=(",", ":"))
    cursor = base64.urlsafe_b64encode(text.encode("utf-8", "surrogatepass")).decode().rstrip("=")
    if len(cursor) > MAX_CURSOR_CHARS or any(_depth(held) > _MAX_DEPTH for _, held in place):
        detail = (
            "There is a next page, and no cursor can name it: the value by which the last record of this page is "
            "sorted is too long. Sort by another property, or leave the sort out."
        )
        raise invalid("place-too-long", detail)
    return cursor


def read_cursor(text: str, sort: Sort, query_text: str | None) -> Place:
    """Return the place that a cursor of this order and query holds; ``QueryError`` for any other text."""
    held = _decoded(text)
    if not isinstance(held, list) or not held or not isinstance(held[0], str):
        raise _no_cursor()
    if held[0] != _fingerprint(sort, query_text):
        detail = "The cursor belongs to another sort or query; repeat those of the page that it came with."
        raise invalid("bad-cursor", detail, None)
    if len(held) != 1 + len(with_tie_breaker(sort)):
        raise _no_cursor()
    return tuple(_key(entry, 0) for entry in held[1:])


def _fingerprint(sort: Sort, query_text: str | None) -> str:
    """Return the hash that binds a cursor to its order and query. No secret: it keeps mistakes out, not people."""
    asked = json.dumps([with_tie_breaker(sort), query_text]).encode()
    return base64.urlsafe_b64encode(hashlib.blake2b(asked, digest_size=_FINGERPRINT_BYTES).digest()).decode()


def _decoded(text: str) -> Any:
    """Return the JSON in the cursor."""
    if len(text) > MAX_CURSOR_CHARS or not text.isascii():
        raise _no_cursor()
    try:
        raw = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
        return json.loads(raw.decode(), parse_int=_integer, parse_float=_finite, parse_constant=_finite)
    except (ValueError, RecursionError):
        raise _no_cursor() from None


def _integer(digits: str) -> int:
    if len(digits) > _MAX_DIGITS:
        raise ValueError(digits)
    number = int(digits)
    _finite(digits)
    return number


def _finite(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise ValueError(digits)
    return number


def _key(entry: Any, depth: int) -> tuple[int, Any]:
    """Return the key, if ``comparison_key`` can make it; ``QueryError`` for others, which might not be comparable."""
    if not isinstance(entry, list) or len(entry) != 2 or type(entry[0]) is not int or depth > _MAX_DEPTH:
        raise _no_cursor()
    rank, held = entry
    if rank == _NUMBER and type(held) in (int, float):
        return rank, held
    if rank == _TEXT and isinstance(held, str):
        return rank, _checked_text(held)
    if rank == _BOOLEAN and isinstance(held, bool):
        return rank, held
    if rank == _ARRAY and isinstance(held, list):
        return rank, tuple(_key(element, depth + 1) for element in held)
    if rank == _OBJECT and isinstance(held, list):
        return rank, tuple(_member(member, depth + 1) for member in held)
    if (rank, held) in (EMPTY_ARRAY_KEY, comparison_key(None)) and type(held) is int:
        return rank, held
    raise _no_cursor()


def _member(entry: Any, depth: int) -> tuple[int, str, Any]:
    if not isinstance(entry, list) or len(entry) != 3 or not isinstance(entry[1], str):
        raise _no_cursor()
    kind, name, held = entry
    return kind, _checked_text(name), _key([kind, held], depth)[1]


def _checked_text(text: str) -> str:
    """Return the text unless it holds half a surrogate pair, which no database takes; NUL may be stored."""
    if _SURROGATE.search(text):
        raise _no_cursor()
    return text


def _depth(held: Any) -> int:
    return 1 + max(map(_depth, held), default=0) if isinstance(held, tuple) else 0


def _no_cursor() -> QueryError:
    return invalid("bad-cursor", "This is no cursor of ours. Take it unchanged from the Link of the page before.", None)
