"""The chats that are in memory now, each with its events in their order. What is done with an event is the runner's."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from typing import TYPE_CHECKING

from dialoom.errors import RequestError

if TYPE_CHECKING:
    from dialoom.service.arrival import Arrival
    from dialoom.service.chats import Loaded
    from dialoom.storage.store import ChatKey

MOST_CACHED = 20_000
"""Idle chats kept in memory, about 4 kB each."""


class Job:
    """An event on its way through its turn. ``durable`` comes with its inbox row or its turn, whichever is first."""

    __slots__ = ("answer", "arrival", "durable", "is_repeat", "journal", "number")

    def __init__(self, arrival: Arrival, number: int | None = None) -> None:
        loop = asyncio.get_running_loop()
        self.arrival = arrival
        self.number = number
        self.journal: dict[str, bytes] | None = {} if number is None else None
        """Results of outside calls by key; None until they are read (an event of before the start)."""
        self.durable: asyncio.Future[None] = loop.create_future()
        self.answer: asyncio.Future[bytes] = loop.create_future()
        self.is_repeat = False
        """The store had seen its key: it has no turn of its own."""

    def set_durable(self) -> None:
        if not self.durable.done():
            self.durable.set_result(None)

    def refuse(self, error: BaseException) -> None:
        """Tell whoever waits, if anybody does."""
        if isinstance(error, asyncio.CancelledError):
            error = stopping()
        for future in (self.durable, self.answer):
            if not future.done():
                future.set_exception(error)
                future.exception()


class Live:
    """A chat in memory. ``busy``: one of its events is in its turn."""

    __slots__ = ("busy", "current", "key", "loaded", "queue")

    def __init__(self, key: ChatKey) -> None:
        self.key = key
        self.loaded: Loaded | None = None
        self.queue: deque[Job] = deque()
        self.busy = False
        self.current: Job | None = None


class Lives:
    """By key; the one that was idle longest goes first when there are too many."""

    def __init__(self) -> None:
        self._lives: OrderedDict[ChatKey, Live] = OrderedDict()

    def take(self, key: ChatKey) -> Live:
        live = self._lives.get(key)
        if live is None:
            live = self._lives[key] = Live(key)
            while len(self._lives) > MOST_CACHED and self._forget_idle(key):
                pass
        else:
            self._lives.move_to_end(key)
        return live

    def _forget_idle(self, but: ChatKey) -> bool:
        """Take the chat that was idle longest out of memory; False when none is."""
        for key, live in self._lives.items():
            if not live.busy and not live.queue and key != but:
                del self._lives[key]
                return True
        return False

    def is_busy(self, key: ChatKey) -> bool:
        live = self._lives.get(key)
        return live is not None and live.busy

    def all(self) -> list[Live]:
        return list(self._lives.values())


def stopping() -> RequestError:
    detail = "The service is stopping. Send the same message (with the same id) again."
    return RequestError(503, "stopping", detail, headers={"Retry-After": "5"})
