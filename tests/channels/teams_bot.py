"""The tea bot in Microsoft Teams, for tests: the service and the strict stand-in of the Bot Framework call each other."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from tests.channels.platform_service import Running, running_service
from tests.http.support import FLOW, Client

from dialoom.authoring.mock_fetcher import MockFetcher
from dialoom.http.app import App
from dialoom.testing.clock import MovedClock
from dialoom.testing.platforms.workplace_chat import Teams

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager
    from pathlib import Path

    from dialoom.service.outbox.bot_channel import BotChannel
    from dialoom.testing.platforms.workplace_chat import TeamsUser

WORKCHAT = {"connection-name": "sso", "strategy": "oidc"}
GROUP = {"id": "19:room@thread.v2", "conversationType": "groupChat", "isGroup": True}


def serving(
    teams: Teams, folder: Path, flow: dict[str, Any] = FLOW, keys: dict[str, Any] | None = None, **settings: Any
) -> AbstractAsyncContextManager[Running]:
    """Run the tea bot as a bot of this platform; ``keys``: more of its channel."""
    host = teams.url.removeprefix("http://")
    places = {
        "workplace_chat_metadata_url": teams.metadata_url,
        "workplace_chat_login_url": teams.url,
        "workplace_chat_token_url": teams.url,
        "workplace_chat_service_hosts": f"smba.trafficmanager.net, {host}",
    }
    return running_service(folder, channel_of(teams) | (keys or {}), flow, **(places | settings))


def channel_of(teams: Teams) -> dict[str, Any]:
    """Return the channel of ``bot.json`` that is this platform's bot."""
    return {"id": "desk", "type": "workplace-chat", "app-id": teams.app_id, "app-password": teams.app_password}


def connect(teams: Teams, running: Running) -> None:
    """Set the messaging endpoint, as a person does in Azure."""
    teams.endpoint = f"{running.url}/v1/bots/tea/channels/desk/workplace-chat"


async def received(teams: Teams, user: TeamsUser, count: int) -> list[str]:
    """Return the words of the bot's messages, once so many have come."""
    await teams.until(lambda: len(user.received) >= count)
    return [words(one) for one in user.received]


def place_of(running: Running) -> BotChannel:
    deployed = running.service.bots.active("tea")
    assert deployed is not None
    return running.service.bot_channels.of(deployed.bot, deployed.bot.channels[0])


async def messages(running: Running) -> int:
    """Return how many messages are stored of all users."""
    headers = {"Authorization": "Bot-Server-Access-Token history-token-of-tea"}
    app = await asyncio.to_thread(App, running.service, running.url)
    client = Client(app, running.service, MovedClock(), MockFetcher({}))
    answer = await client.call("GET", "/v1/bots/tea/messages/_count", None, headers)
    return int(answer.json["count"])


def words(message: dict[str, Any]) -> str:
    """Return the text of a message, or of its first card."""
    cards = message.get("attachments", [])
    return str(message.get("text") or (cards[0].get("content", {}).get("text", "") if cards else ""))
