"""A client of Direct Line, as Bot Framework's own speak it."""

from __future__ import annotations

import asyncio
import contextlib
import copy
import json
from typing import TYPE_CHECKING, Any

from tests.http.raw import listening
from tests.http.support import BOT, serving
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from tests.http.support import Answer, Client
    from websockets.frames import Close

SECRET = "secret-of-the-line"
LINE = "/v1/bots/tea/channels/line/directline/v3/directline"
PAGE = "https://shop.example"
LINE_CHANNEL = {"id": "line", "type": "directline", "secret": SECRET, "allowed-origins": [PAGE]}


@contextlib.asynccontextmanager
async def serving_line(folder: Path, **named: Any) -> AsyncIterator[Client]:
    """The service of ``support`` with two Direct Line channels, the second without a secret."""
    bot = copy.deepcopy(BOT)
    bot["channels"] += [LINE_CHANNEL, {"id": "mute", "type": "directline"}]
    async with serving(folder, bot=bot, **named) as client:
        yield client


async def ask(client: Client, method: str, path: str, key: str | None, body: Any = None, **named: Any) -> Answer:
    headers = named.pop("headers", {}) | ({} if key is None else {"Authorization": f"Bearer {key}"})
    return await client.call(method, f"{LINE}/{path}", body, headers, **named)


async def token_of(client: Client, user: str | None = None, **body: Any) -> str:
    if user is not None:
        body["user"] = {"id": user, "name": "Ada Lovelace"}
    answer = await ask(client, "POST", "tokens/generate", SECRET, body)
    assert answer.status == 200, answer.body
    assert answer.json["expires_in"] == 1800
    return str(answer.json["token"])


class Talk:
    """One conversation."""

    def __init__(self, client: Client, begun: dict[str, Any]) -> None:
        self.client = client
        self.id, self.token, self.stream_url = begun["conversationId"], begun["token"], begun["streamUrl"]
        self.watermark = ""
        self.number = 0

    async def post(self, **activity: Any) -> Answer:
        self.number += 1
        data = {"clientActivityID": f"c{self.number}"}
        body = {"type": "message", "from": {"id": "somebody-else"}, "channelData": data} | activity
        return await ask(self.client, "POST", f"conversations/{self.id}/activities", self.token, body)

    async def say(self, text: str) -> list[dict[str, Any]]:
        """Say a text and return what the bot says to it."""
        return await self.send(text=text)

    async def send(self, **activity: Any) -> list[dict[str, Any]]:
        answer = await self.post(**activity)
        assert answer.status == 200, answer.body
        return [one for one in await self.read() if one["from"]["role"] == "bot"]

    async def read(self) -> list[dict[str, Any]]:
        """Return the activities since the last time."""
        path = f"conversations/{self.id}/activities"
        answer = await ask(self.client, "GET", path, self.token, query={"watermark": self.watermark})
        assert answer.status == 200, answer.body
        self.watermark = answer.json["watermark"]
        return list(answer.json["activities"])


async def begin(client: Client, key: str | None = None, **body: Any) -> Talk:
    answer = await ask(client, "POST", "conversations", key or await token_of(client), body)
    assert answer.status == 201, answer.body
    return Talk(client, answer.json)


class Stream:
    """A stream of a conversation, by a real socket."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket

    async def take(self, count: int) -> list[dict[str, Any]]:
        """Return the next messages, without what only shows that the bot is typing."""
        found: list[dict[str, Any]] = []
        async with asyncio.timeout(30):
            while len(found) < count:
                taken = json.loads(await self.socket.recv())
                assert taken["watermark"].isdigit()
                found += [one for one in taken["activities"] if one["type"] == "message"]
        return found

    async def closed(self) -> Close:
        """Return how the server has closed it."""
        with contextlib.suppress(ConnectionClosed):
            async with asyncio.timeout(30):
                while True:
                    await self.socket.recv()
        found = self.socket.protocol.close_rcvd
        assert found is not None
        return found


@contextlib.asynccontextmanager
async def sockets(client: Client) -> AsyncIterator[int]:
    """The service on a port."""
    async with listening(client.app) as door:
        yield door.port


def socket_url(stream_url: str, port: int) -> str:
    """The address of a stream, at the port of the test."""
    return stream_url.replace("127.0.0.1:8080", f"127.0.0.1:{port}")


@contextlib.asynccontextmanager
async def stream(url: str, port: int, **named: Any) -> AsyncIterator[Stream]:
    async with connect(socket_url(url, port), proxy=None, **named) as socket:
        yield Stream(socket)
