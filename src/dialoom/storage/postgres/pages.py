"""Writes the statements of history queries: a page of the stretches of the order, one behind the other.

Only names of our tables and SQL of the compiler go in; every value is a parameter.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

import msgspec

from dialoom.query import Candidates
from dialoom.storage.history_plan import MAX_TIE_ROWS
from dialoom.storage.limits import PAGE_BYTES
from dialoom.storage.sql_files import load

if TYPE_CHECKING:
    from dialoom.query import SqlCondition, Stretch
    from dialoom.storage.history_plan import HistoryPlan
    from dialoom.storage.sql_files import Query

_HISTORY = load("postgres", "history")
FIRST_ROWS: Final = 50_000
"""Some 60 ms, a thirtieth of what reading a million rows takes."""
_NUMBER: Final = re.compile(r"\$(\d+)")


class Statement:
    """What one statement says of the rows, with the values of its parameters."""

    def __init__(self, plan: HistoryPlan) -> None:
        self.values: list[Any] = [*plan.condition.parameters]
        self._plan = plan
        self._words = {"table": plan.table.name, "bot": self.value(plan.bot)}

    def value(self, value: Any) -> str:
        self.values.append(value)
        return f"${len(self.values)}"

    def query(self, name: str, stretch: Stretch | None = None, /, **words: str) -> Query:
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
    bounds = {"skip": skip, "limit": limit, "rows": FIRST_ROWS, "room": room}
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
