"""Writes records from elsewhere, and how far their file was read, in one transaction."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from dialoom.query import jsonb_copy
from dialoom.storage.import_rows import brought_rows
from dialoom.storage.postgres.connection import STATEMENT_SECONDS
from dialoom.storage.sql_files import load

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from dialoom.storage.postgres.connection import Connections
    from dialoom.storage.rows import Collection, Row
    from dialoom.storage.sql_files import Query

_IMPORTS = load("postgres", "imports")
_PUT: Mapping[Collection, Query] = MappingProxyType(
    {"conversations": _IMPORTS["put_conversations"], "messages": _IMPORTS["put_messages"]}
)
_PATIENCE = STATEMENT_SECONDS + 1.0
MAX_ROWS_PER_STATEMENT = 250
"""Records of one statement, each of which has its time."""


async def bring_in(
    connections: Connections,
    collection: Collection,
    bot: str,
    documents: Sequence[dict[str, Any]],
    source: str,
    line: int,
) -> int:
    rows = brought_rows(collection, bot, documents)
    written = 0
    async with connections.connection() as connection, connection.transaction():
        for start in range(0, len(rows), MAX_ROWS_PER_STATEMENT):
            columns = _columns(rows[start : start + MAX_ROWS_PER_STATEMENT])
            done = str(await connection.execute(_PUT[collection].sql, bot, *columns, timeout=_PATIENCE))
            written += int(done.rpartition(" ")[2])
        if source:
            await connection.execute(_IMPORTS["put_line"].sql, bot, source, line, timeout=_PATIENCE)
    return written


def _columns(rows: Sequence[Row]) -> list[Sequence[Any]]:
    """Without the bot; the copy for JSONB is left out where it is the same as the document."""
    columns: list[Sequence[Any]] = list(zip(*[row[1:] for row in rows], strict=True))
    documents = columns[-1]
    copies = map(jsonb_copy, documents)
    columns[-1] = [None if copy == text else copy for copy, text in zip(copies, documents, strict=True)]
    return columns
