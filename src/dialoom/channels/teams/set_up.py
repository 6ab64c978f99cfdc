"""What the channel needs in Azure and in Teams: what can be asked for is checked, the rest is said."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from dialoom.channels._contract.channel import SetUp
from dialoom.channels.teams import proof
from dialoom.channels.teams.connector import ask_bot_token
from dialoom.errors import SettingError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dialoom.service.outbox.bot_channel import BotChannel


async def connect(place: BotChannel, address: str) -> Sequence[SetUp]:
    """Say what a person clicks: Azure takes no settings from a bot. Raises as ``check``."""
    return [*await check(place, address), *by_hand(place, address)]


async def check(place: BotChannel, address: str) -> Sequence[SetUp]:
    """Sign the bot in, and read the keys that calls are checked with. Raises ``SettingError`` and ``RemoteError``."""
    found = []
    try:
        await ask_bot_token(place)
        found.append(SetUp("ok", "Microsoft signs the bot in with app-id, app-password and tenant."))
    except SettingError as error:
        found.append(SetUp("wrong", str(error)))
    keys = await proof.published(place)
    endorsed = any("msteams" in channels for channels in keys.endorsements.values())
    found.append(
        SetUp("ok", "The keys that calls of Teams are signed with can be read.")
        if endorsed
        else SetUp("wrong", "No published key may speak for Teams. See DIALOOM_WORKPLACE_CHAT_METADATA_URL.")
    )
    if urlsplit(address).scheme != "https":
        found.append(SetUp("wrong", f"Azure calls https addresses only, and this is {address}. Set DIALOOM_BASE_URL."))
    return found


def by_hand(place: BotChannel, address: str) -> list[SetUp]:
    """Return what is to be done on the pages of Azure and Teams."""
    authentication = place.bot.flow.settings.authentication
    texts = [
        f"Azure portal, the Azure Bot, Configuration: set the messaging endpoint to {address}",
        "Azure portal, the Azure Bot, Channels: add Microsoft Teams.",
        "Teams admin center or Teams, Apps, Upload an app: upload the app package (docs/do/connect-teams.md).",
    ]
    if authentication is not None and authentication.workchat is not None:
        name = authentication.workchat.connection_name
        texts.append(f'Azure portal, the Azure Bot, Configuration: the OAuth connection is named "{name}".')
    return [SetUp("by-hand", text) for text in texts]
