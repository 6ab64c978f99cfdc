"""Messenger as its users meet it: the service and the strict stand-in of the Graph API call each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.channels.platform_service import Running, running_service

from dialoom.channels import CHANNELS
from dialoom.testing.platforms.messenger_1 import Messenger

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence
    from pathlib import Path

    from dialoom.channels._contract.channel import SetUp

CHANNEL = {
    "id": "fb",
    "type": "messenger-1",
    "page-id": "104000000000001",
    "app-secret": "secret-of-the-app",
    "page-token": "EAAB-token-of-the-page",
    "verify-token": "said-when-the-webhook-is-set",
}
PATH = "/v1/bots/tea/channels/fb/messenger-1"


@pytest.fixture
async def messenger() -> AsyncIterator[Messenger]:
    keys = ("page-id", "app-secret", "page-token", "verify-token")
    async with Messenger(*(CHANNEL[key] for key in keys)) as platform:
        yield platform


async def connected(running: Running, messenger: Messenger) -> Sequence[SetUp]:
    """Have the channel connect itself to the page, and set the webhook as a person does."""
    deployed = running.service.bots.active("tea")
    assert deployed is not None
    place = running.service.bot_channels.of(deployed.bot, deployed.bot.channels[0])
    done = await CHANNELS["messenger-1"].connect(place, running.url + PATH)
    assert await messenger.connect(running.url + PATH)
    return done


def serving(tmp_path: Path, messenger: Messenger, **named: Any) -> Any:
    return running_service(tmp_path, CHANNEL, messenger_1_url=messenger.api_url, **named)


async def test_a_user_starts_the_chat_types_taps_and_is_answered(messenger: Messenger, tmp_path: Path) -> None:
    async with serving(tmp_path, messenger) as running:
        done = await connected(running, messenger)
        assert [one.state for one in done] == ["ok", "ok", "ok", "by-hand", "ok"], done
        ada = messenger.user("Ada")
        await ada.get_started()
        await messenger.until(lambda: len(ada.received) == 1)
        await ada.say("tea")
        await messenger.until(lambda: len(ada.received) == 2)
        assert [said["text"] for said in ada.received] == ["Hello!", "Which tea?"]
        await ada.tap("Mint")
        await messenger.until(lambda: len(ada.received) == 3)
        await running.settled()
        assert ada.received[-1]["text"] == "The password?"
