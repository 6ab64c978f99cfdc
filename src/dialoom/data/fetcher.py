"""The one way out for calls of flows: guarded, bounded in time and size. Which calls, and what becomes of an answer,
is left to the engine; secrets come with the call.

A call never raises for what the far end or the flow does: it answers with ``Response`` or ``NoResponse``.
"""

from __future__ import annotations

import asyncio
import re
import socket
import ssl
from math import inf
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

import aiohttp
from yarl import URL

from dialoom.data.headers import outgoing_headers
from dialoom.data.identity import Identities, Identity
from dialoom.data.names import SystemNames
from dialoom.engine.events import NoResponse, Response
from dialoom.errors import RemoteError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from aiohttp.abc import AbstractResolver
    from multidict import CIMultiDict

    from dialoom.data.egress import Egress
    from dialoom.engine.effects import Request

KINDS: Final = {
    "timeout": "No whole answer came within the time limit of the call, all tries included.",
    "refused": "No connection: the far end refused it or cannot be reached.",
    "name": "The host's name cannot be resolved.",
    "tls": "No trusted connection: the far end's certificate or its TLS is not accepted.",
    "broken": "The connection broke, or what came is not HTTP, is cut short, or is compressed in a way not asked for.",
    "too-large": "The body is larger than 2 MiB after decompression.",
    "egress": "The address may not be reached by a flow.",
    "request": "The request cannot be sent as the flow wrote it: its address or one of its headers is not allowed.",
    "credential": "A secret or credential that the call needs is not there or may not be used.",
    "turn-deadline": "The outside calls of one turn have used up the time that they share.",
    "status": "Dynamic data only: the list came with a status outside 200 to 299.",
    "list": "Dynamic data only: what came is no list, is too long, or no value can be made of any element.",
    "login": "Not of a call: an expired login could not be renewed, so that its user is asked to log in.",
    "no-mock": "In a conversation test: no mock answers this call.",
}

RETRIED: Final = frozenset({"refused", "name", "broken"})
"""The connection errors of flow-language.md section 7. A refusal of ours or a certificate does not mend itself."""


BODY_LIMIT: Final = 2 * 1024 * 1024
RETRIED_STATUSES: Final = frozenset({502, 503, 504})
PAUSES: Final = (0.2, 0.8)
"""Seconds before the first and every further retry."""

NO_SECRETS: Final[Mapping[str, str]] = MappingProxyType({})

_UNSENDABLE = re.compile(r"[\x00-\x20\x7f\\\ud800-\udfff]")


class Fetcher(Protocol):
    async def fetch(
        self, request: Request, *, secrets: Mapping[str, str] = NO_SECRETS, identity: Identity | None = None
    ) -> Response | NoResponse:
        """``identity``: the certificate that the connection presents itself with."""

    async def close(self) -> None: ...


class Refused(OSError):
    """The guard's no at the moment of dialling. An ``OSError``, so that the next address of the host is tried."""

    # No system's error number: when several addresses fail alike, aiohttp keeps only the number that they share.
    NUMBER: Final = 70_001

    def __init__(self, reason: str) -> None:
        super().__init__(self.NUMBER, reason)


class _Call(NamedTuple):
    """A request that was found right."""

    request: Request
    url: URL
    headers: CIMultiDict[str]
    tls: ssl.SSLContext | bool
    until: float
    """When its time is up (loop time)."""
    most: int
    """Bytes of the answer's body."""

    def left(self) -> float:
        return self.until - asyncio.get_running_loop().time()


