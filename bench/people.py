"""People who come all the time, each for one talk: a form on the rest channel, a form in a browser with its event
stream, or a question whose answer a slow service of somebody else's gives. Their times count from when each message
was due, so that a service that stalls is charged for what waits meanwhile.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

from bench.client import Client, Refused
from bench.servers import FORM, TOKEN
from bench.turns import REST, TALK, check, said

THINKING = (1.0, 3.0)
"""Seconds between two messages of a person."""
IN_BROWSERS, ASKING = 0.05, 0.02
"""Parts of the people who use the web channel, and who ask what a slow service answers."""
SLOW = 0.5
WEB_TOKEN = f"{TOKEN}-web"
WEB = "/v1/bots/form/channels/web/web"
IDLE = 3.0
MOST_SECONDS = 30.0
"""For which a browser waits for its answer."""
PUT_OFF = 503
MOST_PUT_OFF = 5
"""Times that a message is sent again because the service has too much to do, each a little later than it asks for."""


def write_bot(folder: Path, slow_port: int) -> None:
    """The form's bot with a web channel, and a conversation that calls the slow service."""
    files = {path.name: json.loads(path.read_text("utf-8")) for path in FORM.glob("*.json")}
    files["bot.json"]["channels"].append({"id": "web", "type": "web", "token": WEB_TOKEN})
    call = {"endpoint": f"http://127.0.0.1:{slow_port}/price", "method": "GET"}
    steps = [
        {"type": "webhook", "entity": "price", "data-source": call},
        {"type": "message", "messages": ["It costs {{price.amount}}."]},
    ]
    files["flow.json"]["conversations"]["price"] = {"type": "goal", "display-name": "the price", "steps": steps}
    (trait, *_) = files["training.json"]["entity-definitions"]
    trait["data"].append({"value": "price", "expressions": ["what does it cost", "the price please"]})
    for name, content in files.items():
        (folder / name).write_text(json.dumps(content), "utf-8")


@contextlib.asynccontextmanager
async def slow_service() -> AsyncIterator[int]:
    """Gives its port; answers every request after half a second."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        body = b'{"amount": 40}'
        head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
            while await reader.readuntil(b"\r\n\r\n"):
                await asyncio.sleep(SLOW)
                writer.write(head.encode() + body)
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()


class Crowd:
    """``rate``: messages a second, over all people. ``begun``: so many came before, and none comes twice."""

    def __init__(self, port: int, rate: float, seed: int = 1, begun: int = 0) -> None:
        self._port = port
        self._rate = rate
        self._draw = random.Random(seed)
        self._free: list[tuple[Client, float]] = []
        """Connections of the rest channel, and when each was used: its callers speak for many people over a few."""
        self.begun = begun
        self.is_over = False
        """Nobody comes any more."""
        self.kept = 0
        """Turns that were answered."""
        self.put_off = 0
        """Messages that had to be sent again."""
        self.errors: list[str] = []
        self.times: dict[str, list[float]] = {"rest": [], "web": [], "slow": []}

    async def come(self, seconds: float) -> None:
        """People come for so long; the last ones end their talks."""
        clock = asyncio.get_running_loop().time
        # A talk that asks the price has one message, the others four.
        wait = (ASKING + (1 - ASKING) * len(TALK)) / self._rate
        next_at, end = clock(), clock() + seconds
        async with asyncio.TaskGroup() as people:
            while next_at < end and not self.is_over:
                await asyncio.sleep(next_at - clock())
                people.create_task(self._person())
                next_at += wait
        for client, _ in self._free:
            await client.close()

    async def _person(self) -> None:
        self.begun += 1
        name, kind = f"person-{self.begun}", self._draw.random()
        try:
            if kind < ASKING:
                await self._say(name, 1, "what does it cost", "It costs 40.", "slow")
            elif kind < ASKING + IN_BROWSERS:
                await self._browse()
            else:
                await self._talk(lambda number, text, answer: self._say(name, number, text, answer, "rest"))
        except (AssertionError, OSError, EOFError, TimeoutError) as error:
            self.errors.append(f"{type(error).__name__}: {error}")

    async def _talk(self, say: Callable[[int, str, str], Awaitable[None]]) -> None:
        for number, (text, expected) in enumerate(TALK):
            if number:
                await asyncio.sleep(self._draw.uniform(*THINKING))
            await say(number, text, expected)

    def _took(self, kind: str, due: float) -> None:
        self.times[kind].append(time.perf_counter() - due)
        self.kept += 1

    async def _say(self, name: str, number: int, text: str, expected: str, kind: str) -> None:
        due = time.perf_counter()
        client = await self._client(due)
        try:
            answer = await self._post(client, REST, TOKEN, said(name, str(number), text))
        except BaseException:
            await client.close()
            raise
        self._free.append((client, time.perf_counter()))
        check(answer, name, text, expected)
        self._took(kind, due)

    async def _post(self, client: Client, path: str, token: str, value: Any) -> Any:
        """Again and again while the service has too much to do, as its clients should."""
        for tried in range(MOST_PUT_OFF + 1):
            try:
                return await client.post(path, token, value)
            except Refused as refused:
                if refused.status != PUT_OFF or tried == MOST_PUT_OFF:
                    raise
                self.put_off += 1
                await asyncio.sleep(float(refused.headers[b"retry-after"]) * self._draw.uniform(1, 2))
        raise AssertionError("not reached")

    async def _client(self, now: float) -> Client:
        """The one that was used last; the server ends those that were quiet for some seconds."""
        if self._free:
            client, used = self._free.pop()
            if now - used < IDLE:
                return client
            await client.close()
        return Client(self._port)

    async def _browse(self) -> None:
        client, stream = Client(self._port), Client(self._port)
        try:
            opened = await self._post(client, f"{WEB}/sessions", WEB_TOKEN, {"user": {"name": "Ada"}})
            token = opened["token"]
            await stream.send("GET", f"{WEB}/events?after={opened['cursor']}", token)
            status, _ = await stream.head()
            assert status == 200, f"the event stream was answered with {status}"

            async def say(number: int, text: str, expected: str) -> None:
                due = time.perf_counter()
                await self._post(client, f"{WEB}/messages", token, {"id": f"m{number}", "text": text})
                async with asyncio.timeout(MOST_SECONDS):
                    await until(stream, expected)
                self._took("web", due)

            await self._talk(say)
        finally:
            await stream.close()
            await client.close()


async def until(stream: Client, text: str) -> None:
    """Until the bot says it."""
    while line := await stream.line():
        if line.startswith(b"data: ") and json.loads(line[6:]).get("text") == text:
            return
    raise AssertionError(f"the event stream ended before the bot said {text!r}")
