"""Serves HTTP as one ASGI application: finds the endpoint of a request and calls its handler.

Which endpoints there are stands in ``http.endpoints``; here each row gets its handler. A framework's streaming response
costs 28 kB a connection against 11 of a plain one, and the hot endpoint should pay for nothing that it does not use.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote_to_bytes

from dialoom.errors import DialoomError, RequestError
from dialoom.http import problems
from dialoom.http.admin.admission import ServerGuard
from dialoom.http.admin.health import ReadinessState, healthz, readyz
from dialoom.http.admin.metrics import give
from dialoom.http.admin.upkeep import UpkeepEndpoints
from dialoom.http.chat.attachments import AttachmentEndpoints
from dialoom.http.chat.calls import ChannelCalls
from dialoom.http.chat.directline import DirectLineEndpoints
from dialoom.http.chat.pages import Pages
from dialoom.http.chat.picker import PickerEndpoints
from dialoom.http.chat.web import WebEndpoints
from dialoom.http.endpoints import ENDPOINTS
from dialoom.http.history.records import HistoryEndpoints
from dialoom.http.history.users import UserEndpoints
from dialoom.http.login_pages import LoginPageEndpoints
from dialoom.http.openapi.reference import Reference
from dialoom.http.pages.refusals import refuse_with_card, wants_card
from dialoom.http.pages.start_page import StartPage
from dialoom.http.routing import Access, Route, Router
from dialoom.http.server.exchange import Exchange, check_unicode
from dialoom.http.server.limits.open_streams import OpenStreams
from dialoom.http.server.limits.quotas import Quotas
from dialoom.http.server.limits.rates import Rates
from dialoom.http.server.line_stream import LineStream
from dialoom.http.server.origin import Origins
from dialoom.http.server.request_context import RequestContext, RequestPolicy, Shutdown
from dialoom.http.studio.studio import StudioEndpoints
from dialoom.service.chat.active_chats import stopping
from dialoom.service.observe import logs
from dialoom.service.observe.logs import ThrottledLog, named
from dialoom.service.service import Service
from dialoom.widget import static_folder

if TYPE_CHECKING:
    from dialoom.http.server.exchange import Receive, Scope, Send

    Handler = Callable[..., Awaitable[None]]
    """Called with the exchange and the parts of the path, or with what its guard gives in place of these."""
    Guard = Callable[[Exchange, Route, tuple[str, ...], Handler], Awaitable[None]]
    """Admits to several endpoints. Called with the exchange, the route, the parts of the path, and what to call with
    exchange, route and the handler's arguments once the request may pass."""

log = logging.getLogger(__name__)


