"""Answers history queries from a database: in SQL where that is exact, else the exact predicate over what SQL leaves.

What the query means is ``dialoom.query``'s; this file only runs it. What costs time in Python runs on threads.
"""

from __future__ import annotations

import asyncio
import heapq
import time
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import msgspec

from dialoom.errors import StoreError
from dialoom.query import compile_order, compile_sql, matcher, sort_key
from dialoom.storage.named import load
from dialoom.storage.shapes import TABLES

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Sequence

    from dialoom.query import Condition, Selection, Table
    from dialoom.storage.named import Query
    from dialoom.storage.postgres.connection import Connections
    from dialoom.storage.store import Collection

SECONDS = 10.0
"""What a history query may take (history-api.md, Parameters)."""
ROWS_A_LOOK = 256
"""Rows that come over, and are looked at, at a time."""

_HISTORY = load("postgres", "history")
_decode = msgspec.json.Decoder(dict[str, Any]).decode

Match = tuple[Any, bytes]
"""The key in the order that was asked for (None where SQL has made it), and the text of a record."""


class _Plan(msgspec.Struct, frozen=True):
    """What is done in SQL, and what is left of it to do here."""

    table: Table
    condition: Condition
    order: str
    is_ordered: bool
    is_match: Callable[[dict[str, Any]], bool] | None
    key: Callable[[dict[str, Any]], Any] | None

    def query(self, name: str, bot: str, **values: int) -> tuple[Query, list[Any]]:
        """Only names of our tables and SQL of the compiler go in; every value is a parameter."""
        known = _HISTORY[name]
        parameters: list[Any] = [*self.condition.parameters]
        sql = known.sql.replace("$table", self.table.name).replace("$order", self.order)
        for place, value in {"$bot": bot, **{f"${word}": value for word, value in values.items()}}.items():
            parameters.append(value)
            sql = sql.replace(place, f"${len(parameters)}")
        return msgspec.structs.replace(known, sql=sql.replace("$condition", self.condition.sql)), parameters


def _planned(collection: Collection, selection: Selection) -> _Plan:
    table = TABLES[collection]
    condition = compile_sql(selection.where, table, "postgres")
    order = compile_order(selection.sort, table, "postgres")
    is_match = None if condition.exact else matcher(selection.where)
    return _Plan(table, condition, order.sql, order.exact, is_match, None if order.exact else sort_key(selection.sort))


async def find(
    connections: Connections, collection: Collection, bot: str, selection: Selection, seconds: float = SECONDS
) -> list[bytes]:
    # A query at its limits takes 30 ms to compile.
    plan = await asyncio.to_thread(_planned, collection, selection)
    if plan.condition.exact and plan.is_ordered:
        return await _page(connections, bot, selection, plan)
    end = None if selection.limit is None else selection.skip + selection.limit
    query, values = plan.query("in_order" if plan.is_ordered else "in_no_order", bot)
    found: list[Match] = []
    async with _reading(connections, query, values, plan, seconds) as more:
        while (matches := await more()) is not None:
            found += matches
            if end is not None and plan.is_ordered and len(found) >= end:
                break
            if end is not None and len(found) > 2 * end + ROWS_A_LOOK:
                found = await asyncio.to_thread(heapq.nsmallest, end, found, _first)
    if not plan.is_ordered:
        found = await asyncio.to_thread(sorted, found, key=_first)
    return [text for _, text in found[selection.skip : end]]


async def _page(connections: Connections, bot: str, selection: Selection, plan: _Plan) -> list[bytes]:
    """A page comes as one value, which costs less than its rows. No record has a line end."""
    if selection.limit is None:
        query, values = plan.query("rest", bot, skip=selection.skip)
        return [text for (text,) in await connections.fetch(query, *values)]
    query, values = plan.query("page", bot, limit=selection.limit, skip=selection.skip)
    (page,) = await connections.fetchrow(query, *values)
    return [] if page is None else page.split(b"\n")


async def count(
    connections: Connections, collection: Collection, bot: str, selection: Selection, seconds: float = SECONDS
) -> int:
    """How many match; ``skip`` and ``limit`` do not matter."""
    plan = await asyncio.to_thread(_planned, collection, selection)
    if plan.condition.exact:
        query, values = plan.query("count", bot)
        (number,) = await connections.fetchrow(query, *values)
        return int(number)
    query, values = plan.query("in_no_order", bot)
    number = 0
    unordered = msgspec.structs.replace(plan, key=None)
    async with _reading(connections, query, values, unordered, seconds) as more:
        while (matches := await more()) is not None:
            number += len(matches)
    return number


@asynccontextmanager
async def _reading(
    connections: Connections, query: Query, values: Sequence[Any], plan: _Plan, seconds: float
) -> AsyncIterator[Callable[[], Awaitable[list[Match] | None]]]:
    """Gives the matches of the next rows, or None at the end. A cursor, so that only a few rows are here at a time."""
    end = time.monotonic() + seconds
    async with connections.connection() as connection, connection.transaction(readonly=True):
        cursor = await connection.cursor(query.sql, *values, timeout=seconds + 1.0)

        async def more() -> list[Match] | None:
            rows = await cursor.fetch(ROWS_A_LOOK, timeout=seconds + 1.0)
            if time.monotonic() > end:
                raise StoreError("The query took too long and was stopped. Narrow it, or ask for an indexed property.")
            return await asyncio.to_thread(_looked, rows, plan) if rows else None

        yield more


def _looked(rows: Sequence[Any], plan: _Plan) -> list[Match]:
    found: list[Match] = []
    for (text,) in rows:
        document = _decode(text)
        if plan.is_match is None or plan.is_match(document):
            found.append((None if plan.key is None else plan.key(document), text))
    return found


def _first(match: Match) -> Any:
    return match[0]