class HttpFetcher:
    """For one event loop. ``resolver``: how names become addresses, the system's way when absent. ``authorities``: PEM
    of certificates that are trusted besides those of the machine. ``sockets`` makes those that are dialled with.
    ``body_limit``: bytes of an answer's body, decompressed."""

    def __init__(
        self,
        egress: Egress,
        *,
        resolver: AbstractResolver | None = None,
        pauses: tuple[float, ...] = PAUSES,
        authorities: str | None = None,
        sockets: Callable[[aiohttp.AddrInfoType], socket.socket] | None = None,
        body_limit: int = BODY_LIMIT,
    ) -> None:
        self._egress = egress
        self._sockets = sockets or _socket
        self._identities = Identities(authorities)
        self._resolver = resolver
        self._names: SystemNames | None = None
        self._pauses = pauses
        self._body_limit = body_limit
        # One pool for calls that may go to private addresses and one for those that may not: a pooled connection is
        # found by host and port alone, so a call that may not would else ride on one that another call opened.
        self._sessions: dict[bool, aiohttp.ClientSession] = {}

    async def fetch(
        self, request: Request, *, secrets: Mapping[str, str] = NO_SECRETS, identity: Identity | None = None
    ) -> Response | NoResponse:
        try:
            async with asyncio.timeout(request.timeout) as limit:
                url = _read_url(request.url)
                self._egress.check_target(url)
                headers = outgoing_headers(request, secrets)
                tls = await self._tls(url, identity)
                until = limit.when() or inf
                return await self._with_retries(_Call(request, url, headers, tls, until, self._body_limit))
        except RemoteError as error:
            return NoResponse(error.kind, f"{_named(request)}: {error}.")
        except TimeoutError:
            return NoResponse("timeout", f"{_named(request)}: no whole answer within {request.timeout:g} s.")

    async def close(self) -> None:
        sessions, self._sessions = self._sessions, {}
        for session in sessions.values():
            await session.close()
        names, self._names = self._names, None
        if names is not None:
            await names.close()

    async def _tls(self, url: URL, identity: Identity | None) -> ssl.SSLContext | bool:
        if identity is not None and url.scheme != "https":
            raise RemoteError("credential", "a client certificate goes to https addresses only")
        known = self._identities.known(identity)
        return known if known is not None else await asyncio.to_thread(self._identities.context, identity)

    async def _with_retries(self, call: _Call) -> Response:
        request = call.request
        private = self._egress.may_be_private(call.url, trusted=request.trusted_host)
        session = self._session(private)
        tries = 0
        while True:
            pause = self._pauses[min(tries, len(self._pauses) - 1)]
            try:
                response = await _once(session, call)
            except RemoteError as error:
                if tries >= request.retries or error.kind not in RETRIED or call.left() <= pause:
                    raise
            else:
                pause = max(pause, _retry_after(response))
                passing = request.retries_statuses and response.status in RETRIED_STATUSES
                # What is known is worth more than running out of time.
                if tries >= request.retries or not passing or call.left() <= pause:
                    return response
            await asyncio.sleep(pause)
            tries += 1

    def _session(self, private: bool) -> aiohttp.ClientSession:
        session = self._sessions.get(private)
        if session is None:
            session = self._sessions[private] = self._open(private)
        return session

    def _open(self, private: bool) -> aiohttp.ClientSession:
        if self._resolver is None and self._names is None:
            self._names = SystemNames()

        def dial(info: aiohttp.AddrInfoType) -> socket.socket:
            address = info[4]
            try:
                self._egress.check_address(str(address[0]), int(address[1]), private=private)
            except RemoteError as error:
                raise Refused(str(error)) from error
            return self._sockets(info)

        return aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(
                resolver=self._resolver or self._names,
                socket_factory=dial,
                limit=1000,
                limit_per_host=100,  # a host that hangs keeps no other host's calls waiting
                # Below the 5 s after which common servers close an idle connection, so that a POST seldom meets one
                # that is just going away: it would fail, since a POST is not sent twice.
                keepalive_timeout=4,
            ),
            cookie_jar=aiohttp.DummyCookieJar(),
            timeout=aiohttp.ClientTimeout(total=None, sock_connect=None),
            trust_env=False,
            max_line_size=16_384,
            max_field_size=16_384,
            middlewares=(_sent_once,),
        )


def _socket(info: aiohttp.AddrInfoType) -> socket.socket:
    return socket.socket(*info[:3])


