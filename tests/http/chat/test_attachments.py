"""Files that users send, as the chat page does it."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlsplit

import msgspec
import pytest
from tests.http.chat.test_web import Browser, Stream, browser
from tests.http.dialogs import Held
from tests.http.support import BASE, BOT, FLOW, Client, serving
from tests.stores import TemporaryStore

from dialoom.auth.vault import Vault
from dialoom.errors import RequestError
from dialoom.http.chat.attachments import MAX_UPLOADS, MAX_UPLOADS_PER_USER, AttachmentEndpoints
from dialoom.http.server.exchange import Exchange
from dialoom.service.chat.attachments import (
    DAY_LIMIT,
    DAY_MS,
    MAX_BYTES_PER_USER_DAY,
    MAX_FILE_BYTES,
    MAX_FILES_PER_USER_DAY,
    Attachments,
)
from dialoom.storage.sqlite.store import SqliteStore
from dialoom.storage.store import ChatKey

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

WEB = "/v1/bots/tea/channels/web"
PNG = b"\x89PNG\r\n\x1a\n" + b"\0" * 100
SVG = b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
HEALTH: dict[str, Any] = {
    "conversations": FLOW["conversations"]
    | {
        "tea": {
            "type": "goal",
            "display-name": "a leaf",
            "steps": [
                {"type": "question", "entity": "leaf", "entity-type": "File", "messages": ["A photo?", "Please."]},
                {"type": "message", "messages": ["Got {{leaf.name}} of {{leaf.mimeType}}."]},
                {"type": "question", "entity": "kind", "entity-type": "Text", "messages": ["Which kind?"]},
            ],
        }
    }
}


@pytest.fixture
async def client(tmp_path: Path) -> AsyncIterator[Client]:
    async with serving(tmp_path, HEALTH) as client:
        yield client


async def upload(mine: Browser, content: bytes, name: str | None = "leaf.png", **headers: str) -> Any:
    query = {} if name is None else {"name": name}
    return await mine.client.call("POST", f"{WEB}/web/files", content, mine.headers | headers, query)


async def fetch(client: Client, url: str, method: str = "GET", **query: str) -> Any:
    parts = urlsplit(url)
    return await client.call(method, parts.path, None, {}, dict(parse_qsl(parts.query)) | query)


async def test_a_file_goes_from_the_user_into_memory_the_chat_and_history(client: Client) -> None:
    mine = await browser(client)
    await mine.send(text="tea")
    question, last = (await mine.read())[-2:]
    assert ("wants" in question, last["wants"]) == (False, "file")
    kept = await upload(mine, PNG)
    assert kept.status == 201
    assert {name: kept.json[name] for name in ("mimeType", "name", "size")} == {
        "mimeType": "image/png", "name": "leaf.png", "size": len(PNG),
    }  # fmt: skip
    assert (await mine.send(files=[kept.json["id"]])).status == 202
    own, got, asked = (await mine.read())[-3:]
    assert (own["type"], own["from"], own["clientId"]) == ("file", "user", "m2")
    assert own["files"] == [{"url": kept.json["url"], "mimeType": "image/png", "name": "leaf.png"}]
    assert got["text"] == "Got leaf.png of image/png."
    assert "wants" not in asked
    (record,) = (await client.history("conversations")).json
    leaf = record["Data"]["entities"]["leaf"]
    assert (leaf["mimeType"], leaf["name"]) == ("image/png", "leaf.png")
    assert leaf["url"].startswith(f"{BASE}{WEB}/files/{kept.json['id']}?e=")
    assert (await fetch(client, leaf["url"])).body == PNG
    (message,) = (await client.history("messages", query={"Type": "file"})).json
    assert message["Payload"] == [{"url": leaf["url"], "mimeType": "image/png", "name": "leaf.png"}]


async def test_every_reading_of_the_chat_gives_an_address_that_works(client: Client) -> None:
    mine = await browser(client)
    kept = (await upload(mine, PNG)).json
    await mine.send(files=[kept["id"]])
    client.clock.move(30 * 24 * 3600)
    assert (await fetch(client, kept["url"])).json["code"] == "file-address"
    again = await browser(client, resume=mine.session["resume"])
    (file,) = next(message["files"] for message in again.session["messages"] if "files" in message)
    assert (await fetch(client, file["url"])).body == PNG
    stream = Stream(client, again.headers)
    events = await stream.events(2)
    await stream.close()
    (file,) = next(data["files"] for _, data in events if "files" in data)
    assert (await fetch(client, file["url"])).body == PNG


async def test_an_image_is_shown_in_its_place_and_anything_else_is_a_download(client: Client) -> None:
    mine = await browser(client)
    for content, name, type, kind in (
        (PNG, "leaf.png", "image/png", 'inline; filename="leaf.png"'),
        (SVG, "leaf.svg", "text/plain; charset=utf-8", 'attachment; filename="leaf.svg"'),
        (b"<html><script>", "a.html", "text/plain; charset=utf-8", 'attachment; filename="a.html"'),
        (
            b"%PDF-1.7",
            "Blätter.pdf",
            "application/pdf",
            "attachment; filename=\"Bl_tter.pdf\"; filename*=UTF-8''Bl%C3%A4tter.pdf",
        ),
    ):
        url = (await upload(mine, content, name, **{"Content-Type": "image/svg+xml"})).json["url"]
        for method, body in (("GET", content), ("HEAD", b"")):
            answer = await fetch(client, url, method)
            assert (answer.status, answer.body) == (200, body)
            assert answer.headers["content-length"] == str(len(content))
            assert answer.headers["content-type"] == type
            assert answer.headers["content-disposition"].startswith(kind)
            assert answer.headers["x-content-type-options"] == "nosniff"
            assert "sandbox" in answer.headers["content-security-policy"]
            assert answer.headers["cache-control"].startswith("private, max-age=")


async def test_an_address_that_was_changed_or_has_expired_gives_nothing(client: Client) -> None:
    mine = await browser(client)
    url, other = [(await upload(mine, PNG)).json["url"] for _ in range(2)]
    expires = dict(parse_qsl(urlsplit(url).query))["e"]
    signature = dict(parse_qsl(urlsplit(other).query))["s"]
    for wrong in ({"s": signature}, {"e": str(int(expires) + 1)}, {"s": ""}, {"e": "x"}, {"e": "9" * 30}, {"s": "ä"}):
        answer = await fetch(client, url, **wrong)
        assert (answer.status, answer.json["code"]) == (403, "file-address")
    assert (await client.call("GET", urlsplit(url).path)).status == 403
    elsewhere = url.replace("/bots/tea/", "/bots/other/")
    assert (await fetch(client, elsewhere)).status == 403
    assert (await fetch(client, url, "POST")).status == 405
    client.clock.move(26 * 3600)
    assert (await fetch(client, url)).status == 403


async def test_a_file_of_another_user_cannot_be_sent(client: Client) -> None:
    mine, theirs = await browser(client), await browser(client)
    good, bad = (await upload(mine, PNG)).json["id"], (await upload(theirs, PNG)).json["id"]
    for ids, pointer in (
        ([bad], "/files/0"),
        ([good, bad], "/files/1"),
        (["0" * 32], "/files/0"),
        (["../x"], "/files/0"),
    ):
        answer = await mine.send(files=ids)
        assert (answer.status, answer.json["code"], answer.json["pointer"]) == (400, "unknown-file", pointer)
    assert [message["text"] for message in await mine.read()] == ["Hello!"]


@pytest.mark.parametrize(
    "message", [{"files": []}, {"files": ["a"] * 11}, {"files": "a"}, {"files": ["a"], "text": "b"}]
)
async def test_a_message_has_one_to_ten_files_and_nothing_else(client: Client, message: dict[str, Any]) -> None:
    mine = await browser(client)
    assert (await mine.send(**message)).status == 400


async def test_what_cannot_be_kept_is_told(client: Client) -> None:
    mine = await browser(client)
    empty = await upload(mine, b"")
    assert (empty.status, empty.json["code"]) == (400, "file-empty")
    packed = await upload(mine, PNG, **{"Content-Encoding": "gzip"})
    assert (packed.status, packed.json["code"]) == (415, "content-type")
    assert (await client.call("POST", f"{WEB}/web/files", PNG, {"Origin": BASE})).status == 401
    assert (await client.call("GET", f"{WEB}/web/files", None, mine.headers)).status == 405
    unknown = await client.call("POST", f"{WEB}/web/files", PNG, mine.headers, {"nam": "x"})
    assert unknown.json["code"] == "unknown-parameter"
    named = await upload(mine, PNG, None)
    assert named.json["name"] == "file.png"


async def test_a_file_that_is_too_large_is_refused_before_it_is_read(client: Client) -> None:
    mine = await browser(client)
    told = await upload(mine, PNG, **{"Content-Length": str(MAX_FILE_BYTES + 1)})
    assert (told.status, told.json["code"], told.headers["connection"]) == (413, "file-too-large", "close")
    assert (await upload(mine, b"a" * MAX_FILE_BYTES)).status == 201


class Body:
    """A request whose body comes in pieces, as long as somebody reads them."""

    def __init__(self, piece: bytes, pieces: int) -> None:
        self.piece, self.left, self.read = piece, pieces, 0

    async def receive(self) -> Any:
        if not self.left:
            await asyncio.Event().wait()
        self.left -= 1
        self.read += len(self.piece)
        return {"type": "http.request", "body": self.piece, "more_body": True}


def exchange(body: Body) -> Exchange:
    async def send(_: Any) -> None: ...

    scope = {"type": "http", "method": "POST", "headers": [], "query_string": b""}
    return Exchange(scope, body.receive, send)


async def test_a_body_of_unknown_length_is_cut_off_at_the_limit(client: Client) -> None:
    body = Body(b"a" * 65_536, 10_000)
    with pytest.raises(RequestError) as caught:
        await AttachmentEndpoints(client.service).take(exchange(body), ChatKey("tea", "web", "ada"))
    assert caught.value.code == "file-too-large"
    assert body.read <= MAX_FILE_BYTES + 65_536


async def test_a_body_that_never_ends_is_given_up_and_leaves_its_place(client: Client) -> None:
    endpoints = AttachmentEndpoints(client.service, seconds=0.01)
    for _ in range(6):
        with pytest.raises(RequestError) as caught:
            await endpoints.take(exchange(Body(b"a", 1)), ChatKey("tea", "web", "ada"))
        assert caught.value.code == "upload-too-slow"


async def test_one_user_cannot_take_all_places(client: Client) -> None:
    endpoints = AttachmentEndpoints(client.service)
    key = ChatKey("tea", "web", "ada")
    taking = [asyncio.create_task(endpoints.take(exchange(Body(b"a", 1)), key)) for _ in range(20)]
    await asyncio.sleep(0)
    with pytest.raises(RequestError) as caught:
        await endpoints.take(exchange(Body(b"a", 1)), key)
    assert caught.value.code == "too-many-files"
    mine = await browser(client)
    assert (await upload(mine, PNG)).status == 201
    for task in taking:
        task.cancel()
    await asyncio.gather(*taking, return_exceptions=True)


async def test_a_body_that_stands_still_is_given_up(client: Client) -> None:
    endpoints = AttachmentEndpoints(client.service, idle_seconds=0.01)
    with pytest.raises(RequestError) as caught:
        await endpoints.take(exchange(Body(b"a", 3)), ChatKey("tea", "web", "ada"))
    assert caught.value.code == "upload-too-slow"


async def test_the_time_of_a_body_begins_when_it_has_its_place_and_a_wait_without_end_is_refused(
    client: Client,
) -> None:
    endpoints = AttachmentEndpoints(client.service, seconds=0.2, queue_seconds=0.01)
    keys = [ChatKey("tea", "web", f"user {number}") for number in range(5)]
    taking = [
        asyncio.create_task(endpoints.take(exchange(Body(b"a", 1)), key))
        for key in keys[: MAX_UPLOADS // MAX_UPLOADS_PER_USER]
        for _ in range(MAX_UPLOADS_PER_USER)
    ]
    await asyncio.sleep(0)
    body = Body(b"a", 1)
    with pytest.raises(RequestError) as caught:
        await endpoints.take(exchange(body), keys[-1])
    assert (caught.value.code, body.read) == ("files-busy", 0)
    assert caught.value.headers["Retry-After"] == "5"
    for outcome in await asyncio.gather(*taking, return_exceptions=True):
        assert isinstance(outcome, RequestError)
        assert outcome.code == "upload-too-slow"
    with pytest.raises(RequestError, match="did not come in"):
        await endpoints.take(exchange(Body(b"a", 1)), keys[-1])


async def test_all_users_of_a_channel_can_send_so_much_a_day(client: Client) -> None:
    service, limit = client.service, msgspec.structs.replace(DAY_LIMIT, channel_count=2)
    vault = Vault.from_keys([bytes(32)])
    files = Attachments(service.store, vault, service.clock, BASE, limit)
    for user in ("ada", "ben"):
        await files.keep(ChatKey("tea", "web", user), "a", b"a")
    with pytest.raises(RequestError, match="and all others together"):
        await files.keep(ChatKey("tea", "web", "cleo"), "a", b"a")
    assert await files.keep(ChatKey("tea", "mobile", "cleo"), "a", b"a")


async def test_one_user_can_send_so_much_a_day(client: Client) -> None:
    mine = await browser(client)
    key = ChatKey("tea", "web", mine.session["user"]["id"])
    files = client.service.attachments
    largest = b"a" * MAX_FILE_BYTES
    for _ in range(MAX_BYTES_PER_USER_DAY // MAX_FILE_BYTES):
        await files.keep(key, "a.txt", largest)
    full = await upload(mine, PNG)
    assert (full.status, full.json["code"]) == (429, "too-many-files")
    assert "retry-after" in full.headers
    assert (await upload(await browser(client), PNG)).status == 201
    client.clock.move(DAY_MS // 1000 + 1)
    later = await browser(client, resume=mine.session["resume"])
    assert (await upload(later, PNG)).status == 201


async def test_one_user_can_send_so_many_files_a_day(client: Client) -> None:
    key = ChatKey("tea", "web", "ada")
    for number in range(MAX_FILES_PER_USER_DAY):
        await client.service.attachments.keep(key, f"{number}", b"a")
    with pytest.raises(RequestError, match="200 files in 24 hours"):
        await client.service.attachments.keep(key, "one more", b"a")


async def test_a_file_that_was_never_sent_is_gone_after_a_day(client: Client) -> None:
    mine = await browser(client)
    sent, unsent = (await upload(mine, PNG)).json, (await upload(mine, PNG)).json
    await mine.send(files=[sent["id"]])
    client.clock.move(DAY_MS // 1000 + 1)
    assert (
        await client.service.attachments.forget("tea", client.clock.now()) <= 1
    )  # the service's own upkeep may have been first
    mine = await browser(client, resume=mine.session["resume"])
    assert (await mine.send(files=[unsent["id"]])).json["code"] == "unknown-file"
    assert (await mine.send(files=[sent["id"]])).status == 202


async def test_a_message_that_is_refused_keeps_no_file(client: Client) -> None:
    mine = await browser(client)
    kept = (await upload(mine, PNG)).json
    refused = await mine.send(files=[kept["id"]], context={"user": 1})
    assert (refused.status, refused.json["code"]) == (400, "context-refused")
    assert await client.service.store.forget_unsent("tea", client.clock.now() + 1) == 1


class Forgetful(TemporaryStore):
    """Deletes what was never sent at the last moment before an event is kept."""

    async def accept(self, *event: Any) -> Any:
        await self.forget_unsent("tea", 2**60)
        return await super().accept(*event)

    async def commit(self, write: Any) -> Any:
        await self.forget_unsent("tea", 2**60)
        return await super().commit(write)


async def test_a_file_that_is_deleted_while_its_message_comes_is_told_and_the_message_is_not_taken(
    tmp_path: Path,
) -> None:
    async with serving(tmp_path, HEALTH, store=Forgetful()) as client:
        mine = await browser(client)
        answer = await mine.send(files=[(await upload(mine, PNG)).json["id"]])
        assert (answer.status, answer.json["code"], answer.json["pointer"]) == (400, "unknown-file", "/files")
        assert [message["text"] for message in await mine.read()] == ["Hello!"]


async def test_a_message_that_waits_for_its_turn_keeps_its_files(tmp_path: Path) -> None:
    call = {"type": "webhook", "data-source": {"endpoint": "http://127.0.0.1:9/tea"}, "entity": "order"}
    tea = {"type": "goal", "display-name": "tea", "steps": [call]}
    flow = {"conversations": FLOW["conversations"] | {"tea": tea}}
    held = Held()
    async with serving(tmp_path, flow, fetcher=held) as client:
        mine = await browser(client)
        await mine.send(text="tea")
        kept = (await upload(mine, PNG)).json
        assert (await mine.send(files=[kept["id"]])).status == 202
        (key,) = await client.service.store.orphans()
        assert len((await client.service.store.hold(key)).waiting) == 2
        assert await client.service.store.forget_unsent("tea", client.clock.now() + 1) == 0
        held.gate.set()


async def test_an_address_whose_file_is_gone_says_so(client: Client) -> None:
    mine = await browser(client)
    kept = (await upload(mine, PNG)).json
    await client.service.store.forget_unsent("tea", client.clock.now() + 1)
    answer = await fetch(client, kept["url"])
    assert (answer.status, answer.json["code"]) == (404, "not-found")


async def test_what_lies_in_the_database_is_sealed(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "files.sqlite")
    async with serving(tmp_path, HEALTH, store=store) as client:
        kept = await client.service.attachments.keep(
            ChatKey("tea", "web", "ada"), "a-telling-name.txt", b"a telling text"
        )
        assert await client.service.store.file("tea", kept.id) is not None
    lying = await asyncio.to_thread(_bytes_of, tmp_path)
    assert kept.id.encode() in lying
    assert b"telling" not in lying


def _bytes_of(folder: Path) -> bytes:
    return b"".join(file.read_bytes() for file in folder.glob("files.sqlite*"))


async def test_a_file_lies_on_its_own_channel_and_bot(client: Client) -> None:
    kept = await client.service.attachments.keep(ChatKey("tea", "web", "ada"), "a", b"a")
    assert await client.service.attachments.find("tea", "web", kept.id) is not None
    assert await client.service.attachments.find("tea", "rest", kept.id) is None
    assert await client.service.attachments.find("other", "web", kept.id) is None


async def test_places_and_answers_by_value_reach_the_question_they_name(client: Client) -> None:
    mine = await browser(client)
    sent = await mine.send(location={"latitude": 52.5, "longitude": 13.4, "name": "Home"}, ask="1")
    assert sent.status == 202
    own = next(message for message in await mine.read() if message["from"] == "user")
    assert (own["type"], own["location"]) == ("location", {"latitude": 52.5, "longitude": 13.4, "name": "Home"})
    long = await mine.send(option={"value": 1}, ask="a" * 257)
    assert (long.status, long.json["pointer"]) == (400, "/ask")


async def test_an_erased_or_masked_file_message_is_shown_without_files(tmp_path: Path) -> None:
    flow = json.loads(json.dumps(HEALTH).replace('"leaf"', '"pin-photo"').replace("{{leaf.", "{{pin-photo."))
    async with serving(tmp_path, flow, bot=BOT) as client:
        mine = await browser(client)
        await mine.send(text="tea")
        await mine.send(files=[(await upload(mine, PNG)).json["id"]])
        own = next(message for message in await mine.read() if message["type"] == "file")
        assert "files" not in own


async def test_the_web_protocol_is_described(client: Client) -> None:
    described = (await client.call("GET", "/openapi.json")).json
    base = "/v1/bots/{bot_id}/channels/{channel_id}"
    paths, schemas = described["paths"], described["components"]["schemas"]
    taken, download = paths[f"{base}/web/files"]["post"], paths[f"{base}/files/{{id}}"]["get"]
    assert {"201", "400", "401", "408", "413", "429"} <= set(taken["responses"])
    assert (download["security"], "403" in download["responses"]) == ([], True)
    assert {"ask", "files"} <= set(schemas["MessageBody"]["properties"])
    mine = await browser(client)
    assert set(mine.session) <= set(schemas["WebSession"]["properties"])
    kept = (await upload(mine, PNG)).json
    assert set(kept) == set(schemas["StoredFile"]["properties"])
    await mine.send(files=[kept["id"]])
    for message in await mine.read():
        assert set(message) <= set(schemas["WebMessage"]["properties"])
