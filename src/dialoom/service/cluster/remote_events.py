"""Follows events that were accepted here and are run by another process: tells that process, and looks for their
answers.

A notice makes it quick, looking makes it sure: notices may be lost. Nothing here is work that a stop would lose: it
ends at once.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

from dialoom.errors import RequestError, StoreError, VaultError
from dialoom.service.chat.active_chats import QueuedEvent, stopping
from dialoom.service.chat.inbox import Inbox, internal, no_answer
from dialoom.service.clock import Clock
from dialoom.storage.store import ChatKey, Notice, Store

log = logging.getLogger(__name__)

LOOK_EVERY_SECONDS = 1.0
"""Seconds after which an answer is looked for that nobody has told of."""
MAX_LOOKS = 300
"""After so many whoever waits is told to ask again: no request stays open for ever."""
LOOKS_FOR_UNKEYED = 5
"""An event without a key has no answer to be looked for; its process is told of it so many times."""
STOP_SECONDS = 1.0
"""That a stop waits for what it has cancelled."""
TYPING_MS = 60_000
"""Milliseconds; a process that was killed tells nobody that its turn is over."""


class _Chat:
    """Holds the events of one chat that another process runs, by number."""

    __slots__ = ("events", "looks", "news")

    def __init__(self) -> None:
        self.events: dict[int, QueuedEvent] = {}
        self.looks = 0
        """Since the last news."""
        self.news = asyncio.Event()


class RemoteEvents:
    def __init__(
        self,
        store: Store,
        inbox: Inbox,
        clock: Clock,
        try_again: Callable[[ChatKey], None],
    ) -> None:
        """Take the lease of a chat again by ``try_again``."""
        self._store = store
        self._inbox = inbox
        self._clock = clock
        self._try_again = try_again
        self._chats: dict[ChatKey, _Chat] = {}
        self._watches: set[asyncio.Task[None]] = set()
        self._is_stopped = False
        self._typing: dict[ChatKey, int] = {}
        """Until when the bot counts as typing in a chat of another process."""

    async def stop(self) -> None:
        """End all waits; callers are told to ask again."""
        self._is_stopped = True
        for watch in self._watches:
            watch.cancel()
        if self._watches:
            # Not for ever: a driver's own waiting may swallow a cancellation.
            await asyncio.wait(self._watches, timeout=STOP_SECONDS)
        for chat in self._chats.values():
            _give_up(chat, stopping())  # a watch that had not begun yet has told nobody
        self._chats.clear()

    # -- events

    def leave(self, key: ChatKey, queued: QueuedEvent, *, is_done: bool = False) -> None:
        """Leave an accepted event to another process, and wait for its answer. ``is_done``: that process knows of it,
        and may have stored its turn."""
        assert queued.number is not None
        if self._is_stopped:
            queued.refuse(stopping())
            return
        chat = self._chats.get(key)
        if chat is None:
            chat = self._chats[key] = _Chat()
            watch = asyncio.get_running_loop().create_task(self._watch(key, chat))
            self._watches.add(watch)
            watch.add_done_callback(self._watches.discard)
        chat.events[queued.number] = queued
        chat.looks = 0
        if is_done:
            chat.news.set()
        self._store.tell(Notice("inbox", key))

    def find(self, key: ChatKey, number: int) -> QueuedEvent | None:
        chat = self._chats.get(key)
        return None if chat is None else chat.events.get(number)

    def reclaim(self, key: ChatKey, number: int) -> None:
        """Stop waiting for an event that this process runs after all."""
        chat = self._chats.get(key)
        if chat is not None and chat.events.pop(number, None) is not None:
            chat.news.set()

    # -- notices

    def said(self, key: ChatKey) -> None:
        self._typing.pop(key, None)
        chat = self._chats.get(key)
        if chat is not None:
            chat.news.set()

    def set_typing(self, key: ChatKey, *, on: bool) -> None:
        now = self._clock.now()
        if on:
            self._typing = {chat: until for chat, until in self._typing.items() if until > now}
            self._typing[key] = now + TYPING_MS
        else:
            self._typing.pop(key, None)

    def is_typing(self, key: ChatKey) -> bool:
        return key in self._typing and self._typing[key] > self._clock.now()

    def doubt_all(self) -> None:
        """Look for all answers again: notices may have been lost."""
        self._typing.clear()
        for chat in self._chats.values():
            chat.news.set()

    # -- looking

    async def _watch(self, key: ChatKey, chat: _Chat) -> None:
        """Wait until all events of the chat are answered, or are run by this process again."""
        try:
            while chat.events and not self._is_stopped:
                is_news = await self._wait(chat)
                if is_news:
                    chat.looks = 0
                else:
                    chat.looks += 1
                    self._store.tell(Notice("inbox", key))
                    self._try_again(key)
                try:
                    await self._look(key, chat, is_news=is_news)
                except StoreError:
                    pass  # ``store_outage`` has told the operator
                except VaultError as error:
                    log.exception("a stored answer of bot %s cannot be opened", key.bot)
                    _give_up(chat, error)
        except Exception:
            # The outermost loop of a watch: whoever waits here is told, and the others are watched.
            log.exception("fault in the look for answers of bot %s", key.bot)
            _give_up(chat, internal())
        finally:
            self._chats.pop(key, None)
            _give_up(chat, stopping())

    async def _wait(self, chat: _Chat) -> bool:
        """Return whether a notice came; False when it is time to look without one."""
        news = asyncio.ensure_future(chat.news.wait())
        time = asyncio.ensure_future(self._clock.sleep(LOOK_EVERY_SECONDS))
        try:
            await asyncio.wait({news, time}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            news.cancel()
            time.cancel()
        is_news = chat.news.is_set()
        chat.news.clear()
        return is_news

    async def _look(self, key: ChatKey, chat: _Chat, *, is_news: bool) -> None:
        if chat.looks >= MAX_LOOKS:
            _give_up(chat, still_running())
        for number in sorted(chat.events):
            queued = chat.events.get(number)
            if queued is None:
                continue  # taken back meanwhile
            if queued.inbound.dedupe is None:
                if is_news or chat.looks >= LOOKS_FOR_UNKEYED:
                    chat.events.pop(number).refuse(no_answer(queued))
            elif await self._inbox.answer(key, queued):
                chat.events.pop(number, None)
            else:
                return  # they are run in their order: those behind it are not done either


def _give_up(chat: _Chat, error: BaseException) -> None:
    for queued in chat.events.values():
        queued.refuse(error)
    chat.events.clear()


def still_running() -> RequestError:
    return RequestError(
        "still-running",
        "A message with this id is being answered now. Ask again in a moment.",
        headers={"Retry-After": "1"},
    )
