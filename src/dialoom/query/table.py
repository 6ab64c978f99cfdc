"""What the compiler is told of a store's tables, and what it gives back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import msgspec

if TYPE_CHECKING:
    from collections.abc import Mapping

    from dialoom.query.sql_text import Parameter
    from dialoom.query.tree import Path

DialectName = Literal["sqlite", "postgres"]


class Column(msgspec.Struct, frozen=True):
    """A column that holds a property of every record: nothing but this kind, or SQL's null if ``nullable``.

    What stands above the property in the document is never an array.
    SQL's null stands for a null and for a missing property alike; what must tell them apart reads the document.
    """

    sql: str
    kind: Literal["text", "number"]
    nullable: bool = False
    index: Literal["selective", "then_id"] | None = None
    """An index begins with the bot and the column. ``selective``: few records have the same value; ``then_id``: many
    may, and the index goes on with ``_id``."""


class Table(msgspec.Struct, frozen=True):
    """``columns`` by dotted property name; ``document`` and ``binary`` name the JSON text and its JSONB copy."""

    name: str
    columns: Mapping[str, Column]
    document: str
    binary: str
    bot: str = ""
    """Whose records are asked; only what goes by indexes of the operator's needs to know."""
    indexes: Mapping[Path, str] = msgspec.field(default_factory=dict)
    """The operator's own indexes: by property, each under the name that the store has given it."""


class SqlCondition(msgspec.Struct, frozen=True):
    """A condition for WHERE, true of every row that matches; if ``exact``, of no other. Never SQL's null.

    The parameters are those of its question marks (SQLite), or of ``$1``, ``$2`` ... (PostgreSQL).
    """

    sql: str
    parameters: list[Parameter]
    exact: bool


class Order(msgspec.Struct, frozen=True):
    """A list for ORDER BY. If not ``exact``, it orders by ``_id`` alone and the caller sorts with ``order``."""

    sql: str
    exact: bool
