"""Records from elsewhere as rows for the databases.

They are checked already (``service.records.record_schema``) and go in whole, whatever else they hold. Their messages
have position 0: they belong to no live chat, so that no client of one is told them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dialoom.storage.rows import Collection, Row

POSITION = 0
"""Of a message that belongs to no live chat; theirs begin with 1."""
_encode = msgspec.json.Encoder().encode


def imported_rows(collection: Collection, bot: str, documents: Sequence[dict[str, Any]]) -> list[Row]:
    """Return the rows of imported records, as ``rows.conversation_row`` and ``rows.message_row`` make those of
    turns."""
    row = _conversation if collection == "conversations" else _message
    return [row(bot, document, _encode(document).decode()) for document in documents]


def _conversation(bot: str, document: dict[str, Any], text: str) -> Row:
    data, counts = document["Data"], document["Messages"]
    user = data["user"]
    return (
        bot,
        document["_id"],
        document["User"],
        document["Channel"],
        document["Status"],
        document["StartedAt"],
        document["UpdatedAt"],
        document["EndedAt"],
        document["Goal"],
        document["Errors"],
        counts["user"],
        counts["bot"],
        data["channel"]["ProviderName"],
        user["FirstName"],
        user["LastName"],
        text,
        text,  # for the JSONB copy
    )


def _message(bot: str, document: dict[str, Any], text: str) -> Row:
    return (
        bot,
        document["_id"],
        document["Conversation"],
        document["User"],
        document["Channel"],
        document["From"],
        document["Type"],
        document["CreatedAt"],
        document["Sequence"],
        POSITION,
        text,
        text,  # for the JSONB copy
    )
