"""Reads the query parameters of the history API strictly: each is known, stands once, and holds what it may.

A long query and one with regular expressions are read on a thread, the latter one at a time.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping

import msgspec

from dialoom.errors import RequestError
from dialoom.query import Fields, Node, Place, Sort, parse_fields, parse_query, parse_sort, read_cursor
from dialoom.storage.history_plan import HISTORY_SECONDS
from dialoom.storage.store import TooSlow

DEFAULT_LIMIT = 100
MAX_LIMIT = 1000
MAX_SKIP = 1_000_000

LONG_QUERY_CHARS = 1024
"""Characters of parameters that are too many to be read on the event loop: 16 KiB take some milliseconds."""

LIST_PARAMETERS = ("limit", "skip", "sort", "after", "query", "fields", "total")
COUNT_PARAMETERS = ("query",)


class HistoryParameters(msgspec.Struct, frozen=True, kw_only=True):
    """Holds the checked parameters of a list."""

    given: Mapping[str, str]
    """As they came, for the address of the next page."""
    where: Node
    sort: Sort
    limit: int | None
    """None where none is given."""
    skip: int
    after: Place | None
    fields: Fields | None
    wants_total: bool


def read_parameters(given: Mapping[str, str]) -> HistoryParameters:
    """Read the parameters. Raises ``RequestError`` for the first that is wrong. Takes milliseconds for a long query."""
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
    shown = f'"{text[:40]}"' if text else "empty"
    return RequestError("bad-parameter", f'"{name}" {rule}; here it is {shown}.')


class QueryParsing:
    """Reads parameters where they hold up nobody: on the event loop, or on a thread."""

    def __init__(
        self, read: Callable[[Mapping[str, str]], HistoryParameters] = read_parameters, seconds: float = HISTORY_SECONDS
    ) -> None:
        self._read = read
        self._seconds = seconds
        self._regexes = asyncio.Lock()

    async def read(self, given: Mapping[str, str]) -> HistoryParameters:
        """Read the parameters. Raises ``RequestError`` for what is wrong, ``TooSlow`` if it cannot begin in time."""
        if not _has_regex(given):
            is_long = sum(map(len, given.values())) >= LONG_QUERY_CHARS
            return await asyncio.to_thread(self._read, given) if is_long else self._read(given)
        try:
            # Those of a query take up to 50 ms to compile, in which nothing else runs: one query after another.
            async with asyncio.timeout(self._seconds):
                await self._regexes.acquire()
        except TimeoutError:
            raise TooSlow("Too many queries with regular expressions came at once. Ask again later.") from None
        try:
            return await asyncio.to_thread(self._read, given)
        finally:
            self._regexes.release()


def _has_regex(given: Mapping[str, str]) -> bool:
    """Return whether there may be a regular expression: JSON may write the letters of ``$regex`` with backslashes."""
    query = given.get("query", "")
    return "regex" in query or "\\u" in query
