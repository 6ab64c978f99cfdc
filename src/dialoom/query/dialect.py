"""What the compiler asks of a database's SQL: how values in the JSONB copy are reached, and how signs are written.

``sqlite`` and ``postgres`` answer it. Which values are asked for what is the compiler's business, the same for both.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeAlias

from dialoom.query.sql_text import Piece

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from dialoom.query.index_keys import FirstKeys, Keys
    from dialoom.query.sql_predicates import Comparison, Conditions
    from dialoom.query.table import Column, SqlCondition, Table
    from dialoom.query.tree import Path
    from dialoom.query.values import Kind

Label: TypeAlias = str | int
"""A step into a JSON value: the key of an object, or the place in an array. Neither finds anything in the other."""


class Spot(NamedTuple):
    """One value of a row: SQL of its type (null where there is none), of itself, and of what its elements are in."""

    type: Piece
    value: Piece
    inside: Piece
    column: Column | None = None
    """The column that holds the value, so that it is asked there and nowhere else."""


NOWHERE = Spot(Piece("NULL"), Piece("NULL"), Piece("NULL"))


class Dialect(Protocol):
    def column(self, name: str) -> str:
        """A column of the table."""

    def spot(self, source: str, labels: Sequence[Label]) -> Spot:
        """What the labels lead to in ``source``, which is the JSONB copy or an element."""

    def element(self, depth: int) -> Spot:
        """The element under the alias of this depth."""

    def elements(self, inside: Piece, depth: int) -> Piece:
        """For FROM: the elements of an array, under the alias of this depth. Only asked of what is an array."""

    def cases(self, spot: Spot, answers: Mapping[Kind, Piece]) -> list[tuple[str, Piece]]:
        """Each of the database's words for a type with what is answered for it; what has no answer is a no."""

    def predicate(self, kind: Kind, comparison: Comparison, spot: Spot) -> Piece | None:
        """Whether the comparison holds of a value of this kind; None when SQL cannot tell for all of them. On a column
        an index can serve it."""

    def sieve(self, source: str, path: Path, conditions: Conditions) -> Piece | None:
        """A condition that a GIN index can serve for any path, true of at least every record with a value that meets
        the conditions; None where there is none."""

    def has_keys(self, table: Table, path: Path, keys: Keys) -> Piece:
        """Whether the record's key for the path, of which there is an index, is one of these or tells nothing."""

    def first_keys(self, asked: FirstKeys) -> Piece:
        """Whether the record is among the first by key, or may come before them as far as its key tells."""

    def term(self, column: Column, direction: int) -> str:
        """For ORDER BY: the column, with null below all values."""

    def by_id(self, table: Table) -> str:
        """For ORDER BY: ``_id`` as the JSONB copy has it."""

    def finished(self, piece: Piece) -> SqlCondition:
        """The condition as the database takes it."""
