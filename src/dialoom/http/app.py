"""The whole HTTP face as one ASGI application: a small dispatcher before Litestar, security headers around both.

Chat endpoints, event streams and pages are plain ASGI: a streaming response of a framework costs 28 kB a connection
against 11, and the hot endpoint should pay for nothing that it does not use.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from dialoom.errors import DialoomError, RequestError
from dialoom.http import linking, metrics, picker, problems, rest
from dialoom.http.api import SCHEMA_PATH, build_api
from dialoom.http.exchange import Exchange, check_unicode
from dialoom.http.files import FileEndpoints
from dialoom.http.health import Door
from dialoom.http.origin import Origins
from dialoom.http.pages import Pages
from dialoom.http.passage import Desk, Passage
from dialoom.http.rates import Rates
from dialoom.http.web import WebEndpoints
from dialoom.service.lives import stopping
from dialoom.service.logs import named
from dialoom.widget import static_folder

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

    from dialoom.http.exchange import Receive, Scope, Send
    from dialoom.service.service import Service

log = logging.getLogger(__name__)

_CHANNEL = "/v1/bots/{bot}/channels/{channel}"
ROUTES = {
    "rest": f"{_CHANNEL}/rest/{{name}}",
    "rest-messages": f"{_CHANNEL}/rest/{{name}}/messages",
    "pick": f"{_CHANNEL}/pick/{{ticket}}",
    "pick-question": f"{_CHANNEL}/pick/{{ticket}}/question",
    "linking": "/v1/account-linking/start",
    "web": f"{_CHANNEL}/web",
    "file": f"{_CHANNEL}/files/{{id}}",
    "chat": "/chat/{bot}/{channel}",
    "static": "/static",
    "metrics": "/metrics",
}
"""The raw endpoints, each with its address as it stands in metrics, logs and traces."""
_BY_TOKEN = frozenset({"rest", "rest-messages"})
_FREE = frozenset({"static", "web"})
"""Not held to a rate here: files of pages cost nothing; the chat's own endpoints look at theirs once the page of
another origin may read the refusal."""
_WEB = frozenset({"sessions", "messages", "events", "files"})


class App:
    """Reads its files when it is made: not for the event loop.

    ``stopping`` is set when the service begins to stop: open streams end, so that the server can.
    """

    def __init__(self, service: Service, base_url: str, static: Path | None = None) -> None:
        """``static``: the folder of the built pages, where it is not the package's own."""
        self.base_url = base_url
        self.stopping = asyncio.Event()
        self.door = Door()
        rates = Rates(service.settings, service.metrics)
        self._desk = Desk(self.door, rates, service.metrics, logs_requests=service.settings.log_requests == "on")
        self._tracing = service.tracing
        self._api = build_api(service, self.door)
        pages, files = Pages(service, static or static_folder()), FileEndpoints(service)
        origins = Origins(base_url, is_derived=service.settings.base_url is None)
        self._endpoints: dict[str, Callable[..., Awaitable[None]]] = {
            "rest": lambda exchange, *place: rest.post(exchange, service, rates, *place),
            "rest-messages": lambda exchange, *place: rest.messages(exchange, service, *place),
            "pick": lambda exchange, *place: picker.ticket(exchange, service, rates, pages, *place),
            "pick-question": lambda exchange, *place: picker.question(exchange, service, *place),
            "linking": linking.start,
            "web": WebEndpoints(service, origins, files, self.stopping, rates).handle,
            "file": files.give,
            "chat": pages.chat,
            "static": pages.file,
            "metrics": lambda exchange: metrics.give(exchange, service),
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._api(scope, receive, send)  # type: ignore[arg-type]  # lifespan, as Litestar wants it
            return
        passage = Passage(scope, receive, send, self._desk)
        if not self._tracing.is_on:
            await self._pass(passage)
            return
        with self._tracing.request(dict(scope["headers"])) as passage.span:
            await self._pass(passage)

    async def _pass(self, passage: Passage) -> None:
        parts = passage.scope["path"].split("/")
        first = parts[1] if len(parts) > 1 else ""
        if (raw := _raw(parts)) is not None:
            await self._answer(passage, *raw)
        elif f"/{first}" == SCHEMA_PATH:
            await _exchange(passage).refuse(problems.not_found("There is nothing at this address."))
        elif first == "v1":
            await self._ask_api(passage)
        else:
            await self._api(passage.scope, passage.receive, passage.send)  # type: ignore[arg-type]  # the same, looser

    async def _ask_api(self, passage: Passage) -> None:
        """History and what else is Litestar's, for those who do not ask too much."""
        try:
            passage.check_token()
        except RequestError as error:
            await _exchange(passage).refuse(error)
        else:
            await self._api(passage.scope, passage.receive, passage.send)  # type: ignore[arg-type]  # the same, looser

    async def _answer(self, passage: Passage, kind: str, place: tuple[str, ...]) -> None:
        exchange = _exchange(passage)
        passage.route = _route(kind, place)
        try:
            if kind in _BY_TOKEN:
                passage.check_token()
            elif kind not in _FREE:
                passage.check_address()
            for part in place:
                check_unicode(part, "")
            await self._endpoints[kind](exchange, *place)
        except DialoomError as error:
            if not isinstance(error, RequestError):
                log.warning("a request failed: %s", named(error))
            await self._refuse(exchange, problems.as_request_error(error))
        except asyncio.CancelledError:
            if not self.stopping.is_set():
                raise
            # The time to stop is over: the server ends what still waits for its turn, which runs again elsewhere or
            # after the start.
            await self._refuse(exchange, stopping())
        except Exception:
            # The outermost loop of a request: the trace goes to the log, never to the client.
            log.exception("fault in %s %s", exchange.method, kind)
            await self._refuse(exchange, problems.internal())

    @staticmethod
    async def _refuse(exchange: Exchange, error: RequestError) -> None:
        if not exchange.is_started:
            await exchange.refuse(error)


def _raw(parts: list[str]) -> tuple[str, tuple[str, ...]] | None:
    """Which of the raw endpoints a path leads to, and the parts of its place."""
    match parts:
        case ["", "v1", "bots", bot, "channels", channel, "rest", name] if bot and channel and name:
            return "rest", (bot, channel, name)
        case ["", "v1", "bots", bot, "channels", channel, "rest", name, "messages"] if bot and channel and name:
            return "rest-messages", (bot, channel, name)
        case ["", "v1", "bots", bot, "channels", channel, "pick", ticket] if bot and channel and ticket:
            return "pick", (bot, channel, ticket)
        case ["", "v1", "bots", bot, "channels", channel, "pick", ticket, "question"] if bot and channel and ticket:
            return "pick-question", (bot, channel, ticket)
        case ["", "v1", "account-linking", "start"]:
            return "linking", ()
        case ["", "v1", "bots", bot, "channels", channel, "web", what] if bot and channel:
            return "web", (bot, channel, what)
        case ["", "v1", "bots", bot, "channels", channel, "files", id] if bot and channel and id:
            return "file", (bot, channel, id)
        case ["", "chat", bot, channel]:
            return "chat", (bot, channel)
        case ["", "static", *rest] if rest:
            return "static", ("/".join(rest),)
        case ["", "metrics"]:
            return "metrics", ()
        case _:
            return None


def _exchange(passage: Passage) -> Exchange:
    return Exchange(passage.scope, passage.receive, passage.send)


def _route(kind: str, place: tuple[str, ...]) -> str:
    if kind != "web":
        return ROUTES[kind]
    return f"{ROUTES[kind]}/{place[2] if place[2] in _WEB else '{what}'}"
