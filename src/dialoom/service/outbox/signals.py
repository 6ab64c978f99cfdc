"""Calls to a platform beside the bot's messages: a typing indicator, the answer to a tap, a card that is turned over.

Each is made once, in no order with the messages; one that fails is not repeated, since it is worth nothing later.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable
from typing import Final, NamedTuple, Protocol

from dialoom.engine.effects import Request
from dialoom.errors import DialoomError
from dialoom.service.outbox.bot_channel import BotChannel
from dialoom.service.tasks import cancel_all

log = logging.getLogger(__name__)

MAX_SIGNALS: Final = 1000
"""Signals that are on their way or wait; more are dropped."""
MAX_AT_ONCE: Final = 20


class Signal(NamedTuple):
    """A call to the platform that is no message of the bot."""

    user: str
    body: bytes
    """What the channel makes the request from."""
    reply_to: str = ""
    """Where the platform wants answers to this user, as its event said."""


class SignalSender(Protocol):
    async def signal(self, signal: Signal, bot_channel: BotChannel) -> Request:
        """Return the call of a signal. Raises ``SettingError`` and ``RemoteError`` where it cannot be made."""


class Signals:
    """Makes the calls in the background."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()
        self._room = asyncio.Semaphore(MAX_AT_ONCE)

    def send(self, signals: Iterable[Signal], sender: SignalSender, bot_channel: BotChannel) -> None:
        for signal in signals:
            if len(self._tasks) >= MAX_SIGNALS:
                return
            task = asyncio.get_running_loop().create_task(self._send(signal, sender, bot_channel))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _send(self, signal: Signal, sender: SignalSender, bot_channel: BotChannel) -> None:
        async with self._room:
            try:
                await bot_channel.fetch(await sender.signal(signal, bot_channel))
            except DialoomError as error:
                log.debug("a signal of channel %s is dropped: %s", bot_channel.channel.id, error)

    async def settled(self) -> None:
        """Wait until all that were sent are done."""
        while self._tasks:
            await asyncio.wait(self._tasks)

    async def stop(self) -> None:
        await cancel_all(self._tasks)
