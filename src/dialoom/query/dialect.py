"""What the compiler asks of a database's SQL: how values in the JSONB copy are reached, and how signs are written.

``sqlite`` and ``postgres`` answer it. Which values are asked for what is the compiler's business, the same for both.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeAlias

from dialoom.query.pieces import Piece

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from dialoom.query.keys import Keys, Leading
    from dialoom.query.narrowing import Sayings, Sign
    from dialoom.query.table import Column, Condition, Table
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

    def told(self, kind: Kind, sign: Sign, spot: Spot) -> Piece | None:
        """Whether the sign holds of a value of this kind; None when SQL cannot tell for all of them. On a column it is
        written so that an index serves."""

    def sieve(self, source: str, path: Path, says: Sayings) -> Piece | None:
        """What is true of at least every record in which a value at the path is as it is said, and an index of the
        operator's can answer for any path; None where there is no such thing."""

    def keyed(self, table: Table, path: Path, keys: Keys) -> Piece:
        """Whether the record's key for the path, of which there is an index, is one of these or tells nothing."""

    def leading(self, asked: Leading) -> Piece:
        """Whether the record is one of those, or may come before them for all that its key tells."""

    def term(self, column: Column, direction: int) -> str:
        """For ORDER BY: the column, with null below all values."""

    def by_id(self, table: Table) -> str:
        """For ORDER BY: ``_id`` as the JSONB copy has it."""

    def finished(self, piece: Piece) -> Condition:
        """The condition as the database takes it."""
