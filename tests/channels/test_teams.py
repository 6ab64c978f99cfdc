"""Microsoft Teams as its users meet it: the service and the strict stand-in of the Bot Framework call each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.channels.platform_service import Running, running_service
from tests.http.support import FLOW

from dialoom.testing.platforms.workplace_chat import Teams

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from contextlib import AbstractAsyncContextManager
    from pathlib import Path

    from dialoom.testing.platforms.workplace_chat import TeamsUser


@pytest.fixture
async def teams() -> AsyncIterator[Teams]:
    async with Teams() as platform:
        yield platform


def channel_of(teams: Teams, **keys: Any) -> dict[str, Any]:
    return {
        "id": "desk",
        "type": "workplace-chat",
        "app-id": teams.app_id,
        "app-password": teams.app_password,
        **keys,
    }


def serving(
    teams: Teams, folder: Path, flow: dict[str, Any] = FLOW, keys: dict[str, Any] | None = None, **settings: Any
) -> AbstractAsyncContextManager[Running]:
    """Run the tea bot as a bot of this platform."""
    host = teams.url.removeprefix("http://")
    places = {
        "workplace_chat_metadata_url": teams.metadata_url,
        "workplace_chat_login_url": teams.url,
        "workplace_chat_token_url": teams.url,
        "workplace_chat_service_hosts": f"smba.trafficmanager.net, {host}",
    }
    return running_service(folder, channel_of(teams, **(keys or {})), flow, **(places | settings))


def connect(teams: Teams, running: Running) -> None:
    """Set the messaging endpoint, as a person does in Azure."""
    teams.endpoint = f"{running.url}/v1/bots/tea/channels/desk/workplace-chat"


async def received(teams: Teams, user: TeamsUser, count: int) -> list[dict[str, Any]]:
    """Return the bot's messages, once so many have come."""
    await teams.until(lambda: len(user.received) >= count)
    return user.received


def texts(messages: list[dict[str, Any]]) -> list[str]:
    return [one.get("text", "") for one in messages]


async def test_a_user_adds_the_bot_types_taps_and_is_answered(teams: Teams, tmp_path: Path) -> None:
    async with serving(teams, tmp_path) as running:
        connect(teams, running)
        ada = teams.user()
        await ada.install()
        await received(teams, ada, 1)
        assert (await ada.say("tea")).status == 200
        said = await received(teams, ada, 2)
        assert texts(said) == ["Hello!", "Which tea?"]
        await ada.submit("Mint")
        said = await received(teams, ada, 3)
        await running.settled()
        assert texts(said) == ["Hello!", "Which tea?", "The password?"]
        assert len(teams.calls("/oauth2/")) == 1, "the bot's token is kept"
