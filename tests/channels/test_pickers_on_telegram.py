"""Questions that Telegram cannot show as they are: answered on a page of the service that leads back, or typed."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from tests.channels.platform_service import Running, running_service
from tests.channels.test_telegram import CHANNEL, connected
from tests.identity.browser import Browser
from tests.live import call

from dialoom.testing.platforms.messenger_3 import Telegram

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from tests.live import Answer

    from dialoom.testing.platforms.messenger_3.people import TelegramUser

BACK = "https://t.me/tea_bot?start=login"
CITIES = ["Aarhus", "Bergen", "Cork", "Delft", "Espoo", "Fulda", "Gent", "Horsens", "Izmir", "Jena", "Kiel", "Lyon"]
DATE = {"type": "date-picker", "title": "Pick a day"}
LONG = {"type": "single-select", "title": "Cities"}
SEVERAL = {"type": "multi-select", "title": "Cities", "button-text": "Take them"}
ASKED, OVER = "Which one?", "This question has been answered or is no longer open. Please go on in the chat."


def flow(display: dict[str, Any], type: str) -> dict[str, Any]:
    steps = [
        {"type": "question", "entity": "it", "entity-type": type, "messages": [ASKED], "display": display},
        {"type": "message", "messages": ["{{it}}."]},
    ]
    return {"conversations": {"go": {"type": "goal", "display-name": "go", "steps": steps}}}


TRAINING = {
    "entity-definitions": [
        {
            "name": "Conversation",
            "lookup-strategy": "trait",
            "data": [{"value": "go", "expressions": ["go there", "choose one"]}],
        },
        {"name": "City", "lookup-strategy": "keywords", "data": [{"value": city} for city in CITIES]},
    ]
}


class Asked(NamedTuple):
    """A chat in which the question is open. ``seen``: how many messages of the bot were looked at, at each look."""

    running: Running
    telegram: Telegram
    ada: TelegramUser
    seen: list[int]

    async def says(self, text: str) -> list[str]:
        """Return all that the bot says to a text, or to an answer on the page before it."""
        before = self.seen[-1]
        if text:
            await self.ada.say(text)
        await self.telegram.until(lambda: len(self.ada.received) > before)
        await self.running.settled()
        self.seen.append(len(self.ada.received))
        return [said["text"] for said in self.ada.received[before:]]

    async def page(self, address: str) -> str:
        """Return the page as a browser without script gets it."""
        page = await asyncio.to_thread(Browser().open, address)
        assert page.status == 200
        return page.body.decode()

    async def ask(self, method: str, address: str, body: Any = None) -> Answer:
        return await asyncio.to_thread(call, method, address, body)


@contextlib.asynccontextmanager
async def asked(folder: Path, display: dict[str, Any], type: str) -> AsyncIterator[Asked]:
    async with (
        Telegram(CHANNEL["bot-token"], "tea_bot") as telegram,
        running_service(folder, CHANNEL, flow(display, type), TRAINING, messenger_3_url=telegram.url) as running,
    ):
        await connected(running)
        it = Asked(running, telegram, telegram.user("Ada"), [0])
        said = (await it.says("go there"))[-1]
        assert said.startswith(ASKED)
        yield it


async def test_a_day_is_picked_on_a_page_that_leads_back_and_the_bot_goes_on_in_the_chat(tmp_path: Path) -> None:
    async with asked(tmp_path, DATE, "Date") as it:
        address = it.ada.link("Pick a day")
        page = await it.page(address)
        assert f'back="{BACK}"' in page
        assert ASKED in page
        assert (await it.ask("GET", f"{address}/question")).json["dialog"]["type"] == "date-picker"
        answer = await it.ask("POST", address, {"option": {"value": "2026-12-24"}})
        assert (answer.status, answer.json) == (200, {"back": BACK})
        assert await it.says("") == ["2026.12.24."]
        await it.ada.start("login")  # what the way back brings says nothing
        await it.running.settled()
        assert it.ada.received[-1]["text"] == "2026.12.24."


async def test_the_page_serves_once_and_says_the_way_back_when_it_is_over(tmp_path: Path) -> None:
    async with asked(tmp_path, LONG, "City") as it:
        address = it.ada.link("Cities")
        options = (await it.ask("GET", f"{address}/question")).json["dialog"]["options"]
        assert [option["title"] for option in options] == CITIES
        assert (await it.ask("POST", address, {"option": {"key": options[10]["key"]}})).status == 200
        assert await it.says("") == ["Kiel."]
        again = await it.ask("POST", address, {"option": {"key": options[0]["key"]}})
        assert (again.status, again.json["code"]) == (410, "picker-over")
        page = await it.page(address)
        assert OVER in page
        assert f'back="{BACK}"' in page
        await it.running.settled()
        assert it.ada.received[-1]["text"] == "Kiel."


async def test_a_page_is_over_once_the_question_is_answered_in_the_chat(tmp_path: Path) -> None:
    async with asked(tmp_path, LONG, "City") as it:
        address = it.ada.link("Cities")
        assert await it.says("the second") == ["Bergen."]
        assert OVER in await it.page(address)
        assert (await it.ask("POST", address, {"option": {"key": "1.0"}})).status == 410


@pytest.mark.parametrize(
    ("text", "answer"), [("Cork", "Cork."), ("aahrus", "Aarhus."), ("2", "Bergen."), ("last", "Lyon.")]
)
async def test_a_long_list_is_answered_by_typing_too(tmp_path: Path, text: str, answer: str) -> None:
    async with asked(tmp_path, LONG, "City") as it:
        assert await it.says(text) == [answer]


@pytest.mark.parametrize(
    ("text", "answer"), [("1, 3", "Aarhus, Cork."), ("11 and 12", "Kiel, Lyon."), ("kiel, horsens", "Kiel, Horsens.")]
)
async def test_several_of_a_numbered_list_are_answered_by_typing(tmp_path: Path, text: str, answer: str) -> None:
    async with asked(tmp_path, SEVERAL, "City") as it:
        assert "11. Kiel\n12. Lyon\n" in it.ada.received[-1]["text"]
        assert await it.says(text) == [answer]
