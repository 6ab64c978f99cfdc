"""The tables of the two collections: which property of a record has which column, and which columns have an index; and
the rows of imported records.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from operator import getitem
from types import MappingProxyType
from typing import Any

import msgspec

from dialoom.query import Column, Table
from dialoom.query.tree import Path, parts_of
from dialoom.storage.rows import Collection, Row

CONVERSATIONS = Table(
    name="conversations",
    columns=MappingProxyType(
        {
            "_id": Column("id", "text"),
            "Bot": Column("bot", "text"),
            "User": Column("user", "text", index="selective"),
            "Channel": Column("channel", "text"),
            "Status": Column("status", "text", index="then_id"),
            "StartedAt": Column("started_at", "text", index="selective"),
            "UpdatedAt": Column("updated_at", "text"),
            "EndedAt": Column("ended_at", "text", nullable=True),
            "Goal": Column("goal", "text", nullable=True),
            "Errors": Column("errors", "number", index="then_id"),
            "Messages.user": Column("messages_user", "number", index="then_id"),
            "Messages.bot": Column("messages_bot", "number"),
            "Data.channel.ProviderName": Column("provider_name", "text", index="then_id"),
            "Data.user.FirstName": Column("first_name", "text", nullable=True, index="then_id"),
            "Data.user.LastName": Column("last_name", "text", nullable=True, index="then_id"),
        }
    ),
    document="document",
    binary="body",
)

MESSAGES = Table(
    name="messages",
    columns=MappingProxyType(
        {
            "_id": Column("id", "text"),
            "Bot": Column("bot", "text"),
            "Conversation": Column("conversation", "text", index="selective"),
            "User": Column("user", "text", index="selective"),
            "Channel": Column("channel", "text"),
            "From": Column("sender", "text"),
            "Type": Column("type", "text"),
            "CreatedAt": Column("created_at", "text", index="selective"),
            "Sequence": Column("sequence", "number"),
        }
    ),
    document="document",
    binary="body",
)

TABLES: Mapping[Collection, Table] = MappingProxyType({"conversations": CONVERSATIONS, "messages": MESSAGES})

IMPORTED_POSITION = 0
"""Of a message that belongs to no live chat, so that no client of one is told it; theirs begin with 1."""
_encode = msgspec.json.Encoder().encode
_PATHS: Mapping[Collection, tuple[Path, ...]] = {
    collection: tuple(parts_of(name) for name in table.columns if name != "Bot") for collection, table in TABLES.items()
}


def imported_rows(collection: Collection, bot: str, documents: Sequence[dict[str, Any]]) -> list[Row]:
    """Return the rows of imported records, as ``rows.conversation_row`` and ``rows.message_row`` make those of turns.
    The records are checked already (``service.records.record_schema``) and go in whole, whatever else they hold."""
    position = (IMPORTED_POSITION,) if collection == "messages" else ()
    rows = []
    for document in documents:
        text = _encode(document).decode()
        values = [
            document[path[0]] if len(path) == 1 else reduce(getitem, path[1:], document[path[0]])
            for path in _PATHS[collection]
        ]
        rows.append((bot, *values, *position, text, text))  # the second text is for the JSONB copy
    return rows
