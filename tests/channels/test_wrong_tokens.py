"""What is said of a token that a platform does not take: its own words, and what to write."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.channels.platform_service import running_service

from dialoom.channels import CHANNELS
from dialoom.errors import RemoteError
from dialoom.testing.platforms.messenger_1 import Messenger
from dialoom.testing.platforms.messenger_2 import Viber

if TYPE_CHECKING:
    from pathlib import Path


async def check(folder: Path, channel: dict[str, Any], **settings: Any) -> None:
    """Ask the platform of a channel whether all is right."""
    async with running_service(folder, channel, **settings) as running:
        deployed = running.service.bots.active("tea")
        assert deployed is not None
        place = running.service.bot_channels.of(deployed.bot, deployed.bot.channels[0])
        await CHANNELS[channel["type"]].check(place, running.url)


async def test_viber_is_told_with_the_key_that_is_wrong(tmp_path: Path) -> None:
    channel = {"id": "vb", "type": "messenger-2", "auth-token": "of-another-account", "uri": "standin"}
    async with Viber() as viber:
        with pytest.raises(RemoteError, match=r"invalidAuthToken .* Write the account's own token as auth-token\."):
            await check(tmp_path, channel, messenger_2_url=viber.api_url)


async def test_messenger_is_told_with_the_key_that_is_wrong(tmp_path: Path) -> None:
    async with Messenger() as messenger:
        channel = {
            "id": "page",
            "type": "messenger-1",
            "page-id": messenger.page_id,
            "app-secret": "of-another-app",
            "page-token": messenger.page_token,
            "verify-token": messenger.verify_token,
        }
        with pytest.raises(RemoteError, match=r"appsecret_proof .*\. The app-secret is not that of the app"):
            await check(tmp_path, channel, messenger_1_url=messenger.api_url)
