"""Asks the platforms of a bot's channels whether tokens, rights and addresses are right, or sets them up."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Literal

from dialoom.channels import CHANNELS
from dialoom.channels._contract.channel import SetUp
from dialoom.errors import RemoteError, SettingError
from dialoom.flow import Bot
from dialoom.flow.channels import Channel, row_of
from dialoom.service.bots.preflight import reasons_for_no_calls
from dialoom.service.service import Service

Action = Literal["connect", "check"]

CALL_SECONDS = 30.0
"""Seconds for all calls that one channel's platform is asked with."""


async def channel_findings(service: Service, bot: Bot, channel: Channel, action: Action) -> Sequence[SetUp]:
    """Return what is found of a channel, asked to ``connect`` or ``check`` it; what goes wrong is a line of it."""
    if row_of(channel).caller != "platform":
        return [SetUp("ok", f"No platform is behind this channel. It is called at {address(service, bot, channel)}.")]
    if reasons := await reasons_for_no_calls(channel, bot, service.bots, service.tokens):
        return [SetUp("wrong", reason) for reason in reasons]
    try:
        async with asyncio.timeout(CALL_SECONDS):
            return await ask_platform(service, bot, channel, action)
    except (SettingError, RemoteError) as error:
        return [SetUp("wrong", str(error))]
    except TimeoutError:
        return [SetUp("wrong", f"The platform gave no whole answer within {CALL_SECONDS:g} s. Try again.")]


async def ask_platform(service: Service, bot: Bot, channel: Channel, action: Action) -> Sequence[SetUp]:
    """Return what the platform of a channel says, asked to ``connect`` or ``check``. Raises ``SettingError`` and
    ``RemoteError``."""
    adapter = CHANNELS[channel.type]
    bot_channel, place = service.bot_channels.of(bot, channel), address(service, bot, channel)
    return await (adapter.connect(bot_channel, place) if action == "connect" else adapter.check(bot_channel, place))


def address(service: Service, bot: Bot, channel: Channel) -> str:
    """Return where a channel is called."""
    base = f"{service.addresses.base_url}/v1/bots/{bot.id}/channels/{channel.id}"
    return f"{base}/{row_of(channel).address.format(name='my-app')}"
