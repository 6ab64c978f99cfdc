"""Tells open event streams and waiting requests that something was said in a chat. Nothing here is kept."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable

import msgspec

from dialoom.storage.store import ChatKey, StoredMessage


class Update(msgspec.Struct, frozen=True):
    """Tells listeners of a chat that ``messages`` were committed or that ``typing`` changed."""

    messages: tuple[StoredMessage, ...] = ()
    typing: bool | None = None
    is_remote: bool = False
    """Another process may have stored messages: they are to be read from the store."""


MAX_BACKLOG_UPDATES = 256


class Listener:
    """Buffers the updates of one open stream. A reader that is too slow loses its backlog and reads on from the store
    (``is_behind``).

    Thousands of them wait for hours: a list and one future. A queue of asyncio's, with a task for each thing that may
    come instead of news, took 6.5 kB more.
    """

    __slots__ = ("_news", "_waiting", "is_behind", "is_over", "is_replaced")

    def __init__(self) -> None:
        self._news: list[Update] = []
        self._waiting: asyncio.Future[None] | None = None
        self.is_behind = False
        self.is_over = False
        """Nobody reads any more, the service stops, or ..."""
        self.is_replaced = False
        """... the chat has too many streams, and a newer one took the place of this."""

    def tell(self, news: Update) -> None:
        if len(self._news) < MAX_BACKLOG_UPDATES:
            self._news.append(news)
        else:
            self.is_behind = True
        self._wake()

    def end(self) -> None:
        self.is_over = True
        self._wake()

    def replace(self) -> None:
        self.is_replaced = True
        self.end()

    async def next(self, seconds: float) -> Update | None:
        """Wait for the next update; return None when none comes within the time, or the stream is over."""
        if not self._news and not self.is_over:
            loop = asyncio.get_running_loop()
            self._waiting, timer = loop.create_future(), loop.call_later(seconds, self._wake)
            try:
                await self._waiting
            finally:
                timer.cancel()
        return self._news.pop(0) if self._news and not self.is_over else None

    def drain(self) -> None:
        self._news.clear()
        self.is_behind = False

    def _wake(self) -> None:
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(None)


class Hub:
    def __init__(self) -> None:
        self._listeners: defaultdict[ChatKey, set[Listener]] = defaultdict(set)
        self.on_stored: Callable[[ChatKey, tuple[StoredMessage, ...]], None] = lambda key, messages: None
        """Called with the messages of every turn that this process has stored."""

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

    def tell(self, key: ChatKey, news: Update) -> None:
        if news.messages:
            self.on_stored(key, news.messages)
        listeners = self._listeners.get(key)
        if listeners is not None:
            for listener in tuple(listeners):
                listener.tell(news)

    def end_all(self) -> None:
        """End all streams: the service stops."""
        for listeners in self._listeners.values():
            for listener in listeners:
                listener.end()

    def count(self) -> int:
        """Return the number of listeners."""
        return sum(map(len, self._listeners.values()))

    def tell_all(self, news: Update) -> None:
        for key in tuple(self._listeners):
            self.tell(key, news)
