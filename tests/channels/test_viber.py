"""Viber as its users meet it: the service and the strict stand-in of the bot API call each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.channels.platform_service import Running, running_service

from dialoom.channels import CHANNELS
from dialoom.testing.platforms.messenger_2 import Viber

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence
    from pathlib import Path

    from dialoom.channels._contract.channel import SetUp

CHANNEL = {"id": "vb", "type": "messenger-2", "auth-token": "445da6az-token-of-the-account", "uri": "teahouse"}
PATH = "/v1/bots/tea/channels/vb/messenger-2"


@pytest.fixture
async def viber() -> AsyncIterator[Viber]:
    async with Viber(CHANNEL["auth-token"], CHANNEL["uri"]) as platform:
        yield platform


async def connected(running: Running) -> Sequence[SetUp]:
    """Have the channel connect itself to the platform."""
    deployed = running.service.bots.active("tea")
    assert deployed is not None
    place = running.service.bot_channels.of(deployed.bot, deployed.bot.channels[0])
    return await CHANNELS["messenger-2"].connect(place, running.url + PATH)


def serving(tmp_path: Path, viber: Viber, **named: Any) -> Any:
    return running_service(tmp_path, CHANNEL, messenger_2_url=viber.api_url, **named)


async def test_a_user_opens_the_chat_types_taps_and_is_answered(viber: Viber, tmp_path: Path) -> None:
    async with serving(tmp_path, viber) as running:
        done = await connected(running)
        assert [one.state for one in done] == ["ok", "ok", "ok"], done
        ada = viber.user("Ada Lovelace")
        await ada.open()
        assert [said["text"] for said in ada.received] == ["Hello!"], viber.refused_welcomes
        await ada.say("tea")
        await viber.until(lambda: len(ada.received) == 2)
        await ada.tap("Mint")
        await viber.until(lambda: len(ada.received) == 3)
        await running.settled()
        assert [said["text"] for said in ada.received] == ["Hello!", "Which tea?", "The password?"]
