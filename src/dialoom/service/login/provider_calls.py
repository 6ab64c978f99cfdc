"""Calls a login provider, reads its answer, and names the reasons why a call gives no login. What is called is left to
``openid`` and ``social``, the checks of an answer to ``auth.provider``.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final, TypeVar

import msgspec
from yarl import URL

from dialoom.auth.provider import Wrong
from dialoom.auth.provider.answers import MAX_BYTES
from dialoom.auth.provider.requests import DEADLINE
from dialoom.data.addresses import read_address
from dialoom.data.egress import Egress
from dialoom.data.fetcher import KINDS, Fetcher
from dialoom.engine.effects import Request
from dialoom.engine.events import NoResponse, Response
from dialoom.errors import RemoteError

CALLS: Final = {
    "provider-timeout": "The provider gave no whole answer within 10 s, or all calls of one login took more than 12 s.",
    "provider-refused": "No connection: the provider refused it or cannot be reached.",
    "provider-name": "The name of the provider's host cannot be resolved.",
    "provider-tls": "No trusted connection: the provider's certificate or its TLS is not accepted.",
    "provider-broken": "The connection broke, or what came is not HTTP, is cut short, or is compressed in a way not "
    "asked for.",
    "provider-too-large": "An answer is larger than 1 MiB after decompression.",
    "provider-egress": "An address of the provider may not be reached: it is inside the operator's network and not the "
    "issuer's own host and port, or one that no flow ever reaches.",
    "provider-request": "A call cannot be sent: its address or something in it is not allowed.",
    "provider-secret": "A secret of the provider block is not there.",
    "provider-no-refresh": "The provider gave no refresh token with the login.",
    "provider-no-revocation": "The provider takes no tokens back.",
    "provider-changed": "The version of the bot that the login began with has no such provider block.",
}
"""Code -> what it means. The docs print this table."""


class ProviderFailed(RemoteError):
    """Says why a provider gave no login. ``code`` is a stable word, of ``CALLS`` or of a check; ``what`` is a sentence
    about it, for the operator: log and record may hold it, no page that the user's browser sees. It has no secrets, and
    of the provider's own words nothing but hosts and registered errors."""

    def __init__(self, code: str, what: str, sentence: str) -> None:
        super().__init__(code, f"{what} ({code}): {sentence}")
        self._what = what
        self._sentence = sentence

    def again(self) -> ProviderFailed:
        return ProviderFailed(self.code, self._what, self._sentence)

    @property
    def code(self) -> str:
        return self.kind

    @property
    def is_timeout(self) -> bool:
        return self.kind == "provider-timeout"


def code_of(kind: str) -> str:
    """Return the code for why a call has no answer (``NoResponse.kind``)."""
    code = f"provider-{kind}"
    return code if kind in KINDS and code in CALLS else "provider-broken"


R = TypeVar("R")

MAX_BODY_BYTES: Final = MAX_BYTES
"""Of the fetcher: bytes of an answer, decompressed."""


class Calls:
    """Makes calls to providers. ``fetcher`` limits the size of answers; ``seconds``: of one call."""

    def __init__(self, fetcher: Fetcher, egress: Egress, seconds: float = DEADLINE) -> None:
        self._fetcher = fetcher
        self._egress = egress
        self._seconds = seconds

    async def call(self, what: str, request: Request) -> Response:
        """Return the answer, whatever its status. ``what`` names the call for the operator. Raises
        ``ProviderFailed``."""
        request = msgspec.structs.replace(request, timeout=self._seconds, retries=0)
        answer = await self._fetcher.fetch(request)
        if isinstance(answer, NoResponse):
            raise ProviderFailed(code_of(answer.kind), what, answer.detail)
        return answer

    def check(self, what: str, url: str, *, trusted_host: bool) -> None:
        """Check an address before a browser is sent there; its name is looked up only when it is called. Raises
        ``ProviderFailed``."""
        try:
            target = URL(url, encoded=url.isascii())
            self._egress.check_target(target)
            if read_address(target.raw_host or "") is not None:
                private = self._egress.may_be_private(target, trusted=trusted_host)
                self._egress.check_address(target.raw_host or "", target.port or 0, private=private)
        except ValueError as error:
            raise ProviderFailed("provider-request", what, "An address in it cannot be read.") from error
        except RemoteError as error:
            raise ProviderFailed(code_of(error.kind), what, f"{place(url)}: {error}.") from error


async def read(what: str, reading: Callable[[], R]) -> R:
    """Run ``reading`` on an answer, in a thread: 1 MiB of JSON that was written to be slow must not hold up other
    users. Raises ``ProviderFailed`` for a check that fails."""
    try:
        return await asyncio.to_thread(reading)
    except Wrong as wrong:
        raise failed(what, wrong) from wrong


def failed(what: str, wrong: Wrong) -> ProviderFailed:
    return ProviderFailed(wrong.check.code, what, str(wrong))


def place(url: str) -> str:
    """Return the address without path and query, for messages."""
    try:
        return str(URL(url).origin())[:300]
    except ValueError:
        return "an address that cannot be read"
