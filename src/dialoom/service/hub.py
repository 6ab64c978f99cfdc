"""Tells open event streams and waiting requests that something was said in a chat. Nothing here is kept."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from dialoom.storage.store import ChatKey, StoredMessage


class News(msgspec.Struct, frozen=True):
    """``messages`` were committed, or ``typing`` changed."""

    messages: tuple[StoredMessage, ...] = ()
    typing: bool | None = None
    is_elsewhere: bool = False
    """Another process may have stored messages: they are to be read from the store."""


class Listener:
    """One open stream. A reader that is too slow loses its backlog and reads on from the store (``is_behind``)."""

    LONGEST_BACKLOG = 256

    def __init__(self) -> None:
        self._news: asyncio.Queue[News] = asyncio.Queue(self.LONGEST_BACKLOG)
        self.is_behind = False

    def tell(self, news: News) -> None:
        try:
            self._news.put_nowait(news)
        except asyncio.QueueFull:
            self.is_behind = True

    async def next(self) -> News:
        return await self._news.get()

    def drain(self) -> None:
        while not self._news.empty():
            self._news.get_nowait()
        self.is_behind = False


class Hub:
    def __init__(self) -> None:
        self._listeners: defaultdict[ChatKey, set[Listener]] = defaultdict(set)

    def listen(self, key: ChatKey) -> Listener:
        listener = Listener()
        self._listeners[key].add(listener)
        return listener

    def leave(self, key: ChatKey, listener: Listener) -> None:
        listeners = self._listeners.get(key)
        if listeners is not None:
            listeners.discard(listener)
            if not listeners:
                del self._listeners[key]

    def tell(self, key: ChatKey, news: News) -> None:
        listeners = self._listeners.get(key)
        if listeners is not None:
            for listener in tuple(listeners):
                listener.tell(news)

    def count(self) -> int:
        """How many listen now."""
        return sum(map(len, self._listeners.values()))

    def tell_all(self, news: News) -> None:
        for key in tuple(self._listeners):
            self.tell(key, news)
