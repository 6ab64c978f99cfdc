"""Answers history queries from a database: in SQL where that is exact, else the exact predicate over what SQL leaves.

What the query means is ``dialoom.query``'s; this file only runs it. What costs time in Python runs on threads.
"""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from typing import TYPE_CHECKING, Any, Final, TypeVar

import msgspec

from dialoom.errors import StoreError
from dialoom.query import place_of, sort_key, turner
from dialoom.storage.asked import ROWS_A_LOOK, ROWS_A_STRETCH, asked_of, end_of, leading, united
from dialoom.storage.least import Least
from dialoom.storage.limits import (
    PAGE_BYTES,
    WANTED_BYTES,
    check_page,
    rows_next,
    size_of,
    too_large,
)
from dialoom.storage.named import load
from dialoom.storage.postgres.pages import Statement, first_rows_query, page_query
from dialoom.storage.shapes import TABLES
from dialoom.storage.store import Stretch

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Iterable, Iterator, Sequence

    from dialoom.query import Run, Selection, Table
    from dialoom.storage.asked import Asked
    from dialoom.storage.postgres.connection import Connections
    from dialoom.storage.store import Collection

_decode = msgspec.json.Decoder(dict[str, Any]).decode
FIRST_ROWS: Final = 32
"""That a cursor gives before it is known how long they are."""

_HISTORY = load("postgres", "history")

T = TypeVar("T")


async def find(
    connections: Connections,
    collection: Collection,
    bot: str,
    selection: Selection,
    table: Table | None = None,
) -> list[bytes]:
    """``table``: with the operator's indexes."""
    with _Limit() as limit:
        asked = await _asked(collection, bot, selection, table, limit)
        return await _found(connections, asked, selection, limit)


async def _found(connections: Connections, asked: Asked, selection: Selection, limit: _Limit) -> list[bytes]:
    if not asked.is_ordered:
        best = await asyncio.to_thread(leading, asked, selection, "postgres")
        return await _ordered(connections, best, selection, limit)
    if asked.is_match is None:
        best = await asyncio.to_thread(united, asked, selection, "postgres")
        texts, count = await _page(connections, best, selection.skip, selection.limit, PAGE_BYTES)
        if len(texts) < count:
            raise too_large()
        return texts
    if asked.led_by:
        pieces = _walked(connections, asked, limit)
    else:
        run = asked.whole("postgres")
        pieces = _read(connections, asked, lambda texts: _matching(texts, asked, limit), run)
    async with aclosing(pieces):
        return await _taken(pieces, selection)


async def _taken(pieces: AsyncGenerator[list[bytes], None], selection: Selection) -> list[bytes]:
    """The page that these make up."""
    found: list[bytes] = []
    left_out, size = selection.skip, 0
    async for texts in pieces:
        given = texts[left_out:]
        left_out -= len(texts) - len(given)
        if selection.limit is not None:
            given = given[: selection.limit - len(found)]
            size += size_of(given)
            check_page(size)
        found += given
        if len(found) == selection.limit:
            break
    return found


async def stretch(
    connections: Connections,
    collection: Collection,
    bot: str,
    selection: Selection,
    rows: int,
    table: Table | None = None,
) -> Stretch:
    """The next of a walk: what matches among the next rows of the order, as far as they have the bytes wanted."""
    with _Limit() as limit:
        asked = await _asked(collection, bot, selection, table, limit)
        texts, count = await _page(connections, asked, 0, rows, WANTED_BYTES)
        place = place_of(selection.sort)(_decode(texts[-1])) if len(texts) < count or count == rows else None
        return Stretch(await asyncio.to_thread(_matching, texts, asked, limit), place)


async def count(
    connections: Connections,
    collection: Collection,
    bot: str,
    selection: Selection,
    table: Table | None = None,
) -> int:
    """How many match; ``skip``, ``limit`` and ``after`` do not matter."""
    with _Limit() as limit:
        asked = await _asked(collection, bot, selection, table, limit)
        if asked.is_match is None:
            statement = Statement(asked)
            (number,) = await connections.fetchrow(statement.query("count"), *statement.values)
            return int(number)
        async with aclosing(_read(connections, asked, lambda texts: _matching(texts, asked, limit))) as pieces:
            return sum([len(texts) async for texts in pieces])


async def _asked(collection: Collection, bot: str, selection: Selection, table: Table | None, limit: _Limit) -> Asked:
    # A query at its limits takes 30 ms to compile.
    return await asyncio.to_thread(asked_of, table or TABLES[collection], bot, selection, "postgres", limit.check)


