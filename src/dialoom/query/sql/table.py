"""The tables of a store as the compiler sees them, and the SQL that it returns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec

from dialoom.query.sql.pieces import Parameter
from dialoom.query.tree import Path

DialectName = Literal["sqlite", "postgres"]


class Column(msgspec.Struct, frozen=True):
    """A column that holds a property of every record: values of one kind, or SQL's null if ``nullable``.

    The properties above it in the document are never arrays. SQL's null stands for a null and for a missing property
    alike; what must tell them apart reads the document.
    """

    sql: str
    kind: Literal["text", "number"]
    nullable: bool = False
    index: Literal["selective", "then_id"] | None = None
    """An index begins with the bot and the column. ``selective``: few records have the same value; ``then_id``: many
    may, and the index goes on with ``_id``."""


class Table(msgspec.Struct, frozen=True):
    """A table of records: its columns by dotted property name, the JSON text (``document``) and its JSONB copy
    (``binary``)."""

    name: str
    columns: Mapping[str, Column]
    document: str
    binary: str
    bot: str = ""
    """The bot whose records are searched; only conditions on the operator's indexes name it."""
    indexes: Mapping[Path, str] = msgspec.field(default_factory=dict)
    """The names of the operator's indexes in the store, by property."""


class SqlCondition(msgspec.Struct, frozen=True):
    """A condition for WHERE, true of every row that matches; if ``exact``, of no other. Never SQL's null.

    The parameters are those of its question marks (SQLite), or of ``$1``, ``$2`` ... (PostgreSQL).
    """

    sql: str
    parameters: list[Parameter]
    exact: bool
