"""Short ways to say the rows that the store's tests write."""

from __future__ import annotations

from typing import Any

from dialoom.messages import ConversationRecord, MessageRecord
from dialoom.messages.records import ChannelData, Data, MessageCounts, UserData
from dialoom.storage.store import ChatKey, StoredMessage, TimerRow, TokenRow, TurnWrite

ANN = ChatKey("salon", "web", "ann")
BEN = ChatKey("salon", "web", "ben")


def time(number: int) -> str:
    return f"2026-11-20T08:{number // 60 % 60:02d}:{number % 60:02d}.{number % 1000:03d}Z"


def record(number: int, key: ChatKey = ANN, **fields: Any) -> ConversationRecord:
    first_name = fields.pop("first_name", None)
    entities = fields.pop("entities", {})
    counts = fields.pop("counts", MessageCounts(1, 1))
    values: dict[str, Any] = {"started_at": time(number), "updated_at": time(number)} | fields
    return ConversationRecord(
        id=f"c{number:06d}",
        bot=key.bot,
        user=key.user,
        channel=key.channel,
        messages=counts,
        flow_version="v1",
        data=Data(ChannelData(key.channel, "web"), UserData(first_name=first_name), entities=entities),
        **values,
    )


def message(position: int, text: str = "Hello", key: ChatKey = ANN, **fields: Any) -> StoredMessage:
    client_id = fields.pop("client_id", None)
    values: dict[str, Any] = {
        "id": f"m-{key.channel}-{key.user}-{position:06d}",
        "conversation": "c000001",
        "from_": "bot",
        "type": "text",
        "sequence": position,
        "created_at": time(position),
    } | fields
    stored = MessageRecord(bot=key.bot, user=key.user, channel=key.channel, text=text, **values)
    return StoredMessage(position, stored, client_id)


def write(revision: int = 0, key: ChatKey = ANN, **fields: Any) -> TurnWrite:
    values: dict[str, Any] = {
        "number": None,
        "dedupe": None,
        "answer": None,
        "state": f"state {revision + 1}".encode(),
        "position": 0,
        "now": 1000,
    } | fields
    return TurnWrite(key=key, revision=revision, **values)


def timer(name: str, due: int, key: ChatKey = ANN) -> TimerRow:
    return TimerRow(key, name, due)


def token(id: str = "t1", **fields: Any) -> TokenRow:
    values: dict[str, Any] = {"bot": "salon", "kind": "server", "hash": f"hash of {id}".encode()} | fields
    return TokenRow(id=id, **values)
