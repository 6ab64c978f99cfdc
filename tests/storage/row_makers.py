"""Short ways to say the rows that the store's tests write, and to write them as the runner does."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import msgspec

from dialoom.messages import ConversationRecord, MessageRecord
from dialoom.messages.records import ChannelData, Data, MessageCounts, UserData
from dialoom.storage.store import ChatKey, Outgoing, StoredMessage, TimerRow, TokenRow, TurnWrite

if TYPE_CHECKING:
    from collections.abc import Coroutine, Sequence

    from dialoom.storage.store import Answered, Inbound, Store

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


def outgoing(number: int, key: ChatKey = ANN, receiver: str = "callback", **fields: Any) -> Outgoing:
    values: dict[str, Any] = {"body": b"sealed body of %d" % number, "created_at": 1000, "due": 1000} | fields
    return Outgoing(key=key, id=f"d{number:06d}", receiver=receiver, **values)


async def commit(store: Store, turn: TurnWrite) -> Answered | None:
    """Store a turn; where several processes share the store, its chat is held first."""
    if store.is_shared:
        assert await store.hold(turn.key) is not None
    return await store.commit(turn)


async def in_groups(works: Sequence[Coroutine[Any, Any, Any]]) -> None:
    """Some at a time: a statement that finds no connection within some seconds is refused, and many that wait for the
    disk one after the other take as long on a busy machine."""
    for first in range(0, len(works), 50):
        await asyncio.gather(*works[first : first + 50])


async def forget(store: Store, before: str, limit: int, bot: str = "salon") -> int:
    """Have old conversations forgotten; gives how many went."""
    return (await store.forget_conversations(bot, before, limit)).conversations


async def waiting(store: Store, *keys: ChatKey) -> list[Inbound]:
    """What waits in the inboxes of these chats, whatever was ahead of it when it came."""
    rows: list[Inbound] = []
    for key in keys:
        held = await store.hold(key)
        assert held is not None
        rows += [msgspec.structs.replace(row, ahead=0) for row in held.waiting]
    return rows
