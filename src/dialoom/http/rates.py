"""Who asks too much: rates per token, per chat user and per address, held in the memory of this process.

A request with a live token is held to its token's rate and never to its address's: a company's back end speaks for all
its users from one address. Every other request counts for its address, one with a token that is refused as well.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from dialoom.errors import RequestError
from dialoom.http.address import Clients, networks
from dialoom.service.rate import Limiter, read_rate

if TYPE_CHECKING:
    from dialoom.http.exchange import Scope
    from dialoom.service.metrics import Metrics
    from dialoom.service.settings import Settings
    from dialoom.storage.store import ChatKey

UNAUTHORIZED = 401


class Rates:
    def __init__(self, settings: Settings, metrics: Metrics) -> None:
        self._clients = Clients(networks(settings.trusted_proxies))
        self._metrics = metrics
        by_address, by_user = read_rate(settings.rate_address), read_rate(settings.rate_user)
        self._by_address = Limiter(by_address) if by_address is not None else None
        self._by_user = Limiter(by_user) if by_user is not None else None
        # Made where tokens are not limited as well: what stands in it is known to be a live token.
        self._by_token = Limiter(read_rate(settings.rate_token))

    def address(self, scope: Scope) -> None:
        """A request without a token. Raises ``RequestError`` 429."""
        if self._by_address is not None and (wait := self._by_address.take(self._clients.address(scope))):
            raise self._refusal("address", wait)

    def user(self, key: ChatKey) -> None:
        """Something that a chat's user sent. Raises ``RequestError`` 429."""
        # Kept as a number: no id of a person stands in the table.
        if self._by_user is not None and (wait := self._by_user.take(hash(key))):
            raise self._refusal("user", wait)

    def token(self, scope: Scope, token: bytes) -> bool:
        """A request with a token; gives whether it is known. Raises ``RequestError`` 429.

        An address that was refused too often must wait before another token of it is looked up.
        """
        mark = hash(token)
        if mark in self._by_token:
            if wait := self._by_token.take(mark):
                raise self._refusal("token", wait)
            return True
        if self._by_address is not None and (wait := self._by_address.wait(self._clients.address(scope))):
            raise self._refusal("address", wait)
        return False

    def settle(self, scope: Scope, token: bytes, status: int, *, is_known: bool) -> None:
        """How a request with a token went. A new one is known to be live once it has led to something."""
        if is_known:
            if status == UNAUTHORIZED:
                self._by_token.forget(hash(token))
        elif status < 400:
            self._by_token.take(hash(token))
        elif status < 500 and self._by_address is not None:
            self._by_address.take(self._clients.address(scope))

    def _refusal(self, kind: str, wait: float) -> RequestError:
        self._metrics.rate_refusals.add(kind)
        seconds = math.ceil(wait)
        whose = {"token": "with this token", "user": "from this user", "address": "from this address"}[kind]
        detail = f"Too many requests came {whose}. Send the next in {seconds} s."
        return RequestError(429, "too-many-requests", detail, headers={"Retry-After": str(seconds)})
