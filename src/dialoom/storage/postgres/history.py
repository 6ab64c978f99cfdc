"""Answers history queries from a database: in SQL where that is exact, else the exact predicate over what SQL leaves.

What the query means is ``dialoom.query``'s; this file writes the statements and runs them: only names of our tables
and SQL of the compiler go in, every value is a parameter. What costs time in Python runs on threads.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncGenerator, Callable, Iterable, Iterator, Sequence
from contextlib import aclosing
from typing import Any, Final, TypeVar

import msgspec

from dialoom.errors import StoreError
from dialoom.query import Candidates, Selection, SqlCondition, Table, place_key, place_of, sort_key
from dialoom.query import Stretch as OrderStretch
from dialoom.storage.first_records import FirstRecords
from dialoom.storage.history_plan import (
    MAX_BATCH_ROWS,
    MAX_TIE_ROWS,
    ROWS_A_LOOK,
    HistoryPlan,
    end_of,
    plan_history,
    sorted_by_index,
)
from dialoom.storage.limits import (
    PAGE_BYTES,
    WANTED_BYTES,
    check_page,
    rows_next,
    size_of,
    too_large,
)
from dialoom.storage.postgres.connection import Connections
from dialoom.storage.rows import Stretch
from dialoom.storage.sql_files import Query, load

_HISTORY = load("postgres", "history")
FIRST_ORDER_ROWS: Final = 50_000
"""Some 60 ms, a thirtieth of what reading a million rows takes."""
_NUMBER: Final = re.compile(r"\$(\d+)")


class Statement:
    """What one statement says of the rows, with the values of its parameters."""

    def __init__(self, plan: HistoryPlan) -> None:
        self.values: list[Any] = [*plan.condition.parameters]
        self._plan = plan
        self._words = {"table": plan.table.name, "bot": self.value(plan.table.bot)}

    def value(self, value: Any) -> str:
        self.values.append(value)
        return f"${len(self.values)}"

    def query(self, name: str, stretch: OrderStretch | None = None, /, **words: str) -> Query:
        """Return the query for the rows of a stretch; without one, for all rows."""
        given = self._plan.condition.sql
        words |= self._words | {"condition": given, "given": given}
        if stretch is not None:
            words["where"] = self._added(stretch.where)
            words["condition"] = f"({given}) and ({words['where']})"
            words.setdefault("order", stretch.order)
        query = _HISTORY[name]
        return msgspec.structs.replace(query, sql=query.filled(words))

    def _added(self, condition: SqlCondition) -> str:
        before = len(self.values)
        self.values += condition.parameters
        return _NUMBER.sub(lambda found: f"${int(found[1]) + before}", condition.sql)


def first_rows_query(
    plan: HistoryPlan, skip: int, limit: int | None, room: int = PAGE_BYTES
) -> tuple[Query, list[Any]] | None:
    """Return a query that looks for the page among the first rows of an index's order; None where an index may lead to
    the records. The server alone would read all rows of a large table and sort what it found."""
    if limit is None or skip + limit > MAX_TIE_ROWS or plan.index_column is None or plan.candidates != Candidates():
        return None
    first, *others = plan.stretches("postgres")
    if others or first.ties or plan.condition.sql == "TRUE":
        return None
    statement = Statement(plan)
    bounds = {"skip": skip, "limit": limit, "rows": FIRST_ORDER_ROWS, "room": room}
    words = {name: statement.value(value) for name, value in bounds.items()}
    return statement.query("page_of_first", first, **words), statement.values


def page_query(plan: HistoryPlan, skip: int, limit: int | None, room: int = PAGE_BYTES) -> tuple[Query, list[Any]]:
    """Return the query of a page, with its values. ``disk_space``: bytes behind which the page gives no further
    record."""
    statement = Statement(plan)
    bounds = {"skip": statement.value(skip), "limit": statement.value(limit), "room": statement.value(room)}
    if skip > MAX_TIE_ROWS:
        return statement.query("deep_page", plan.sorted("postgres"), **bounds), statement.values
    is_short = limit is not None and skip + limit <= MAX_TIE_ROWS
    most = statement.value(None if limit is None else skip + limit)
    parts = []
    for stretch in plan.stretches("postgres"):
        ties: dict[str, str] = msgspec.structs.asdict(stretch.ties) if is_short and stretch.ties else {}
        parts.append(statement.query("stretch_with_ties" if ties else "stretch", stretch, **(ties | {"most": most})))
    stretches = "\nunion all\n".join(part.sql for part in parts)
    return statement.query("page", stretches=stretches, **bounds), statement.values


_decode = msgspec.json.Decoder(dict[str, Any]).decode
FIRST_ROWS: Final = 32
"""That a cursor gives before it is known how long they are."""


T = TypeVar("T")


async def find(connections: Connections, table: Table, selection: Selection) -> list[bytes]:
    """Return the records of a page. ``table``: as it is asked for a bot, with the operator's indexes."""
    with _Limit() as limit:
        plan = await _plan(table, selection, limit)
        return await _found(connections, plan, selection, limit)


async def _found(connections: Connections, plan: HistoryPlan, selection: Selection, limit: _Limit) -> list[bytes]:
    if not plan.is_ordered:
        best = await asyncio.to_thread(sorted_by_index, plan, selection, "postgres")
        return await _ordered(connections, best, selection, limit)
    if plan.is_match is None:
        texts, count = await _page(connections, plan, selection.skip, selection.limit, PAGE_BYTES)
        if len(texts) < count:
            raise too_large()
        return texts
    if plan.index_column:
        pieces = _walked(connections, plan, limit)
    else:
        pieces = _read(connections, plan, lambda texts: _matching(texts, plan, limit), in_order=True)
    async with aclosing(pieces):
        return await _taken(pieces, selection)


