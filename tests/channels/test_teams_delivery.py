"""What the bot says arrives in order, whatever becomes of the calls to Microsoft Teams."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.channels.teams_bot import connect, received, serving

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


@pytest.mark.parametrize(("status", "expected"), [(500, 503), (400, 404)])
async def test_a_file_that_needs_a_sign_in_that_fails_is_refused_and_no_error_of_ours(
    status: int, expected: int, teams: Teams, tmp_path: Path
) -> None:
    async with serving(teams, tmp_path) as running:
        connect(teams, running)
        teams.fail_next(status, on="/oauth2/")
        picture = {"contentType": "image/png", "contentUrl": f"{teams.url}/emea/v3/attachments/1"}
        activity = teams.activity(teams.user(), {"type": "message", "attachments": [picture]})
        assert (await teams.post(activity)).status == expected


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
