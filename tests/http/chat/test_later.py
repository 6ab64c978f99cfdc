"""Later messages of the rest channel: what no answer has carried, fetched until it is known to be there."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
from tests.http.dialogs import FLOW, Held, with_call
from tests.http.support import BASE, Answer, Client, serving
from tests.stores import TemporaryStore

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

PATH = "/v1/bots/tea/channels/rest/rest/test/messages"
TOKEN = {"Authorization": "Bearer rest-token-of-tea"}


@pytest.fixture
async def client(tmp_path: Path) -> AsyncIterator[Client]:
    async with serving(tmp_path, FLOW) as client:
        yield client


async def fetch(client: Client, **query: str) -> Any:
    answer = await client.call("GET", PATH, None, TOKEN, {"sender": "ada"} | query)
    assert answer.status == 200, answer.body
    return answer.json


async def pick(client: Client, question: dict[str, Any], key: str) -> None:
    path = question["template"]["buttons"][0]["url"].removeprefix(BASE)
    assert (await client.call("POST", path, {"option": {"key": key}})).status == 200


async def test_what_an_answer_carried_does_not_come_again(client: Client) -> None:
    await client.say("tea")
    assert await fetch(client) == {"messages": [], "next": "0"}
    assert await fetch(client, sender="nobody") == {"messages": [], "next": "0"}


async def test_what_waits_comes_until_the_client_says_that_it_has_it(client: Client) -> None:
    question = (await client.say("tea")).json[-1]
    await pick(client, question, "1.0")
    first = await fetch(client)
    assert [message["text"] for message in first["messages"]] == ["And which to take home?"]
    assert [message["id"] for message in (await fetch(client))["messages"]] == [first["messages"][0]["id"]]
    assert (await client.say(option=["Mint"])).json[0]["text"] == "Which cup?"
    assert (await fetch(client, after=first["next"])) == {"messages": [], "next": first["next"]}
    assert (await fetch(client))["messages"] == []
    (said,) = (await client.history("messages", query={"_id": first["messages"][0]["id"]})).json
    assert said["Text"] == "And which to take home?"


async def test_a_later_message_has_all_that_one_in_an_answer_has(client: Client) -> None:
    await pick(client, (await client.say("tea")).json[-1], "1.0")
    (message,) = (await fetch(client))["messages"]
    assert message["v2template"]["buttons"] == [{"title": "Add"}, {"title": "Submit"}]
    assert [item["value"] for item in message["v2template"]["items"]] == ["Black", "Green", "Mint"]
    path = message["template"]["buttons"][0]["url"].removeprefix(BASE)
    assert (await client.call("GET", f"{path}/question")).json["text"] == message["text"]


async def test_the_event_authentication_is_answered_with_what_waits_and_the_same_again(client: Client) -> None:
    event = {"type": "authentication"}
    assert (await client.say(event=event)).json == []
    await pick(client, (await client.say("tea")).json[-1], "1.0")
    taken = await client.say(event=event, id="e")
    assert [message["text"] for message in taken.json] == ["And which to take home?"]
    assert (await client.say(event=event, id="e")).body == taken.body
    assert (await client.say(event=event)).json == []
    assert (await fetch(client))["messages"] == []


class Telling(TemporaryStore):
    """Says when so many events have been accepted."""

    def __init__(self, count: int) -> None:
        super().__init__()
        self.left = count
        self.all = asyncio.Event()

    async def accept(self, *event: Any) -> Any:
        row = await super().accept(*event)
        self.left -= 1
        if not self.left:
            self.all.set()
        return row


async def test_an_answer_that_nobody_waits_for_any_more_waits_to_be_fetched(tmp_path: Path) -> None:
    store = Telling(2)
    async with serving(tmp_path, with_call(), fetcher=Held(), store=store) as client:
        await client.say("tea")
        unnamed = asyncio.create_task(client.say(option="Green"))
        named = asyncio.create_task(client.say(option=["Mint"], id="2"))
        await asyncio.wait_for(store.all.wait(), 30)
    assert [(await call).status for call in (unnamed, named)] == [503, 503]
    held = Held()
    held.gate.set()
    async with serving(tmp_path, with_call(), fetcher=held, store=store) as client:
        again = await client.say_again(option=["Mint"], id="2")
        assert again.status == 200, again.body
        assert [message["text"] for message in again.json] == ["Which cup?"]
        waiting = (await fetch(client))["messages"]
        assert [message["text"] for message in waiting] == ["And which to take home?"]


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("", "bad-parameter"),
        ("sender=", "bad-id"),
        (f"sender={'a' * 257}", "bad-id"),
        ("sender=a%00b", "bad-text"),
        ("sender=a&after=x", "bad-parameter"),
        ("sender=a&after=-1", "bad-parameter"),
        ("sender=a&after=99999999999999999", "bad-parameter"),
        ("sender=a&sender=b", "bad-parameter"),
        ("sender=a&limit=1", "unknown-parameter"),
    ],
)
async def test_a_bad_parameter_is_refused(client: Client, query: str, code: str) -> None:
    answer = await client.call("GET", PATH, None, TOKEN, query)
    assert (answer.status, answer.json["code"]) == (400, code)


@pytest.mark.parametrize(
    ("path", "token", "status"),
    [
        (PATH, None, 401),
        (PATH, "wrong", 401),
        (PATH, "history-token-of-tea", 401),
        (PATH, "web-token-of-tea", 403),
        ("/v1/bots/tea/channels/web/rest/x/messages", "web-token-of-tea", 404),
        ("/v1/bots/tea/channels/rest/rest/" + "n" * 300 + "/messages", "rest-token-of-tea", 400),
    ],
)
async def test_the_same_is_checked_as_of_a_message(client: Client, path: str, token: str | None, status: int) -> None:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    answer: Answer = await client.call("GET", path, None, headers, {"sender": "ada"})
    assert answer.status == status


async def test_another_method_is_told_the_right_one(client: Client) -> None:
    answer = await client.call("POST", PATH, {}, TOKEN)
    assert (answer.status, answer.headers["allow"]) == (405, "GET")
