"""The shop as npm ``telegram-test-api`` meets it, a server of the Bot API that nobody here wrote.

It keeps messages, edits them and calls a webhook. It sends no secret, which a proxy adds here; it answers methods that
it does not know with 500 (``getWebhookInfo``, ``sendChatAction``, ``sendPhoto``, ``editMessageMedia``), and refuses
nothing else.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any
from unittest import mock

import aiohttp
import pytest
from aiohttp import web
from tests.channels.platform_flows import key_of, pick
from tests.channels.platform_service import Running, running_service
from tests.examples.channel_talks import MondayClock, back_end, copied
from tests.identity.provider import node
from tests.live import ROOT, free_port

from dialoom.channels import CHANNELS
from dialoom.errors import RemoteError
from dialoom.service.access.rate import Limiter
from dialoom.service.outbox import channel_posts

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

FOLDER = ROOT / "tests" / "telegram_server"
TOKEN, SECRET = "123:of-the-shop", "secret-of-the-webhook"  # of this test
CHANNEL = {"id": "phone", "type": "messenger-3", "bot-token": TOKEN, "bot-name": "shop_bot", "webhook-secret": SECRET}
ADA = {"id": 7, "first_name": "Ada", "username": "ada", "is_bot": False, "language_code": "en"}
WAIT_SECONDS = 20.0


@contextlib.asynccontextmanager
async def telegram() -> AsyncIterator[str]:
    """Run the server; yield its address."""
    install = [sys.executable, str(ROOT / "hatch_build.py"), "packages", str(FOLDER)]
    await asyncio.to_thread(subprocess.run, install, check=True)
    port = free_port()
    process = await asyncio.create_subprocess_exec(
        node(), str(FOLDER / "serve.js"), str(port), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    try:
        assert process.stdout is not None
        assert await process.stdout.readline() == b"ready\n"
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        await process.communicate()


class Proxy:
    """Stands before the service and adds the secret to each update; between service and server it notes the calls."""

    def __init__(self, server: str) -> None:
        self.server, self.service = server, ""
        self.calls: list[tuple[str, int]] = []
        """Method and status of each call of the service, in order."""
        self.updates: list[int] = []
        """The status of each call of the webhook."""

    async def start(self) -> str:
        app = web.Application()
        app.router.add_post("/hook", self._update)
        app.router.add_route("*", "/bot{token}/{method}", self._call)
        self.runner = web.AppRunner(app)
        await self.runner.setup()
        await web.TCPSite(self.runner, "127.0.0.1", 0).start()
        return f"http://127.0.0.1:{self.runner.addresses[0][1]}"

    async def _update(self, request: web.Request) -> web.Response:
        headers = {"Content-Type": "application/json", "X-Telegram-Bot-Api-Secret-Token": SECRET}
        body, status = await _forward("POST", self.service, await request.read(), headers)
        self.updates.append(status)
        return web.Response(body=body, status=status)

    async def _call(self, request: web.Request) -> web.Response:
        headers = {"Content-Type": "application/json"}
        body, status = await _forward(request.method, f"{self.server}{request.path}", await request.read(), headers)
        self.calls.append((request.match_info["method"], status))
        return web.Response(body=body, status=status, content_type="application/json")


async def _forward(method: str, url: str, body: bytes, headers: dict[str, str]) -> tuple[bytes, int]:
    async with aiohttp.ClientSession() as session, session.request(method, url, data=body, headers=headers) as answer:
        return await answer.read(), answer.status


class Ada:
    """Somebody in the app of this server."""

    def __init__(self, running: Running, server: str) -> None:
        self.running, self.server = running, server
        self.read: list[str] = []
        """The texts of the bot's messages, in order."""
        self.messages: list[dict[str, Any]] = []

    async def _post(self, path: str, body: dict[str, Any]) -> Any:
        async with aiohttp.ClientSession() as session, session.post(f"{self.server}/{path}", json=body) as answer:
            assert answer.status == 200, await answer.text()
            return (await answer.json())["result"]

    async def _did(self, path: str, **body: Any) -> None:
        """Send what the person did, and wait for what the bot says to it."""
        common = {"botToken": TOKEN, "date": 1_790_000_000, "from": ADA}
        await self._post(path, {**common, **body})
        await self.look()

    async def look(self) -> None:
        """Wait until a message is new or was changed, and nothing more is on its way."""
        before, is_waiting = self.read, True
        async with asyncio.timeout(WAIT_SECONDS):
            while is_waiting or self.read == before:
                await asyncio.sleep(0.01)  # a person looks at the screen now and then
                is_waiting = any(one.waiting for one in await self.running.service.outbox.counts())
                await self.running.settled()
                history = await self._post("getUpdatesHistory", {"token": TOKEN})
                self.messages = [one for one in history if "chat_id" in one.get("message", {})]
                self.read = [one["message"]["text"] for one in self.messages]

    async def say(self, text: str) -> None:
        command = {"entities": [{"offset": 0, "length": len(text), "type": "bot_command"}]}
        chat = {"id": ADA["id"], "type": "private", "first_name": "Ada"}
        path = "sendCommand" if text.startswith("/") else "sendMessage"
        await self._did(path, text=text, chat=chat, **(command if text.startswith("/") else {}))

    async def tap(self, title: str) -> None:
        """Tap the newest button with this title."""
        id, button = self._button(title)
        chat = {"id": ADA["id"], "type": "private", "first_name": "Ada"}
        await self._did("sendCallback", message={"message_id": id, "chat": chat}, data=button["callback_data"])

    def link(self, title: str) -> str:
        return str(self._button(title)[1]["url"])

    def _button(self, title: str) -> tuple[int, dict[str, Any]]:
        for message in reversed(self.messages):
            for row in message["message"].get("reply_markup", {}).get("inline_keyboard", []):
                for button in row:
                    if button["text"] == title:
                        return message["messageId"], button
        raise LookupError(f"No message has a button {title!r}: {self.messages[-1]}")


