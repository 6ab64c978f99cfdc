"""What the user of a chat is shown of messages that their records mask, on each channel, and what lies in the store."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

from tests.http.chat.test_web import WEB, Browser, browser
from tests.http.support import FLOW, serving

from dialoom.authoring.mock_fetcher import MockFetcher
from dialoom.service.chat.transcript import said_again
from dialoom.storage.store import ChatKey

if TYPE_CHECKING:
    from pathlib import Path

SAID = "Your token is ABC123"
REPLIES = {"type": "quick-reply", "data": ["Copy {{order.token}}"]}


def flow_with(texts: list[str]) -> dict[str, Any]:
    flow = copy.deepcopy(FLOW)
    steps = flow["conversations"]["tea"]["steps"]
    steps[2]["messages"] = texts
    steps.append({"type": "message", "messages": ["What now?"], "display": REPLIES})
    return flow


MASKING_FLOW = flow_with(["Your token is {{order.token}}"])
ANSWER = {"http://127.0.0.1:9/tea": {"POST": {"token": "ABC123"}}}


async def ordered(page: Browser) -> list[dict[str, Any]]:
    """All messages of a web chat in which tea was ordered."""
    for text in ("tea", "green", "hunter2"):
        await page.send(text=text)
    while (said := await page.read())[-1]["text"] != "What now?":
        query = {"after": said[-1]["position"], "wait": 5}
        await page.client.call("GET", f"{WEB}/messages", None, page.headers, query)
    return said


async def records_of(client: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = (await client.history("messages")).json
    return found


async def test_a_web_chat_shows_the_text_whole_at_once_and_after_a_reload_and_history_masks_it(tmp_path: Path) -> None:
    async with serving(tmp_path, MASKING_FLOW, fetcher=MockFetcher(ANSWER)) as client:
        page = await browser(client)
        said = await ordered(page)
        assert [one.get("text") for one in said[-2:]] == [SAID, "What now?"]
        assert said[-1]["replies"][0]["title"] == "Copy ABC123"
        assert said[-3]["text"] == "***"  # the user's own answer to a masked question
        again = await browser(client, resume=page.session["resume"])
        assert [one.get("text") for one in again.session["messages"][-2:]] == [SAID, "What now?"]
        assert b"ABC123" not in (await client.history("messages")).body
        assert [one["Text"] for one in await records_of(client)][-2] == "Your token is ***"
        key = ChatKey("tea", "web", page.session["user"]["id"])
        kept = await client.service.store.last_said(key, 10)
        assert [one.whole is not None for one in kept[-3:]] == [False, True, True]
        assert not any(b"ABC123" in (one.whole or b"") for one in kept)


async def test_a_message_of_a_rest_chat_is_whole_also_when_it_is_fetched_later(tmp_path: Path) -> None:
    async with serving(tmp_path, MASKING_FLOW, fetcher=MockFetcher(ANSWER)) as client:
        for text in ("tea", "green", "hunter2"):
            said = await client.texts(text)
        assert said[0] == SAID
        key = ChatKey("tea", "rest", "ada")
        kept = await client.service.store.last_said(key, 2)
        again = [said_again(client.service.vault, key, one).message for one in kept]
        assert [one.text for one in again] == [SAID, "What now?"]
        assert again[1].replies[0].title == "Copy ABC123"


async def test_the_login_is_shown_to_nobody(tmp_path: Path) -> None:
    flow = flow_with(["Your token is {{order.token}}"])
    flow["settings"] = {
        "authentication": {
            "entity": "order",
            "messages": ["Log in"],
            "acknowledgements": ["Thanks"],
            "display": {"type": "login", "template": {"title": "Log in"}},
            "oidc": {"issuer": "https://id.example", "client-id": "a", "client-secret": "b"},
        }
    }
    async with serving(tmp_path, flow, fetcher=MockFetcher(ANSWER)) as client:
        for text in ("tea", "green", "hunter2"):
            said = await client.texts(text)
        assert said[0] == "Your token is ***"
        page = await browser(client)
        assert (await ordered(page))[-2]["text"] == "Your token is ***"
