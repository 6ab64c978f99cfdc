"""The sandbox page's server: what users see comes as a stream, what is done there reaches the platform, and only the page's
own origin may act."""

from __future__ import annotations

import json
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import aiohttp
import pytest

from dialoom.testing.platforms import Telegram
from dialoom.testing.sandbox.bot_copy import Place
from dialoom.testing.sandbox.page_server import PageServer
from tests.testing.platforms.receiver import receiver

if TYPE_CHECKING:
    from collections.abc import AsyncIterator


@asynccontextmanager
async def page() -> AsyncIterator[tuple[PageServer, Telegram, aiohttp.ClientSession]]:
    async with receiver() as hook, Telegram() as telegram:
        telegram.webhook = {"url": hook.url}
        server = PageServer([Place("tg", "", telegram)])
        await server.start()
        yield server, telegram, hook.client
        await server.stop()


async def act(server: PageServer, client: aiohttp.ClientSession, action: Any, **headers: str) -> tuple[int, Any]:
    sent = {"Origin": server.url, "Content-Type": "application/json", **headers}
    body = json.dumps({"channel": "tg", "action": action}).encode()
    async with client.post(f"{server.url}/act", data=body, headers=sent) as answer:
        content = await answer.read()
        return answer.status, json.loads(content) if content else None


async def test_what_is_done_is_sent_and_seen() -> None:
    async with page() as (server, _, client), client.get(f"{server.url}/state") as stream:
        first = json.loads((await stream.content.readline()).removeprefix(b"data: "))
        assert first["columns"][0]["screen"]["items"] == []
        assert await act(server, client, {"do": "say", "text": "hello"}) == (200, {"open": None})
        async for line in stream.content:
            if line.startswith(b"data: "):
                column = json.loads(line.removeprefix(b"data: "))["columns"][0]
                if column["exchanges"]:
                    break
        assert column["screen"]["items"][0]["spans"] == [{"text": "hello"}]
        assert column["exchanges"][0]["body"]["message"]["text"] == "hello"


async def test_other_pages_may_neither_act_nor_look() -> None:
    async with page() as (server, telegram, client):
        assert (await act(server, client, {"do": "start"}, Origin="https://evil.example"))[0] == 403
        assert (await act(server, client, {"do": "start"}, Host="evil.example"))[0] == 403
        assert (await act(server, client, {"do": "start"}, **{"Content-Type": "text/plain"}))[0] == 403
        async with client.get(f"{server.url}/state", headers={"Host": "evil.example"}) as answer:
            assert answer.status == 403
        assert telegram.exchanges == []


async def test_what_cannot_be_done_is_said() -> None:
    async with page() as (server, _, client):
        status, answer = await act(server, client, {"do": "press", "text": "Mint"})
        assert (status, "no button 'Mint'" in answer["problem"]) == (409, True)


async def test_a_page_that_is_closed_is_no_error(caplog: pytest.LogCaptureFixture) -> None:
    async with page() as (server, telegram, client):
        async with client.get(f"{server.url}/state") as stream:
            await stream.content.readline()
            connection = stream.connection
            assert connection is not None
            assert connection.transport is not None
            connection.transport.abort()
        for text in ("one", "two", "three"):
            assert await act(server, client, {"do": "say", "text": text}) == (200, {"open": None})
        assert len(telegram.exchanges) == 3
    assert [one for one in caplog.records if one.levelname == "ERROR"] == []
