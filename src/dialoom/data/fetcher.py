"""The one way out for calls of flows: guarded, bounded in time and size. Which calls, and what becomes of an answer,
is left to the engine; secrets come with the call.

A call never raises for what the far end or the flow does: it answers with ``Response`` or ``NoResponse``.
"""

from __future__ import annotations

import asyncio
import re
import socket
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Protocol

import aiohttp
from yarl import URL

from dialoom.data.failures import KINDS, RETRIED
from dialoom.data.headers import outgoing_headers
from dialoom.data.names import SystemNames
from dialoom.engine.events import NoResponse, Response
from dialoom.errors import RemoteError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from aiohttp.abc import AbstractResolver
    from multidict import CIMultiDict

    from dialoom.data.egress import Egress
    from dialoom.engine.effects import Request

BODY_LIMIT: Final = 2 * 1024 * 1024
RETRIED_STATUSES: Final = frozenset({502, 503, 504})
PAUSES: Final = (0.2, 0.8)
"""Seconds before the first and every further retry."""

NO_SECRETS: Final[Mapping[str, str]] = MappingProxyType({})

_UNSENDABLE = re.compile(r"[\x00-\x20\x7f\\\ud800-\udfff]")


class Fetcher(Protocol):
    async def fetch(self, request: Request, *, secrets: Mapping[str, str] = NO_SECRETS) -> Response | NoResponse: ...

    async def close(self) -> None: ...


class Refused(OSError):
    """The guard's no at the moment of dialling. An ``OSError``, so that the next address of the host is tried."""

    # No system's error number: when several addresses fail alike, aiohttp keeps only the number that they share.
    NUMBER: Final = 70_001

    def __init__(self, reason: str) -> None:
        super().__init__(self.NUMBER, reason)


class HttpFetcher:
    """For one event loop. ``resolver``: how names become addresses, the system's way when absent."""

    def __init__(
        self, egress: Egress, *, resolver: AbstractResolver | None = None, pauses: tuple[float, ...] = PAUSES
    ) -> None:
        self._egress = egress
        self._resolver = resolver
        self._names: SystemNames | None = None
        self._pauses = pauses
        # One pool for calls that may go to private addresses and one for those that may not: a pooled connection is
        # found by host and port alone, so a call that may not would else ride on one that another call opened.
        self._sessions: dict[bool, aiohttp.ClientSession] = {}

    async def fetch(self, request: Request, *, secrets: Mapping[str, str] = NO_SECRETS) -> Response | NoResponse:
        try:
            async with asyncio.timeout(request.timeout):
                url = _read_url(request.url)
                self._egress.check_target(url)
                headers = outgoing_headers(request, secrets)
                return await self._with_retries(request, url, headers)
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

    async def _with_retries(self, request: Request, url: URL, headers: CIMultiDict[str]) -> Response:
        private = self._egress.may_be_private(url, trusted=request.trusted_host)
        session = self._session(private)
        tries = 0
        while True:
            try:
                response = await _once(session, request, url, headers)
            except RemoteError as error:
                if tries >= request.retries or error.kind not in RETRIED:
                    raise
            else:
                passing = request.retries_statuses and response.status in RETRIED_STATUSES
                if tries >= request.retries or not passing:
                    return response
            await asyncio.sleep(self._pauses[min(tries, len(self._pauses) - 1)])
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
            family, kind, protocol, _, address = info
            try:
                self._egress.check_address(str(address[0]), int(address[1]), private=private)
            except RemoteError as error:
                raise Refused(str(error)) from error
            return socket.socket(family, kind, protocol)

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


async def _sent_once(request: aiohttp.ClientRequest, send: aiohttp.ClientHandlerType) -> aiohttp.ClientResponse:
    """aiohttp sends idempotent requests again by itself; how often a call is tried is the flow language's matter."""
    try:
        return await send(request)
    except aiohttp.ClientConnectorError:
        raise
    except (aiohttp.ClientOSError, aiohttp.ServerDisconnectedError) as error:
        raise RemoteError("broken", "the connection broke before an answer came") from error


async def _once(session: aiohttp.ClientSession, request: Request, url: URL, headers: CIMultiDict[str]) -> Response:
    try:
        async with session.request(
            request.method,
            url,
            data=request.body,
            headers=headers,
            skip_auto_headers=("Content-Type",),
            allow_redirects=False,
        ) as answer:
            body = b"" if request.method == "HEAD" else await _read_body(answer)
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


async def _read_body(answer: aiohttp.ClientResponse) -> bytes:
    """The decompressed body. aiohttp decompresses in pieces of bounded size, so that the count is in time."""
    body = bytearray()
    async for piece in answer.content.iter_any():
        body += piece
        if len(body) > BODY_LIMIT:
            answer.close()
            raise RemoteError("too-large", "the body is larger than 2 MiB. Ask for less, for example page by page")
    return bytes(body)


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
