"""Adds to each request the headers of every answer, its rate, and what is counted, logged and traced of it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import MutableMapping
from time import perf_counter
from typing import TYPE_CHECKING, Any

from opentelemetry.trace import INVALID_SPAN, Span

from dialoom.errors import RequestError
from dialoom.http.server.exchange import UPGRADE, WHOLE
from dialoom.http.server.limits.rates import Rates
from dialoom.http.server.request_id import REQUEST_ID, request_id
from dialoom.http.server.web_socket import WebSocket, no_web_socket
from dialoom.service.observe.metrics import Metrics
from dialoom.service.observe.tracing import failed

if TYPE_CHECKING:
    from dialoom.http.server.exchange import Headers, Receive, Scope, Send

log = logging.getLogger(__name__)

_SECURITY_HEADERS = [
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=(self)"),
]
"""Of every answer, unless it has its own."""
_SECURITY_NAMES = frozenset(name for name, _ in _SECURITY_HEADERS)
_SECURITY_LINES = b"".join(b"%b: %b\r\n" % header for header in _SECURITY_HEADERS)
_LEAVING = (b"connection", b"close")
SWITCHING_PROTOCOLS = 101
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
OTHER = "other"
"""The route of what has none, so that nobody makes labels by asking for addresses."""


class Shutdown:
    """Tells endpoints how far the end of the service is. The server writes it."""

    def __init__(self) -> None:
        self.is_announced = False
        """The service was told to stop and still serves: new work should go elsewhere."""
        self.begun = asyncio.Event()
        """Set when the listeners close: open streams end, so that the server can."""


class RequestPolicy:
    """Holds what is the same for every request of a service. ``logs_requests``: write a line into the log for each."""

    def __init__(self, shutdown: Shutdown, rates: Rates, metrics: Metrics, *, logs_requests: bool) -> None:
        self.shutdown = shutdown
        self.rates = rates
        self.metrics = metrics
        self.logs_requests = logs_requests


class RequestContext:
    """Follows one request and its answer's status. ``route``: the template of its address, never the address itself."""

    __slots__ = ("_began", "_id", "_is_known", "_policy", "_send", "_token", "receive", "route", "scope", "span")

    def __init__(self, scope: Scope, receive: Receive, send: Send, policy: RequestPolicy) -> None:
        self.scope = scope
        self.receive = receive
        self.route = ""
        self.span: Span = INVALID_SPAN
        self._send = send
        self._policy = policy
        self._began = perf_counter()
        self._token: str | None = None
        self._is_known = False
        self._id = b""

    @property
    def id(self) -> bytes:
        """Return the request's id, which is made when it is first asked for."""
        if not self._id:
            self._id = request_id(self.scope["headers"])
        return self._id

    def ids(self) -> dict[str, str]:
        """Return what names the request in log lines."""
        return {"request": self.id.decode("ascii")}

    def check_address(self) -> None:
        """Count the request for its address. Raise ``RequestError`` 429."""
        self._policy.rates.address(self.scope)

    def check_token(self) -> None:
        """Count the request for its token, or for its address when it has none. Raise ``RequestError`` 429."""
        given = [value for name, value in self.scope["headers"] if name == b"authorization"]
        if len(given) == 1:
            # Read as the handlers read it: else one live token would have as many rates as there are ways to write it.
            token = given[0].decode("latin-1").partition(" ")[2].strip()
            self._is_known = self._policy.rates.token(self.scope, token)
            self._token = token
            return
        self._policy.rates.address(self.scope)
        if given:
            # Which of them counts is nobody's guess (RFC 9110 section 5.3: it is no list).
            raise RequestError("bad-request", "The header Authorization stands twice. Send it once.")

    async def send(self, event: MutableMapping[str, Any]) -> None:
        """Send an ASGI event; note the status with the beginning of the answer."""
        if event["type"] == "http.response.start":
            headers = list(event.get("headers", ()))
            own = {name.lower() for name, _ in headers}
            headers += [header for header in _SECURITY_HEADERS if header[0] not in own]
            headers += self._own_headers(event["status"])
            if self._policy.shutdown.is_announced:
                headers.append(_LEAVING)
            event["headers"] = headers
            self._note(event["status"])
        await self._send(event)

    def whole(self, status: int, headers: Headers, body: bytes) -> bool:
        """Send an answer in one piece; return False, and send nothing, where the server cannot."""
        give = self.scope.get("extensions", {}).get(WHOLE)
        if give is None or self._policy.shutdown.is_announced:
            return False
        if not _SECURITY_NAMES.isdisjoint([name.lower() for name, _ in headers]):
            return False
        lines = [b"%b: %b\r\n" % header for header in self._own_headers(status)]
        if not give(status, headers, _SECURITY_LINES + b"".join(lines), body):
            return False
        self._note(status)
        return True

    def upgrade(self) -> WebSocket:
        """Make a WebSocket of the connection. Raise ``RequestError`` 400 where the request does not ask for one."""
        make = self.scope.get("extensions", {}).get(UPGRADE)
        if make is None:
            raise no_web_socket()
        socket: WebSocket = make(b"%b: %b\r\n" % (REQUEST_ID, self.id))
        self._note(SWITCHING_PROTOCOLS)
        return socket

    def _own_headers(self, status: int) -> Headers:
        """Return the headers of this answer alone: the request's id, and what is left of the rate that it counted
        for."""
        if self._token is not None:
            self._policy.rates.settle(self.scope, self._token, status, is_known=self._is_known)
            self._token = None
        return [(REQUEST_ID, self.id), *self._policy.rates.headers(self.scope)]

    def _note(self, status: int) -> None:
        policy, method = self._policy, self.scope["method"]
        if method not in _METHODS:
            method = OTHER
        route = self.route or OTHER
        seconds = perf_counter() - self._began
        policy.metrics.requests.note(seconds, method, route, str(status))
        if policy.logs_requests:
            log.info("%s %s %d %.1f ms", method, route, status, seconds * 1000)
        if self.span is not INVALID_SPAN:
            self._name_span(method, route, status)

    def _name_span(self, method: str, route: str, status: int) -> None:
        self.span.update_name(f"{method} {route}")
        self.span.set_attributes(
            {"http.request.method": method, "http.route": route, "http.response.status_code": status}
        )
        if status >= 500:
            failed(self.span, str(status))
