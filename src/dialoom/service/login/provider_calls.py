"""One call to a provider, and one look at what it answered. What is called is left to ``openid`` and ``social``, what
an answer has to fit to ``auth.provider``.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final, TypeVar

import msgspec
from yarl import URL

from dialoom.auth.provider import Wrong
from dialoom.auth.provider.answers import MAX_BYTES
from dialoom.auth.provider.requests import DEADLINE
from dialoom.data.addresses import read_address
from dialoom.engine.events import NoResponse
from dialoom.errors import RemoteError
from dialoom.service.login.provider_failure import ProviderFailed, code_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from dialoom.data.egress import Egress
    from dialoom.data.fetcher import Fetcher
    from dialoom.engine.effects import Request
    from dialoom.engine.events import Response

R = TypeVar("R")

BODY_LIMIT: Final = MAX_BYTES
"""Of the fetcher: bytes of an answer, decompressed."""


class Calls:
    """``fetcher`` holds the limit on the size of answers. ``seconds``: of one call."""

    def __init__(self, fetcher: Fetcher, egress: Egress, seconds: float = DEADLINE) -> None:
        self._fetcher = fetcher
        self._egress = egress
        self._seconds = seconds

    async def call(self, what: str, request: Request) -> Response:
        """The answer, whatever its status. ``what`` names it for the operator. Raises ``ProviderFailed``."""
        request = msgspec.structs.replace(request, timeout=self._seconds, retries=0)
        answer = await self._fetcher.fetch(request)
        if isinstance(answer, NoResponse):
            raise ProviderFailed(code_of(answer.kind), what, answer.detail)
        return answer

    def check(self, what: str, url: str, *, trusted_host: bool) -> None:
        """Whether an address may be used at all, before anybody is sent there; a name is looked up only when it is
        dialled. Raises ``ProviderFailed``."""
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
    """What ``reading`` makes of an answer. In a thread: 1 MiB of JSON that was written to be slow holds a user for
    that long, and none of the others. Raises ``ProviderFailed`` for a check that fails."""
    try:
        return await asyncio.to_thread(reading)
    except Wrong as wrong:
        raise failed(what, wrong) from wrong


def failed(what: str, wrong: Wrong) -> ProviderFailed:
    return ProviderFailed(wrong.check.code, what, str(wrong))


def place(url: str) -> str:
    """The address for people: without path and query."""
    try:
        return str(URL(url).origin())[:300]
    except ValueError:
        return "an address that cannot be read"
