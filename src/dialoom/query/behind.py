"""Which values of a column stand behind the place of a record, and which in it, as conditions. Knows no whole order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from dialoom.query.dialect import NOWHERE
from dialoom.query.narrowing import Sign
from dialoom.query.pieces import FALSE, TRUE, Piece, all_of, any_of
from dialoom.query.values import BELOW_NULL, RANKS

if TYPE_CHECKING:
    from dialoom.query.dialect import Dialect
    from dialoom.query.narrowing import Comparison
    from dialoom.query.table import Column

_NULL: Final = RANKS[type(None)]
_RANKS: Final = {"number": RANKS[int], "text": RANKS[str]}
_BEYOND: Final = 2**63
"""No column holds a number from here on, and no database takes it for a parameter."""


class Behind(NamedTuple):
    """``bound``: values, and ``nulls``: whether null, that come after the place. ``equal``: what stands in it."""

    bound: Piece
    nulls: bool
    equal: Piece
    from_here: Piece
    """What holds of ``bound`` and ``equal``, for an index to begin at. Of values alone: in null none can begin."""


def behind(column: Column, key: tuple[int, Any], direction: int, dialect: Dialect) -> Behind:
    """``key`` as ``values.key`` makes it, of any kind: a kind that the column never holds is still below or above."""
    rises = direction > 0
    nulls = column.nullable and not rises
    own = _RANKS[column.kind]
    rank, held = key
    if key == BELOW_NULL:
        everything = TRUE if rises else FALSE
        return Behind(everything, column.nullable and rises, FALSE, everything)
    if rank == _NULL:
        values = TRUE if rises else FALSE
        return Behind(values, False, is_null(column, dialect), TRUE)
    if rank == own == RANKS[int] and abs(held) >= _BEYOND:
        rank += 1 if held > 0 else -1
    if rank != own:
        values = TRUE if (rank < own) == rises else FALSE
        return Behind(values, nulls, FALSE, values)
    bound = _told(column, ">" if rises else "<", held, dialect)
    from_here = _told(column, ">=" if rises else "<=", held, dialect)
    return Behind(bound, nulls, _told(column, "=", held, dialect), from_here)


def is_null(column: Column, dialect: Dialect) -> Piece:
    return Piece(f"{dialect.column(column.sql)} IS NULL") if column.nullable else FALSE


def is_value(column: Column, dialect: Dialect) -> Piece:
    return Piece(f"{dialect.column(column.sql)} IS NOT NULL") if column.nullable else TRUE


def after(column: Column, found: Behind, dialect: Dialect) -> Piece:
    """All that comes after the place, null as well."""
    values = all_of([is_value(column, dialect), found.bound]) if found.bound == TRUE else found.bound
    return any_of([values, is_null(column, dialect)] if found.nulls else [values])


def _told(column: Column, word: Comparison, held: Any, dialect: Dialect) -> Piece:
    told = dialect.told(column.kind, Sign(word, held), NOWHERE._replace(column=column))
    assert told is not None, "numbers beyond what a column holds were told before"
    return told
