"""An order, or what of it lies behind a place, as runs: stretches of an index that come one after the other.

So a page costs what it gives and not what lies before it, also where null has a place in the order, and where the
property falls and ``_id`` rises: an index gives both only in one direction. Where no index has the order there is one
run, and the database sorts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from dialoom.query.behind import after, behind, is_null, is_value
from dialoom.query.order import complete
from dialoom.query.pieces import FALSE, TRUE, Piece, all_of, any_of
from dialoom.query.sql import DIALECTS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dialoom.query.dialect import Dialect
    from dialoom.query.table import Column, Condition, DialectName, Table
    from dialoom.query.tree import Place, Sort


class Turn(msgspec.Struct, frozen=True):
    """How a run is read in whose order equal values come the other way round than in the index.

    The first rows are read as they lie there (``lying``). Of the last ``value`` among them there may be more, so that
    it is read on its own, in its order (``of_value``). Those before it (``sign``) are all there, and are sorted.
    """

    value: str
    lying: str
    last: str
    """The aggregate that gives the last value."""
    sign: str
    order: str
    """The order of the rows before, by ``value`` and ``id``."""
    of_value: str


class Run(msgspec.Struct, frozen=True):
    """``where`` is exact. ``order`` is for ORDER BY; where there is a ``turn``, only a sort would give it."""

    where: Condition
    order: str
    turn: Turn | None = None


class _Term(NamedTuple):
    column: Column
    direction: int
    key: tuple[int, Any] | None
    """Of the place; None for all of the order."""


def compile_runs(
    sort: Sort, place: Place | None, table: Table, dialect: DialectName = "sqlite"
) -> tuple[Run, ...] | None:
    """The runs of the order behind the place, or one of nothing; None when the order is not SQL's to give."""
    terms = _terms(sort, place, table)
    if terms is None:
        return None
    writing = DIALECTS[dialect]
    if len(terms) == 2 and terms[0].column.leads:
        runs = _runs_of(terms[0], terms[1], writing)
    else:
        runs = iter([_Part(_behind(terms, writing), terms)])
    parts = [part for part in runs if part.where != FALSE] or [_Part(FALSE, terms)]
    return tuple(_finished(part, writing) for part in parts)


def compile_whole(sort: Sort, place: Place | None, table: Table, dialect: DialectName = "sqlite") -> Run:
    """All of the order behind the place as one run, which is sorted; only for an order that is SQL's to give."""
    terms = _terms(sort, place, table)
    assert terms is not None, "the order is not SQL's to give"
    writing = DIALECTS[dialect]
    return _finished(_Part(_behind(terms, writing), terms), writing)


def piece_behind(sort: Sort, place: Place | None, table: Table, dialect: DialectName) -> Piece | None:
    """All that stands behind the place, as one condition; None when the order is not SQL's to give."""
    terms = _terms(sort, place, table)
    return None if terms is None else _behind(terms, DIALECTS[dialect])


def led_by(sort: Sort, table: Table) -> Column | None:
    """The column whose index has the order, so that its pages cost what they give; None where no index has."""
    terms = _terms(sort, None, table)
    if terms is None or len(terms) > 2:
        return None
    column = terms[0].column
    return column if len(terms) == 1 or column.leads else None


def led_properties(table: Table) -> list[str]:
    """The properties in whose order an index lies."""
    return [name for name in table.columns if led_by(((name, 1),), table) is not None]


def sorted_columns(sort: Sort, table: Table) -> list[Column]:
    """Those that an order of SQL's goes by."""
    return [term.column for term in _terms(sort, None, table) or ()]


def _terms(sort: Sort, place: Place | None, table: Table) -> list[_Term] | None:
    terms: list[_Term] = []
    for number, (name, direction) in enumerate(complete(sort)):
        column = table.columns.get(name)
        if column is None:
            return None
        terms.append(_Term(column, direction, None if place is None else place[number]))
        if name == "_id":
            break
    return terms


class _Part(NamedTuple):
    where: Piece
    terms: Sequence[_Term]
    turns: bool = False


def _runs_of(first: _Term, last: _Term, dialect: Dialect) -> Iterator[_Part]:
    """Those of a property that an index begins with, before ``_id``."""
    column, direction, key = first
    turns = direction != last.direction
    nulls = is_null(column, dialect)
    values = is_value(column, dialect)
    # PostgreSQL does not see that nulls are all the same, and so has to be asked for the order in which they lie.
    lying = [first._replace(direction=last.direction), last]
    if key is None:
        if not turns:
            yield _Part(TRUE, [first, last])
            return
        parts = [_Part(nulls, lying), _Part(values, [first, last], turns=True)]
        yield from parts if direction > 0 else reversed(parts)
        return
    found = behind(column, key, direction, dialect)
    yield _Part(all_of([found.equal, _behind([last], dialect)]), lying if found.equal == nulls else [last])
    bound = all_of([values, found.bound]) if found.bound == TRUE else found.bound
    parts = [_Part(nulls if found.nulls else FALSE, lying), _Part(bound, [first, last], turns)]
    yield from parts if direction > 0 else reversed(parts)


def _behind(terms: Sequence[_Term], dialect: Dialect) -> Piece:
    """Everything behind the place, as one condition."""
    first, *rest = terms
    if first.key is None:
        return TRUE
    found = behind(first.column, first.key, first.direction, dialect)
    beyond = after(first.column, found, dialect)
    if not rest:
        return beyond
    inside = any_of([beyond, all_of([found.equal, _behind(rest, dialect)])])
    # Said twice, so that an index that begins with this property is entered at the place.
    return inside if found.nulls or found.equal == FALSE else all_of([found.from_here, inside])


def _finished(part: _Part, dialect: Dialect) -> Run:
    order = ", ".join(dialect.term(term.column, term.direction) for term in part.terms)
    turn = _turn(part.terms[0], part.terms[1], dialect) if part.turns else None
    return Run(dialect.finished(part.where), order, turn)


def _turn(first: _Term, last: _Term, dialect: Dialect) -> Turn:
    rises = first.direction > 0
    value = dialect.column(first.column.sql)
    words = ("ASC", "DESC") if rises else ("DESC", "ASC")
    return Turn(
        value=value,
        lying=", ".join(dialect.term(term.column, first.direction) for term in (first, last)),
        last="max" if rises else "min",
        sign="<" if rises else ">",
        order="value {}, id {}".format(*words),
        of_value=dialect.term(last.column, last.direction),
    )