class App:
    """Calls the handler of each request and turns its errors into problems. Made outside the event loop: it reads
    files."""

    def __init__(self, service: Service, base_url: str, static: Path | None = None) -> None:
        """Register all endpoints. ``static``: the folder of the built pages, where it is not the package's own."""
        self.base_url = base_url
        self.shutdown = Shutdown()
        self.readiness = ReadinessState()
        rates = Rates(service.settings, service.metrics)
        self._policy = RequestPolicy(
            self.shutdown, rates, service.metrics, logs_requests=service.settings.log_requests == "on"
        )
        self._tracing = service.tracing
        self._failures = ThrottledLog(log)
        self._router = Router(ENDPOINTS)
        self.handlers: dict[str, Handler] = {}
        self._guards: dict[str, Guard] = {}
        self._register(service, rates, static or static_folder())

    def _register(self, service: Service, rates: Rates, static: Path) -> None:
        quotas = Quotas(service.settings, rates, service.metrics, service.clock.now)
        service.hub.on_stored = quotas.stored
        origins = Origins(self.base_url, is_derived=service.settings.base_url is None)
        pages, files, lines = Pages(service, static), AttachmentEndpoints(service), LineStream(self.shutdown.begun)
        streams = OpenStreams(rates.clients, service.metrics, service.settings.streams_per_address)
        web = WebEndpoints(service, origins, files, streams, self.shutdown.begun, rates, quotas)
        direct_line = DirectLineEndpoints(service, origins, files, streams, self.shutdown.begun, rates, quotas)
        studio = StudioEndpoints(service, origins, self.base_url, lines, streams)
        logins = LoginPageEndpoints(service, origins, rates, self.base_url)
        server = (
            HistoryEndpoints(service, lines).endpoints()
            | UserEndpoints(service, lines).endpoints()
            | UpkeepEndpoints(service).endpoints()
        )
        self._add(server, ServerGuard(service).admit)
        self._add(web.endpoints(), web.admit)
        self._add(direct_line.endpoints(), direct_line.admit)
        self._add(studio.endpoints(), studio.admit)
        self._add(logins.endpoints(), logins.show)
        self._add(ChannelCalls(service, rates).endpoints())
        self._add(PickerEndpoints(service, rates, pages).endpoints())
        self._add(Reference(self.base_url).endpoints())
        self._add(
            {
                "readFile": files.give,
                "startPage": StartPage(service).show,
                "chatPage": pages.chat,
                "staticFile": pages.file,
                "studioPage": pages.studio,
                "studioRoom": lambda exchange, _bot: pages.studio(exchange),
                "metrics": partial(give, service),
                "health": healthz,
                "ready": partial(readyz, service, self.readiness, self.shutdown),
            }
        )

    def _add(self, handlers: Mapping[str, Handler], guard: Guard | None = None) -> None:
        self.handlers |= handlers
        if guard is not None:
            self._guards |= dict.fromkeys(handlers, guard)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        context = RequestContext(scope, receive, send, self._policy)
        # For this request's task alone, which the server has made for it.
        logs.enter(context.ids)
        if not self._tracing.is_on:
            await self._pass(context)
            return
        with self._tracing.request(dict(scope["headers"])) as context.span:
            await self._pass(context)

    async def _pass(self, context: RequestContext) -> None:
        exchange = Exchange(context.scope, context.receive, context.send, context.whole, context.upgrade)
        try:
            parts = _parts(context.scope)
        except UnicodeDecodeError as error:
            detail = f"The address is not UTF-8: {error.reason}. Encode it as UTF-8, then with percent signs."
            await exchange.refuse(RequestError("bad-text", detail))
            return
        found = self._router.find(parts)
        if found is None:
            await self._refuse_unknown(exchange, context, parts)
        else:
            context.route = found[0].path
            await self._answer(exchange, context, *found)

    @staticmethod
    async def _refuse_unknown(exchange: Exchange, context: RequestContext, parts: list[str]) -> None:
        """Answer 404. Addresses below ``/v1`` count for the rate like those that exist: who tries tokens learns nothing
        by guessing."""
        try:
            if parts[1:2] == ["v1"]:
                context.check_token()
                for part in parts:
                    check_unicode(part, "")
            raise problems.not_found(f"There is nothing at {context.scope['path'][:200]}.")
        except RequestError as error:
            if parts[1:2] != ["v1"] and wants_card(exchange):
                await refuse_with_card(exchange, error)
            else:
                await exchange.refuse(error)

    async def _answer(
        self, exchange: Exchange, context: RequestContext, route: Route, path_values: tuple[str, ...]
    ) -> None:
        is_history = route.first.access in (Access.SERVER, Access.STUDIO)
        try:
            if route.rate == "token":
                context.check_token()
            elif route.rate == "address":
                context.check_address()
            for part in path_values:
                check_unicode(part, "")
            guard = self._guards.get(route.first.id)
            if guard is None:
                await self._handle(exchange, route, *path_values)
            else:
                await guard(exchange, route, path_values, self._handle)
        except DialoomError as error:
            if not isinstance(error, RequestError) and not error.is_logged:
                self._failures.warn(f"a request failed: {named(error)}", asyncio.get_running_loop().time())
            meant = problems.of_history if is_history else problems.as_request_error
            await self._refuse(exchange, route, meant(error))
        except asyncio.CancelledError:
            if not self.shutdown.begun.is_set():
                raise
            # The time to stop is over: the server ends what still waits for its turn, which runs again elsewhere or
            # after the start.
            await self._refuse(exchange, route, problems.stopping() if is_history else stopping())
        except Exception:
            # The outermost loop of a request: the trace goes to the log, never to the client.
            log.exception("fault in %s %s", exchange.method, route.path)
            await self._refuse(exchange, route, problems.internal())

    async def _handle(self, exchange: Exchange, route: Route, *arguments: object) -> None:
        row = route.row(exchange.method)
        if exchange.method == "OPTIONS":
            # No page of another origin may ask: no header says otherwise.
            await exchange.answer(204, b"", allow=route.allow)
        else:
            await self.handlers[row.id](exchange, *arguments)

    @staticmethod
    async def _refuse(exchange: Exchange, route: Route, error: RequestError) -> None:
        if exchange.is_started:
            exchange.cut()
        elif route.first.is_opened and wants_card(exchange):
            await refuse_with_card(exchange, error)
        else:
            await exchange.refuse(error)


def _parts(scope: Scope) -> list[str]:
    """Return the parts of the path, each decoded by itself: an id may hold a slash. The server decodes all at once and
    puts U+FFFD where it is not UTF-8. Raise ``UnicodeDecodeError``."""
    raw = scope.get("raw_path")
    if raw is None or b"%" not in raw:
        return str(scope["path"]).split("/")
    return [unquote_to_bytes(part).decode() for part in raw.split(b"/")]
