"""Limits how many event streams and waiting polls are open, for a chat and for an address: one free session took 400 of
400 connections.

A stream too many of a chat takes the place of its oldest one, since that may be a page that was loaded again, or a
phone that has changed its network, whose end nobody has told us of. A stream too many of an address is refused.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Hashable
from typing import TYPE_CHECKING, Protocol

from dialoom.errors import RequestError
from dialoom.http.server.limits.client_address import LOG_EVERY_SECONDS, AddressCounts, ClientAddresses
from dialoom.service.observe.logs import ThrottledLog

if TYPE_CHECKING:
    from dialoom.http.server.exchange import Scope
    from dialoom.service.observe.metrics import Metrics

log = logging.getLogger(__name__)

MAX_PER_CHAT = 8
RETRY_SECONDS = 30
"""Seconds after which the client of a stream that was ended or refused should come again."""


class Stream(Protocol):
    def replace(self) -> None:
        """End the stream: a newer one of its chat has taken its place."""


class OpenStreams:
    """Counts the open streams. ``per_address``: how many one address may have, unless it speaks for many, as a proxy
    does."""

    def __init__(self, clients: ClientAddresses, metrics: Metrics, per_address: int) -> None:
        self._clients = clients
        self._metrics = metrics
        self._per_address = per_address
        self._of_chat: dict[Hashable, dict[Stream, str | None]] = {}
        """The streams of each chat, the oldest first, with their addresses."""
        self._by_address = AddressCounts()
        self._log = ThrottledLog(log, LOG_EVERY_SECONDS)

    def enter(self, scope: Scope, chat: Hashable, stream: Stream) -> None:
        """Count a stream that opens. Raise ``RequestError`` 429 where its address has too many."""
        streams = self._of_chat.get(chat, {})
        if len(streams) >= MAX_PER_CHAT:
            oldest = next(iter(streams))
            self.leave(chat, oldest)
            oldest.replace()
        address = self._clients.single_client(scope)
        if address is not None:
            if self._by_address.get(address, 0) >= self._per_address:
                raise self._refusal()
            self._by_address.add(address)
        self._of_chat.setdefault(chat, {})[stream] = address

    def leave(self, chat: Hashable, stream: Stream) -> None:
        """Forget a stream that has ended, also one that was forgotten before."""
        streams = self._of_chat.get(chat, {})
        if stream not in streams:
            return
        address = streams.pop(stream)
        if not streams:
            del self._of_chat[chat]
        if address is not None:
            self._by_address.add(address, -1)

    def _refusal(self) -> RequestError:
        self._metrics.rate_refusals.add("streams")
        # Not whose: an address may be a person's.
        self._log.warn(
            f"one address has {self._per_address} event streams open and gets no more: its chats ask now and then "
            f"instead. If that is your proxy, name its network in DIALOOM_TRUSTED_PROXIES; where many people come from "
            f"one address, raise DIALOOM_STREAMS_PER_ADDRESS",
            time.monotonic(),
        )
        detail = (
            f"{self._per_address} event streams are open from this address, and there are no more for it. Close one, "
            f"or ask for messages without waiting."
        )
        return RequestError("too-many-streams", detail, headers={"Retry-After": str(RETRY_SECONDS)})
