"""What the channel needs in Azure and in Teams: what can be asked for is checked, the rest is said."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from dialoom.channels._contract.channel import SetUp
from dialoom.channels.teams import proof
from dialoom.channels.teams.app_package import app_package
from dialoom.channels.teams.connector import ask_bot_token
from dialoom.errors import SettingError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dialoom.service.outbox.bot_channel import BotChannel


async def connect(bot_channel: BotChannel, address: str) -> Sequence[SetUp]:
    """Say what a person clicks: Azure takes no settings from a bot. Raises as ``check``."""
    return [*await check(bot_channel, address), *by_hand(bot_channel, address)]


async def check(bot_channel: BotChannel, address: str) -> Sequence[SetUp]:
    """Sign the bot in, and read the keys that calls are checked with. Raises ``SettingError`` and ``RemoteError``."""
    found = []
    try:
        await ask_bot_token(bot_channel)
        found.append(SetUp("ok", "Microsoft signs the bot in with app-id, app-password and tenant."))
    except SettingError as error:
        found.append(SetUp("wrong", str(error)))
    keys = await proof.published(bot_channel)
    endorsed = any("msteams" in channels for channels in keys.endorsements.values())
    found.append(
        SetUp("ok", "The keys that calls of Teams are signed with can be read.")
        if endorsed
        else SetUp("wrong", "No published key may speak for Teams. See DIALOOM_WORKPLACE_CHAT_METADATA_URL.")
    )
    if urlsplit(address).scheme != "https" and not bot_channel.settings.platforms_here:
        found.append(SetUp("wrong", f"Azure calls https addresses only, and this is {address}. Set DIALOOM_BASE_URL."))
    return found


def by_hand(bot_channel: BotChannel, address: str) -> list[SetUp]:
    """Return what is to be done on the pages of Azure and Teams."""
    authentication = bot_channel.bot.flow.settings.authentication
    parts = urlsplit(address)
    name = f"{bot_channel.bot.id}-teams.zip"
    found = [
        SetUp("by-hand", f"Azure portal, the Azure Bot, Configuration: set the messaging endpoint to {address}"),
        SetUp("by-hand", "Azure portal, the Azure Bot, Channels: add Microsoft Teams."),
        SetUp(
            "by-hand",
            f"Teams, Apps, Manage your apps, Upload an app (or the Teams admin center): upload {name}.",
            (name, app_package(bot_channel, f"{parts.scheme}://{parts.netloc}")),
        ),
    ]
    if authentication is not None and authentication.workchat is not None:
        named = authentication.workchat.connection_name
        text = f'Azure portal, the Azure Bot, Configuration: an OAuth connection is named "{named}".'
        found.append(SetUp("by-hand", text))
    return found
