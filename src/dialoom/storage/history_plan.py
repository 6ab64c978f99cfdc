"""How a database runs a history query: the conditions and the order in SQL, and what is left of it for Python."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import msgspec

from dialoom.query import (
    Candidates,
    Column,
    Place,
    Selection,
    Sort,
    SqlCondition,
    Stretch,
    Table,
    candidates,
    compile_candidates,
    compile_sorted,
    compile_sorted_candidates,
    compile_sql,
    compile_stretches,
    index_column,
    is_sql_order,
    matcher,
)
from dialoom.query.semantics import OnSearch
from dialoom.query.sort import with_tie_breaker
from dialoom.query.sql.table import DialectName
from dialoom.storage.errors import TextTooLong

HISTORY_SECONDS: Final = 10.0
"""Seconds that a history query may take (history-api.md, Parameters)."""
ROWS_A_LOOK: Final = 256
"""Rows that Python matches between two looks at the clock; the first batch of a walk along an index has as many."""
MAX_BATCH_ROWS: Final = 8192
"""Rows of a later batch, fewer where they are long (``limits.WANTED_BYTES``)."""
MAX_TIE_ROWS: Final = 2048
"""A page that ends behind more rows than this is sorted as a whole rather than read by ``keyset_page.TieOrder``."""


class HistoryPlan(msgspec.Struct, frozen=True):
    table: Table
    """Of the bot whose records are searched."""
    condition: SqlCondition
    """For finding the records by whatever index leads to them."""
    order_condition: SqlCondition
    """The same for reading along the order: without ``id IN (...)``, which would first collect all candidates."""
    is_match: Callable[[dict[str, Any]], bool] | None
    """What SQL leaves for Python to match; None where SQL matches exactly."""
    sort: Sort
    place: Place | None
    is_ordered: bool
    """True if SQL gives the order."""
    index_column: Column | None
    """The column whose index has the order; None where the records have to be sorted."""
    candidates: Candidates

    @property
    def has_ties(self) -> bool:
        """Return whether records with equal values come in the opposite order of the index."""
        directions = {direction for _, direction in with_tie_breaker(self.sort)[:2]}
        return self.index_column is not None and self.index_column.index is not None and len(directions) > 1

    def stretches(self, dialect: DialectName) -> tuple[Stretch, ...]:
        """Return the stretches of the list after the position."""
        found = compile_stretches(self.sort, self.place, self.table, dialect) if self.index_column else None
        return (self.sorted(dialect),) if found is None else found

    def sorted(self, dialect: DialectName) -> Stretch:
        """Return the list after the position as one stretch that is sorted."""
        return compile_sorted(self.sort, self.place, self.table, dialect)

    def after(self, place: Place | None) -> HistoryPlan:
        """Return the plan from another position on."""
        return msgspec.structs.replace(self, place=place)


def plan_history(
    table: Table, selection: Selection, dialect: DialectName, check: Callable[[], None] | None = None
) -> HistoryPlan:
    """Plan the query. Python's matching calls ``check`` often: it raises when the time of the query is over."""
    found = candidates(selection.where, table)
    condition = along = compile_sql(selection.where, table, dialect)
    if dialect == "sqlite" and found.by_id:
        condition = compile_candidates(selection.where, table)
        along = compile_sql(selection.where, msgspec.structs.replace(table, indexes={}), dialect)
    is_exact = condition.exact and along.exact
    return HistoryPlan(
        table,
        condition,
        along,
        None if is_exact else matcher(selection.where, None if check is None else _on_search(check)),
        selection.sort,
        selection.after,
        is_sql_order(selection.sort, table),
        index_column(selection.sort, table),
        found,
    )


def _on_search(check: Callable[[], None]) -> OnSearch:
    def on_search(too_long: str | None) -> None:
        if too_long is not None:
            raise TextTooLong(too_long)
        check()

    return on_search


def sorted_by_index(plan: HistoryPlan, selection: Selection, dialect: DialectName) -> HistoryPlan:
    """Return the plan, narrowed by the keys of an operator's index to what can stand on a page that Python sorts."""
    condition = compile_sorted_candidates(selection, plan.table, dialect)
    if condition is None:
        return plan
    return msgspec.structs.replace(plan, condition=condition, candidates=Candidates(by_id=True))


def end_of(selection: Selection) -> int | None:
    """Return the number of records from the start of the order to the end of the page; None for all."""
    return None if selection.limit is None else selection.skip + selection.limit
