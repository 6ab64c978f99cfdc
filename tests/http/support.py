"""The whole HTTP face over a SQLite store, called without a socket; event streams have their own way to be read."""

from __future__ import annotations

import asyncio
import contextlib
import json
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlencode

import msgspec
from tests.stores import TemporaryStore

from dialoom.authoring.mock_fetcher import MockFetcher
from dialoom.channels import CHANNELS
from dialoom.http.app import App
from dialoom.service.service import Service, build_service, running
from dialoom.service.settings import Settings
from dialoom.testing.clock import MovedClock

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from dialoom.data.fetcher import Fetcher
    from dialoom.service.observe.tracing import Tracing
    from dialoom.storage.store import Store

BASE = "http://127.0.0.1:8080"

FLOW: dict[str, Any] = {
    "conversations": {
        "welcome": {"type": "support", "steps": [{"type": "message", "messages": ["Hello!"]}]},
        "help": {"type": "support", "steps": [{"type": "message", "messages": ["Say tea."]}]},
        "tea": {
            "type": "goal",
            "display-name": "your tea",
            "steps": [
                {
                    "type": "question",
                    "entity": "kind",
                    "entity-type": "Tea",
                    "messages": ["Which tea?"],
                    "display": {"type": "quick-reply"},
                },
                {"type": "question", "entity": "password", "entity-type": "Text", "messages": ["The password?"]},
                {
                    "type": "webhook",
                    "data-source": {
                        "endpoint": "http://127.0.0.1:9/tea",
                        "method": "POST",
                        "payload": {"kind": "{{kind}}"},
                    },
                    "entity": "order",
                    "messages": ["Order {{order.number}}: {{kind}}."],
                },
            ],
        },
    }
}
TRAINING: dict[str, Any] = {
    "entity-definitions": [
        {
            "name": "Conversation",
            "lookup-strategy": "trait",
            "data": [
                {"value": "tea", "expressions": ["tea", "I want tea"]},
                {"value": "help", "expressions": ["help"]},
            ],
        },
        {
            "name": "Tea",
            "lookup-strategy": "keywords",
            "data": [{"value": "Green"}, {"value": "Black"}, {"value": "Mint"}],
        },
    ]
}
BOT: dict[str, Any] = {
    "id": "tea",
    "name": "Tea house",
    "access-token": "history-token-of-tea",
    "channels": [
        {"id": "rest", "type": "rest", "token": "rest-token-of-tea"},
        {"id": "web", "type": "web", "token": "web-token-of-tea", "allowed-origins": ["https://shop.example"]},
    ],
}
OTHER: dict[str, Any] = {"id": "other", "access-token": "history-token-of-other"}
MOCKS: dict[str, Any] = {"http://127.0.0.1:9/tea": {"POST": {"number": 7}}}


def write_bot(
    folder: Path, bot: dict[str, Any], flow: dict[str, Any] = FLOW, training: dict[str, Any] = TRAINING
) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "bot.json").write_text(json.dumps(bot))
    (folder / "flow.json").write_text(json.dumps(flow))
    (folder / "training.json").write_text(json.dumps(training))
    return folder


class Answer(msgspec.Struct):
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class Client:
    def __init__(self, app: App, service: Service, clock: MovedClock, fetcher: Any) -> None:
        self.app = app
        self.service = service
        self.clock = clock
        self.fetcher = fetcher

    async def call(
        self,
        method: str,
        path: str,
        body: Any = None,
        headers: dict[str, str] | None = None,
        query: Any = None,
        peer: str = "127.0.0.1",
        raw_path: bytes | None = None,
    ) -> Answer:
        """``body``: bytes go as they are, anything else as JSON. ``peer``: from where the connection comes.
        ``raw_path``: how the path was encoded, where that matters."""
        data = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
        named = {"host": "127.0.0.1:8080", "content-type": "application/json"} | {
            k.lower(): v for k, v in (headers or {}).items()
        }
        scope = {
            "type": "http",
            "asgi": {"version": "3.0", "spec_version": "2.3"},
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": path,
            "raw_path": quote(path).encode() if raw_path is None else raw_path,
            "root_path": "",
            "query_string": (urlencode(query) if isinstance(query, dict) else query or "").encode(),
            "headers": [(k.encode(), v.encode()) for k, v in named.items()],
            "server": ("127.0.0.1", 8080),
            "client": (peer, 40000),
            "state": {},
            "extensions": {},
        }
        sent: list[Any] = []
        asked = False

        async def receive() -> Any:
            nonlocal asked
            if asked:
                await asyncio.sleep(3600)
            asked = True
            return {"type": "http.request", "body": data, "more_body": False}

        async def send(event: Any) -> None:
            sent.append(event)

        await self.app(scope, receive, send)
        found = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
        return Answer(sent[0]["status"], found, b"".join(event.get("body", b"") for event in sent[1:]))

    async def say(
        self, text: str | None = None, *, sender: str = "ada", token: str = "rest-token-of-tea", **message: Any
    ) -> Answer:
        body = {"sender": {"id": sender, "name": "Ada Lovelace"}, "message": message | ({"text": text} if text else {})}
        return await self.call(
            "POST", "/v1/bots/tea/channels/rest/rest/test", body, {"Authorization": f"Bearer {token}"}
        )

    async def say_again(self, text: str | None = None, **message: Any) -> Answer:
        """Send a message again until it is answered: the service may be running it by itself, which is 409."""
        for _ in range(600):
            answer = await self.say(text, **message)
            if answer.status != 409:
                break
            await asyncio.sleep(0.1)  # as a client would: without a pause the user has sent too many requests
        return answer

    async def texts(self, text: str, **message: Any) -> list[str]:
        answer = await self.say(text, **message)
        assert answer.status == 200, answer.body
        return [said["text"] for said in answer.json]

    async def history(self, path: str, **query: Any) -> Answer:
        plain = {k: v if isinstance(v, str | int) else json.dumps(v) for k, v in query.items()}
        headers = {"Authorization": "Bot-Server-Access-Token history-token-of-tea"}
        return await self.call("GET", f"/v1/bots/tea/{path}", None, headers, plain)

    async def open(self, **body: Any) -> Answer:
        return await self.call("POST", "/v1/bots/tea/channels/web/web/sessions", body, {"Origin": BASE})


@contextlib.asynccontextmanager
async def serving(
    folder: Path,
    flow: dict[str, Any] = FLOW,
    fetcher: Fetcher | None = None,
    store: Store | None = None,
    bot: dict[str, Any] = BOT,
    training: dict[str, Any] = TRAINING,
    static: Path | None = None,
    tracing: Tracing | None = None,
    clock: MovedClock | None = None,
    **named: Any,
) -> AsyncIterator[Client]:
    """The service with two bots, over a SQLite store, with a clock that stands still. ``static``: its pages;
    ``named``: settings."""
    clock, fetcher = clock or MovedClock(), fetcher or MockFetcher(MOCKS)
    settings = Settings(data=str(folder / "data"), **named)
    (folder / "data").mkdir(parents=True, exist_ok=True)
    service = await asyncio.to_thread(
        build_service,
        settings,
        CHANNELS,
        store=store or TemporaryStore(),
        fetcher=fetcher,
        clock=clock,
        tracing=tracing,
    )
    folders = [write_bot(folder / name, bot, flow, training) for name, bot in (("tea", bot), ("other", OTHER))]
    async with running(service, folders, lambda: 0.5):
        yield Client(await asyncio.to_thread(App, service, BASE, static), service, clock, fetcher)
