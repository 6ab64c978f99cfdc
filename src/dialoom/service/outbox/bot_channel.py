"""A channel of a bot as its adapter sees it: keys and secrets of ``bot.json``, the settings, calls to the platform."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

from dialoom.engine.events import NoResponse
from dialoom.errors import RemoteError, SettingError
from dialoom.service.outbox.delivery import ATTEMPT_SECONDS
from dialoom.service.remote_cache import Cache

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from dialoom.data.fetcher import Fetcher
    from dialoom.engine.effects import Request
    from dialoom.engine.events import Response
    from dialoom.flow import Bot
    from dialoom.flow.channels import Channel
    from dialoom.service.bots.bots import Bots
    from dialoom.service.bots.outbound_calls import OutboundCalls
    from dialoom.service.chat.attachments import Attachments
    from dialoom.service.clock import Clock
    from dialoom.service.settings import Settings

V = TypeVar("V")

MAX_CACHED: Final = 10_000
"""Answers of platforms that are kept, most of them profiles of users."""


class BotChannel(NamedTuple):
    """The channel of a bot that a call comes to or goes out from."""

    bot: Bot
    channel: Channel
    now: int
    """Milliseconds since 1970."""
    bot_channels: BotChannels

    def secret(self, key: str) -> str:
        """Return the secret under a key of ``bot.json`` in clear. Raises ``SettingError`` where there is none, or an
        empty one, with which a call that brings nothing would prove itself."""
        value = getattr(self.channel, key.replace("-", "_"))
        if value is None or (isinstance(value, str) and not value.strip()):
            raise SettingError(
                f'Channel "{self.channel.id}" of bot.json has no {key}, and nothing is sent without it. Write one.'
            )
        return self.bot_channels.bots.secret(self.bot.id, value)

    def required(self, key: str) -> str:
        """Return a key of ``bot.json`` that is no secret. Raises ``SettingError`` where there is none."""
        value = getattr(self.channel, key.replace("-", "_"))
        if not value:
            raise SettingError(
                f'Channel "{self.channel.id}" of bot.json has no {key}, and cannot do without. Write one.'
            )
        return str(value)

    @property
    def settings(self) -> Settings:
        return self.bot_channels.settings

    @property
    def language(self) -> str:
        """Return the bot's language, for what the channel says by itself."""
        return self.bot.file.language

    async def fetch(self, request: Request) -> Response | NoResponse:
        """Make a call to the platform, which has 10 seconds."""
        return await self.bot_channels.fetch(self.bot, request)

    async def cached(self, key: tuple[str, ...], ask: Callable[[], Awaitable[V]]) -> V:
        """Return what ``ask`` returns, for at most ten minutes without asking again: a key set, a certificate, a token
        that lives longer. ``key`` begins with the channel's type. Raises the ``RemoteError`` of ``ask``."""
        cache: Cache[tuple[str, ...], V] = self.bot_channels.cache
        return await cache.get(key, ask)

    async def newer(self, key: tuple[str, ...], than: V, ask: Callable[[], Awaitable[V]]) -> V | None:
        """Return a newer value than one of ``cached`` that did not serve, such as a key set without the key; None where
        it was asked for just now. Raises the ``RemoteError`` of ``ask``."""
        cache: Cache[tuple[str, ...], V] = self.bot_channels.cache
        return await cache.newer(key, than, ask)


class BotChannels:
    """Holds what the channels of all bots share: the settings, calls to platforms and what came of them."""

    def __init__(
        self,
        bots: Bots,
        settings: Settings,
        clock: Clock,
        outbound_calls: OutboundCalls,
        files: Attachments,
        fetcher: Fetcher,
    ) -> None:
        self.bots = bots
        self.settings = settings
        self.files = files
        self.cache: Cache[tuple[str, ...], Any] = Cache(clock, MAX_CACHED)
        self._clock = clock
        self._outbound_calls = outbound_calls
        self._fetcher = fetcher

    def of(self, bot: Bot, channel: Channel) -> BotChannel:
        return BotChannel(bot, channel, self._clock.now(), self)

    async def fetch(self, bot: Bot, request: Request) -> Response | NoResponse:
        deadline = asyncio.get_running_loop().time() + ATTEMPT_SECONDS
        return await self._outbound_calls.call(bot, request, deadline)

    async def close(self) -> None:
        await self.cache.close()
        await self._fetcher.close()


def answer_of(what: str, answer: Response | NoResponse) -> Response:
    """Return an answer of the platform with a status of 2xx. ``what`` names the call. Raises ``RemoteError``."""
    if isinstance(answer, NoResponse):
        raise RemoteError(answer.kind, f"{what}: {answer.detail}")
    if not 200 <= answer.status <= 299:
        raise RemoteError("status", f"{what} was answered with status {answer.status}")
    return answer
