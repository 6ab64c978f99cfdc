"""The two records of the history API, exactly as clients read them (history-api.md, Records)."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

Status = Literal["active", "success", "failure", "abandoned", "handed-over", "closed"]


class MessageCounts(msgspec.Struct):
    user: int = 0
    bot: int = 0


class ChannelData(msgspec.Struct, frozen=True, rename="pascal"):
    id: str
    provider_name: str
    name: str | None = None


class UserData(msgspec.Struct, frozen=True, rename="pascal"):
    external_id: str | None = None
    first_name: str | None = None
    last_name: str | None = None
    avatar: str | None = None
    locale: str | None = None
    timezone: str | None = None


class Data(msgspec.Struct):
    channel: ChannelData
    user: UserData
    context: dict[str, Any] = {}
    entities: dict[str, Any] = {}


class ConversationRecord(msgspec.Struct, rename="pascal", kw_only=True):
    """Times are UTC ISO 8601 with milliseconds; ``id`` is a UUIDv7 text."""

    id: str = msgspec.field(name="_id")
    bot: str
    user: str
    channel: str
    status: Status = "active"
    started_at: str
    updated_at: str
    ended_at: str | None = None
    goal: str | None = None
    errors: int = 0
    messages: MessageCounts
    flow_version: str
    data: Data


class MessageRecord(msgspec.Struct, rename="pascal", kw_only=True, frozen=True):
    """``Sequence`` counts 1, 2, 3 ... in the conversation; ``Step`` is ``conversation/index`` of what said it."""

    id: str = msgspec.field(name="_id")
    bot: str
    conversation: str
    user: str
    channel: str
    from_: Literal["user", "bot"] = msgspec.field(name="From")
    type: Literal["text", "option", "location", "file", "event", "template"]
    text: str | None = None
    payload: Any = None
    step: str | None = None
    understanding: Any = None
    error: str | None = None
    created_at: str
    sequence: int
