"""Follows a chat from a position on, for streams of any protocol: what was said in its order, nothing twice.

In what form a reader gets it, and how it is told that the chat has begun again, is the protocol's.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from dialoom.errors import RequestError
from dialoom.service.chat.hub import Listener, Update
from dialoom.service.chat.whole_messages import whole
from dialoom.service.service import Service
from dialoom.storage.store import ChatKey, StoredMessage

if TYPE_CHECKING:
    from dialoom.http.server.exchange import Scope
    from dialoom.http.server.limits.open_streams import OpenStreams

MAX_PAGE_MESSAGES = 200
HEARTBEAT_SECONDS = 15.0


class Reader(Protocol):
    """One open stream, in the words of its protocol."""

    async def say(self, messages: list[StoredMessage]) -> None:
        """Send messages, whole, in their order."""

    async def show_typing(self, *, on: bool) -> None:
        """Send whether the bot is typing."""

    async def beat(self) -> None:
        """Send what keeps the connection open."""


class ChatFollower:
    """``streams``: counts those who listen. ``begun_anew``: makes the refusal of a position that the chat has not
    reached."""

    def __init__(
        self,
        service: Service,
        streams: OpenStreams,
        stopping: asyncio.Event,
        begun_anew: Callable[[], RequestError],
    ) -> None:
        self._service = service
        self._streams = streams
        self._stopping = stopping
        self._begun_anew = begun_anew
        self._ending: asyncio.Task[None] | None = None

    async def said(self, key: ChatKey, after: int, *, is_sure: bool = False) -> list[StoredMessage]:
        """Return what was said after a position. Raises ``RequestError`` when the chat has not come so far: its user
        was erased and it has begun again. ``is_sure``: the position was reached in it."""
        messages = await self._service.store.said(key, after, MAX_PAGE_MESSAGES)
        if after and not messages and not is_sure:
            last = await self._service.store.last_said(key, 1)
            if last and last[0].position < after:
                raise self._begun_anew()
        return [whole(self._service.vault, key, message) for message in messages]

    def listen(self, scope: Scope, key: ChatKey) -> Listener:
        """Return a listener of the chat for a request, to be given back with ``leave``; it ends when the service stops,
        or when the chat has too many. Raise ``RequestError`` 429 where the request's address has too many."""
        listener = self._service.hub.listen(key)
        try:
            self._streams.enter(scope, key, listener)
        except RequestError:
            self._service.hub.leave(key, listener)
            raise
        if self._stopping.is_set():
            listener.end()
        elif self._ending is None:
            self._ending = asyncio.create_task(self._end_all())
        return listener

    def leave(self, key: ChatKey, listener: Listener) -> None:
        self._streams.leave(key, listener)
        self._service.hub.leave(key, listener)

    async def _end_all(self) -> None:
        """When the service stops. One task for all who listen."""
        await self._stopping.wait()
        self._service.hub.end_all()

    async def follow(self, key: ChatKey, listener: Listener, reader: Reader, after: int) -> None:
        """Send what was said since, and what is said, until the listener is over or the chat has begun again."""
        try:
            after = await self._catch_up(key, reader, after)
            await reader.show_typing(on=self._service.runner.is_typing(key))
            while not listener.is_over:
                news = await listener.next(HEARTBEAT_SECONDS)
                if news is not None:
                    after = await self._pass_on(key, listener, reader, news, after)
                elif not listener.is_over:
                    await reader.beat()
                    if self._service.store.is_shared:
                        # What another process tells may be lost on its way.
                        after = await self._catch_up(key, reader, after, is_sure=True)
        except RequestError:
            # The chat has begun again: this ends, and the client's next request is told.
            return

    async def _pass_on(self, key: ChatKey, listener: Listener, reader: Reader, news: Update, after: int) -> int:
        fresh = [message for message in news.messages if message.position > after]
        # Of a chat that may have begun again the store knows.
        is_known = len(fresh) < len(news.messages)
        if listener.is_behind or news.is_remote or is_known or (fresh and fresh[0].position != after + 1):
            listener.drain()
            after = await self._catch_up(key, reader, after)
            await reader.show_typing(on=self._service.runner.is_typing(key))
            return after
        if fresh:
            await reader.say([whole(self._service.vault, key, message) for message in fresh])
            after = fresh[-1].position
        if news.typing is not None:
            await reader.show_typing(on=news.typing)
        return after

    async def _catch_up(self, key: ChatKey, reader: Reader, after: int, *, is_sure: bool = False) -> int:
        """Send what was said while nobody listened; return the position reached."""
        while messages := await self.said(key, after, is_sure=is_sure):
            await reader.say(messages)
            after, is_sure = messages[-1].position, True
        return after
