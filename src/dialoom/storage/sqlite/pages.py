"""Writes the statements of history queries: a page along the order of an index, or by the condition and sorted; and
runs several that give the same page in turn, until one of them ends.

Only names of our tables and SQL of the compiler go in; every value is a parameter.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import apsw
import msgspec

from dialoom.query import Column, Table, sort_columns
from dialoom.storage.history_plan import MAX_TIE_ROWS, HistoryPlan
from dialoom.storage.sql_files import load
from dialoom.storage.sqlite.connection import OPCODES_A_LOOK, Deadline

_HISTORY = load("sqlite", "history")

Statement = tuple[str, list[Any]]
"""A statement and its values."""


def page_statements(plan: HistoryPlan, skip: int, limit: int | None) -> list[Statement]:
    """Write statements for the same page: several where it depends on the records which is the quickest, on how many of
    them an index leads to and on where in the order those stand that match."""
    selective, equal, is_some, names_ids = plan.candidates
    is_long = limit is None or skip + limit > MAX_TIE_ROWS
    if plan.index_column is None or selective is not None or (is_long and plan.has_ties):
        return [_by_condition(plan, skip, limit)]
    by_id = plan.index_column.index is None
    columns = equal if equal and by_id else (plan.index_column,)
    ways = [_along_order(plan, skip, limit, column) for column in columns]
    if names_ids and not is_some:
        # An operator adds an index where it leads to few records.
        return [_by_condition(plan, skip, limit), *ways]
    return [*ways, _by_condition(plan, skip, limit)] if is_some or (equal and not by_id) else ways


def _along_order(plan: HistoryPlan, skip: int, limit: int | None, column: Column) -> Statement:
    """Write a page that reads the index of the column, which has the order, from the position on."""
    most = -1 if limit is None else skip + limit
    stretches = plan.stretches("sqlite")
    has_ties = 0 < most <= MAX_TIE_ROWS and any(stretch.ties for stretch in stretches)
    # A single stretch skips rows by itself, without reading their documents.
    is_one = len(stretches) == 1 and not has_ties
    inner, outer = [most, 0], [-1 if limit is None else limit, skip]
    union, values = [], []
    for stretch in stretches:
        ties: dict[str, str] = msgspec.structs.asdict(stretch.ties) if has_ties and stretch.ties else {}
        condition = f"({plan.order_condition.sql}) and ({stretch.where.sql})"
        words = {"index": _index(plan.table, column), "table": plan.table.name, "order": stretch.order}
        words |= {"given": plan.order_condition.sql, "condition": condition, **ties}
        union.append(_HISTORY["stretch_with_ties" if ties else "stretch"].filled(words))
        values += [plan.table.bot, *plan.order_condition.parameters, *stretch.where.parameters]
        values += [most, plan.table.bot, *plan.order_condition.parameters, most] if ties else outer if is_one else inner
    words = {"stretches": "\nunion all\n".join(union)}
    return _HISTORY["page"].filled(words), [*values, *([-1, 0] if is_one else outer)]


def _by_condition(plan: HistoryPlan, skip: int, limit: int | None) -> Statement:
    """Write the same page by whatever index leads to the records, sorted."""
    sql, values = _sorted("page_by_condition", plan)
    return sql, [*values, -1 if limit is None else limit, skip]


def all_in_order(plan: HistoryPlan) -> Statement:
    """Write a statement that gives all records that may match, sorted."""
    return _sorted("all_in_order", plan)


def of_all(query: str, plan: HistoryPlan) -> Statement:
    """Write a statement about all records that meet the condition, in any order."""
    return _written(query, plan, _column_to_read_by(plan))


def _sorted(query: str, plan: HistoryPlan) -> Statement:
    whole = plan.sorted("sqlite")
    columns = ", ".join(column.sql for column in sort_columns(plan.sort, plan.table))
    # Of all records SQLite by itself reads an index that holds all these columns.
    column = None if plan.condition.sql == "1" else _column_to_read_by(plan)
    sql, values = _written(query, plan, column, columns=columns, after=whole.where.sql, order=whole.order)
    return sql, [*values, *whole.where.parameters]


def _written(query: str, plan: HistoryPlan, column: Column | None, **words: str) -> Statement:
    by_index = "" if column is None else f"indexed by {_index(plan.table, column)}"
    words |= {"table": plan.table.name, "condition": plan.condition.sql, "by_index": by_index}
    return _HISTORY[query].filled(words), [plan.table.bot, *plan.condition.parameters]


def _column_to_read_by(plan: HistoryPlan) -> Column | None:
    """Return the column whose index to read; None where SQLite finds the best one.

    Without statistics any index that begins with the bot looks as good to SQLite, also one in whose order the rows do
    not lie in the file: a count over it takes 2 to 3 times as long."""
    selective, equal, is_some, by_id = plan.candidates
    if by_id or not (selective or equal or is_some):
        return plan.table.columns["_id"]
    return selective


def _index(table: Table, column: Column) -> str:
    """Named as the migrations do; that of the primary key is SQLite's own."""
    return f"{table.name}_{column.sql}" if column.index else f"sqlite_autoindex_{table.name}_1"


FIRST_STEPS: Final = 20_000
"""1 to 2 ms: an index gives a page of 100 in a tenth of that."""
GROWTH: Final = 4


def first_of(connection: apsw.Connection, deadline: Deadline, statements: Sequence[tuple[str, Sequence[Any]]]) -> Any:
    """Return the one value that each of the statements gives; the first statement is tried first."""
    if len(statements) == 1:
        return connection.execute(*statements[0]).get
    steps = FIRST_STEPS
    while True:
        for statement in statements:
            try:
                return _try(connection, deadline, statement, steps)
            except apsw.InterruptError:
                deadline.check()
        steps *= GROWTH


def _try(connection: apsw.Connection, deadline: Deadline, statement: tuple[str, Sequence[Any]], steps: int) -> Any:
    """Run the statement; ``InterruptError`` after so many steps."""
    left = steps

    def is_over() -> bool:
        nonlocal left
        left -= OPCODES_A_LOOK
        return left <= 0 or deadline.is_over()

    connection.set_progress_handler(is_over, min(steps, OPCODES_A_LOOK))
    try:
        return connection.execute(*statement).get
    finally:
        connection.set_progress_handler(deadline.is_over, OPCODES_A_LOOK)
