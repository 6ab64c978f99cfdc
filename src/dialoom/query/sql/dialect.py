"""What the compiler needs of a database's SQL. ``sqlite`` and ``postgres`` implement it.

Which values a query tests is decided in ``compile``, the same for both.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol, TypeAlias

from dialoom.query.conditions import Comparison, Conditions
from dialoom.query.sql.index_keys import FirstByKey, Keys
from dialoom.query.sql.pieces import Piece
from dialoom.query.sql.table import Column, SqlCondition, Table
from dialoom.query.tree import Path
from dialoom.query.values import Kind

Label: TypeAlias = str | int
"""A step into a JSON value: the key of an object, or the index of an array. Neither finds anything in the other."""


class SqlValue(NamedTuple):
    """A JSON value of a row, as SQL of its type (null where there is none), of itself and of its elements' source."""

    type: Piece
    sql: Piece
    elements: Piece
    column: Column | None = None
    """The column that holds the value; only it is read then."""


NO_VALUE = SqlValue(Piece("NULL"), Piece("NULL"), Piece("NULL"))


class Dialect(Protocol):
    def column(self, name: str) -> str:
        """Return the column of the table as SQL."""

    def value_at(self, source: str, labels: Sequence[Label]) -> SqlValue:
        """Return the value that the labels lead to in ``source``, which is the JSONB copy or an element."""

    def element(self, depth: int) -> SqlValue:
        """Return the element under the alias of this depth."""

    def elements(self, array: Piece, depth: int) -> Piece:
        """Return, for FROM, the elements of what is known to be an array, under the alias of this depth."""

    def type_branches(self, value: SqlValue, conditions: Mapping[Kind, Piece]) -> list[tuple[str, Piece]]:
        """Return the database's words for the types, each with its condition; FALSE for a kind without one."""

    def comparison(self, kind: Kind, comparison: Comparison, value: SqlValue) -> Piece | None:
        """Return whether the comparison holds of a value of this kind; None when SQL cannot tell for all of them. On a
        column an index can serve it."""

    def prefilter(self, source: str, path: Path, conditions: Conditions) -> Piece | None:
        """Return a condition that a GIN index serves for any path, true of at least every record with a value that
        meets the conditions; None where there is none."""

    def has_keys(self, table: Table, path: Path, keys: Keys) -> Piece:
        """Return whether the record's key in the index on the path is one of these or ``ARRAY_KEY``."""

    def first_by_key(self, wanted: FirstByKey) -> Piece:
        """Return whether the record is among the first by key, or may come before them as far as its key tells."""

    def order_term(self, column: Column, direction: int) -> str:
        """Return, for ORDER BY, the column with null below all values."""

    def finish(self, piece: Piece) -> SqlCondition:
        """Return the condition with constants and parameters as the database takes them."""
