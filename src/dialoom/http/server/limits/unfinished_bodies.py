"""Limits the bytes of all request bodies that are not whole together: each alone is small enough, and has minutes to
come.

1,000 connections that each sent 1 MB of a body and then nothing more took 1,049 MB, of which 801 MB stayed with the
process when they had closed. The test of it: ``test_bodies_that_are_not_whole_have_a_budget_together``.
"""

from __future__ import annotations

import logging
from collections.abc import Hashable
from typing import TYPE_CHECKING

from dialoom.errors import RequestError
from dialoom.http.server.limits.client_address import LOG_EVERY_SECONDS, AddressCounts, ClientAddresses
from dialoom.service.observe.logs import ThrottledLog

if TYPE_CHECKING:
    from dialoom.http.server.exchange import Scope

log = logging.getLogger(__name__)

RETRY_SECONDS = 5


class UnfinishedBodies:
    """Counts what connections hold. ``most``: bytes of all of them; one address gets half of it, unless it speaks for
    many, as a proxy does."""

    def __init__(self, clients: ClientAddresses, most: int) -> None:
        self._clients = clients
        self._most = most
        self._held: dict[Hashable, tuple[str | None, int]] = {}
        self._by_address = AddressCounts()
        self._total = 0
        self._log = ThrottledLog(log, LOG_EVERY_SECONDS)

    def hold(self, connection: Hashable, scope: Scope, size: int, now: float) -> RequestError | None:
        """Note how many bytes a connection holds by now. Return the refusal of its request where that is too much; the
        bytes are not counted then."""
        before = self._held.get(connection)
        address = self._clients.single_client(scope) if before is None else before[0]
        self.release(connection)
        if not size:
            return None
        is_full = self._total + size > self._most
        if is_full or (address is not None and self._by_address.get(address, 0) + size > self._most // 2):
            return self._refusal(now, is_full=is_full)
        self._held[connection] = (address, size)
        self._total += size
        if address is not None:
            self._by_address.add(address, size)
        return None

    def release(self, connection: Hashable) -> None:
        """Forget what a connection holds: its bodies are whole, or dropped."""
        address, size = self._held.pop(connection, (None, 0))
        self._total -= size
        if address is not None:
            self._by_address.add(address, -size)

    @property
    def total(self) -> int:
        """Return the bytes that are held."""
        return self._total

    def _refusal(self, now: float, *, is_full: bool) -> RequestError:
        whose = "all clients together" if is_full else "one address"
        self._log.warn(
            f"the bodies of requests that are not whole have reached what {whose} may hold, and one more was refused "
            f"(DIALOOM_UNFINISHED_BODIES)",
            now,
            whose,
        )
        detail = (
            f"Too many large requests {'' if is_full else 'from this address '}are on their way at once. Send this one "
            f"again in {RETRY_SECONDS} s."
        )
        return RequestError("too-many-bodies", detail, headers={"Retry-After": str(RETRY_SECONDS)})
