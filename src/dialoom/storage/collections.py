"""The tables of the two collections: which property of a record has which column, and which columns have an index."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from dialoom.query import Column, Table

if TYPE_CHECKING:
    from collections.abc import Mapping

    from dialoom.storage.rows import Collection

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
