"""Another page of a question's replies on web: the message says which one it takes the place of."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

from tests.http.chat.test_web import Browser, browser
from tests.http.support import FLOW, Client, serving

if TYPE_CHECKING:
    from pathlib import Path

SIZES = [f"Size {number}" for number in range(1, 13)]


def _flow() -> dict[str, Any]:
    flow = copy.deepcopy(FLOW)
    asked = {"type": "quick-reply", "data": SIZES}
    step = {"type": "question", "entity": "size", "entity-type": "Text", "messages": ["Which size?"], "display": asked}
    flow["conversations"]["tea"]["steps"].insert(0, step)
    return flow


def _titles(message: dict[str, Any]) -> list[str]:
    return [reply["title"] for reply in message["replies"]]


async def _turn(chat: Browser, title: str) -> dict[str, Any]:
    *_, last = await chat.read()
    (reply,) = (reply for reply in last["replies"] if reply["title"] == title)
    await chat.send(option={"key": reply["key"]})
    return (await chat.read())[-1]


async def _asked(client: Client) -> tuple[Browser, dict[str, Any]]:
    chat = await browser(client)
    await chat.send(text="tea")
    return chat, (await chat.read())[-1]


async def test_a_page_names_the_one_before_also_backwards_and_typed(tmp_path: Path) -> None:
    async with serving(tmp_path, _flow()) as client:
        chat, first = await _asked(client)
        assert "replaces" not in first
        second = await _turn(chat, "Next 5")
        assert (second["replaces"], _titles(second)[0]) == (first["id"], "Size 6")
        await chat.send(text="next 5")
        third = (await chat.read())[-1]
        assert (third["replaces"], _titles(third)[0]) == (second["id"], "Size 11")
        back = await _turn(chat, "Prev 5")
        assert (back["replaces"], _titles(back)[0]) == (third["id"], "Size 6")


async def test_a_question_that_is_asked_again_is_no_page(tmp_path: Path) -> None:
    async with serving(tmp_path, _flow()) as client:
        chat, _ = await _asked(client)
        second = await _turn(chat, "Next 5")
        await chat.send(text="help")
        again = (await chat.read())[-1]
        assert _titles(again)[0] == "Size 1"
        assert "replaces" not in again
        assert (await _turn(chat, "Next 5"))["replaces"] == again["id"] != second["id"]


async def test_a_browser_that_comes_back_reads_the_same_pages_and_the_record_keeps_each(tmp_path: Path) -> None:
    async with serving(tmp_path, _flow()) as client:
        chat, first = await _asked(client)
        second = await _turn(chat, "Next 5")
        again = await browser(client, resume=chat.session["resume"])
        assert again.session["messages"][-1] == second
        answer = await client.history("messages", sort='{"Sequence":1}')
        said = [(message["From"], message["Text"]) for message in answer.json]
        assert said[-4:] == [("user", "tea"), ("bot", "Which size?"), ("user", "Next 5"), ("bot", "Which size?")]
        assert first["text"] == second["text"]


async def test_confirm_is_told_from_the_values_that_it_confirms(tmp_path: Path) -> None:
    flow = _flow()
    reviewed = {"type": "entities-confirmation", "entity": "ok", "entities": ["size"], "messages": ["All right?"]}
    flow["conversations"]["tea"]["steps"].insert(1, reviewed)
    async with serving(tmp_path, flow) as client:
        chat, first = await _asked(client)
        await chat.send(option={"key": first["replies"][2]["key"]})
        replies = (await chat.read())[-1]["replies"]
        assert [(reply["title"], reply.get("role")) for reply in replies] == [("Confirm", "confirm"), ("Size 3", None)]