async def _taken(pieces: AsyncGenerator[list[bytes], None], selection: Selection) -> list[bytes]:
    """Return the page that these pieces make up."""
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


async def stretch(connections: Connections, table: Table, selection: Selection, rows: int) -> Stretch:
    """Return the next part of a walk: what matches among the next rows of the order, as far as they have the bytes
    wanted."""
    with _Limit() as limit:
        plan = await _plan(table, selection, limit)
        texts, count = await _page(connections, plan, 0, rows, WANTED_BYTES)
        place = place_of(selection.sort)(_decode(texts[-1])) if len(texts) < count or count == rows else None
        return Stretch(await asyncio.to_thread(_matching, texts, plan, limit), place)


async def count(connections: Connections, table: Table, selection: Selection) -> int:
    """Return how many records match; ``skip``, ``limit`` and ``after`` do not matter."""
    with _Limit() as limit:
        plan = await _plan(table, selection, limit)
        if plan.is_match is None:
            statement = Statement(plan)
            (number,) = await connections.fetchrow(statement.query("count"), *statement.values)
            return int(number)
        async with aclosing(_read(connections, plan, lambda texts: _matching(texts, plan, limit))) as pieces:
            return sum([len(texts) async for texts in pieces])


async def _plan(table: Table, selection: Selection, limit: _Limit) -> HistoryPlan:
    # A query at its limits takes 30 ms to compile.
    return await asyncio.to_thread(plan_history, table, selection, "postgres", limit.check)


async def _page(
    connections: Connections, plan: HistoryPlan, skip: int, limit: int | None, room: int
) -> tuple[list[bytes], int]:
    """Return the records of a page as far as there is room, at least one, and how many they would be. A page comes as
    one value, which costs less than its rows. No record has a line end."""
    first = first_rows_query(plan, skip, limit, room)
    if first is not None:
        (page, count) = await connections.fetchrow(first[0], *first[1])
        if count == limit:
            return ([] if page is None else page.split(b"\n")), count
    query, values = page_query(plan, skip, limit, room)
    (page, count) = await connections.fetchrow(query, *values)
    return ([] if page is None else page.split(b"\n")), count


async def _walked(connections: Connections, plan: HistoryPlan, limit: _Limit) -> AsyncGenerator[list[bytes], None]:
    """Yield the matches in an order that an index has, some rows at a time, with nothing held in between."""
    place_in, rows = place_of(plan.sort), ROWS_A_LOOK
    while True:
        texts, count = await _page(connections, plan, 0, rows, WANTED_BYTES)
        yield await asyncio.to_thread(_matching, texts, plan, limit)
        if len(texts) == count < rows:
            return
        plan = plan.after(place_in(_decode(texts[-1])))
        rows = min(2 * len(texts), MAX_BATCH_ROWS)


async def _read(
    connections: Connections,
    plan: HistoryPlan,
    look: Callable[[list[bytes]], list[T]],
    *,
    in_order: bool = False,
) -> AsyncGenerator[list[T], None]:
    """Yield what ``look`` returns for all rows, after the position and sorted if ``in_order``. Reads by a cursor, so
    that only a few are here at a time."""
    statement = Statement(plan)
    query = statement.query("all_in_order", plan.sorted("postgres")) if in_order else statement.query("all")
    async with connections.connection() as connection, connection.transaction(readonly=True):
        cursor = await connection.cursor(query.sql, *statement.values)
        wanted = FIRST_ROWS
        while rows := await cursor.fetch(wanted):
            texts = [text for (text,) in rows]
            wanted = min(ROWS_A_LOOK, rows_next(len(texts), size_of(texts)))
            yield await asyncio.to_thread(look, texts)


async def _ordered(connections: Connections, plan: HistoryPlan, selection: Selection, limit: _Limit) -> list[bytes]:
    """Return a page in an order that is made here, with few more records in hand than go out."""
    key = sort_key(selection.sort)
    behind = None if selection.after is None else place_key(selection.sort)(selection.after)
    least = FirstRecords(end_of(selection))

    def take(texts: list[bytes]) -> list[None]:
        for document, text in _matches(texts, plan, limit):
            place = key(document)
            if behind is None or behind < place:
                least.take(place, document["_id"], text)
        return []

    async with aclosing(_read(connections, plan, take)) as pieces:
        async for _ in pieces:
            pass
    found = await asyncio.to_thread(least.page, selection.skip)
    return await _by_id(connections, plan, found)


async def _by_id(connections: Connections, plan: HistoryPlan, held: Sequence[bytes | str]) -> list[bytes]:
    """Return the texts of records of which some are known by their id alone; one that was deleted meanwhile is left
    out."""
    texts: dict[bytes | str, bytes] = {}
    if ids := [one for one in held if isinstance(one, str)]:
        query = _HISTORY["by_id"]
        query = msgspec.structs.replace(query, sql=query.filled({"table": plan.table.name}))
        texts = dict(await connections.fetch(query, plan.table.bot, ids))
    return [text for one in held if (text := texts.get(one, one)) and isinstance(text, bytes)]


def _matches(texts: Iterable[bytes], plan: HistoryPlan, limit: _Limit) -> Iterator[tuple[dict[str, Any], bytes]]:
    for text in texts:
        limit.check()
        document = _decode(text)
        if plan.is_match is None or plan.is_match(document):
            yield document, text


def _matching(texts: list[bytes], plan: HistoryPlan, limit: _Limit) -> list[bytes]:
    return texts if plan.is_match is None else [text for _, text in _matches(texts, plan, limit)]


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
