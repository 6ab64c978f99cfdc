"""Answers history queries from a database: in SQL where that is exact, else the exact predicate over what SQL leaves.

What the query means is ``dialoom.query``'s; this file only runs it. What costs time in Python runs on threads.
"""

from __future__ import annotations

import asyncio
import heapq
import time
from contextlib import aclosing
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from dialoom.query import place_of, sort_key, turner
from dialoom.storage.asked import HISTORY_SECONDS, ROWS_A_LOOK, ROWS_A_STRETCH, asked_of, end_of, leading, united
from dialoom.storage.postgres.pages import Statement, first_rows_query, page_query
from dialoom.storage.shapes import TABLES
from dialoom.storage.store import Stretch, TooSlow

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Iterable, Iterator

    from dialoom.query import Run, Selection, Table
    from dialoom.storage.asked import Asked
    from dialoom.storage.postgres.connection import Connections
    from dialoom.storage.store import Collection

_decode = msgspec.json.Decoder(dict[str, Any]).decode

T = TypeVar("T")
Keyed = tuple[Any, bytes]
"""A record's key in an order that is made here, and its text."""


async def find(
    connections: Connections,
    collection: Collection,
    bot: str,
    selection: Selection,
    seconds: float = HISTORY_SECONDS,
    table: Table | None = None,
) -> list[bytes]:
    """``table``: with the operator's indexes."""
    asked = await _asked(collection, bot, selection, table)
    with _Limit(seconds) as limit:
        return await _found(connections, asked, selection, limit)


async def _found(connections: Connections, asked: Asked, selection: Selection, limit: _Limit) -> list[bytes]:
    if not asked.is_ordered:
        best = await asyncio.to_thread(leading, asked, selection, "postgres")
        return await _ordered(connections, best, selection, limit)
    if asked.is_match is None:
        best = await asyncio.to_thread(united, asked, selection, "postgres")
        return await _page(connections, best, selection.skip, selection.limit)
    if asked.led_by:
        pieces = _walked(connections, asked, limit)
    else:
        run = asked.whole("postgres")
        pieces = _read(connections, asked, limit, lambda texts: _matching(texts, asked, limit), run)
    end = end_of(selection)
    found: list[bytes] = []
    async with aclosing(pieces):
        async for texts in pieces:
            found += texts
            if end is not None and len(found) >= end:
                break
    return found[selection.skip : end]


async def stretch(
    connections: Connections,
    collection: Collection,
    bot: str,
    selection: Selection,
    rows: int,
    table: Table | None = None,
) -> Stretch:
    """The next of a walk: what matches among the next rows of the order."""
    asked = await _asked(collection, bot, selection, table)
    texts = await _page(connections, asked, 0, rows)
    place = place_of(selection.sort)(_decode(texts[-1])) if len(texts) == rows else None
    with _Limit(HISTORY_SECONDS) as limit:
        return Stretch(await asyncio.to_thread(_matching, texts, asked, limit), place)


async def count(
    connections: Connections,
    collection: Collection,
    bot: str,
    selection: Selection,
    seconds: float = HISTORY_SECONDS,
    table: Table | None = None,
) -> int:
    """How many match; ``skip``, ``limit`` and ``after`` do not matter."""
    asked = await _asked(collection, bot, selection, table)
    if asked.is_match is None:
        statement = Statement(asked)
        (number,) = await connections.fetchrow(statement.query("count"), *statement.values)
        return int(number)
    with _Limit(seconds) as limit:
        async with aclosing(_read(connections, asked, limit, lambda texts: _matching(texts, asked, limit))) as pieces:
            return sum([len(texts) async for texts in pieces])


async def _asked(collection: Collection, bot: str, selection: Selection, table: Table | None) -> Asked:
    # A query at its limits takes 30 ms to compile.
    return await asyncio.to_thread(asked_of, table or TABLES[collection], bot, selection, "postgres")


