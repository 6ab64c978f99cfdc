"""Makes the outbound calls of turns: puts in credentials, and limits the time of all calls of a turn together."""

from __future__ import annotations

import asyncio
import base64
import logging
import re
from collections.abc import Coroutine
from typing import Any
from urllib.parse import unquote, urlsplit

import msgspec

from dialoom.data.fetcher import Fetcher
from dialoom.data.identity import Identity
from dialoom.engine.effects import Request
from dialoom.engine.events import NoResponse, Response
from dialoom.errors import SettingError
from dialoom.flow.model import BasicCredential, BearerCredential, Bot, CertificateCredential, Credential
from dialoom.service.bots.bots import Bots

log = logging.getLogger(__name__)

GRACE_SECONDS = 5.0
"""Seconds beyond a call's own time after which it is given up from outside."""
_IGNORED = re.compile(r"[\x00-\x20\x7f]+")
_START = re.compile(r"[^:/?#]+://[^/?#]*")
_DEFAULT_PORTS = {"http": ":80", "https": ":443"}


def is_under(url: str, prefix: str) -> bool:
    """Return whether an address is the prefix's own or stands below it. A prefix ends at a boundary:
    ``https://api.example.evil`` is not below ``https://api.example``, nor is a path that climbs out of it."""
    (start, path), (fixed, below) = _halves(url), _halves(prefix)
    if not urlsplit(prefix).hostname or start != fixed or not path.startswith(below) or climbs(url):
        return False
    return below.endswith("/") or path[len(below) : len(below) + 1] in {"", "/", "?", "#"}


def climbs(url: str) -> bool:
    """Return whether a far end may read a step up out of the address's path, also where a slash of it is encoded, as a
    value's is by ``$encodeURI``."""
    path = re.split(r"[?#]", _halves(url)[1], maxsplit=1)[0]
    # Some servers decode twice, and drop what stands behind a semicolon, blanks or control characters.
    segments = re.split(r"[/\\?#]", unquote(unquote(path)))
    return any(_IGNORED.sub("", segment.partition(";")[0]) in {".", ".."} for segment in segments)


def _halves(url: str) -> tuple[str, str]:
    """Return scheme, host and port in one spelling, and the rest of the address as it is."""
    found = _START.match(url)
    if found is None:
        return url.lower(), ""
    start = found[0].lower()
    scheme = start.partition(":")[0]
    for port in (":", _DEFAULT_PORTS.get(scheme, ":")):
        start = start.removesuffix(port)
    return start, url[found.end() :]


class OutboundCalls:
    def __init__(self, fetcher: Fetcher, bots: Bots, seconds_per_turn: float, grace: float = GRACE_SECONDS) -> None:
        self._fetcher = fetcher
        self._bots = bots
        self._seconds = seconds_per_turn
        self._grace = grace

    def deadline(self) -> float:
        """Return the loop time by which all outbound calls of a turn must be done whose first one is about to begin."""
        return asyncio.get_running_loop().time() + self._seconds

    async def call(self, bot: Bot, request: Request, deadline: float) -> Response | NoResponse:
        left = deadline - asyncio.get_running_loop().time()
        if left <= 0:
            return NoResponse(
                "turn-deadline",
                f"The outside calls of one turn share {self._seconds:g} s, which are used up. Call less in one turn.",
            )
        try:
            credential = self._credential(bot, request)
            secrets = self._secrets(bot.id, request, credential)
            request, identity = self._presented(bot.id, request, credential)
        except SettingError as error:
            return NoResponse("credential", str(error))
        if request.timeout > left:
            request = msgspec.structs.replace(request, timeout=left)
        return await self._in_time(self._fetcher.fetch(request, secrets=secrets, identity=identity), request.timeout)

    async def _in_time(
        self, fetch: Coroutine[Any, Any, Response | NoResponse], seconds: float
    ) -> Response | NoResponse:
        """Make a call and wait at most a little longer than its own time. The fetcher keeps that time by cancelling
        what it waits for; a library that swallowed the cancellation would hold up the chat until the next start."""
        call = asyncio.ensure_future(fetch)
        try:
            # Two waits: after a stall of the whole machine the call has its grace all the same.
            for pause in (seconds, self._grace):
                done, _ = await asyncio.wait({call}, timeout=pause)
                if done:
                    break
        finally:
            call.cancel()
        if not done:
            log.error("an outside call did not end in its time and is left behind. Please report this")
            return NoResponse("timeout", f"No whole answer within {seconds:g} s.")
        return call.result()

    def _secrets(self, bot: str, request: Request, credential: Credential | None) -> dict[str, str]:
        """Return the values of the variables of secret headers. Raises ``SettingError`` where no secret may go."""
        named = credential is not None or bool(request.secret_headers)
        prefix = credential.url_prefix if credential is not None else None
        if named and not request.trusted_host and not (prefix and is_under(request.url, prefix)):
            raise SettingError(
                "A secret goes only to a host that stands literally in the endpoint, or under its credential's "
                "url-prefix. Write the host out, or give the credential a url-prefix."
            )
        if named and climbs(request.url):
            raise SettingError(
                'A secret goes to no address whose path has a step up (".."), encoded or not: a far end may read it as '
                "another path. Keep such values out of the endpoint's path, or send them in its query."
            )
        return {variable: self._bots.variable(bot, variable) for _, variable in request.secret_headers}

    def _presented(self, bot: str, request: Request, credential: Credential | None) -> tuple[Request, Identity | None]:
        """Return the request with its credential in it, or the certificate that its connection shows."""
        if credential is None:
            return request, None
        if isinstance(credential, CertificateCredential):
            return request, Identity(
                self._bots.secret(bot, credential.certificate), self._bots.secret(bot, credential.key)
            )
        names = {name.lower() for name, _ in (*request.headers, *request.secret_headers)}
        if "authorization" in names:
            return request, None  # the flow's own wins
        header = ("Authorization", self._authorization(bot, credential))
        return msgspec.structs.replace(request, headers=(*request.headers, header)), None

    def _credential(self, bot: Bot, request: Request) -> Credential | None:
        """Return the credential that is named, else the one with the longest ``url-prefix`` above the address."""
        credentials = bot.file.credentials
        if request.credential is not None:
            if request.credential not in credentials:
                raise SettingError(f'bot.json has no credential "{request.credential}". Add it, or name another.')
            return credentials[request.credential]
        if not request.trusted_host:
            return None
        fitting = [one for one in credentials.values() if one.url_prefix and is_under(request.url, one.url_prefix)]
        return max(fitting, key=lambda one: len(one.url_prefix or ""), default=None)

    def _authorization(self, bot: str, credential: BasicCredential | BearerCredential) -> str:
        if isinstance(credential, BearerCredential):
            return "Bearer " + self._bots.secret(bot, credential.token)
        pair = f"{self._bots.secret(bot, credential.username)}:{self._bots.secret(bot, credential.password)}"
        return "Basic " + base64.b64encode(pair.encode()).decode()
