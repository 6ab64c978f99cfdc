"""Setting a channel of Microsoft Teams up, and what is said of one that is wrong."""

from __future__ import annotations

import asyncio
import contextlib
import json
import zipfile
from typing import TYPE_CHECKING

from tests.channels.teams_bot import WORKCHAT, place_of, serving
from tests.http.login_pages import flow as login_flow

from dialoom.channels import CHANNELS
from dialoom.cli.channel import show
from dialoom.testing.platforms.workplace_chat import Teams

if TYPE_CHECKING:
    from pathlib import Path


async def test_connecting_checks_what_can_be_asked_and_gives_the_app_package(teams: Teams, tmp_path: Path) -> None:
    async with serving(teams, tmp_path, login_flow(workchat=WORKCHAT)) as running:
        place = place_of(running)
        address = "https://bots.example.org/v1/bots/tea/channels/desk/workplace-chat"
        done = await CHANNELS["workplace-chat"].connect(place, address)
        assert [one.state for one in done] == ["ok", "ok", *["by-hand"] * 4], done
        with contextlib.chdir(tmp_path):
            await asyncio.to_thread(show, done)
        with zipfile.ZipFile(tmp_path / "tea-teams.zip") as package:
            assert package.namelist() == ["manifest.json", "color.png", "outline.png"]
            manifest = json.loads(package.read("manifest.json"))
            assert package.read("color.png").startswith(b"\x89PNG")
        assert manifest["bots"][0]["botId"] == manifest["id"] == teams.app_id
        assert manifest["validDomains"] == ["bots.example.org", "token.botframework.com"]
        assert manifest["webApplicationInfo"]["resource"] == f"api://botid-{teams.app_id}"


async def test_a_wrong_secret_is_said_with_the_words_of_the_platform(teams: Teams, tmp_path: Path) -> None:
    async with serving(teams, tmp_path, keys={"app-password": "wrong"}) as running:
        found = await CHANNELS["workplace-chat"].check(place_of(running), "http://127.0.0.1/x")
        assert [one.state for one in found] == ["wrong", "ok"]
        assert "AADSTS7000215" in found[0].text
