"""Fetches the files that users send to a platform, and keeps them: the platform's own addresses of them may hold a
secret, or end soon.

It is done for an event that is accepted, before its turn: no call of a platform waits for it, the events behind it keep
their order, and after a stop it is done again.
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
    from dialoom.service.chat.inbound import InboundEvent, RemoteFile
    from dialoom.service.clock import Clock
    from dialoom.service.outbox.bot_channel import BotChannel, BotChannels
    from dialoom.service.outbox.channel_posts import Sender
    from dialoom.storage.store import ChatKey

log = logging.getLogger(__name__)

MAX_FETCH_SECONDS: Final = 60.0
"""Seconds after which no further attempt is begun to fetch the files of an event: its chat waits meanwhile."""
PAUSE_SECONDS: Final = (1.0, 2.0, 4.0, 8.0)
"""Waits before the next attempts; the last one repeats."""
MAX_AT_ONCE: Final = 8
"""Files in memory at a time, over all chats, each of at most 10 MiB."""


class _Source(NamedTuple):
    """Says where the files of an event come from and whose they are."""

    key: ChatKey
    sender: Sender
    bot_channel: BotChannel
    until: float
    """Milliseconds since 1970 at which no attempt is begun any more."""


class RemoteFiles:
    """Fetches files by their channels. ``senders``: the channels, by type."""

    def __init__(self, bots: Bots, senders: Mapping[str, Sender], bot_channels: BotChannels, clock: Clock) -> None:
        self._bots = bots
        self._senders = senders
        self._bot_channels = bot_channels
        self._clock = clock
        self._room = asyncio.Semaphore(MAX_AT_ONCE)

    async def fetch(self, key: ChatKey, inbound: InboundEvent) -> InboundEvent:
        """Return the event with its files, which are kept. One of whose files none can be had is what was written
        beside them: without words, a message that says nothing. Raises ``StoreError``."""
        event = inbound.event
        assert isinstance(event, Attached)  # no other event has such files
        source = self._source(key)
        found = (
            []
            if source is None
            else await asyncio.gather(
                *(self._keep(file, source) for file in inbound.remote_files), return_exceptions=True
            )
        )
        for one in found:
            if isinstance(one, BaseException):
                raise one
        ids = tuple(one for one in found if isinstance(one, str))
        files = await self._bot_channels.files.named(key, ids)
        return msgspec.structs.replace(inbound, event=_with_files(event, files), files=ids)

    def _source(self, key: ChatKey) -> _Source | None:
        serving = self._bots.active(key.bot)
        channel = None if serving is None else serving.channel(key.channel)
        sender = None if channel is None else self._senders.get(channel.type)
        if serving is None or channel is None or sender is None:
            return None
        until = self._clock.now() + MAX_FETCH_SECONDS * 1000
        return _Source(key, sender, self._bot_channels.of(serving.bot, channel), until)

    async def _keep(self, file: RemoteFile, source: _Source) -> str | None:
        """Fetch a file and keep it; return its id, or None where it cannot be had."""
        for pause in chain(PAUSE_SECONDS, repeat(PAUSE_SECONDS[-1])):
            try:
                async with self._room:
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


def _with_files(event: Attached, files: tuple[Attachment, ...]) -> Event:
    if files:
        return msgspec.structs.replace(event, files=files)
    return Said(
        id=event.id, now=event.now, seed=event.seed, profile=event.profile, context=event.context, text=event.text
    )
