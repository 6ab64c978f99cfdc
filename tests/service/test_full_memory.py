"""Turns of chats whose memory is large: what does not change is neither read nor looked through again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from tests.http.support import Client, serving

from dialoom.engine.state import Ask, State
from dialoom.service.chat.active_chats import MAX_LARGE_CHATS_BYTES
from dialoom.service.chat.chat_row import LARGE_BYTES, StoredChat, encode_parts
from dialoom.storage.sqlite.store import SqliteStore
from dialoom.storage.store import ChatKey

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from dialoom.storage.store import Chat

PART = 60_000
"""Characters of context of one message, which may have 64 KiB."""


class Counting(SqliteStore):
    """Counts how often each user's chat is read."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.reads: dict[str, int] = {}

    async def chat(self, key: ChatKey) -> Chat | None:
        self.reads[key.user] = self.reads.get(key.user, 0) + 1
        return await super().chat(key)


@pytest.fixture
async def store(tmp_path: Path) -> Counting:
    return Counting(tmp_path / "data.sqlite")


@pytest.fixture
async def client(store: Counting, tmp_path: Path) -> AsyncIterator[Client]:
    async with serving(tmp_path, store=store, rate_token="off") as client:
        yield client


async def fill(client: Client, sender: str, parts: int) -> None:
    for number in range(parts):
        context = {f"part {number}": "x" * PART}
        assert (await client.say(sender=sender, context=context)).status == 200


async def record_of(client: Client, sender: str) -> Any:
    (record,) = (await client.history("conversations", query={"User": sender})).json
    return record


async def test_a_large_chat_stays_opened_between_its_turns(client: Client, store: Counting) -> None:
    await fill(client, "ada", 3)
    for text in ("tea", "nonsense", "green"):
        assert (await client.say(text)).status == 200
    chat = await SqliteStore.chat(store, ChatKey("tea", "rest", "ada"))
    assert chat is not None
    assert len(chat.state) > LARGE_BYTES
    assert store.reads == {"ada": 1}


async def test_the_large_chat_used_longest_ago_is_read_again(client: Client, store: Counting) -> None:
    users = [f"user {number}" for number in range(MAX_LARGE_CHATS_BYTES // (60 * PART) + 2)]
    for user in users:
        await fill(client, user, 60)
    assert set(store.reads.values()) == {1}
    for user in (users[-1], users[0]):
        assert await client.texts("tea", sender=user) == ["Hello!", "Which tea?"]
    assert (store.reads[users[-1]], store.reads[users[0]]) == (1, 2)


async def test_a_record_shows_what_became_of_a_memory_that_changes_in_part(client: Client) -> None:
    await client.say("tea", context={"shop": "north", "long": "x" * PART, "apiKey": "k"})
    await client.say("green", context={"shop": "south"})
    data = (await record_of(client, "ada"))["Data"]
    assert data["context"] == {"shop": "south", "long": {"truncated": PART + 2}, "apiKey": "***"}
    assert data["entities"]["kind"] == {"value": "Green"}
    assert await client.texts("open sesame") == ["Order 7: Green."]
    data = (await record_of(client, "ada"))["Data"]
    assert data["entities"] == {"kind": {"value": "Green"}, "password": "***", "order": {"number": 7}}


async def test_a_context_over_the_cap_of_a_record_is_whole_in_memory(client: Client) -> None:
    for number in range(3):
        await client.say(context={f"{number} {n}": "x" * 3000 for n in range(20)})
    await client.say("tea", context={"shop": "north"})
    size = (await record_of(client, "ada"))["Data"]["context"]["truncated"]
    assert size > 3 * 20 * 3000
    lines = b"".join([piece async for piece in client.service.export.lines("tea", "ada")])
    assert b'"shop":"north"' in lines


def test_parts_that_stay_the_same_are_encoded_once_and_all_reads_as_it_was() -> None:
    large = [{"title": f"title {number}", "value": number} for number in range(1000)]
    context = {str(number): "x" * 100 for number in range(1000)}
    state = State(entities={"list": large, "kind": "tea"}, context=context, ask=Ask(node=3, number=1))
    plain, parts = encode_parts(StoredChat(state=state, sequence=1), {})
    assert plain == msgspec.json.encode(StoredChat(state=state, sequence=1))
    assert set(parts) == {"entities/list", "context"}
    changed = msgspec.structs.replace(state, entities=state.entities | {"kind": "coffee", "more": large[:900]})
    plain, again = encode_parts(StoredChat(state=changed, sequence=2), parts)
    assert plain == msgspec.json.encode(StoredChat(state=changed, sequence=2))
    assert all(again[name] is parts[name] for name in parts)
    assert set(again) == {"entities/list", "entities/more", "context"}
    gone = msgspec.structs.replace(state, entities={}, context={"shop": "north"})
    plain, none = encode_parts(StoredChat(state=gone), again)
    assert (plain, none) == (msgspec.json.encode(StoredChat(state=gone)), {})
