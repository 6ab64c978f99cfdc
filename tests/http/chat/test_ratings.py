"""Ratings of conversations that have ended: where the operator asks for them, of a user's own talk, and in its record."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.http.chat.test_web import WEB, Browser, Stream, browser
from tests.http.support import BOT, FLOW, Client, serving

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

MILK = {"type": "question", "entity": "milk", "entity-type": "Text", "messages": ["Which milk?"]}
TALK = FLOW | {
    "conversations": FLOW["conversations"]
    | {"tea": {"type": "goal", "steps": [MILK, {"type": "message", "messages": ["Here it is."]}]}}
}
ASKING = BOT | {
    "channels": [c | {"ask-rating": True} if c["type"] == "web" else c for c in BOT["channels"]],
}
JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U"


@pytest.fixture
async def client(tmp_path: Path) -> AsyncIterator[Client]:
    async with serving(tmp_path, TALK, bot=ASKING) as client:
        yield client


async def poll(mine: Browser) -> dict[str, Any]:
    return dict((await mine.client.call("GET", f"{WEB}/messages", None, mine.headers)).json)


async def talked(client: Client) -> tuple[Browser, str]:
    """A user whose talk has ended, and the id of its conversation."""
    mine = await browser(client)
    await mine.send(text="tea")
    assert "ended" not in await poll(mine)
    await mine.send(text="oat")
    await mine.read(4)
    return mine, (await poll(mine))["ended"]


async def rate(mine: Browser, **body: Any) -> Any:
    return await mine.client.call("POST", f"{WEB}/rating", body, mine.headers)


async def test_a_rating_stands_in_the_record_masked_and_is_queried_counted_and_erased_with_it(client: Client) -> None:
    mine, ended = await talked(client)
    other, theirs = await talked(client)
    answer = await rate(mine, conversation=ended, score=2, comment="Cold")
    assert (answer.status, answer.json) == (200, {"score": 2, "comment": "Cold"})
    assert "ended" not in await poll(mine)
    assert (await rate(mine, conversation=ended, score=4, comment=f"My token is {JWT}")).status == 200
    assert (await rate(other, conversation=theirs, score=5)).status == 200
    query = '{"Data.rating.score": {"$lt": 5}}'
    (record,) = (await client.history("conversations", query=query)).json
    assert record["_id"] == ended
    assert record["Data"]["rating"] == {"score": 4, "comment": "My token is ***"}
    assert (await client.history("conversations", query='{"Data.rating": {"score": 5}}')).json[0]["_id"] == theirs
    user = mine.session["user"]["id"]
    assert (await client.service.erasure.erase("tea", user)).conversations == 1
    assert (await client.history("conversations/_count", query=query)).json == {"count": 0}


async def test_a_stream_tells_when_a_conversation_ends_and_again_to_a_page_that_comes_later(client: Client) -> None:
    mine = await browser(client)
    await mine.send(text="tea")
    await mine.send(text="oat")
    (ended,) = [data["ended"] for name, data in await Stream(client, mine.headers).events(6) if name == "typing"]
    assert (await rate(mine, conversation=ended, score=5)).status == 200
    later = await Stream(client, mine.headers).events(6)
    assert later[-1] == ("typing", {"on": False})


async def test_only_an_ended_conversation_of_one_s_own_is_rated_by_whole_scores(client: Client) -> None:
    mine, ended = await talked(client)
    other, _ = await talked(client)
    await mine.send(text="tea")
    (going,) = (await client.history("conversations", query='{"EndedAt": null}')).json
    for conversation, one in ((going["_id"], mine), (ended, other), ("nothing", mine)):
        refused = await rate(one, conversation=conversation, score=5)
        assert (refused.status, refused.json["code"]) == (404, "not-found")
    for bad in ({"score": 0}, {"score": 6}, {"score": 4.5}, {"score": 5, "comment": "x" * 1001}, {}):
        assert (await rate(mine, conversation=ended, **bad)).status == 400
    assert (await client.history("conversations/_count", query='{"Data.rating": {"$exists": true}}')).json["count"] == 0


async def test_nobody_is_asked_where_the_operator_says_nothing(tmp_path: Path) -> None:
    async with serving(tmp_path, TALK) as client:
        mine = await browser(client)
        await mine.send(text="tea")
        await mine.send(text="oat")
        await mine.read(4)
        (record,) = (await client.history("conversations", query='{"Status": "success"}')).json
        assert "rating" not in record["Data"]
        assert "ended" not in await poll(mine)
        refused = await rate(mine, conversation=record["_id"], score=5)
        assert (refused.status, refused.json["code"]) == (403, "rating-off")
