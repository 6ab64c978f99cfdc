"""Answers history queries from a connection: in SQL where that is exact, else the exact predicate over what SQL leaves.

What the query means is ``dialoom.query``'s; this file only runs it.
"""

from __future__ import annotations

import heapq
from contextlib import closing
from itertools import islice
from typing import TYPE_CHECKING, Any

import msgspec

from dialoom.query import compile_order, compile_sql, matcher, sort_key
from dialoom.storage.named import load
from dialoom.storage.shapes import TABLES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import apsw

    from dialoom.query import Condition, Selection, Table
    from dialoom.storage.sqlite.connection import Deadline
    from dialoom.storage.store import Collection

SECONDS = 10.0
"""What a history query may take (history-api.md, Parameters)."""
ROWS_A_LOOK = 256
"""Rows that Python looks at between two looks at the clock."""

_HISTORY = load("sqlite", "history")
_decode = msgspec.json.Decoder(dict[str, Any]).decode


def find(
    connection: apsw.Connection, deadline: Deadline, collection: Collection, bot: str, selection: Selection
) -> list[bytes]:
    table = TABLES[collection]
    condition = compile_sql(selection.where, table, "sqlite")
    order = compile_order(selection.sort, table)
    if condition.exact and order.exact:
        return _page(connection, table, bot, selection, condition, order.sql)
    sql = _statement("all", table, condition, order.sql)
    end = None if selection.limit is None else selection.skip + selection.limit
    # A page may be full before the rows are: a cursor left open would keep the log from being emptied.
    with closing(connection.execute(sql, (bot, *condition.parameters))) as rows:
        matches = _matches(rows, None if condition.exact else matcher(selection.where), deadline)
        if order.exact:
            return [text for _, text in islice(matches, selection.skip, end)]
        key = sort_key(selection.sort)
        keyed = ((key(document), text) for document, text in matches)
        ordered = sorted(keyed, key=_first) if end is None else heapq.nsmallest(end, keyed, key=_first)
    return [text for _, text in ordered[selection.skip :]]


def _page(
    connection: apsw.Connection, table: Table, bot: str, selection: Selection, condition: Condition, order: str
) -> list[bytes]:
    """A page comes as one value: each row would wait once for the interpreter's lock. No record has a line end."""
    if selection.limit is None:
        sql = _statement("rest", table, condition, order)
        return [text for (text,) in connection.execute(sql, (bot, *condition.parameters, selection.skip))]
    sql = _statement("page", table, condition, order)
    page = connection.execute(sql, (bot, *condition.parameters, selection.limit, selection.skip)).get
    return [] if page is None else page.split(b"\n")


def count(
    connection: apsw.Connection, deadline: Deadline, collection: Collection, bot: str, selection: Selection
) -> int:
    """How many match; ``skip`` and ``limit`` do not matter."""
    table = TABLES[collection]
    condition = compile_sql(selection.where, table, "sqlite")
    if condition.exact:
        sql = _statement("count", table, condition)
        return int(connection.execute(sql, (bot, *condition.parameters)).get)
    rows = connection.execute(_statement("all", table, condition, "rowid"), (bot, *condition.parameters))
    return sum(1 for _ in _matches(rows, matcher(selection.where), deadline))


def _statement(name: str, table: Table, condition: Condition, order: str = "") -> str:
    """Only names of our tables and SQL of the compiler go in; every value is a parameter."""
    sql = _HISTORY[name].sql
    return sql.replace("$table", table.name).replace("$condition", condition.sql).replace("$order", order)


def _matches(
    rows: apsw.Cursor, is_match: Callable[[dict[str, Any]], bool] | None, deadline: Deadline
) -> Iterator[tuple[dict[str, Any], bytes]]:
    for number, (text,) in enumerate(rows):
        if number % ROWS_A_LOOK == 0:
            deadline.check()
        document = _decode(text)
        if is_match is None or is_match(document):
            yield document, text


def _first(pair: tuple[Any, bytes]) -> Any:
    return pair[0]
