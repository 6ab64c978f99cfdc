"""Sends a call that was found right, with aiohttp: loaded at the first call of a process, for a start needs none of it.

Addresses are judged as they are dialled, by what ``egress`` says of each. Tries, times and secrets are ``fetcher``'s.
"""

from __future__ import annotations

import asyncio
import functools
import socket
import ssl
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Final

import aiohttp
from aiohttp.abc import AbstractResolver, ResolveResult
from multidict import CIMultiDict
from yarl import URL

from dialoom.data.egress import Egress
from dialoom.engine.effects import Request
from dialoom.engine.events import Response
from dialoom.errors import RemoteError

THREADS: Final = 32
"""A name server that hangs keeps a thread for 10 s and more. The event loop has 4 to 6 of its own, for everything."""


class Refused(OSError):
    """The guard's no at the moment of dialling. An ``OSError``, so that the next address of the host is tried."""

    # No system's error number: when several addresses fail alike, aiohttp keeps only the number that they share.
    NUMBER: Final = 70_001

    def __init__(self, reason: str) -> None:
        super().__init__(self.NUMBER, reason)


class Client:
    """Connections to the far ends, kept open between calls. For one event loop."""

    def __init__(
        self,
        egress: Egress,
        resolver: AbstractResolver | None,
        sockets: Callable[[aiohttp.AddrInfoType], socket.socket] | None,
    ) -> None:
        """Keep what connections are made with. ``resolver``: how names become addresses; None: as the system does it.
        ``sockets`` makes the sockets to dial with."""
        self._egress = egress
        self._resolver = resolver or SystemNames()
        self._sockets = sockets or _socket
        # One pool for calls that may go to private addresses and one for those that may not: a pooled connection is
        # found by host and port alone, so a call that may not would else ride on one that another call opened.
        self._sessions: dict[bool, aiohttp.ClientSession] = {}

    async def send(
        self,
        request: Request,
        url: URL,
        headers: CIMultiDict[str],
        *,
        tls: ssl.SSLContext | bool,
        private: bool,
        max_bytes: int,
    ) -> Response:
        """Send a request once. ``private``: it may go to private addresses. ``max_bytes``: of the answer's body,
        decompressed. Raises ``RemoteError``."""
        session = self._sessions.get(private)
        if session is None:
            session = self._sessions[private] = self._open(private)
        try:
            async with session.request(
                request.method,
                url,
                data=request.body,
                headers=headers,
                ssl=tls,
                skip_auto_headers=("Content-Type",),
                allow_redirects=False,
            ) as answer:
                # A body that is left unread closes its connection, unless it came whole with the head.
                is_read = request.method != "HEAD" and not request.ignores_body
                body = await _read_body(answer, max_bytes) if is_read else b""
                return Response(
                    status=answer.status, reason=answer.reason or "", headers=_lists(answer.headers), body=body
                )
        except aiohttp.ClientConnectorDNSError as error:
            raise RemoteError("name", "the host's name cannot be resolved. Look whether it is spelled right") from error
        except (aiohttp.ClientConnectorCertificateError, aiohttp.ClientSSLError) as error:
            raise RemoteError("tls", "the far end's certificate or TLS is not accepted") from error
        except aiohttp.ClientConnectorError as error:
            if error.os_error.errno == Refused.NUMBER:
                raise RemoteError("egress", error.os_error.strerror or "the address may not be reached") from error
            raise RemoteError("refused", "no connection, the far end refuses it or cannot be reached") from error
        except aiohttp.ClientPayloadError as error:
            raise RemoteError("broken", "the answer was cut short or cannot be decompressed") from error
        except aiohttp.InvalidURL as error:
            raise RemoteError("request", "the address cannot be read") from error
        except aiohttp.ClientResponseError as error:
            raise RemoteError("broken", "what came is not HTTP, or its headers are too large") from error
        except aiohttp.ClientError as error:
            raise RemoteError("broken", "the connection broke") from error

    async def close(self) -> None:
        for session in self._sessions.values():
            await session.close()
        if isinstance(self._resolver, SystemNames):
            await self._resolver.close()

    def _open(self, private: bool) -> aiohttp.ClientSession:
        def dial(info: aiohttp.AddrInfoType) -> socket.socket:
            address = info[4]
            try:
                self._egress.check_address(str(address[0]), int(address[1]), private=private)
            except RemoteError as error:
                raise Refused(str(error)) from error
            return self._sockets(info)

        return aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(
                resolver=self._resolver,
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
    """Send a request once: aiohttp sends idempotent ones again by itself; how often a call is tried is the flow
    language's matter."""
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


async def _read_body(answer: aiohttp.ClientResponse, most: int) -> bytes:
    """Return the decompressed body. aiohttp decompresses in pieces of bounded size, so that the count is in time."""
    body = bytearray()
    async for piece in answer.content.iter_any():
        body += piece
        if len(body) > most:
            answer.close()
            size = f"{most / 1024 / 1024:g} MiB"
            raise RemoteError("too-large", f"the body is larger than {size}. Ask for less, for example page by page")
    return bytes(body)


def _lists(headers: Mapping[str, str]) -> dict[str, list[str]]:
    lists: dict[str, list[str]] = {}
    for name, value in headers.items():
        lists.setdefault(name.lower(), []).append(value)
    return lists


class SystemNames(AbstractResolver):
    """Resolves names of hosts as the system does, in threads of its own."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="names")

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        ask = functools.partial(socket.getaddrinfo, host, port, family, socket.SOCK_STREAM, 0, socket.AI_ADDRCONFIG)
        try:
            answers = await asyncio.get_running_loop().run_in_executor(self._threads, ask)
        except UnicodeError as error:
            # A label that is empty or longer than 63 characters.
            raise OSError(None, "no name of a host") from error
        return [
            ResolveResult(
                hostname=host,
                host=str(address[0]),
                port=int(address[1]),
                family=family,
                proto=protocol,
                flags=socket.AI_NUMERICHOST | socket.AI_NUMERICSERV,
            )
            for family, _, protocol, _, address in answers
        ]

    async def close(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)
