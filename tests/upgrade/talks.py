"""Chats of one bot in every state that a release can leave behind, and what must stand when another release goes on.

Runs on the release under test and on the one that made the stored data, so it uses only what both have.
"""

from __future__ import annotations

import asyncio
import contextlib
import copy
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlsplit

import msgspec
from tests.http.login_pages import PROMPT, SECRET, THANKS, Provider
from tests.http.support import BASE, BOT, FLOW, TRAINING, Client, serving

from dialoom.authoring.mock_fetcher import MockFetcher
from dialoom.http.app import App

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from dialoom.engine.effects import Request
    from dialoom.engine.events import NoResponse, Response
    from dialoom.storage.store import Store

KEYS = "a2tra2tra2tra2tra2tra2tra2tra2tra2tra2tra2s="
"""Of the vault that sealed the stored data: 32 bytes, base64."""
REST, WEB = "/v1/bots/tea/channels/rest/rest/test", "/v1/bots/tea/channels/web/web"
REST_TOKEN = {"Authorization": "Bearer rest-token-of-tea"}
CALLBACK, PERSON, REFUSED = "http://127.0.0.1:9/later", "http://127.0.0.1:9/desk", "http://127.0.0.1:9/refused"
FIRST, SECOND, ORDER = "http://127.0.0.1:9/first", "http://127.0.0.1:9/second", "http://127.0.0.1:9/tea"
LIST = "http://127.0.0.1:9/cups"
PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 20
PASSWORD = "open-sesame-4711"
SILENT_MINUTES, SESSION_MINUTES = 30, 60
MOCKS: dict[str, Any] = {
    FIRST: {"GET": {"number": 1}},
    LIST: {"GET": [{"value": "Small"}, {"value": "Large"}]},
    ORDER: {"POST": {"number": 7}},
    PERSON: {"POST": {"$status": 503}},
    REFUSED: {"POST": {"$status": 400}},
    CALLBACK: {"POST": {"$status": 503}},
}
TEAS = ["Assam", "Black", "Ceylon", "Darjeeling", "Earl Grey", "Fennel", "Green", "Mint"]


def _question(entity: str, type: str, text: str, **more: Any) -> dict[str, Any]:
    return {"type": "question", "entity": entity, "entity-type": type, "messages": [text]} | more


def _goal(name: str, *steps: dict[str, Any]) -> dict[str, Any]:
    return {"type": "goal", "display-name": name, "steps": list(steps)}


def _hand_over(to: str) -> dict[str, Any]:
    silent = {"type": "command", "command": f"stay-silent {SILENT_MINUTES}", "live-agent": to}
    return {"type": "support", "steps": [{"type": "message", "messages": ["One moment."]}, silent]}


def flow(version: str) -> dict[str, Any]:
    """``version``: stands in what the bot says of an order, so that it shows which version a chat goes on with."""
    call = {"type": "webhook", "entity": "order", "data-source": {"endpoint": ORDER, "method": "POST", "payload": {}}}
    calls = [
        {"type": "webhook", "entity": entity, "data-source": {"endpoint": address, "method": "GET"}}
        for entity, address in (("one", FIRST), ("two", SECOND))
    ]
    placed = {"type": "message", "messages": [f"{version} order {{{{order.number}}}}: {{{{kind}}}}."]}
    conversations = copy.deepcopy(FLOW["conversations"]) | {
        "tea": _goal(
            "your tea",
            _question("kind", "Tea", "Which tea?", display={"type": "quick-reply"}),
            _question("password", "Text", "The password?"),
            {"type": "confirmation", "entity": "sure", "messages": ["{{kind}}, right?"]},
            call,
            placed,
        ),
        "day": _goal(
            "a day",
            _question("date", "Date", "Which day?", display={"type": "date-picker", "title": "Choose"}),
            {"type": "message", "messages": ["On {{date}}."]},
        ),
        "cup": _goal("a cup", _question("cup", "Cup", "Which cup?"), {"type": "message", "messages": ["A {{cup}} one."]}),
        "leaf": _goal(
            "a leaf",
            _question("leaf", "File", "A photo?"),
            _question("place", "Text", "Where?"),
            {"type": "message", "messages": ["{{leaf.name}} of {{place}}."]},
        ),
        "orders": _goal("your orders", {"type": "message", "protected": True, "messages": [SECRET]}),
        "again": _goal("more orders", {"type": "message", "protected": True, "messages": ["Yours again."]}),
        "calls": _goal("two calls", *calls, {"type": "message", "messages": ["{{one.number}} and {{two.number}}."]}),
        "person": _hand_over("desk"),
        "refused": _hand_over("shut"),
    }  # fmt: skip
    authentication = {
        "entity": "account",
        "messages": [PROMPT],
        "acknowledgements": [THANKS],
        "display": {"type": "login", "template": {"title": "Log in"}},
        "oidc": {"issuer": "https://id.example", "client-id": "a", "client-secret": "s"},
        "binding": {"web": "code", "rest": "off"},
    }
    return {
        "conversations": conversations,
        "settings": {"authentication": authentication, "session-timeout": SESSION_MINUTES},
    }


