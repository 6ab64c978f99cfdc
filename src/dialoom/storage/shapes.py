"""The two collections as the query compiler takes them: which property of a record lies in which column."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from dialoom.query import Column, Table

if TYPE_CHECKING:
    from collections.abc import Mapping

    from dialoom.storage.store import Collection

CONVERSATIONS = Table(
    name="conversations",
    columns=MappingProxyType(
        {
            "_id": Column("id", "text"),
            "Bot": Column("bot", "text"),
            "User": Column("user", "text", leads="few"),
            "Channel": Column("channel", "text"),
            "Status": Column("status", "text", leads="many"),
            "StartedAt": Column("started_at", "text", leads="few"),
            "UpdatedAt": Column("updated_at", "text"),
            "EndedAt": Column("ended_at", "text", nullable=True),
            "Goal": Column("goal", "text", nullable=True),
            "Errors": Column("errors", "number", leads="many"),
            "Messages.user": Column("messages_user", "number", leads="many"),
            "Messages.bot": Column("messages_bot", "number"),
            "Data.channel.ProviderName": Column("provider_name", "text", leads="many"),
            "Data.user.FirstName": Column("first_name", "text", nullable=True, leads="many"),
            "Data.user.LastName": Column("last_name", "text", nullable=True, leads="many"),
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
            "Conversation": Column("conversation", "text", leads="few"),
            "User": Column("user", "text", leads="few"),
            "Channel": Column("channel", "text"),
            "From": Column("sender", "text"),
            "Type": Column("type", "text"),
            "CreatedAt": Column("created_at", "text", leads="few"),
            "Sequence": Column("sequence", "number"),
        }
    ),
    document="document",
    binary="body",
)

TABLES: Mapping[Collection, Table] = MappingProxyType({"conversations": CONVERSATIONS, "messages": MESSAGES})
