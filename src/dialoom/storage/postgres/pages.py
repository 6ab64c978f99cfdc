"""Writes the statements of history queries: a page of one run of the order, or of several one behind the other.

Only names of our tables and SQL of the compiler go in; every value is a parameter.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

import msgspec

from dialoom.query.finding import Finding
from dialoom.storage.asked import MOST_TURNED
from dialoom.storage.limits import PAGE_BYTES
from dialoom.storage.named import load

if TYPE_CHECKING:
    from dialoom.query import Condition, Run
    from dialoom.storage.asked import Asked
    from dialoom.storage.named import Query

_HISTORY = load("postgres", "history")
FIRST_ROWS: Final = 50_000
"""Some 60 ms, a thirtieth of what reading a million rows takes."""
_NUMBER: Final = re.compile(r"\$(\d+)")


class Statement:
    """What one statement says of the rows, with the values of its parameters."""

    def __init__(self, asked: Asked) -> None:
        self.values: list[Any] = [*asked.condition.parameters]
        self._asked = asked
        self._words = {"table": asked.table.name, "bot": self.value(asked.bot)}

    def value(self, value: Any) -> str:
        self.values.append(value)
        return f"${len(self.values)}"

    def query(self, name: str, run: Run | None = None, /, **words: str) -> Query:
        """Of the rows of a run; without one, of all rows."""
        given = self._asked.condition.sql
        words |= self._words | {"condition": given, "given": given}
        if run is not None:
            words["where"] = self._added(run.where)
            words["condition"] = f"({given}) and ({words['where']})"
            words.setdefault("order", run.order)
        query = _HISTORY[name]
        return msgspec.structs.replace(query, sql=query.filled(words))

    def _added(self, condition: Condition) -> str:
        before = len(self.values)
        self.values += condition.parameters
        return _NUMBER.sub(lambda found: f"${int(found[1]) + before}", condition.sql)


def first_rows_query(
    asked: Asked, skip: int, limit: int | None, room: int = PAGE_BYTES
) -> tuple[Query, list[Any]] | None:
    """For a page that is perhaps found among the first rows of an index's order; None where an index may lead to it."""
    if limit is None or skip + limit > MOST_TURNED or asked.led_by is None or asked.finding != Finding():
        return None
    runs = asked.runs("postgres")
    if len(runs) > 1 or runs[0].turn or asked.condition.sql == "TRUE":
        return None
    statement = Statement(asked)
    bounds = {"skip": skip, "limit": limit, "rows": FIRST_ROWS, "room": room}
    words = {name: statement.value(value) for name, value in bounds.items()}
    return statement.query("page_of_first", runs[0], **words), statement.values


def page_query(asked: Asked, skip: int, limit: int | None, room: int = PAGE_BYTES) -> tuple[Query, list[Any]]:
    """For some rows of the runs, with its values. ``room``: bytes behind which no row is given of a page."""
    is_deep = limit is not None and skip > MOST_TURNED
    runs = (asked.whole("postgres"),) if is_deep else asked.runs("postgres")
    statement = Statement(asked)
    bounds = {"skip": statement.value(skip)}
    if limit is not None:
        bounds |= {"limit": statement.value(limit), "room": statement.value(room)}
    is_turned = limit is not None and skip + limit <= MOST_TURNED
    if len(runs) == 1 and not (is_turned and runs[0].turn):
        page = "deep_page" if is_deep else "page"
        return statement.query("rest" if limit is None else page, runs[0], **bounds), statement.values
    most = statement.value(None if limit is None else skip + limit)
    parts = []
    for run in runs:
        turn: dict[str, str] = msgspec.structs.asdict(run.turn) if is_turned and run.turn else {}
        parts.append(statement.query("turned_run" if turn else "run", run, **(turn | {"most": most})))
    union = "\nunion all\n".join(part.sql for part in parts)
    return statement.query("rest_of_runs" if limit is None else "page_of_runs", runs=union, **bounds), statement.values
