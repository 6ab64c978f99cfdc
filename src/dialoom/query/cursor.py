"""Where a record stands in an order, and that place as the opaque text of a page's ``after``.

A cursor comes from anybody: what it holds is checked as strictly as a query. Going on from a place is the stores' part.
"""

from __future__ import annotations

import base64
import hashlib
import json
import math
import re
from typing import TYPE_CHECKING, Any, Final

from dialoom.query.order import complete, least_key
from dialoom.query.refusal import refuse
from dialoom.query.values import BELOW_NULL, RANKS, key

if TYPE_CHECKING:
    from collections.abc import Callable

    from dialoom.errors import QueryError
    from dialoom.query.tree import Place, Sort

MAX_CHARACTERS: Final = 16 * 1024
"""Of a cursor: a longer one would not go through every proxy as part of a header."""
_MAX_DEPTH: Final = 100
"""So deep may a value be nested that a cursor names."""
_MAX_DIGITS: Final = 310
"""As in a query: an integer of more digits does not fit in double precision."""
_MARK_BYTES: Final = 9

_HALF: Final = re.compile("[\ud800-\udfff]")
_NUMBER, _TEXT, _OBJECT, _ARRAY, _BOOLEAN = (RANKS[kind] for kind in (int, str, dict, list, bool))


def place_of(sort: Sort) -> Callable[[dict[str, Any]], Place]:
    """A function from a document to its place in the order; ``QueryError`` for a document that has none."""
    return least_key(sort)


def write_cursor(place: Place, sort: Sort, query_text: str | None) -> str:
    """The text that stands for the place, in this order of what this query finds. ``QueryError`` when a value there is
    too long or too deep to be named."""
    text = json.dumps([_mark(sort, query_text), *place], ensure_ascii=False, separators=(",", ":"))
    cursor = base64.urlsafe_b64encode(text.encode("utf-8", "surrogatepass")).decode().rstrip("=")
    if len(cursor) > MAX_CHARACTERS or any(_depth(held) > _MAX_DEPTH for _, held in place):
        detail = (
            "There is a next page, and no cursor can name it: the value by which the last record of this page is "
            "sorted is too long. Sort by another property, or leave the sort out."
        )
        raise refuse("place-too-long", detail)
    return cursor


def read_cursor(text: str, sort: Sort, query_text: str | None) -> Place:
    """The place that a cursor of this order and query stands for; ``QueryError`` for any other text."""
    held = _opened(text)
    if not isinstance(held, list) or not held or not isinstance(held[0], str):
        raise _no_cursor()
    if held[0] != _mark(sort, query_text):
        detail = "The cursor belongs to another sort or query; repeat those of the page that it came with."
        raise refuse("bad-cursor", detail, None)
    if len(held) != 1 + len(complete(sort)):
        raise _no_cursor()
    return tuple(_key(entry, 0) for entry in held[1:])


def _mark(sort: Sort, query_text: str | None) -> str:
    """Binds a cursor to its order and query. No secret: it keeps mistakes out, not people."""
    asked = json.dumps([complete(sort), query_text]).encode()
    return base64.urlsafe_b64encode(hashlib.blake2b(asked, digest_size=_MARK_BYTES).digest()).decode()


def _opened(text: str) -> Any:
    """The JSON inside. Whatever is wrong with it is a ``ValueError``, of which the codecs' errors are kinds."""
    if len(text) > MAX_CHARACTERS or not text.isascii():
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
    """The key as ``values.key`` makes it, and nothing that it never makes: all that comes out can be compared."""
    if not isinstance(entry, list) or len(entry) != 2 or type(entry[0]) is not int or depth > _MAX_DEPTH:
        raise _no_cursor()
    rank, held = entry
    if rank == _NUMBER and type(held) in (int, float):
        return rank, held
    if rank == _TEXT and isinstance(held, str):
        return rank, _whole(held)
    if rank == _BOOLEAN and isinstance(held, bool):
        return rank, held
    if rank == _ARRAY and isinstance(held, list):
        return rank, tuple(_key(element, depth + 1) for element in held)
    if rank == _OBJECT and isinstance(held, list):
        return rank, tuple(_member(member, depth + 1) for member in held)
    if (rank, held) in (BELOW_NULL, key(None)) and type(held) is int:
        return rank, held
    raise _no_cursor()


def _member(entry: Any, depth: int) -> tuple[int, str, Any]:
    if not isinstance(entry, list) or len(entry) != 3 or not isinstance(entry[1], str):
        raise _no_cursor()
    kind, name, held = entry
    return kind, _whole(name), _key([kind, held], depth)[1]


def _whole(text: str) -> str:
    """A stored text may hold NUL; half of a surrogate pair no text does, and no database takes it."""
    if _HALF.search(text):
        raise _no_cursor()
    return text


def _depth(held: Any) -> int:
    return 1 + max(map(_depth, held), default=0) if isinstance(held, tuple) else 0


def _no_cursor() -> QueryError:
    return refuse("bad-cursor", "This is no cursor of ours. Take it unchanged from the Link of the page before.", None)
