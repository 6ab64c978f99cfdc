"""One user over HTTP: everything that is kept of them as lines, and their erasure."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pytest
from tests.http.support import BOT, Client, serving
from tests.http.walks import walking
from tests.stores import TemporaryStore

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from tests.http.support import Answer

    from dialoom.storage.store import ChatKey, Erased

USERS = "/v1/bots/tea/users"
READ = {"Authorization": "Bot-Server-Access-Token history-token-of-tea"}


@pytest.fixture
async def client(tmp_path: Path) -> AsyncIterator[Client]:
    async with serving(tmp_path) as client:
        await _order(client, "ada")
        await _order(client, "bob")
        yield client


async def _order(client: Client, sender: str) -> None:
    for text in ("tea", "green", "open sesame"):
        assert (await client.say(text, sender=sender)).status == 200


async def _erase(client: Client, user: str, query: Any = None, **headers: str) -> Answer:
    token = await client.service.tokens.create("tea", scopes=("erase",))
    path = f"{USERS}/{quote(user, safe='')}"
    given = {"Authorization": f"Bot-Server-Access-Token {token.text}"} | headers
    return await client.call("DELETE", f"{USERS}/{user}", None, given, query, raw_path=path.encode())


async def _export(client: Client, user: str, query: Any = None, **headers: str) -> Answer:
    path = f"{USERS}/{quote(user, safe='')}/export"
    return await client.call("GET", f"{USERS}/{user}/export", None, READ | headers, query, raw_path=path.encode())


async def _users(client: Client) -> set[str]:
    found = (await client.history("messages")).json + (await client.history("conversations")).json
    return {record["User"] for record in found}


async def test_an_erased_user_is_gone_and_a_receipt_says_what_was(client: Client) -> None:
    answer = await _erase(client, "ada")
    assert (answer.status, answer.headers["content-type"]) == (200, "application/json")
    assert answer.headers["cache-control"] == "no-store"
    receipt = answer.json
    assert receipt.pop("erasedAt").endswith("Z")
    assert receipt.pop("log") in {"truncated", "pending", "operator"}
    assert receipt == {
        "user": "ada", "channel": "rest", "conversations": 1, "messages": 7, "files": 0, "deliveries": 0, "memory": True,
        "tryOuts": 0, "copies": [],
    }  # fmt: skip
    assert await _users(client) == {"bob"}
    again = await _erase(client, "ada")
    assert (again.status, again.json["code"]) == (404, "not-found")


async def test_an_id_of_several_channels_needs_the_channel(tmp_path: Path) -> None:
    phone = {"id": "phone", "type": "rest", "token": "rest-token-of-phone"}
    async with serving(tmp_path, bot=BOT | {"channels": [*BOT["channels"], phone]}) as client:
        await client.say("help", sender="ada")
        body = {"sender": {"id": "ada"}, "message": {"text": "help"}}
        headers = {"Authorization": "Bearer rest-token-of-phone"}
        assert (await client.call("POST", "/v1/bots/tea/channels/phone/rest/x", body, headers)).status == 200
        for ask in (_export, _erase):
            refused = await ask(client, "ada")
            assert (refused.status, refused.json["code"]) == (409, "several-channels")
            assert refused.headers["content-type"] == "application/problem+json"
            assert "phone, rest" in refused.json["detail"]
            assert "channel=" in refused.json["detail"]
        lines = (await _export(client, "ada", {"channel": "phone"})).body.splitlines()
        assert {line["message"]["Channel"] for line in map(json.loads, lines) if "message" in line} == {"phone"}
        assert (await _erase(client, "ada", {"channel": "phone"})).json["channel"] == "phone"
        assert {record["Channel"] for record in (await client.history("messages")).json} == {"rest"}
        assert (await _erase(client, "ada")).json["channel"] == "rest"


async def test_an_export_has_every_record_of_the_user_and_of_nobody_else(client: Client) -> None:
    answer = await _export(client, "ada")
    assert (answer.status, answer.headers["content-type"]) == (200, "application/x-ndjson")
    assert answer.body.endswith(b"\n")
    lines = [json.loads(line) for line in answer.body.splitlines()]
    assert [next(iter(line)) for line in lines] == ["conversation", *["message"] * 7, "memory"]
    (conversation,) = (await client.history("conversations", query={"User": "ada"})).json
    assert lines[0]["conversation"] == conversation
    messages = (await client.history("messages", query={"User": "ada"})).json
    assert [line["message"] for line in lines[1:-1]] == messages
    assert b"sesame" not in answer.body


@pytest.mark.parametrize("user", ["a/b", "a%2Fb", "..", "é 漢", "a?b#c&d", "export"])
async def test_a_user_may_have_whatever_id_an_address_can_encode(client: Client, user: str) -> None:
    await client.say("help", sender=user)
    assert (await _export(client, user)).status == 200
    receipt = (await _erase(client, user)).json
    assert (receipt["user"], receipt["conversations"]) == (user, 1)
    assert await _users(client) == {"ada", "bob"}


@pytest.mark.parametrize("ask", [_erase, _export])
async def test_a_user_of_whom_nothing_is_kept_is_not_found(client: Client, ask: Any) -> None:
    for user, query in (("nobody", None), ("ada", {"channel": "web"}), ("ada", {"channel": ""})):
        answer = await ask(client, user, query)
        assert (answer.status, answer.json["code"]) == (404, "not-found")
        assert "Nothing is kept" in answer.json["detail"]
    assert await _users(client) == {"ada", "bob"}


@pytest.mark.parametrize("ask", [_erase, _export])
async def test_what_else_is_wrong_is_named(client: Client, ask: Any) -> None:
    refused = await ask(client, "ada", {"chanel": "rest"})
    assert (refused.status, refused.json["code"]) == (400, "unknown-parameter")
    assert "Known are: channel." in refused.json["detail"]
    refused = await ask(client, "ada", "channel=rest&channel=web")
    assert (refused.status, refused.json["code"]) == (400, "bad-parameter")
    refused = await ask(client, "ada", Accept="text/html")
    assert (refused.status, refused.json["code"]) == (406, "not-acceptable")
    refused = await ask(client, "a\0b")
    assert (refused.status, refused.json["code"]) == (400, "bad-text")
    assert await _users(client) == {"ada", "bob"}


async def test_an_export_is_no_json_and_a_receipt_no_lines(client: Client) -> None:
    assert (await _export(client, "ada", Accept="application/json")).status == 406
    assert (await _erase(client, "ada", Accept="application/x-ndjson")).status == 406
    assert (await _export(client, "ada", Accept="application/*")).status == 200
    assert await _users(client) == {"ada", "bob"}


async def test_reading_tokens_export_and_do_not_erase(client: Client) -> None:
    refused = await client.call("DELETE", f"{USERS}/ada", None, READ)
    assert (refused.status, refused.json["code"]) == (403, "scope")
    assert await _users(client) == {"ada", "bob"}
    token = await client.service.tokens.create("tea", scopes=("erase",))
    only_erasing = {"Authorization": f"Bot-Server-Access-Token {token.text}"}
    assert (await client.call("GET", f"{USERS}/ada/export", None, only_erasing)).status == 403


async def test_the_head_of_an_export_erases_and_sends_nothing(client: Client) -> None:
    answer = await client.call("HEAD", f"{USERS}/ada/export", None, READ)
    assert (answer.status, answer.body, answer.headers["content-type"]) == (200, b"", "application/x-ndjson")
    assert (await client.call("HEAD", f"{USERS}/nobody/export", None, READ)).status == 404
    assert (await client.call("HEAD", f"{USERS}/ada", None, READ)).status == 405


async def test_an_erasure_goes_on_when_its_client_leaves(tmp_path: Path) -> None:
    class Slow(TemporaryStore):
        def __init__(self) -> None:
            super().__init__()
            self.begun, self.go_on = asyncio.Event(), asyncio.Event()

        async def erase(self, key: ChatKey, limit: int) -> Erased:
            self.begun.set()
            await self.go_on.wait()
            return await super().erase(key, limit)

    store = Slow()
    async with serving(tmp_path, store=store) as client:
        await _order(client, "ada")
        token = await client.service.tokens.create("tea", scopes=("erase",))
        async with walking(client.app, f"{USERS}/ada", "*/*", "DELETE", token=token.text) as walker:
            await asyncio.wait_for(store.begun.wait(), 10)
            walker.leave()
            store.go_on.set()
            await asyncio.wait_for(walker.task, 10)
        assert await _users(client) == set()
