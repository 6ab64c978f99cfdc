"""Compiles the pages of a sorted list that go on from a position to SQL that enters an index at that position.

A list is read as stretches of an index, one after the other, so that a page costs what it returns and not what lies
before it: null has a stretch of its own, and so have the records with the same value as the position. An index on
(property, ``_id``) has both ascending or both descending; ``TieOrder`` reads a property that descends while ``_id``
ascends. Where no index has the order there is one stretch, which the database sorts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

import msgspec

from dialoom.query.conditions import Comparison, ComparisonOperator
from dialoom.query.sort import with_tie_breaker
from dialoom.query.sql.compile import DIALECTS
from dialoom.query.sql.dialect import NO_VALUE, Dialect
from dialoom.query.sql.pieces import FALSE, TRUE, Piece, all_of, any_of
from dialoom.query.sql.table import Column, DialectName, SqlCondition, Table
from dialoom.query.tree import Place, Sort
from dialoom.query.values import EMPTY_ARRAY_KEY, TYPE_RANKS

_NULL: Final = TYPE_RANKS[type(None)]
_RANKS: Final = {"number": TYPE_RANKS[int], "text": TYPE_RANKS[str]}
_BEYOND_INTEGERS: Final = 2**63
"""No column holds a number from here on, and no database takes it as a parameter."""


class TieOrder(msgspec.Struct, frozen=True):
    """How to read a stretch in which records with equal values come in the opposite order of the index.

    The first rows are read in the order of the index (``index_order``). Only of the last ``value`` among them there may
    be more, so its records are read by a second statement (``tie_order``); those before it are complete and are sorted.
    """

    value: str
    index_order: str
    last: str
    """The aggregate function that gives the last value."""
    before_last: str
    """The comparison that is true of the values before the last one."""
    row_order: str
    """The order of the rows before the last value, by ``value`` and ``id``."""
    tie_order: str


class Stretch(msgspec.Struct, frozen=True):
    """One stretch of the list; ``where`` is exact. If ``ties`` is set, ``order`` needs a sort."""

    where: SqlCondition
    order: str
    ties: TieOrder | None = None


class _Term(NamedTuple):
    """A property of the sort; ``key`` is its value at the position, None where the list begins at its start."""

    column: Column
    direction: int
    key: tuple[int, Any] | None


class _Part(NamedTuple):
    """A stretch as the compiler has it."""

    where: Piece
    terms: Sequence[_Term]
    has_ties: bool = False


class _After(NamedTuple):
    """Conditions on one column for what comes after a position: ``greater`` of values, ``nulls`` if null does too."""

    greater: Piece
    nulls: bool
    equal: Piece
    from_here: Piece
    """True of ``greater`` and ``equal``: one range of an index. Not used where ``equal`` means null."""


def compile_stretches(
    sort: Sort, place: Place | None, table: Table, dialect: DialectName = "sqlite"
) -> tuple[Stretch, ...] | None:
    """Return the stretches of the list after the position, at least one; None where a property has no column."""
    terms = _terms(sort, place, table)
    if terms is None:
        return None
    writer = DIALECTS[dialect]
    if len(terms) == 2 and terms[0].column.index:
        parts = _stretches(terms[0], terms[1], writer)
    else:
        parts = iter([_Part(_after_all(terms, writer), terms)])
    kept = [part for part in parts if part.where != FALSE] or [_Part(FALSE, terms)]
    return tuple(_stretch(part, writer) for part in kept)


def compile_sorted(sort: Sort, place: Place | None, table: Table, dialect: DialectName = "sqlite") -> Stretch:
    """Return the list after the position as one stretch that the database sorts. Every property must have a column."""
    terms = _terms(sort, place, table)
    assert terms is not None, "a property of the sort has no column"
    writer = DIALECTS[dialect]
    return _stretch(_Part(_after_all(terms, writer), terms), writer)


def is_sql_order(sort: Sort, table: Table) -> bool:
    """Return whether SQL gives this order: every property of the sort has a column."""
    return _terms(sort, None, table) is not None


def index_column(sort: Sort, table: Table) -> Column | None:
    """Return the column whose index has the records in this order; None where they have to be sorted."""
    terms = _terms(sort, None, table)
    if terms is None or len(terms) > 2:
        return None
    column = terms[0].column
    return column if len(terms) == 1 or column.index else None


def indexed_properties(table: Table) -> list[str]:
    """Return the properties in whose order an index has the records."""
    return [name for name in table.columns if index_column(((name, 1),), table) is not None]


def sort_columns(sort: Sort, table: Table) -> list[Column]:
    """Return the columns that the sort compares; empty where a property has none."""
    return [term.column for term in _terms(sort, None, table) or ()]


def _terms(sort: Sort, place: Place | None, table: Table) -> list[_Term] | None:
    terms: list[_Term] = []
    for number, (name, direction) in enumerate(with_tie_breaker(sort)):
        column = table.columns.get(name)
        if column is None:
            return None
        terms.append(_Term(column, direction, None if place is None else place[number]))
    return terms


def _stretches(first: _Term, last: _Term, dialect: Dialect) -> Iterator[_Part]:
    """Return the stretches of an index that begins with the first column and goes on with ``_id``."""
    column, direction, key = first
    has_ties = direction != last.direction
    nulls = _is_null(column, dialect)
    values = _is_value(column, dialect)
    # PostgreSQL does not see that all nulls are equal, and has to be asked for the order in which the index has them.
    null_terms = [first._replace(direction=last.direction), last]
    if key is None:
        if not has_ties:
            yield _Part(TRUE, [first, last])
            return
        parts = [_Part(nulls, null_terms), _Part(values, [first, last], has_ties=True)]
        yield from parts if direction > 0 else reversed(parts)
        return
    after = _after(column, key, direction, dialect)
    equal = all_of([after.equal, _after_all([last], dialect)])
    yield _Part(equal, null_terms if after.equal == nulls else [last])
    greater = all_of([values, after.greater]) if after.greater == TRUE else after.greater
    parts = [_Part(nulls if after.nulls else FALSE, null_terms), _Part(greater, [first, last], has_ties)]
    yield from parts if direction > 0 else reversed(parts)


def _after_all(terms: Sequence[_Term], dialect: Dialect) -> Piece:
    """Return the condition that is true of everything after the position."""
    (column, direction, key), *rest = terms
    if key is None:
        return TRUE
    after = _after(column, key, direction, dialect)
    values = all_of([_is_value(column, dialect), after.greater]) if after.greater == TRUE else after.greater
    greater = any_of([values, _is_null(column, dialect)] if after.nulls else [values])
    if not rest:
        return greater
    inside = any_of([greater, all_of([after.equal, _after_all(rest, dialect)])])
    # Repeats a part of the condition as one range, so that an index on the property is entered at the position.
    return inside if after.nulls or after.equal == FALSE else all_of([after.from_here, inside])


def _after(column: Column, key: tuple[int, Any], direction: int, dialect: Dialect) -> _After:
    """Return the conditions for what comes after a ``comparison_key`` of any kind: a kind that the column never holds
    sorts below or above all its values."""
    is_ascending = direction > 0
    nulls = column.nullable and not is_ascending
    own = _RANKS[column.kind]
    rank, held = key
    if key == EMPTY_ARRAY_KEY:
        everything = TRUE if is_ascending else FALSE
        return _After(everything, column.nullable and is_ascending, FALSE, everything)
    if rank == _NULL:
        values = TRUE if is_ascending else FALSE
        return _After(values, False, _is_null(column, dialect), TRUE)
    if rank == own == TYPE_RANKS[int] and abs(held) >= _BEYOND_INTEGERS:
        rank += 1 if held > 0 else -1
    if rank != own:
        values = TRUE if (rank < own) == is_ascending else FALSE
        return _After(values, nulls, FALSE, values)
    greater = _compared(column, ">" if is_ascending else "<", held, dialect)
    from_here = _compared(column, ">=" if is_ascending else "<=", held, dialect)
    return _After(greater, nulls, _compared(column, "=", held, dialect), from_here)


def _is_null(column: Column, dialect: Dialect) -> Piece:
    return Piece(f"{dialect.column(column.sql)} IS NULL") if column.nullable else FALSE


def _is_value(column: Column, dialect: Dialect) -> Piece:
    return Piece(f"{dialect.column(column.sql)} IS NOT NULL") if column.nullable else TRUE


def _compared(column: Column, operator: ComparisonOperator, held: Any, dialect: Dialect) -> Piece:
    piece = dialect.comparison(column.kind, Comparison(operator, held), NO_VALUE._replace(column=column))
    assert piece is not None, "numbers that no column holds are compared by their rank"
    return piece


def _stretch(part: _Part, dialect: Dialect) -> Stretch:
    order = ", ".join(dialect.order_term(term.column, term.direction) for term in part.terms)
    ties = _tie_order(part.terms[0], part.terms[1], dialect) if part.has_ties else None
    return Stretch(dialect.finish(part.where), order, ties)


def _tie_order(first: _Term, last: _Term, dialect: Dialect) -> TieOrder:
    is_ascending = first.direction > 0
    words = ("ASC", "DESC") if is_ascending else ("DESC", "ASC")
    return TieOrder(
        value=dialect.column(first.column.sql),
        index_order=", ".join(dialect.order_term(term.column, first.direction) for term in (first, last)),
        last="max" if is_ascending else "min",
        before_last="<" if is_ascending else ">",
        row_order="value {}, id {}".format(*words),
        tie_order=dialect.order_term(last.column, last.direction),
    )
