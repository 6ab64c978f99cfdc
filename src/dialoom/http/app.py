"""The whole HTTP face as one ASGI application: a small dispatcher before Litestar, security headers around both.

Chat endpoints, event streams and pages are plain ASGI: a streaming response of a framework costs 28 kB a connection
against 11, and the hot endpoint should pay for nothing that it does not use.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING
from urllib.parse import unquote_to_bytes

from dialoom.errors import DialoomError, RequestError
from dialoom.http import login_pages, problems
from dialoom.http.admin import metrics
from dialoom.http.admin.api import build_api
from dialoom.http.admin.health import ReadinessState
from dialoom.http.chat import picker, rest
from dialoom.http.chat.attachments import AttachmentEndpoints
from dialoom.http.chat.pages import Pages
from dialoom.http.chat.web import WebEndpoints
from dialoom.http.history import routes
from dialoom.http.history.routes import HistoryRoutes
from dialoom.http.login_pages import LoginPageEndpoints
from dialoom.http.openapi import reference
from dialoom.http.openapi.reference import Reference
from dialoom.http.server.exchange import Exchange, check_unicode
from dialoom.http.server.origin import Origins
from dialoom.http.server.quotas import Quotas
from dialoom.http.server.rates import Rates
from dialoom.http.server.request_context import RequestContext, RequestPolicy
from dialoom.http.server.throttled_log import ThrottledLog
from dialoom.http.studio import studio
from dialoom.http.studio.studio import StudioEndpoints
from dialoom.service.chat.active_chats import stopping
from dialoom.service.observe.logs import named
from dialoom.widget import static_folder

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

    from dialoom.http.server.exchange import Receive, Scope, Send
    from dialoom.service.service import Service

log = logging.getLogger(__name__)

_CHANNEL = "/v1/bots/{bot}/channels/{channel}"
ROUTES = {
    "rest": f"{_CHANNEL}/rest/{{name}}",
    "rest-messages": f"{_CHANNEL}/rest/{{name}}/messages",
    "pick": f"{_CHANNEL}/pick/{{ticket}}",
    "pick-question": f"{_CHANNEL}/pick/{{ticket}}/question",
    "web": f"{_CHANNEL}/web",
    "file": f"{_CHANNEL}/files/{{id}}",
    "chat": "/chat/{bot}/{channel}",
    "static": "/static",
    "metrics": "/metrics",
    **reference.ROUTES,
    **studio.ROUTES,
    **routes.ROUTES,
    **login_pages.ROUTES,
}
"""The raw endpoints, each with its address as it stands in metrics, logs and traces."""
_BY_TOKEN = frozenset({"rest", "rest-messages", *routes.ROUTES})
_FREE = frozenset({"static", "web", *login_pages.ROUTES})
"""Not held to a rate here: files of pages cost nothing; the chat's own endpoints look at theirs once the page of
another origin may read the refusal, and those of a login show it as a page."""
_WEB = frozenset({"sessions", "messages", "events", "files", "login", "login-proof"})


class App:
    """Reads its files when it is made: not for the event loop.

    ``stopping`` is set when the service begins to stop: open streams end, so that the server can.
    """

    def __init__(self, service: Service, base_url: str, static: Path | None = None) -> None:
        """``static``: the folder of the built pages, where it is not the package's own."""
        self.base_url = base_url
        self.stopping = asyncio.Event()
        self.door = ReadinessState()
        rates = Rates(service.settings, service.metrics)
        quotas = Quotas(service.settings, rates, service.metrics, service.clock.now)
        service.hub.on_stored = quotas.stored
        self._desk = RequestPolicy(
            self.door, rates, service.metrics, logs_requests=service.settings.log_requests == "on"
        )
        self._tracing = service.tracing
        self._failures = ThrottledLog(log)
        self._api = build_api(service, self.door)
        pages, files = Pages(service, static or static_folder()), AttachmentEndpoints(service)
        origins = Origins(base_url, is_derived=service.settings.base_url is None)
        self._endpoints: dict[str, Callable[..., Awaitable[None]]] = {
            "rest": lambda exchange, *place: rest.post(exchange, service, rates, *place),
            "rest-messages": lambda exchange, *place: rest.messages(exchange, service, *place),
            "pick": lambda exchange, *place: picker.ticket(exchange, service, rates, pages, *place),
            "pick-question": lambda exchange, *place: picker.question(exchange, service, *place),
            "web": WebEndpoints(service, origins, files, self.stopping, rates, quotas).handle,
            "file": files.give,
            "chat": pages.chat,
            "static": pages.file,
            "metrics": lambda exchange: metrics.give(exchange, service),
            **Reference(base_url).endpoints(),
            **StudioEndpoints(service, origins, pages, base_url).endpoints(),
            **HistoryRoutes(service, self.stopping).endpoints(),
            **LoginPageEndpoints(service, origins, rates, base_url).endpoints(),
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._api(scope, receive, send)  # type: ignore[arg-type]  # lifespan, as Litestar wants it
            return
        passage = RequestContext(scope, receive, send, self._desk)
        if not self._tracing.is_on:
            await self._pass(passage)
            return
        with self._tracing.request(dict(scope["headers"])) as passage.span:
            await self._pass(passage)

    async def _pass(self, passage: RequestContext) -> None:
        try:
            parts = _parts(passage.scope)
        except UnicodeDecodeError as error:
            detail = f"The address is not UTF-8: {error.reason}. Encode it as UTF-8, then with percent signs."
            await _exchange(passage).refuse(RequestError(400, "bad-text", detail))
            return
        first = parts[1] if len(parts) > 1 else ""
        if (raw := _raw(parts)) is not None:
            await self._answer(passage, *raw)
        elif _is_odd(parts):
            await _exchange(passage).refuse(problems.not_found("There is nothing at this address."))
        elif first == "v1":
            await self._ask_api(passage, parts)
        else:
            await self._api(passage.scope, passage.receive, passage.send)  # type: ignore[arg-type]  # the same, looser

    async def _ask_api(self, passage: RequestContext, parts: list[str]) -> None:
        """What is Litestar's, for those who do not ask too much."""
        try:
            passage.check_token()
            for part in parts:
                check_unicode(part, "")
        except RequestError as error:
            await _exchange(passage).refuse(error)
        else:
            await self._api(passage.scope, passage.receive, passage.send)  # type: ignore[arg-type]  # the same, looser

    async def _answer(self, passage: RequestContext, kind: str, place: tuple[str, ...]) -> None:
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
                self._failures.warn(f"a request failed: {named(error)}", asyncio.get_running_loop().time())
            meant = problems.of_history if kind in routes.ROUTES else problems.as_request_error
            await self._refuse(exchange, meant(error))
        except asyncio.CancelledError:
            if not self.stopping.is_set():
                raise
            # The time to stop is over: the server ends what still waits for its turn, which runs again elsewhere or
            # after the start.
            await self._refuse(exchange, problems.stopping() if kind in routes.ROUTES else stopping())
        except Exception:
            # The outermost loop of a request: the trace goes to the log, never to the client.
            log.exception("fault in %s %s", exchange.method, kind)
            await self._refuse(exchange, problems.internal())

    @staticmethod
    async def _refuse(exchange: Exchange, error: RequestError) -> None:
        if exchange.is_started:
            exchange.cut()
        else:
            await exchange.refuse(error)


def _parts(scope: Scope) -> list[str]:
    """The parts of the path, each decoded by itself: an id may hold a slash. The server decodes all at once and puts
    U+FFFD where it is not UTF-8. Raises ``UnicodeDecodeError``."""
    raw = scope.get("raw_path")
    if raw is None or b"%" not in raw:
        return str(scope["path"]).split("/")
    return [unquote_to_bytes(part).decode() for part in raw.split(b"/")]


def _is_odd(parts: list[str]) -> bool:
    """Whether Litestar, which joins what slashes part and leaves out empty parts, would read another path than we."""
    return "" in parts[1:-1] or any("/" in part for part in parts)


def _raw(parts: list[str]) -> tuple[str, tuple[str, ...]] | None:
    """Which of the raw endpoints a path leads to, and the parts of its place."""
    match parts:
        case ["", "v1", "bots", bot, "channels", channel, *rest] if bot and channel:
            return _of_channel(bot, channel, rest)
        case ["", "v1", "account-linking"]:
            return "linking-back", ()
        case ["", "v1", "account-linking", "start"]:
            return "linking", ()
        case ["", "chat", bot, channel]:
            return "chat", (bot, channel)
        case ["", "static", *rest] if rest:
            return "static", ("/".join(rest),)
        case ["", "metrics"]:
            return "metrics", ()
        case ["", "openapi.json"]:
            return "openapi", ()
        case ["", "docs"]:
            return "docs", ()
        case ["", "studio", *rest]:
            return studio.page_at(rest)
        case ["", "v1", "studio", *rest]:
            return studio.endpoint_at(rest)
        case ["", "v1", "bots", bot, *rest] if bot:
            return routes.endpoint_at(bot, rest)
        case _:
            return None


def _of_channel(bot: str, channel: str, rest: list[str]) -> tuple[str, tuple[str, ...]] | None:
    match rest:
        case ["rest", name] if name:
            return "rest", (bot, channel, name)
        case ["rest", name, "messages"] if name:
            return "rest-messages", (bot, channel, name)
        case ["pick", ticket] if ticket:
            return "pick", (bot, channel, ticket)
        case ["pick", ticket, "question"] if ticket:
            return "pick-question", (bot, channel, ticket)
        case ["web", what]:
            return "web", (bot, channel, what)
        case ["files", id] if id:
            return "file", (bot, channel, id)
        case _:
            return None


def _exchange(passage: RequestContext) -> Exchange:
    return Exchange(passage.scope, passage.receive, passage.send, passage.whole)


def _route(kind: str, place: tuple[str, ...]) -> str:
    if kind != "web":
        return ROUTES[kind]
    return f"{ROUTES[kind]}/{place[2] if place[2] in _WEB else '{what}'}"
