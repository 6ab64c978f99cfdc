"""The whole HTTP face as one ASGI application: a small dispatcher before Litestar, security headers around both.

Chat endpoints, event streams and pages are plain ASGI: a streaming response of a framework costs 28 kB a connection
against 11, and the hot endpoint should pay for nothing that it does not use.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any

from dialoom.errors import DialoomError, RequestError
from dialoom.http import linking, picker, problems, rest
from dialoom.http.api import SCHEMA_PATH, build_api
from dialoom.http.exchange import Exchange, check_unicode
from dialoom.http.files import FileEndpoints
from dialoom.http.origin import Origins
from dialoom.http.pages import Pages
from dialoom.http.web import WebEndpoints
from dialoom.widget import static_folder

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, MutableMapping
    from pathlib import Path

    from dialoom.http.exchange import Receive, Scope, Send
    from dialoom.service.service import Service

log = logging.getLogger(__name__)

_SECURITY_HEADERS = [
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=(self)"),
]
_DEFAULT_POLICY = (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'")


class App:
    """Reads its files when it is made: not for the event loop.

    ``stopping`` is set when the service begins to stop: open streams end, so that the server can.
    """

    def __init__(self, service: Service, base_url: str, static: Path | None = None) -> None:
        """``static``: the folder of the built pages, where it is not the package's own."""
        self.base_url = base_url
        self.stopping = asyncio.Event()
        self._api = build_api(service)
        pages, files = Pages(service, static or static_folder()), FileEndpoints(service)
        origins = Origins(base_url, is_derived=service.settings.base_url is None)
        self._endpoints: dict[str, Callable[..., Awaitable[None]]] = {
            "rest": lambda exchange, *place: rest.post(exchange, service, *place),
            "rest-messages": lambda exchange, *place: rest.messages(exchange, service, *place),
            "pick": lambda exchange, *place: picker.ticket(exchange, service, pages, *place),
            "pick-question": lambda exchange, *place: picker.question(exchange, service, *place),
            "linking": linking.start,
            "web": WebEndpoints(service, origins, files, self.stopping).handle,
            "file": files.give,
            "chat": pages.chat,
            "static": pages.file,
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._api(scope, receive, send)  # type: ignore[arg-type]  # lifespan, as Litestar wants it
            return
        guarded = _with_security_headers(send)
        parts = scope["path"].split("/")
        match parts:
            case ["", "v1", "bots", bot, "channels", channel, "rest", name] if bot and channel and name:
                await self._answer(scope, receive, guarded, "rest", (bot, channel, name))
            case ["", "v1", "bots", bot, "channels", channel, "rest", name, "messages"] if bot and channel and name:
                await self._answer(scope, receive, guarded, "rest-messages", (bot, channel, name))
            case ["", "v1", "bots", bot, "channels", channel, "pick", ticket] if bot and channel and ticket:
                await self._answer(scope, receive, guarded, "pick", (bot, channel, ticket))
            case ["", "v1", "bots", bot, "channels", channel, "pick", ticket, "question"] if bot and channel and ticket:
                await self._answer(scope, receive, guarded, "pick-question", (bot, channel, ticket))
            case ["", "v1", "account-linking", "start"]:
                await self._answer(scope, receive, guarded, "linking", ())
            case ["", "v1", "bots", bot, "channels", channel, "web", what] if bot and channel:
                await self._answer(scope, receive, guarded, "web", (bot, channel, what))
            case ["", "v1", "bots", bot, "channels", channel, "files", id] if bot and channel and id:
                await self._answer(scope, receive, guarded, "file", (bot, channel, id))
            case ["", "chat", bot, channel]:
                await self._answer(scope, receive, guarded, "chat", (bot, channel))
            case ["", first, *_] if f"/{first}" == SCHEMA_PATH:
                await Exchange(scope, receive, guarded).refuse(problems.not_found("There is nothing at this address."))
            case ["", "static", *rest] if rest:
                await self._answer(scope, receive, guarded, "static", ("/".join(rest),))
            case _:
                await self._api(scope, receive, guarded)  # type: ignore[arg-type]  # the same, looser

    async def _answer(self, scope: Scope, receive: Receive, send: Send, kind: str, place: tuple[str, ...]) -> None:
        exchange = Exchange(scope, receive, send)
        try:
            for part in place:
                check_unicode(part, "")
            await self._endpoints[kind](exchange, *place)
        except DialoomError as error:
            if not isinstance(error, RequestError):
                log.warning("a request failed: %s", error)
            await self._refuse(exchange, problems.as_request_error(error))
        except Exception:
            # The outermost loop of a request: the trace goes to the log, never to the client.
            log.exception("fault in %s %s", exchange.method, kind)
            await self._refuse(exchange, problems.internal())

    @staticmethod
    async def _refuse(exchange: Exchange, error: RequestError) -> None:
        if not exchange.is_started:
            await exchange.refuse(error)


def _with_security_headers(send: Send) -> Send:
    async def guarded(event: MutableMapping[str, Any]) -> None:
        if event["type"] == "http.response.start":
            headers = list(event.get("headers", ()))
            if not any(name == b"content-security-policy" for name, _ in headers):
                headers.append(_DEFAULT_POLICY)
            event["headers"] = headers + _SECURITY_HEADERS
        await send(event)

    return guarded
