"""Reads the query parameters of the history API strictly: each is known, stands once, and holds what it may."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from dialoom.errors import RequestError
from dialoom.query import parse_fields, parse_query, parse_sort, read_cursor

if TYPE_CHECKING:
    from collections.abc import Mapping

    from dialoom.query import Fields, Node, Place, Sort

DEFAULT_LIMIT = 100
MAX_LIMIT = 1000
MAX_SKIP = 1_000_000

OF_LISTS = ("limit", "skip", "sort", "after", "query", "fields", "total")
OF_COUNTS = ("query",)


class HistoryParameters(msgspec.Struct, frozen=True, kw_only=True):
    """What a client asks of a list."""

    given: Mapping[str, str]
    """As it came, for the address of the next page."""
    where: Node
    sort: Sort
    limit: int | None
    """None where none is given."""
    skip: int
    after: Place | None
    fields: Fields | None
    wants_total: bool


def read_wanted(given: Mapping[str, str]) -> HistoryParameters:
    """Raises ``RequestError`` for the first parameter that is wrong. Takes a while for a long query."""
    if "after" in given and "skip" in given:
        detail = "skip and after both say where the page begins. Go on with the Link of the page before, which has one."
        raise RequestError("bad-parameter", detail)
    query, sort = given.get("query"), parse_sort(given.get("sort"))
    limit, skip = given.get("limit"), given.get("skip")
    after = given.get("after")
    return HistoryParameters(
        given=given,
        where=parse_query(query),
        sort=sort,
        limit=None if limit is None else _whole("limit", limit, MAX_LIMIT),
        skip=0 if skip is None else _whole("skip", skip, MAX_SKIP),
        after=None if after is None else read_cursor(after, sort, query),
        fields=parse_fields(given.get("fields")),
        wants_total=_flag("total", given.get("total", "false")),
    )


def _whole(name: str, text: str, most: int) -> int:
    digits = text.lstrip("0") or text[:1]
    if not (text.isascii() and text.isdigit()) or len(digits) > len(str(most)) or int(digits) > most:
        raise _wrong(name, f"is a whole number from 0 to {most}", text)
    return int(digits)


def _flag(name: str, text: str) -> bool:
    if text not in ("true", "false"):
        raise _wrong(name, "is true or false", text)
    return text == "true"


def _wrong(name: str, rule: str, text: str) -> RequestError:
    shown: Any = f'"{text[:40]}"' if text else "empty"
    return RequestError("bad-parameter", f'"{name}" {rule}; here it is {shown}.')