async def test_an_order_at_the_shop_through_a_server_of_others(tmp_path: Path) -> None:
    clock = MondayClock()
    paced = functools.partial(Limiter, now=lambda: clock.elapsed() / 1000)
    async with contextlib.AsyncExitStack() as stack:
        address, shop = stack.enter_context(back_end("shop", tmp_path / "back-end"))
        stack.enter_context(mock.patch.object(channel_posts, "Limiter", paced))
        folder = copied("shop", tmp_path, address)
        flow, training = (json.loads((folder / f"{name}.json").read_text("utf-8")) for name in ("flow", "training"))
        server = await stack.enter_async_context(telegram())
        proxy = Proxy(server)
        between = await proxy.start()
        stack.push_async_callback(proxy.runner.cleanup)
        running = await stack.enter_async_context(
            running_service(tmp_path / "service", CHANNEL, flow, training, clock=clock, messenger_3_url=between)
        )
        proxy.service = f"{running.url}/v1/bots/tea/channels/phone/messenger-3"
        deployed = running.service.bots.active("tea")
        assert deployed is not None
        place = running.service.bot_channels.of(deployed.bot, deployed.bot.channels[0])
        with pytest.raises(RemoteError, match="getWebhookInfo"):  # the webhook is set before it is asked for
            await CHANNELS["messenger-3"].connect(place, f"{between}/hook")
        ada = Ada(running, server)
        await ada.say("/start")
        for title in ("Order something", "Mugs", "›"):
            await ada.tap(title)
        assert "Fjord mug" not in ada.read[-1]
        for title in ("‹", "This one", "Blue", "2", "Yes"):
            await ada.tap(title)
        await ada.say("1, 2")
        await ada.tap("Home delivery")
        country = ada.link("Choose a country")
        await pick(country, {"option": {"key": await key_of(country, "Netherlands")}})
        await ada.look()
        await ada.say("2027-03-05")
        await ada.say("Ada Lovelace, Oudegracht 12, Utrecht")
        await ada.say("ada@example.com")
        await ada.tap("Confirm")
        (order,) = shop.papers("order")
    wanted = {"name": "Fjord mug", "quantity": 2, "country": "NL", "date": "2027-03-05", "total": 40.0}
    assert {name: order[name] for name in wanted} == wanted
    assert {"sendMessage", "editMessageText", "answerCallbackQuery"} <= {
        name for name, status in proxy.calls if status == 200
    }
    assert {name for name, status in proxy.calls if status != 200} == {"getWebhookInfo", "sendChatAction"}
    assert set(proxy.updates) == {200}