async def _page(
    connections: Connections, asked: Asked, skip: int, limit: int | None, room: int
) -> tuple[list[bytes], int]:
    """The records of a page as far as there is room, at least one, and how many they would be. A page comes as one
    value, which costs less than its rows. No record has a line end."""
    first = first_rows_query(asked, skip, limit, room)
    if first is not None:
        (page, count) = await connections.fetchrow(first[0], *first[1])
        if count == limit:
            return ([] if page is None else page.split(b"\n")), count
    query, values = page_query(asked, skip, limit, room)
    if limit is None:
        texts = [text for (text,) in await connections.fetch(query, *values)]
        return texts, len(texts)
    (page, count) = await connections.fetchrow(query, *values)
    return ([] if page is None else page.split(b"\n")), count


async def _walked(connections: Connections, asked: Asked, limit: _Limit) -> AsyncGenerator[list[bytes], None]:
    """The matches in an order that an index has, some rows at a time, with nothing held in between."""
    place_in, rows = place_of(asked.sort), ROWS_A_LOOK
    while True:
        texts, count = await _page(connections, asked, 0, rows, WANTED_BYTES)
        yield await asyncio.to_thread(_matching, texts, asked, limit)
        if len(texts) == count < rows:
            return
        asked = asked.after(place_in(_decode(texts[-1])))
        rows = min(2 * len(texts), ROWS_A_STRETCH)


async def _read(
    connections: Connections,
    asked: Asked,
    look: Callable[[list[bytes]], list[T]],
    run: Run | None = None,
) -> AsyncGenerator[list[T], None]:
    """What ``look`` gives of the rows of the run, or of all in any order. A cursor, so that only a few are here at a
    time."""
    statement = Statement(asked)
    query = statement.query("all_in_no_order" if run is None else "all", run)
    async with connections.connection() as connection, connection.transaction(readonly=True):
        cursor = await connection.cursor(query.sql, *statement.values)
        wanted = FIRST_ROWS
        while rows := await cursor.fetch(wanted):
            texts = [text for (text,) in rows]
            wanted = min(ROWS_A_LOOK, rows_next(len(texts), size_of(texts)))
            yield await asyncio.to_thread(look, texts)


async def _ordered(connections: Connections, asked: Asked, selection: Selection, limit: _Limit) -> list[bytes]:
    """Where the order is made here: with few more in hand than go out."""
    key = sort_key(selection.sort)
    behind = None if selection.after is None else turner(selection.sort)(selection.after)
    least = Least(end_of(selection))

    def take(texts: list[bytes]) -> list[None]:
        for document, text in _matches(texts, asked, limit):
            place = key(document)
            if behind is None or behind < place:
                least.take(place, document["_id"], text)
        return []

    async with aclosing(_read(connections, asked, take)) as pieces:
        async for _ in pieces:
            pass
    found = await asyncio.to_thread(least.page, selection.skip)
    return await _by_id(connections, asked, found)


async def _by_id(connections: Connections, asked: Asked, held: Sequence[bytes | str]) -> list[bytes]:
    """The texts of records of which some are known by their id alone; one that was deleted meanwhile is left out."""
    texts: dict[bytes | str, bytes] = {}
    if ids := [one for one in held if isinstance(one, str)]:
        query = _HISTORY["by_id"]
        query = msgspec.structs.replace(query, sql=query.filled({"table": asked.table.name}))
        texts = dict(await connections.fetch(query, asked.bot, ids))
    return [text for one in held if (text := texts.get(one, one)) and isinstance(text, bytes)]


def _matches(texts: Iterable[bytes], asked: Asked, limit: _Limit) -> Iterator[tuple[dict[str, Any], bytes]]:
    for text in texts:
        limit.check()
        document = _decode(text)
        if asked.is_match is None or asked.is_match(document):
            yield document, text


def _matching(texts: list[bytes], asked: Asked, limit: _Limit) -> list[bytes]:
    return texts if asked.is_match is None else [text for _, text in _matches(texts, asked, limit)]


class _Limit:
    """Stops what a query does on a thread when its time is over (``limits.within``) or nobody waits for it any more.
    Each record is a look: one of 8,000 characters can keep twenty expressions busy for seconds."""

    def __init__(self) -> None:
        self._is_over = False

    def check(self) -> None:
        if self._is_over:
            raise StoreError("Nobody waits for the answer any more.")

    def __enter__(self) -> _Limit:
        return self

    def __exit__(self, *_: object) -> None:
        self._is_over = True
