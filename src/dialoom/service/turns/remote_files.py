"""Fetches the files that users send to a platform, and keeps them: the platform's own addresses of them may hold a
secret, or end soon.

It begins when the event is accepted, beside the turns of its chat, and has a short deadline: no call of a platform
waits for it, the events behind it keep their order and wait no longer than that, and after a stop it is done again.
"""

from __future__ import annotations

import asyncio
import logging
from itertools import chain, repeat
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec

from dialoom.engine.events import Attached, Attachment, Event, Said
from dialoom.errors import RemoteError, RequestError, SettingError
from dialoom.service.outbox.bot_channel import given

if TYPE_CHECKING:
    from collections.abc import Mapping

    from dialoom.service.bots.bots import Bots
    from dialoom.service.chat.active_chats import QueuedEvent
    from dialoom.service.chat.inbound import InboundEvent, RemoteFile
    from dialoom.service.clock import Clock
    from dialoom.service.outbox.bot_channel import BotChannel, BotChannels
    from dialoom.service.outbox.channel_posts import Sender
    from dialoom.storage.store import ChatKey

log = logging.getLogger(__name__)

MAX_FETCH_SECONDS: Final = 5.0
"""Seconds after which the files of an event that are not there are left out: its chat may wait for it."""
PAUSE_SECONDS: Final = (0.5, 1.0)
"""Waits before the next attempts; the last one repeats."""
MAX_AT_ONCE: Final = 8
"""Files of a channel in memory at a time, each of at most 10 MiB. Each channel has its own: a platform whose files
cannot be had takes the room of no other."""
MAX_AT_ONCE_PER_EVENT: Final = 4


class _Source(NamedTuple):
    """Says where the files of an event come from and whose they are."""

    key: ChatKey
    sender: Sender
    bot_channel: BotChannel
    until: float
    """Milliseconds since 1970 at which no attempt is begun any more."""
    rooms: tuple[asyncio.Semaphore, asyncio.Semaphore]
    """Of the channel and of the event."""


class RemoteFiles:
    """Fetches files by their channels. ``senders``: the channels, by type."""

    def __init__(self, bots: Bots, senders: Mapping[str, Sender], bot_channels: BotChannels, clock: Clock) -> None:
        self._bots = bots
        self._senders = senders
        self._bot_channels = bot_channels
        self._clock = clock
        self._rooms: dict[tuple[str, str], asyncio.Semaphore] = {}
        """By bot and channel."""
        self._tasks: set[asyncio.Task[InboundEvent]] = set()

    def begin(self, key: ChatKey, queued: QueuedEvent) -> None:
        """Begin to fetch the files of an accepted event: once, and again where that failed."""
        if queued.inbound.remote_files and (queued.with_files is None or _has_failed(queued.with_files)):
            task = queued.with_files = asyncio.create_task(self._fetch(key, queued.inbound))
            self._tasks.add(task)
            task.add_done_callback(self._done)

    async def inbound(self, key: ChatKey, queued: QueuedEvent) -> InboundEvent:
        """Return the event with its files, which are kept. One of whose files none can be had is what was written
        beside them: without words, a message that says nothing. Raises ``StoreError``."""
        self.begin(key, queued)
        return queued.inbound if queued.with_files is None else await asyncio.shield(queued.with_files)

    async def stop(self) -> None:
        """Give up what is on its way; it is fetched after the start."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _done(self, task: asyncio.Task[InboundEvent]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()  # raised in the turn of the event, if that still comes here

    async def _fetch(self, key: ChatKey, inbound: InboundEvent) -> InboundEvent:
        event = inbound.event
        assert isinstance(event, Attached)  # no other event has such files
        source = self._source(key)
        tasks = (
            [] if source is None else [asyncio.ensure_future(self._keep(file, source)) for file in inbound.remote_files]
        )
        try:
            if tasks:
                await asyncio.wait(tasks, timeout=MAX_FETCH_SECONDS)
        finally:
            late = [task for task in tasks if task.cancel()]
            await asyncio.gather(*late, return_exceptions=True)
        if late:
            text = "%s of %s files to channel %s are left out: they did not come within %.0f s"
            log.warning(text, len(late), len(tasks), key.channel, MAX_FETCH_SECONDS)
        ids = tuple(id for task in tasks if not task.cancelled() and (id := task.result()) is not None)
        files = await self._bot_channels.files.named(key, ids)
        return msgspec.structs.replace(inbound, event=_with_files(event, files), files=ids)

    def _source(self, key: ChatKey) -> _Source | None:
        serving = self._bots.active(key.bot)
        channel = None if serving is None else serving.channel(key.channel)
        sender = None if channel is None else self._senders.get(channel.type)
        if serving is None or channel is None or sender is None:
            return None
        until = self._clock.now() + MAX_FETCH_SECONDS * 1000
        room = self._rooms.setdefault((key.bot, key.channel), asyncio.Semaphore(MAX_AT_ONCE))
        rooms = (room, asyncio.Semaphore(MAX_AT_ONCE_PER_EVENT))
        return _Source(key, sender, self._bot_channels.of(serving.bot, channel), until, rooms)

    async def _keep(self, file: RemoteFile, source: _Source) -> str | None:
        """Fetch a file and keep it; return its id, or None where it cannot be had."""
        for pause in chain(PAUSE_SECONDS, repeat(PAUSE_SECONDS[-1])):
            try:
                room, own = source.rooms
                async with own, room:
                    content = await self._content(file, source)
                    return None if not content else await self._stored(file, content, source)
            except SettingError as error:
                log.warning("a file to channel %s is not fetched: %s", source.bot_channel.channel.id, error)
                return None
            except RemoteError as error:
                if self._clock.now() + pause * 1000 > source.until:
                    log.warning("a file to channel %s is left out: %s", source.bot_channel.channel.id, error)
                    return None
            await self._clock.sleep(pause)
        raise AssertionError  # the pauses have no end

    @staticmethod
    async def _content(file: RemoteFile, source: _Source) -> bytes | None:
        request = await source.sender.download(file.address, source.bot_channel)
        if request is None:
            return None
        answer = await source.bot_channel.fetch(request)
        renewed = await source.sender.renewed(request, answer, source.bot_channel)
        if renewed is not None:
            answer = await source.bot_channel.fetch(renewed)
        had = given("The file", answer)
        return None if had is None else had.body

    async def _stored(self, file: RemoteFile, content: bytes, source: _Source) -> str | None:
        try:
            return (await self._bot_channels.files.keep(source.key, file.name, content)).id
        except RequestError as error:
            log.info("a file to channel %s is not kept: %s", source.bot_channel.channel.id, error.code)
            return None


def _has_failed(task: asyncio.Task[InboundEvent]) -> bool:
    return task.done() and (task.cancelled() or task.exception() is not None)


def _with_files(event: Attached, files: tuple[Attachment, ...]) -> Event:
    if files:
        return msgspec.structs.replace(event, files=files)
    return Said(
        id=event.id, now=event.now, seed=event.seed, profile=event.profile, context=event.context, text=event.text
    )
