"""Limits rates per token, per chat user and per address, in the memory of this process.

A request with a live token is held to its token's rate and never to its address's: a company's back end speaks for all
its users from one address. Every other request counts for its address, one with a token that is refused as well. Live
is a token that a handler has found to be so (``verified``); an answer alone, whatever its status, proves nothing.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from dialoom.errors import RequestError
from dialoom.http.server.limits.client_address import ClientAddresses, networks
from dialoom.service.access.rate import MAX_KEYS, Known, Limiter, read_rate
from dialoom.service.observe.metrics import Metrics
from dialoom.service.settings import Settings
from dialoom.storage.store import ChatKey

if TYPE_CHECKING:
    from dialoom.http.server.exchange import Scope

UNAUTHORIZED = 401
KNOWN_TOKEN_SECONDS = 24 * 3600.0
"""Seconds for which a token is known after it was last verified: one that is used once a day is known all the time."""
_VERIFIED = "dialoom.verified"
_COUNTED = "dialoom.counted"
"""Of a request's scope: the limiter that has counted it, and under which key."""


def verified(scope: Scope) -> None:
    """Note that a handler has checked the request's token, for the very thing that was asked for."""
    scope[_VERIFIED] = True


class Rates:
    """Counts requests by token, by user and by address. ``most``: keys of each of the tables."""

    def __init__(self, settings: Settings, metrics: Metrics, most: int = MAX_KEYS) -> None:
        self.clients = ClientAddresses(networks(settings.trusted_proxies))
        self._metrics = metrics
        self._by_address = _limiter(settings.rate_address, most)
        self._by_user = _limiter(settings.rate_user, most)
        self._by_token = _limiter(settings.rate_token, most)
        # Apart from the rate, whose table forgets who has paid: only what was verified comes in, so no guess puts a
        # live token out.
        self._live = Known(KNOWN_TOKEN_SECONDS, most)

    def address(self, scope: Scope) -> None:
        """Count a request without a token. Raise ``RequestError`` 429."""
        if self._by_address is not None:
            key = self.clients.address(scope)
            scope[_COUNTED] = (self._by_address, key)
            if wait := self._by_address.take(key):
                raise self._refusal("address", wait)

    def headers(self, scope: Scope) -> list[tuple[bytes, bytes]]:
        """Return the headers that say what is left of the rate that the request counted for, of its token or its
        address; none where it counted for nothing."""
        counted = scope.get(_COUNTED)
        if counted is None:
            return []
        limiter, key = counted
        limit, remaining, reset = limiter.state(key)
        return [
            (b"ratelimit-limit", b"%d" % limit),
            (b"ratelimit-remaining", b"%d" % remaining),
            (b"ratelimit-reset", b"%d" % reset),
        ]

    def check_address(self, scope: Scope) -> None:
        """Check, without counting, the rate of an address whose request is authorized only later. Raises
        ``RequestError`` 429."""
        if self._by_address is not None and (wait := self._by_address.wait(self.clients.address(scope))):
            raise self._refusal("address", wait)

    def user(self, key: ChatKey) -> None:
        """Count what a chat's user sent. Raise ``RequestError`` 429."""
        # Kept as a number: no id of a person stands in the table.
        if self._by_user is not None and (wait := self._by_user.take(hash(key))):
            raise self._refusal("user", wait)

    def give_back(self, key: ChatKey) -> None:
        """Take back a count of ``user``: what came was known already."""
        if self._by_user is not None:
            self._by_user.give_back(hash(key))

    def token(self, scope: Scope, token: str) -> bool:
        """Count a request with a token; return whether the token is known to be live. Raise ``RequestError`` 429.

        An address that was refused too often must wait before another token of it is looked up.
        """
        mark = hash(token)
        if mark in self._live:
            if self._by_token is not None:
                scope[_COUNTED] = (self._by_token, mark)
                if wait := self._by_token.take(mark):
                    raise self._refusal("token", wait)
            return True
        self.check_address(scope)
        return False

    def settle(self, scope: Scope, token: str, status: int, *, is_known: bool) -> None:
        """Note how a request with a token ended. A verified token is known from then on."""
        mark = hash(token)
        if _VERIFIED in scope:
            self._live.add(mark)
            if not is_known and self._by_token is not None:
                self._by_token.take(mark)
                scope[_COUNTED] = (self._by_token, mark)
        elif is_known:
            if status == UNAUTHORIZED:
                self._live.forget(mark)
        elif status < 500 and self._by_address is not None:
            self._by_address.take(key := self.clients.address(scope))
            scope[_COUNTED] = (self._by_address, key)

    def _refusal(self, kind: str, wait: float) -> RequestError:
        self._metrics.rate_refusals.add(kind)
        seconds = math.ceil(wait)
        whose = {"token": "with this token", "user": "from this user", "address": "from this address"}[kind]
        detail = f"Too many requests came {whose}. Send the next in {seconds} s."
        return RequestError("too-many-requests", detail, headers={"Retry-After": str(seconds)})


def _limiter(rate: str, most: int) -> Limiter | None:
    found = read_rate(rate)
    return None if found is None else Limiter(found, most)
