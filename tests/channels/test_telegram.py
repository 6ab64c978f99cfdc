"""Telegram as its users meet it: the service and the strict stand-in of the Bot API call each other."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

import pytest
from tests.channels.platform_service import Running, running_service
from tests.http.support import FLOW

from dialoom.channels import CHANNELS
from dialoom.testing.platforms.messenger_3 import Telegram

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

CHANNEL = {
    "id": "tg",
    "type": "messenger-3",
    "bot-token": "123:of-the-bot",
    "bot-name": "tea_bot",
    "webhook-secret": "secret-of-the-webhook",
}
TEAS = ["Green", "Black", "Mint"]


def asking(display: dict[str, Any], count: int = 3) -> dict[str, Any]:
    """Return the tea flow with its question shown in this form."""
    flow = copy.deepcopy(FLOW)
    question = flow["conversations"]["tea"]["steps"][0]
    question["display"] = display
    return flow


@pytest.fixture
async def telegram() -> AsyncIterator[Telegram]:
    async with Telegram(CHANNEL["bot-token"], CHANNEL["bot-name"]) as platform:
        yield platform


async def connected(running: Running) -> None:
    """Have the channel connect itself to the platform."""
    deployed = running.service.bots.active("tea")
    assert deployed is not None
    place = running.service.bot_channels.of(deployed.bot, deployed.bot.channels[0])
    done = await CHANNELS["messenger-3"].connect(place, f"{running.url}/v1/bots/tea/channels/tg/messenger-3")
    assert [one.state for one in done] == ["ok"] * 3, done


async def test_a_user_starts_the_bot_types_taps_and_is_answered(telegram: Telegram, tmp_path: Path) -> None:
    async with running_service(tmp_path, CHANNEL, messenger_3_url=telegram.url) as running:
        await connected(running)
        ada = telegram.user("Ada")
        await ada.start()
        await telegram.until(lambda: len(ada.received) == 1)
        await ada.say("tea")
        await telegram.until(lambda: len(ada.received) == 2)
        assert [said["text"] for said in ada.received] == ["Hello!", "Which tea?"]
        await ada.tap("Mint")
        await telegram.until(lambda: len(ada.received) == 3)
        await running.settled()
        assert ada.received[-1]["text"] == "The password?"


async def test_a_suggestion_that_is_tapped_is_said(telegram: Telegram, tmp_path: Path) -> None:
    flow = copy.deepcopy(FLOW)
    long = "I want tea, and tell me everything that there is to know about where it is grown and who picks it"
    flow["conversations"]["welcome"]["steps"][0]["display"] = {"type": "quick-reply", "data": ["tea", long]}
    async with running_service(tmp_path, CHANNEL, flow, messenger_3_url=telegram.url) as running:
        await connected(running)
        ada = telegram.user("Ada")
        await ada.start()
        await telegram.until(lambda: len(ada.received) == 1)
        await ada.tap("tea")
        await telegram.until(lambda: len(ada.received) == 2)
        assert ada.received[-1]["text"] == "Which tea?"


async def test_a_card_whose_picture_cannot_be_fetched_is_shown_without_it(telegram: Telegram, tmp_path: Path) -> None:
    template = {"title": "{{this}}", "image": "https://tea.example/{{this}}.jpg"}
    flow = asking({"type": "carousel", "button-text": "This one", "data": TEAS, "template": template})
    async with running_service(tmp_path, CHANNEL, flow, messenger_3_url=telegram.url) as running:
        await connected(running)
        ada = telegram.user("Ada")
        body = {"ok": False, "error_code": 400, "description": "Bad Request: failed to get HTTP URL content"}
        telegram.fail_next(400, body=body, on="sendPhoto")
        await ada.say("tea")
        await telegram.until(lambda: len(ada.received) == 3)
        card = ada.received[-1]
        assert ("photo" in card, card["text"]) == (False, "Green")
        await ada.tap("›")
        await telegram.until(lambda: ada.received[-1]["text"] == "Black")
        await ada.tap("This one")
        await telegram.until(lambda: len(ada.received) == 4)
