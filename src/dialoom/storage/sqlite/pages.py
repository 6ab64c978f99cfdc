"""Writes the statements of history queries: a page along the order of an index, run by run, or by the condition.

Only names of our tables and SQL of the compiler go in; every value is a parameter.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from dialoom.query import sorted_columns
from dialoom.storage.asked import MOST_TURNED
from dialoom.storage.named import load

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dialoom.query import Column, Run, Table
    from dialoom.storage.asked import Asked

_HISTORY = load("sqlite", "history")

Written = tuple[str, list[Any]]
"""A statement and its values."""


def along_order(asked: Asked, skip: int, limit: int | None, led_by: Column) -> Written:
    """Some rows behind the place, as they lie in the column's index, which has the order, or turned around."""
    runs = asked.runs("sqlite")
    index = _index(asked.table, led_by)
    most = -1 if limit is None else skip + limit
    is_turned = 0 < most <= MOST_TURNED
    bounds = [skip] if limit is None else [limit, skip]
    if len(runs) == 1 and not (is_turned and runs[0].turn):
        sql, values = _of_run("rest" if limit is None else "page", asked, runs[0], index=index)
        return sql, [*values, *bounds]
    union, values = [], []
    for run in runs:
        turn: dict[str, str] = msgspec.structs.asdict(run.turn) if is_turned and run.turn else {}
        given = asked.along.sql
        sql, used = _of_run("turned_run" if turn else "run", asked, run, index=index, given=given, **turn)
        again = [asked.bot, *asked.along.parameters, most] if turn else []
        union.append(sql)
        values += [*used, most, *again]
    words = {"runs": "\nunion all\n".join(union)}
    return _HISTORY["rest_of_runs" if limit is None else "page_of_runs"].filled(words), [*values, *bounds]


def by_condition(asked: Asked, skip: int, limit: int | None) -> Written:
    """The same rows, found by whatever index leads to them, and sorted."""
    whole = asked.whole("sqlite")
    columns = sorted_columns(asked.sort, asked.table)
    name = "rest_by_condition" if limit is None else "page_by_condition"
    words = {"columns": ", ".join(column.sql for column in columns), "behind": whole.where.sql, "order": whole.order}
    sql, values = of_all(name, asked, columns, **words)
    return sql, [*values, *whole.where.parameters, *([] if limit is None else [limit]), skip]


def of_all(query: str, asked: Asked, read: Sequence[Column] = (), **words: str) -> Written:
    """What a query says of all rows that the condition leaves; it reads these columns."""
    leading = _leading(asked, read)
    by_index = "" if leading is None else f"indexed by {_index(asked.table, leading)}"
    words |= {"table": asked.table.name, "condition": asked.condition.sql, "by_index": by_index}
    return _HISTORY[query].filled(words), [asked.bot, *asked.condition.parameters]


def _leading(asked: Asked, columns: Sequence[Column]) -> Column | None:
    """Whose index to go by where SQLite would not find it: without statistics any that begins with the bot is as good
    to it, also one in whose order the rows do not lie, which is eight times as slow."""
    few, equal, is_some, by_id = asked.finding
    if few is not None or equal or is_some:
        return asked.table.columns["_id"] if by_id else few
    if asked.condition.sql == "1" and _is_in_index(columns):
        return columns[0]
    return asked.table.columns["_id"]


def _is_in_index(columns: Sequence[Column]) -> bool:
    """Whether the index of the first of them holds all that is sorted by, so that the rows are read in its order. Those
    of ``User`` and of ``Conversation`` hold no id, and are told so by theirs."""
    held = {"id", "started_at"}
    return bool(columns) and columns[0].leads is not None and held.issuperset(column.sql for column in columns[1:])


def _of_run(query: str, asked: Asked, run: Run, **words: str) -> Written:
    condition = f"({asked.along.sql}) and ({run.where.sql})"
    words = {"order": run.order, "table": asked.table.name, **words, "condition": condition}
    return _HISTORY[query].filled(words), [asked.bot, *asked.along.parameters, *run.where.parameters]


def _index(table: Table, column: Column) -> str:
    """Named as the migrations do; that of the primary key is SQLite's own."""
    return f"{table.name}_{column.sql}" if column.leads else f"sqlite_autoindex_{table.name}_1"
