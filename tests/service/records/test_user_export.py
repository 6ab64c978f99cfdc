"""A person's own copy of all that is kept of them: whole, masked as records are, and of nobody else."""

from __future__ import annotations

import base64
import json
from typing import TYPE_CHECKING, Any

import pytest
from tests.http.support import serving
from tests.stores import TemporaryStore

from dialoom.errors import RequestError
from dialoom.service.bots.masking import Masking
from dialoom.service.records import user_export
from dialoom.service.records.record_schema import RecordReader
from dialoom.storage.limits import PAGE_BYTES
from dialoom.storage.postgres.store import PostgresStore
from dialoom.storage.store import ChatKey

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from tests.http.support import Client

    from dialoom.storage.store import Store

ADA = ChatKey("tea", "rest", "ada")
TIME = "2019-04-01T07:00:00.000Z"


@pytest.fixture(params=["sqlite", "postgres"])
async def client(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Client]:
    store: Store
    match request.param:
        case "sqlite":
            store = TemporaryStore()
        case _:
            server = request.getfixturevalue("postgres_server")
            store = PostgresStore(server.database())
    async with serving(tmp_path, store=store) as client:
        yield client


async def lines(client: Client, user: str = "ada", channel: str | None = None) -> list[dict[str, Any]]:
    text = b"".join([piece async for piece in client.service.export.lines("tea", user, channel)])
    assert text.endswith(b"\n")
    return [json.loads(line) for line in text.splitlines()]


async def test_an_export_holds_records_memory_and_files_of_one_user(client: Client) -> None:
    for sender in ("ada", "ben"):
        await client.say("tea", sender=sender, context={"shop": f"shop of {sender}", "apiKey": "sesame"})
        await client.say("green", sender=sender)
    kept = await client.service.attachments.keep(ADA, "leaf.txt", b"a leaf")
    found = await lines(client)
    assert [next(iter(line)) for line in found] == ["conversation", *["message"] * 5, "memory", "file"]
    assert all(len(line) == 1 for line in found)
    assert found[0]["conversation"] == (await client.history("conversations", query={"User": "ada"})).json[0]
    messages = (await client.history("messages", query={"User": "ada"})).json
    assert [line["message"] for line in found[1:6]] == messages
    memory = found[6]["memory"]
    assert memory["entities"]["kind"] == {"value": "Green"}
    assert memory["entities"] == found[0]["conversation"]["Data"]["entities"]
    assert memory["context"]["shop"] == "shop of ada"
    assert memory["context"]["apiKey"] == "***"
    file = found[7]["file"]
    assert base64.b64decode(file.pop("content")) == b"a leaf"
    created = file.pop("createdAt")
    assert created.endswith("Z")
    assert file == {"id": kept.id, "name": "leaf.txt", "mimeType": "text/plain", "size": 6}


async def test_memory_is_whole_where_records_cut_it(client: Client) -> None:
    long = "leaf " * 2000
    await client.say("tea", context={"story": long})
    found = await lines(client)
    assert found[0]["conversation"]["Data"]["context"]["story"] == {"truncated": len(long) + 2}
    assert found[-1]["memory"]["context"]["story"] == long


async def test_more_records_than_a_page_come_each_once_in_their_order(client: Client) -> None:
    for number in range(user_export.MAX_PAGE_RECORDS // 2 + 5):
        await client.say(f"text {number}")
    ids = [line["message"]["_id"] for line in await lines(client) if "message" in line]
    assert len(ids) > user_export.MAX_PAGE_RECORDS
    assert ids == sorted(set(ids))
    pieces = [piece async for piece in client.service.export.lines("tea", "ada")]
    assert max(piece.count(b"\n") for piece in pieces) == user_export.MAX_PAGE_RECORDS


async def test_messages_of_the_users_conversations_are_theirs_whosever_they_say_they_are(client: Client) -> None:
    """As it is when they are erased."""
    conversation = {
        "Channel": "rest",
        "Status": "success",
        "StartedAt": TIME,
        "Data": {"channel": {"ProviderName": "old"}},
    }
    said = {"From": "user", "Type": "text", "CreatedAt": TIME, "Sequence": 1}
    talks = [
        conversation | {"_id": f"talk-{number:03d}", "User": "ada"}
        for number in range(user_export.MAX_PAGE_RECORDS + 2)
    ]
    talks.append(conversation | {"_id": "other", "User": "ben"})
    whose = {
        "own": ("ada", "rest", "talk-001"),
        "renamed": ("ada-2", "rest", "talk-001"),
        "elsewhere": ("ada", "web", "talk-000"),
        "later": ("ada-2", "rest", f"talk-{user_export.MAX_PAGE_RECORDS + 1}"),
        "alone": ("ada", "rest", "gone"),
        "not-hers": ("ben", "rest", "other"),
    }
    messages = [
        said | {"_id": id, "User": user, "Channel": channel, "Conversation": talk}
        for id, (user, channel, talk) in whose.items()
    ]
    for collection, records in (("conversations", talks), ("messages", messages)):
        checked = RecordReader(collection, "tea", Masking())  # type: ignore[arg-type]  # one of the two
        documents = [checked.read(json.dumps(record).encode()) for record in records]
        await client.service.store.import_records(collection, "tea", documents, "", 0)  # type: ignore[arg-type]  # one of the two names
    found = await lines(client, channel="rest")
    copies = sorted(line["message"]["_id"] for line in found if "message" in line)
    assert copies == ["alone", "elsewhere", "later", "own", "renamed"]
    assert sum("conversation" in line for line in found) == user_export.MAX_PAGE_RECORDS + 2
    receipt = await client.service.erasure.erase("tea", "ada", "rest")
    assert receipt.messages == len(copies)


async def test_records_that_no_page_could_hold_come_some_at_a_time(client: Client) -> None:
    text, count = "leaf " * 1_400_000, PAGE_BYTES // 7_000_000 + 1
    messages = [
        {"_id": f"m{number}", "Bot": "tea", "Conversation": "gone", "User": "ada", "Channel": "rest", "From": "user"}
        | {"Type": "text", "Text": text, "CreatedAt": TIME, "Sequence": number}
        for number in range(count)
    ]
    checked = RecordReader("messages", "tea", Masking())
    for message in messages:
        document = checked.read(json.dumps(message).encode())
        await client.service.store.import_records("messages", "tea", [document], "", 0)
    sizes = [len(piece) async for piece in client.service.export.lines("tea", "ada")]
    assert sum(sizes) > PAGE_BYTES
    assert max(sizes) <= PAGE_BYTES


async def test_who_is_not_known_is_404_before_the_first_line(client: Client) -> None:
    await client.say("tea")
    for user, channel in (("eve", None), ("ada", "web")):
        with pytest.raises(RequestError) as raised:
            await lines(client, user, channel)
        assert raised.value.code == "not-found"


async def test_one_of_several_channels_has_to_be_named(client: Client) -> None:
    await client.say("tea")
    await client.service.attachments.keep(ADA._replace(channel="web"), "leaf.txt", b"a leaf")
    with pytest.raises(RequestError) as raised:
        await lines(client)
    assert raised.value.code == "several-channels"
    assert [next(iter(line)) for line in await lines(client, channel="web")] == ["file"]
    assert "file" not in str([next(iter(line)) for line in await lines(client, channel="rest")])


async def test_after_an_erasure_there_is_nothing_to_export(client: Client) -> None:
    await client.say("tea")
    await client.service.erasure.erase("tea", "ada")
    with pytest.raises(RequestError) as raised:
        await lines(client)
    assert raised.value.code == "not-found"
