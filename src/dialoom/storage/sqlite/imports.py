"""Writes records from elsewhere, and how far their file was read, as one task of the writer."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from dialoom.storage.sql_files import load
from dialoom.storage.sqlite.groups import put

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import apsw

    from dialoom.storage.rows import Collection, Row
    from dialoom.storage.sql_files import Query

_IMPORTS = load("sqlite", "imports")
_PUT: Mapping[Collection, Query] = MappingProxyType(
    {"conversations": _IMPORTS["put_conversations"], "messages": _IMPORTS["put_messages"]}
)


class ImportedRows(NamedTuple):
    """Some lines of a file, as rows."""

    collection: Collection
    bot: str
    rows: Sequence[Row]
    source: str
    line: int


def bring_in(connection: apsw.Connection, pieces: Sequence[ImportedRows]) -> list[int]:
    return [_bring_in(connection, piece) for piece in pieces]


def _bring_in(connection: apsw.Connection, piece: ImportedRows) -> int:
    written = put(connection, _PUT[piece.collection], piece.rows)
    if piece.source:
        connection.execute(_IMPORTS["put_line"].sql, (piece.bot, piece.source, piece.line))
    return written