async def _sent_once(request: aiohttp.ClientRequest, send: aiohttp.ClientHandlerType) -> aiohttp.ClientResponse:
    """aiohttp sends idempotent requests again by itself; how often a call is tried is the flow language's matter."""
    try:
        return await send(request)
    except aiohttp.ClientConnectorError:
        raise
    except (aiohttp.ClientOSError, aiohttp.ServerDisconnectedError) as error:
        # With TLS 1.3 a far end that misses a client certificate, or refuses it, says so after the handshake, and
        # asyncio keeps its word to itself.
        is_tls = request.url.scheme == "https"
        hint = ". A far end that wants another client certificate breaks off so" if is_tls else ""
        raise RemoteError("broken", f"the connection broke before an answer came{hint}") from error


async def _once(session: aiohttp.ClientSession, call: _Call) -> Response:
    request = call.request
    try:
        async with session.request(
            request.method,
            call.url,
            data=request.body,
            headers=call.headers,
            ssl=call.tls,
            skip_auto_headers=("Content-Type",),
            allow_redirects=False,
        ) as answer:
            # A body that is left unread closes its connection, unless it came whole with the head.
            is_read = request.method != "HEAD" and not request.ignores_body
            body = await _read_body(answer, call.most) if is_read else b""
            return Response(status=answer.status, reason=answer.reason or "", headers=_lists(answer.headers), body=body)
    except aiohttp.ClientConnectorDNSError as error:
        raise RemoteError("name", "the host's name cannot be resolved. Look whether it is spelled right") from error
    except (aiohttp.ClientConnectorCertificateError, aiohttp.ClientSSLError) as error:
        raise RemoteError("tls", "the far end's certificate or TLS is not accepted") from error
    except aiohttp.ClientConnectorError as error:
        if error.os_error.errno == Refused.NUMBER:
            raise RemoteError("egress", error.os_error.strerror or KINDS["egress"]) from error
        raise RemoteError("refused", "no connection, the far end refuses it or cannot be reached") from error
    except aiohttp.ClientPayloadError as error:
        raise RemoteError("broken", "the answer was cut short or cannot be decompressed") from error
    except aiohttp.InvalidURL as error:
        raise RemoteError("request", "the address cannot be read") from error
    except aiohttp.ClientResponseError as error:
        raise RemoteError("broken", "what came is not HTTP, or its headers are too large") from error
    except aiohttp.ClientError as error:
        raise RemoteError("broken", "the connection broke") from error


async def _read_body(answer: aiohttp.ClientResponse, most: int) -> bytes:
    """The decompressed body. aiohttp decompresses in pieces of bounded size, so that the count is in time."""
    body = bytearray()
    async for piece in answer.content.iter_any():
        body += piece
        if len(body) > most:
            answer.close()
            size = f"{most / 1024 / 1024:g} MiB"
            raise RemoteError("too-large", f"the body is larger than {size}. Ask for less, for example page by page")
    return bytes(body)


def _retry_after(response: Response) -> float:
    """Seconds that the far end asks to wait; a date counts as nothing, since clocks differ."""
    (text, *_) = response.headers.get("retry-after") or [""]
    return float(text) if text.isascii() and text.isdigit() and len(text) < 6 else 0.0


def _lists(headers: Mapping[str, str]) -> dict[str, list[str]]:
    lists: dict[str, list[str]] = {}
    for name, value in headers.items():
        lists.setdefault(name.lower(), []).append(value)
    return lists


def _read_url(text: str) -> URL:
    if _UNSENDABLE.search(text):
        raise RemoteError("request", "the address has a space, a backslash or a control character")
    try:
        # Sent as it is: yarl would else decode what the flow encoded on purpose.
        url = URL(text, encoded=text.isascii())
        host = url.raw_host
    except ValueError as error:
        raise RemoteError("request", "the address cannot be read") from error
    if host and not host.isascii():
        raise RemoteError("request", "the host's name cannot be written in ASCII")
    return url


def _named(request: Request) -> str:
    """The call for people: no user info, path or query, where values of memory may stand. The step is named beside."""
    try:
        url = URL(request.url)
        place = f"{url.scheme}://{url.raw_authority.rpartition('@')[2]}"
    except ValueError:
        place = "an address that cannot be read"
    return f"{request.method} {place[:300]}"