def training() -> dict[str, Any]:
    made = copy.deepcopy(TRAINING)
    names = ["tea", "help", "day", "cup", "leaf", "orders", "again", "calls", "person", "refused"]
    made["entity-definitions"] = [
        {
            "name": "Conversation",
            "lookup-strategy": "trait",
            "data": [{"value": name, "expressions": [name]} for name in names],
        },
        {"name": "Tea", "lookup-strategy": "keywords", "data": [{"value": name} for name in TEAS]},
        {
            "name": "Cup",
            "lookup-strategy": "keywords",
            "dynamic-data": {"data-source": {"endpoint": LIST, "method": "GET"}, "value-template": "{{value}}"},
        },
    ]
    return made


def bot() -> dict[str, Any]:
    made = copy.deepcopy(BOT)
    made["channels"][0] |= {"callback-url": CALLBACK, "callback-secret": "callback-secret-of-tea"}
    return made | {"live-agents": {"desk": PERSON, "shut": REFUSED}}


class Calls(MockFetcher):
    """Keeps every request; one to ``stalled`` never gets an answer."""

    def __init__(self, mocks: dict[str, Any], stalled: str | None = None) -> None:
        super().__init__(mocks)
        self._stalled = stalled

    async def fetch(self, request: Request, **more: Any) -> Response | NoResponse:
        answer = await super().fetch(request, **more)
        if request.url == self._stalled:
            await asyncio.Event().wait()
        return answer

    def to(self, address: str) -> list[Request]:
        return [request for request in self.requests if request.url == address]


@contextlib.asynccontextmanager
async def service(
    folder: Path, store: Store, calls: Calls, version: str = "Second", **named: Any
) -> AsyncIterator[Client]:
    """The bot's service over a store. ``named``: of ``serving``."""
    async with serving(
        folder, flow(version), calls, store, bot(), training(), keys=KEYS, **named
    ) as client:  # fmt: skip
        made = msgspec.structs.replace(client.service, providers=Provider())
        yield Client(await asyncio.to_thread(App, made, BASE), made, client.clock, calls)


class Page:
    """A browser's session on web."""

    def __init__(self, client: Client, session: dict[str, Any]) -> None:
        self.session = session
        self._client = client
        self._headers = {"Authorization": f"Bearer {session['token']}", "Origin": BASE}
        self._number = 0

    async def send(self, id: str, **message: Any) -> None:
        answer = await self._client.call("POST", f"{WEB}/messages", {"id": id} | message, self._headers)
        assert answer.status == 202, answer.body

    async def read(self) -> list[dict[str, Any]]:
        answer = await self._client.call("GET", f"{WEB}/messages", None, self._headers, {"after": 0})
        assert answer.status == 200, answer.body
        return list(answer.json["messages"])

    async def upload(self, content: bytes, name: str) -> dict[str, Any]:
        path = WEB.removesuffix("/web") + "/web/files"
        answer = await self._client.call("POST", path, content, self._headers, {"name": name})
        assert answer.status == 201, answer.body
        return dict(answer.json)


async def records(client: Client, collection: str) -> str:
    """All records of the bot as the history gives them out, one a line."""
    headers = {"Authorization": "Bot-Server-Access-Token history-token-of-tea", "Accept": "application/x-ndjson"}
    answer = await client.call("GET", f"/v1/bots/tea/{collection}", None, headers, {"limit": 1000})
    assert answer.status == 200, answer.body
    return answer.body.decode()


async def say(client: Client, sender: str, text: str | None = None, **message: Any) -> list[Any]:
    """The messages of the bot's answer on rest."""
    answer = await client.say(text, sender=sender, **message)
    assert answer.status == 200, answer.body
    return list(answer.json)


async def texts(client: Client, sender: str, text: str | None = None, **message: Any) -> list[str]:
    return [one["text"] for one in await say(client, sender, text, **message)]


def link_of(message: dict[str, Any]) -> str:
    """The address behind a message's button."""
    address: str = message["template"]["buttons"][0]["url"]
    return address


async def fetch(client: Client, url: str) -> bytes:
    parts = urlsplit(url)
    answer = await client.call("GET", parts.path, None, {}, dict(parse_qsl(parts.query)))
    assert answer.status == 200, answer.body
    return answer.body
