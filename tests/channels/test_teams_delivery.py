"""What the bot says arrives in order, whatever becomes of the calls to Microsoft Teams."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING

import pytest
from tests.channels.teams_bot import channel_of, connect, received, serving, words
from tests.http.support import write_bot
from tests.live import Service, free_port

from dialoom.testing.clock import MovedClock
from dialoom.testing.platforms.workplace_chat import Teams

if TYPE_CHECKING:
    from pathlib import Path


async def test_a_user_who_has_removed_the_bot_is_no_dead_letter(teams: Teams, tmp_path: Path) -> None:
    async with serving(teams, tmp_path) as running:
        connect(teams, running)
        ada = teams.user()
        ada.has_installed = False
        await teams.post(teams.activity(ada, {"type": "message", "text": "tea"}))
        await teams.until(lambda: any(one.status == 403 for one in teams.calls("/activities")))
        await running.settled()
        assert await running.service.outbox.dead("tea") == []


@pytest.mark.parametrize("status", [412, 429, 502])
async def test_a_message_that_the_platform_cannot_take_now_is_sent_again_in_its_order(
    status: int, teams: Teams, tmp_path: Path
) -> None:
    async with serving(teams, tmp_path) as running:
        connect(teams, running)
        ada = teams.user()
        await ada.install()
        await received(teams, ada, 1)
        teams.fail_next(status, body={"error": {"code": "Busy", "message": "Later."}}, on="/activities", times=2)
        teams.fail_next(status, on="/activities", half=True)
        await ada.say("tea")
        await ada.say("mint")
        assert await received(teams, ada, 3) == ["Hello!", "Which tea?", "The password?"]


@pytest.mark.parametrize("status", [500, 400])
async def test_a_file_that_needs_a_sign_in_that_fails_is_asked_for_again_or_left_out_and_its_words_count(
    status: int, teams: Teams, tmp_path: Path
) -> None:
    async with serving(teams, tmp_path) as running:
        connect(teams, running)
        teams.fail_next(status, on="/oauth2/")
        ada = teams.user()
        picture = {"contentType": "image/png", "contentUrl": f"{teams.url}/emea/v3/attachments/1"}
        activity = teams.activity(ada, {"type": "message", "text": "tea", "attachments": [picture]})
        assert (await teams.post(activity)).status == 200

        def said() -> list[str]:
            return [call.body["text"] for call in teams.calls("/activities") if "text" in call.body]

        await teams.until(lambda: len(said()) == 2)
        assert said() == ["Hello!", "Which tea?"]
        assert len(teams.calls("/attachments/")) == (status == 500)


async def test_the_reason_of_a_dead_letter_has_the_words_of_the_platform_and_no_secret(
    teams: Teams, tmp_path: Path
) -> None:
    async with serving(teams, tmp_path) as running:
        connect(teams, running)
        ada = teams.user()
        no = {"error": {"code": "BadSyntax", "message": "No such card."}}
        teams.fail_next(400, body=no, on="/activities")
        await ada.install()
        await teams.until(lambda: len(teams.calls("/activities")) == 1)
        await ada.say("tea")
        assert await received(teams, ada, 1) == ["Which tea?"]
        await running.settled()
        (letter,) = await running.service.outbox.dead("tea")
        assert "BadSyntax: No such card." in str(letter)
        assert teams.app_password not in str(letter)


def service_of(teams: Teams, bot: Path, data: Path, port: int) -> Service:
    """Run the tea bot as a process of its own."""
    environment = {
        "DIALOOM_WORKPLACE_CHAT_METADATA_URL": teams.metadata_url,
        "DIALOOM_WORKPLACE_CHAT_LOGIN_URL": teams.url,
        "DIALOOM_WORKPLACE_CHAT_TOKEN_URL": teams.url,
        "DIALOOM_WORKPLACE_CHAT_SERVICE_HOSTS": teams.url.removeprefix("http://"),
    }
    return Service([bot], data, port, environment)


@pytest.mark.parametrize("is_carried_out", [False, True], ids=["not taken", "taken"])
async def test_a_service_that_is_killed_goes_on_where_it_was(
    teams: Teams, tmp_path: Path, *, is_carried_out: bool
) -> None:
    bot, port = write_bot(tmp_path / "tea", {"id": "tea", "channels": [channel_of(teams)]}), free_port()
    teams.endpoint = f"http://127.0.0.1:{port}/v1/bots/tea/channels/desk/workplace-chat"
    ada = teams.user()
    teams.fail_next(503, on="/activities", carried_out=is_carried_out)
    before = await asyncio.to_thread(service_of, teams, bot, tmp_path / "data", port)
    try:
        assert (await ada.install()).status == 200
        await teams.until(lambda: len(teams.calls("/activities")) == 1)
    finally:
        await asyncio.to_thread(before.kill)
    after = await asyncio.to_thread(service_of, teams, bot, tmp_path / "data", port)
    try:
        assert (await ada.say("tea")).status == 200
        await teams.until(lambda: "Which tea?" in map(words, ada.received))
    finally:
        await asyncio.to_thread(after.kill)
    assert [words(one) for one in ada.received] == ["Hello!"] * (1 + is_carried_out) + ["Which tea?"]


async def test_a_token_that_the_connector_refuses_is_replaced_once_and_the_call_made_again(
    teams: Teams, tmp_path: Path
) -> None:
    async with serving(teams, tmp_path) as running:
        connect(teams, running)
        ada = teams.user()
        await ada.install()
        await received(teams, ada, 1)
        await running.settled()
        teams.withdraw_tokens()
        await ada.send_attachment("image/png", f"{teams.service_url}v3/attachments/1/views/original")
        await teams.until(lambda: len(teams.calls("/attachments/")) == 2)
        first, again = teams.calls("/attachments/")
        assert (first.status, again.status != 401) == (401, True)
        await received(teams, ada, 2)
        await running.settled()
        assert len(teams.calls("/oauth2/")) == 2


async def test_a_message_waits_while_its_token_is_refused_and_no_other_can_be_had(tmp_path: Path) -> None:
    clock = MovedClock()
    async with (
        Teams(clock=lambda: clock.now() / 1000) as teams,
        serving(teams, tmp_path, clock=clock) as running,
    ):
        connect(teams, running)
        ada = teams.user()
        await ada.install()
        await received(teams, ada, 1)
        await running.settled()
        teams.withdraw_tokens()
        teams.fail_next(503, on="/oauth2/", times=2)
        await ada.say("tea")
        for _ in range(60):
            clock.move(2)
            with contextlib.suppress(TimeoutError):
                await teams.until(lambda: len(ada.received) == 2, seconds=0.05)
                break
        assert await received(teams, ada, 2) == ["Hello!", "Which tea?"]
        refused = [one.status for one in teams.calls("/activities") if one.body["type"] == "message"]
        assert refused.count(401) > 1
        assert await running.service.outbox.dead("tea") == []