async def _page(connections: Connections, asked: Asked, skip: int, limit: int | None) -> list[bytes]:
    """A page comes as one value, which costs less than its rows. No record has a line end."""
    first = first_rows_query(asked, skip, limit)
    if first is not None:
        (page, count) = await connections.fetchrow(first[0], *first[1])
        if count == limit:
            return [] if page is None else page.split(b"\n")
    query, values = page_query(asked, skip, limit)
    if limit is None:
        return [text for (text,) in await connections.fetch(query, *values)]
    (page,) = await connections.fetchrow(query, *values)
    return [] if page is None else page.split(b"\n")


async def _walked(connections: Connections, asked: Asked, limit: _Limit) -> AsyncGenerator[list[bytes], None]:
    """The matches in an order that an index has, some rows at a time, with nothing held in between."""
    place_in, rows = place_of(asked.sort), ROWS_A_LOOK
    while True:
        texts = await _page(connections, asked, 0, rows)
        limit.check()
        yield await asyncio.to_thread(_matching, texts, asked, limit)
        if len(texts) < rows:
            return
        asked = asked.after(place_in(_decode(texts[-1])))
        rows = min(2 * rows, ROWS_A_STRETCH)


async def _read(
    connections: Connections,
    asked: Asked,
    limit: _Limit,
    look: Callable[[list[bytes]], list[T]],
    run: Run | None = None,
) -> AsyncGenerator[list[T], None]:
    """What ``look`` gives of the rows of the run, or of all in any order. A cursor, so that only a few are here at a
    time."""
    statement = Statement(asked)
    query = statement.query("all_in_no_order" if run is None else "all", run)
    async with connections.connection() as connection, connection.transaction(readonly=True):
        cursor = await connection.cursor(query.sql, *statement.values, timeout=limit.seconds + 1.0)
        while rows := await cursor.fetch(ROWS_A_LOOK, timeout=limit.seconds + 1.0):
            limit.check()
            yield await asyncio.to_thread(look, [text for (text,) in rows])


async def _ordered(connections: Connections, asked: Asked, selection: Selection, limit: _Limit) -> list[bytes]:
    """Where the order is made here: with few more in hand than go out."""
    key = sort_key(selection.sort)
    least = None if selection.after is None else turner(selection.sort)(selection.after)
    end = end_of(selection)

    def keyed(texts: list[bytes]) -> list[Keyed]:
        pairs = ((key(document), text) for document, text in _matches(texts, asked, limit))
        return [pair for pair in pairs if least is None or least < pair[0]]

    found: list[Keyed] = []
    async with aclosing(_read(connections, asked, limit, keyed)) as pieces:
        async for pairs in pieces:
            found += pairs
            if end is not None and len(found) > 2 * end + ROWS_A_LOOK:
                found = await asyncio.to_thread(heapq.nsmallest, end, found, _first)
    found = await asyncio.to_thread(sorted, found, key=_first)
    return [text for _, text in found[selection.skip : end]]


def _matches(texts: Iterable[bytes], asked: Asked, limit: _Limit) -> Iterator[tuple[dict[str, Any], bytes]]:
    for text in texts:
        limit.check()
        document = _decode(text)
        if asked.is_match is None or asked.is_match(document):
            yield document, text


def _matching(texts: list[bytes], asked: Asked, limit: _Limit) -> list[bytes]:
    return texts if asked.is_match is None else [text for _, text in _matches(texts, asked, limit)]


class _Limit:
    """Stops a query, also what it does on a thread, when its time is over or nobody waits for it any more. Each record
    is a look: one of 8,000 characters can keep twenty expressions busy for seconds."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._end = time.monotonic() + seconds

    def check(self) -> None:
        if time.monotonic() > self._end:
            raise TooSlow("The query took too long and was stopped. Narrow it, or ask for an indexed property.")

    def __enter__(self) -> _Limit:
        return self

    def __exit__(self, *_: object) -> None:
        self._end = 0.0


def _first(pair: Keyed) -> Any:
    return pair[0]
