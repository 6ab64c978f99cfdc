"""A selection as a database runs it: what is told and ordered in SQL, and what is left of it for Python."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec

from dialoom.query import (
    compile_leading,
    compile_runs,
    compile_sql,
    compile_union,
    compile_whole,
    finding,
    is_sql_order,
    led_by,
    matcher,
)
from dialoom.query.finding import Finding
from dialoom.query.order import complete
from dialoom.storage.store import TextTooLong

if TYPE_CHECKING:
    from collections.abc import Callable

    from dialoom.query import Column, Condition, Place, Run, Selection, Sort, Table
    from dialoom.query.meanings import Look
    from dialoom.query.table import DialectName

HISTORY_SECONDS: Final = 10.0
"""What a history query may take (history-api.md, Parameters)."""
ROWS_A_LOOK: Final = 256
"""Rows that Python looks at between two looks at the clock; in an order that an index has, so many come at first."""
ROWS_A_STRETCH: Final = 8192
"""So many come at a time at most, fewer where they are long (``limits.WANTED_BYTES``)."""
MOST_TURNED: Final = 2048
"""More rows than this are sorted rather than read twice (``query.runs.Turn``)."""


class Asked(msgspec.Struct, frozen=True):
    bot: str
    table: Table
    condition: Condition
    along: Condition
    """The same for who reads along an order: an index of the operator's would first be asked for all its records."""
    is_match: Callable[[dict[str, Any]], bool] | None
    """What SQL leaves to be told; None when nothing."""
    sort: Sort
    place: Place | None
    is_ordered: bool
    """Whether SQL gives the order."""
    led_by: Column | None
    """The column whose index has the order; None where what is found is sorted."""
    finding: Finding

    @property
    def is_turned(self) -> bool:
        """Whether equal values come the other way round than in the index."""
        directions = {direction for _, direction in complete(self.sort)[:2]}
        return self.led_by is not None and self.led_by.leads is not None and len(directions) > 1

    def runs(self, dialect: DialectName) -> tuple[Run, ...]:
        """The order behind the place."""
        runs = compile_runs(self.sort, self.place, self.table, dialect) if self.led_by else None
        return (self.whole(dialect),) if runs is None else runs

    def whole(self, dialect: DialectName) -> Run:
        return compile_whole(self.sort, self.place, self.table, dialect)

    def after(self, place: Place | None) -> Asked:
        """The same from another place on."""
        return msgspec.structs.replace(self, place=place)


def asked_of(
    table: Table, bot: str, selection: Selection, dialect: DialectName, check: Callable[[], None] | None = None
) -> Asked:
    """``check`` raises when the time of the query is over; what Python tells of a record asks it again and again."""
    condition = compile_sql(selection.where, table, dialect)
    plain = msgspec.structs.replace(table, indexes={})
    return Asked(
        bot,
        table,
        condition,
        compile_sql(selection.where, plain, dialect) if table.indexes and dialect == "sqlite" else condition,
        None if condition.exact else matcher(selection.where, None if check is None else _look(check)),
        selection.sort,
        selection.after,
        is_sql_order(selection.sort, table, dialect),
        led_by(selection.sort, table),
        finding(selection.where, table),
    )


def _look(check: Callable[[], None]) -> Look:
    def look(too_long: str | None) -> None:
        if too_long is not None:
            raise TextTooLong(too_long)
        check()

    return look


def united(asked: Asked, selection: Selection, dialect: DialectName) -> Asked:
    """The same where an ``$or`` is found faster by its branches: they give the whole page, which is only sorted."""
    condition = compile_union(selection, msgspec.structs.replace(asked.table, bot=asked.bot), dialect)
    if condition is None:
        return asked
    return msgspec.structs.replace(asked, condition=condition, place=None, led_by=None, finding=Finding(by_id=True))


def leading(asked: Asked, selection: Selection, dialect: DialectName) -> Asked:
    """The same where an index of the operator's tells which records can stand on a page that Python sorts."""
    condition = compile_leading(selection, msgspec.structs.replace(asked.table, bot=asked.bot), dialect)
    return (
        asked if condition is None else msgspec.structs.replace(asked, condition=condition, finding=Finding(by_id=True))
    )


def end_of(selection: Selection) -> int | None:
    return None if selection.limit is None else selection.skip + selection.limit
