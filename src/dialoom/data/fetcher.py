"""The one way out for calls of flows: guarded, bounded in time and size. Which calls, and what becomes of an answer,
is left to the engine; secrets come with the call.

A call never raises for what the far end or the flow does: it answers with ``Response`` or ``NoResponse``.
"""

from __future__ import annotations

import asyncio
import re
import socket
import ssl
from collections.abc import Awaitable, Callable, Mapping
from math import inf
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Protocol

from yarl import URL

from dialoom.data.headers import outgoing_headers
from dialoom.data.identity import Identities, Identity
from dialoom.engine.effects import Request
from dialoom.engine.events import NoResponse, Response
from dialoom.errors import RemoteError

if TYPE_CHECKING:
    from aiohttp import AddrInfoType
    from aiohttp.abc import AbstractResolver

    from dialoom.data.egress import Egress
    from dialoom.data.http_client import Client

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
    "not-made": "In a try-out: the turn stops before this call, which nobody has allowed.",
    "unknown": "In a try-out: the call was sent once, and what came of it is not known.",
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
        """Send a request and return what came of it. ``identity``: the certificate that the connection presents itself
        with."""

    async def close(self) -> None: ...


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
        sockets: Callable[[AddrInfoType], socket.socket] | None = None,
        body_limit: int = BODY_LIMIT,
    ) -> None:
        self._egress = egress
        self._resolver = resolver
        self._sockets = sockets
        self._identities = Identities(authorities)
        self._client: Client | None = None
        self._pauses = pauses
        self._body_limit = body_limit

    async def fetch(
        self, request: Request, *, secrets: Mapping[str, str] = NO_SECRETS, identity: Identity | None = None
    ) -> Response | NoResponse:
        try:
            async with asyncio.timeout(request.timeout) as limit:
                url = _read_url(request.url)
                self._egress.check_target(url)
                headers = outgoing_headers(request, secrets)
                tls = await self._tls(url, identity)
                client = await self._loaded()
                private = self._egress.may_be_private(url, trusted=request.trusted_host)

                def send() -> Awaitable[Response]:
                    return client.send(request, url, headers, tls=tls, private=private, max_bytes=self._body_limit)

                return await self._with_retries(request, send, limit.when() or inf)
        except RemoteError as error:
            return NoResponse(error.kind, f"{_named(request)}: {error}.")
        except TimeoutError:
            return NoResponse("timeout", f"{_named(request)}: no whole answer within {request.timeout:g} s.")

    async def close(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            await client.close()

    async def _tls(self, url: URL, identity: Identity | None) -> ssl.SSLContext | bool:
        if identity is not None and url.scheme != "https":
            raise RemoteError("credential", "a client certificate goes to https addresses only")
        known = self._identities.known(identity)
        return known if known is not None else await asyncio.to_thread(self._identities.context, identity)

    async def _loaded(self) -> Client:
        if self._client is None:
            made = await asyncio.to_thread(_client_class)
            # Of two first calls at once the second takes the client of the first.
            self._client = self._client or made(self._egress, self._resolver, self._sockets)
        return self._client

    async def _with_retries(self, request: Request, send: Callable[[], Awaitable[Response]], until: float) -> Response:
        """Send until an answer comes, or no try or time is left. ``until``: when the call's time is up (loop time)."""
        now = asyncio.get_running_loop().time
        tries = 0
        while True:
            pause = self._pauses[min(tries, len(self._pauses) - 1)]
            try:
                response = await send()
            except RemoteError as error:
                if tries >= request.retries or error.kind not in RETRIED or until - now() <= pause:
                    raise
            else:
                pause = max(pause, _retry_after(response))
                passing = request.retries_statuses and response.status in RETRIED_STATUSES
                # What is known is worth more than running out of time.
                if tries >= request.retries or not passing or until - now() <= pause:
                    return response
            await asyncio.sleep(pause)
            tries += 1


def _client_class() -> type[Client]:
    """Load the HTTP client: 80 ms and 10 MB, which a service whose bots call nobody does without."""
    from dialoom.data.http_client import Client

    return Client


def _retry_after(response: Response) -> float:
    """Return seconds that the far end asks to wait; a date counts as nothing, since clocks differ."""
    (text, *_) = response.headers.get("retry-after") or [""]
    return float(text) if text.isascii() and text.isdigit() and len(text) < 6 else 0.0


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
    """Return a call as people may read it: without user info, path and query, where values of memory may stand."""
    try:
        url = URL(request.url)
        origin = f"{url.scheme}://{url.raw_authority.rpartition('@')[2]}"
    except ValueError:
        origin = "an address that cannot be read"
    return f"{request.method} {origin[:300]}"
