"""The hosted picker page's back end: the question behind an address, and its one answer."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
from tests.http.dialogs import FLOW, Held, with_call
from tests.http.support import BASE, BOT, Client, serving
from tests.stores import TemporaryStore

from dialoom.service.chat.transcript import said_again
from dialoom.storage.store import ChatKey

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

REST = "/v1/bots/tea/channels/rest/rest/test"
TOKEN = {"Authorization": "Bearer rest-token-of-tea"}


@pytest.fixture
async def client(tmp_path: Path) -> AsyncIterator[Client]:
    async with serving(tmp_path, FLOW) as client:
        yield client


def address(messages: list[dict[str, Any]]) -> str:
    """The path of the picker page that the last message leads to."""
    url: str = messages[-1]["template"]["buttons"][0]["url"]
    assert url.startswith(BASE)
    return url.removeprefix(BASE)


async def say(client: Client, *messages: dict[str, Any]) -> list[dict[str, Any]]:
    answer: Any = None
    for message in messages:
        answer = await client.say(**message)
        assert answer.status == 200, answer.body
    return list(answer.json)


async def later(client: Client, **query: str) -> Any:
    answer = await client.call("GET", f"{REST}/messages", None, TOKEN, {"sender": "ada"} | query)
    assert answer.status == 200, answer.body
    return answer.json


async def count(client: Client, **query: Any) -> int:
    return int((await client.history("messages/_count", query=query)).json["count"])


async def test_the_page_can_ask_which_question_it_is_for(client: Client) -> None:
    path = address(await say(client, {"text": "tea"}))
    answer = await client.call("GET", f"{path}/question")
    assert (answer.status, answer.headers["cache-control"]) == (200, "no-store")
    asked = answer.json
    assert asked["bot"] == {"id": "tea", "name": "Tea house", "avatarUrl": None, "language": "en"}
    assert (asked["text"], asked["locale"]) == ("Which **tea**?", "en")
    dialog = asked["dialog"]
    assert (dialog["type"], dialog["title"], dialog["buttonText"]) == ("single-select", "Choose", "Take it")
    assert [option["key"] for option in dialog["options"]] == [f"{dialog['key']}.0", f"{dialog['key']}.1"]
    assert dialog["options"][0]["title"] == "**Green** tea"


async def test_the_locale_is_the_users_own_where_it_is_known(client: Client) -> None:
    body = {"sender": {"id": "ada", "locale": "de-AT"}, "message": {"text": "tea"}}
    path = address((await client.call("POST", REST, body, TOKEN)).json)
    assert (await client.call("GET", f"{path}/question")).json["locale"] == "de-AT"


async def test_an_answer_goes_on_with_the_chat_and_what_is_said_then_waits_to_be_fetched(client: Client) -> None:
    path = address(await say(client, {"text": "tea"}))
    key = (await client.call("GET", f"{path}/question")).json["dialog"]["options"][1]["key"]
    answer = await client.call("POST", path, {"option": {"key": key}})
    assert (answer.status, answer.json) == (200, {"back": None})
    messages = (await later(client))["messages"]
    assert [message["text"] for message in messages] == ["And which to take home?"]
    chosen = (await client.history("messages", query={"Type": "option"})).json
    assert [message["Text"] for message in chosen] == ["Black"]


async def test_every_dialog_can_be_answered_on_its_page(client: Client) -> None:
    path = address(await say(client, {"text": "tea"}))
    for kind, number in (("key", 1), ("keys", 2), ("key", 0)):
        options = (await client.call("GET", f"{path}/question")).json["dialog"]["options"]
        keys = [option["key"] for option in options]
        option = {"key": keys[number]} if kind == "key" else {"keys": keys[:number]}
        assert (await client.call("POST", path, {"option": option})).status == 200
        path = address((await later(client))["messages"])
    assert (await client.call("POST", path, {"option": {"value": "2026-11-21"}})).status == 200
    (question, _) = (await later(client))["messages"][-2:]
    assert question["text"] == "Where to?"
    (said,) = [
        said_again(client.service.vault, ChatKey("tea", "rest", "ada"), one)
        for one in await client.service.store.last_said(ChatKey("tea", "rest", "ada"), 1)
    ]
    shown = client.service.addresses.with_picker(ChatKey("tea", "rest", "ada"), said).picker or ""
    place = {"location": {"latitude": 52.5, "longitude": 13.4}}
    assert (await client.call("POST", shown.removeprefix(BASE), place)).status == 200
    last = (await later(client))["messages"][-1]
    assert last["text"] == "Ada: Black, Black, Green, Red, 2026.11.21, 52.5. A note?"


async def test_a_second_answer_comes_too_late_and_so_does_a_look_at_the_question(client: Client) -> None:
    path = address(await say(client, {"text": "tea"}))
    option = {"option": {"key": (await client.call("GET", f"{path}/question")).json["dialog"]["options"][0]["key"]}}
    assert (await client.call("POST", path, option)).status == 200
    for method, where, body in (("POST", path, option), ("GET", f"{path}/question", None)):
        over = await client.call(method, where, body)
        assert (over.status, over.json["code"]) == (410, "picker-over")
    assert await count(client, From="user") == 2


async def test_of_many_answers_at_once_one_has_a_turn(client: Client) -> None:
    path = address(await say(client, {"text": "tea"}))
    keys = [option["key"] for option in (await client.call("GET", f"{path}/question")).json["dialog"]["options"]]
    answers = await asyncio.gather(
        *[client.call("POST", path, {"option": {"key": keys[number % 2]}}) for number in range(16)]
    )
    assert sorted(answer.status for answer in answers) == [200] + [410] * 15
    assert await count(client, From="user") == 2
    assert await count(client, From="bot") == 3


async def test_two_addresses_of_one_message_are_good_for_one_answer(client: Client) -> None:
    await client.call("POST", address(await say(client, {"text": "tea"})), {"option": {"key": "1.0"}})
    one, other = [address((await later(client))["messages"]) for _ in "ab"]
    assert one != other
    answers = await asyncio.gather(*[client.call("POST", path, {"option": {"keys": ["2.0"]}}) for path in (one, other)])
    assert sorted(answer.status for answer in answers) == [200, 410]
    assert await count(client, Type="option") == 2


async def test_an_answer_in_the_chat_closes_the_page(client: Client) -> None:
    path = address(await say(client, {"text": "tea"}))
    await say(client, {"option": "Green"})
    assert (await client.call("GET", f"{path}/question")).status == 410
    assert (await client.call("POST", path, {"option": {"key": "1.0"}})).status == 410
    assert await count(client, From="user") == 2


async def test_a_page_is_good_for_half_an_hour(client: Client) -> None:
    path = address(await say(client, {"text": "tea"}))
    client.clock.move(29 * 60)
    assert (await client.call("GET", f"{path}/question")).status == 200
    client.clock.move(60)
    over = await client.call("GET", f"{path}/question")
    assert (over.status, over.json["code"]) == (410, "picker-over")


async def test_a_session_that_is_over_asks_nothing_any_more(tmp_path: Path) -> None:
    async with serving(tmp_path, FLOW | {"settings": {"session-timeout": 5}}) as client:
        path = address(await say(client, {"text": "tea"}))
        client.clock.move(6 * 60)
        assert (await client.call("GET", f"{path}/question")).status == 410


async def test_a_question_asked_again_has_a_page_of_its_own_and_the_used_one_stays_used(client: Client) -> None:
    first = address(await say(client, {"text": "tea"}, {"option": "Green"}, {"option": ["Mint"]}, {"option": "Red"}))
    assert (await client.call("POST", first, {"option": {"value": "2026-09-30"}})).status == 200
    refused, question = (await later(client))["messages"]
    assert (refused["text"], question["text"]) == ("That is too soon.", "Which day?")
    again = await client.call("POST", first, {"option": {"value": "2026-11-21"}})
    assert (again.status, again.json["code"]) == (410, "picker-over")
    assert (await client.call("POST", address([question]), {"option": {"value": "2026-11-21"}})).status == 200
    assert (await later(client))["messages"][2]["text"] == "Where to?"


async def test_an_address_that_was_not_made_here_is_unknown(client: Client) -> None:
    path = address(await say(client, {"text": "tea"}))
    base, _, ticket = path.rpartition("/")
    changed = ticket[:-6] + ("A" if ticket[-6] != "A" else "B") + ticket[-5:]
    for wrong in (
        f"{base}/{changed}", f"{base}/x", f"{base}/{ticket}A", f"{base}/ö", f"{base}/{'A' * 5000}",
        f"/v1/bots/tea/channels/web/pick/{ticket}", f"/v1/bots/other/channels/rest/pick/{ticket}",
        f"/v1/bots/nowhere/channels/rest/pick/{ticket}",
    ):  # fmt: skip
        for method, where, body in (("GET", f"{wrong}/question", None), ("POST", wrong, {"option": {"key": "1.0"}})):
            answer = await client.call(method, where, body)
            assert (answer.status, answer.json["code"]) == (404, "picker-unknown"), where
    assert await count(client, From="user") == 1


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"option": {}},
        {"option": {"key": "9.0"}},
        {"option": {"key": "1.7"}},
        {"option": {"key": "1.next"}},
        {"option": {"keys": []}},
        {"option": {"keys": ["1.0", "1.1"]}},
        {"option": {"key": "1.0", "keys": ["1.0"]}},
        {"option": {"value": "Green"}},
        {"option": {"key": None}},
        {"option": {"key": "1.0"}, "location": {"latitude": 1, "longitude": 1}},
        {"location": {"latitude": 1, "longitude": 1}},
        {"text": "Green"},
        [],
    ],
)
async def test_an_answer_that_the_dialog_cannot_give_is_refused_and_uses_nothing_up(client: Client, body: Any) -> None:
    path = address(await say(client, {"text": "tea"}))
    refused = await client.call("POST", path, body)
    assert (refused.status, refused.json["code"]) in {(400, "bad-message"), (400, "bad-body")}
    assert (await client.call("POST", path, {"option": {"key": "1.0"}})).status == 200


@pytest.mark.parametrize("value", ["21.11.2026", "2026-13-01", "2026-11-21T08:00", "20261121", 5, None, ["2026-11-21"]])
async def test_a_date_is_given_as_iso_8601(client: Client, value: Any) -> None:
    path = address(await say(client, {"text": "tea"}, {"option": "Green"}, {"option": ["Mint"]}, {"option": "Red"}))
    refused = await client.call("POST", path, {"option": {"value": value}})
    assert (refused.status, refused.json["pointer"]) == (400, "/option/value")


async def test_a_chat_with_a_page_of_ours_is_led_back_to_it(client: Client) -> None:
    opened = (await client.open()).json
    headers = {"Authorization": f"Bearer {opened['token']}", "Origin": BASE}
    assert (
        await client.call("POST", "/v1/bots/tea/channels/web/web/messages", {"id": "1", "text": "tea"}, headers)
    ).status == 202
    key = ChatKey("tea", "web", opened["user"]["id"])
    (stored,) = await client.service.store.last_said(key, 1)
    path = (
        client.service.addresses.with_picker(key, said_again(client.service.vault, key, stored)).picker or ""
    ).removeprefix(BASE)
    answer = await client.call("POST", path, {"option": {"key": "1.0"}})
    assert (answer.status, answer.json) == (200, {"back": f"{BASE}/chat/tea/web"})
    assert (await client.service.store.last_said(key, 1))[0].record.text == "And which to take home?"
    assert await client.service.store.later(key, 10) == []


async def test_an_answer_that_was_taken_before_a_stop_has_its_turn_after_the_start_and_none_twice(
    tmp_path: Path,
) -> None:
    flow = with_call()
    store = TemporaryStore()
    async with serving(tmp_path, flow, fetcher=Held(), store=store) as client:
        path = address(await say(client, {"text": "tea"}))
        answer = await client.call("POST", path, {"option": {"key": "1.0"}})
        assert answer.status == 200
        assert (await client.call("POST", path, {"option": {"key": "1.1"}})).status == 410
        assert await count(client, From="user") == 1
    held = Held()
    held.gate.set()
    async with serving(tmp_path, flow, fetcher=held, store=store) as client:
        assert (await client.call("POST", path, {"option": {"key": "1.0"}})).status == 410
        last = await client.say("what?")
        assert last.json[-1]["text"] == "And which to take home?"
        assert [said["text"] for said in (await later(client))["messages"]] == ["And which to take home?"]
        options = (await client.history("messages", query={"Type": "option"})).json
        assert [message["Text"] for message in options] == ["Green tea"]


async def test_the_page_comes_with_a_policy_that_lets_nothing_in(tmp_path: Path) -> None:
    (tmp_path / "static").mkdir()
    (tmp_path / "static" / "pick.html").write_text(
        '<html lang="{{language}}" dir="{{direction}}"><title>{{name}}</title>'
    )
    async with serving(tmp_path, FLOW, static=tmp_path / "static") as client:
        path = address(await say(client, {"text": "tea"}))
        page = await client.call("GET", path)
        assert (page.status, page.body) == (200, b'<html lang="en" dir="ltr"><title>Tea house</title>')
        assert page.headers["cache-control"] == "no-store"
        policy = page.headers["content-security-policy"]
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert (await client.call("HEAD", path)).body == b""
        assert (await client.call("GET", "/static/pick.html")).status == 404
        assert (await client.call("GET", f"{path}/question")).status == 200


@pytest.fixture
async def paged(tmp_path: Path) -> AsyncIterator[Client]:
    """A service with a page that holds nothing but what the service puts into it."""
    (tmp_path / "static").mkdir()
    (tmp_path / "static" / "pick.html").write_text("{{initial}}|{{name}}|{{text}}|{{noscript}}")
    async with serving(tmp_path, FLOW, static=tmp_path / "static") as client:
        yield client


async def test_the_question_can_be_read_without_script(paged: Client) -> None:
    initial, name, text, help = (
        (await paged.call("GET", address(await say(paged, {"text": "tea"})))).body.decode().split("|")
    )
    assert (initial, name, text) == ("T", "Tea house", "Which **tea**?")
    assert "JavaScript" in help


async def test_what_is_put_into_the_page_is_text_and_nothing_else(paged: Client, tmp_path: Path) -> None:
    del paged  # only for its page
    named = BOT | {"name": "{{text}} & <b>"}
    async with serving(tmp_path, FLOW, bot=named, static=tmp_path / "static") as client:
        page = (await client.call("GET", address(await say(client, {"text": "tea"})))).body.decode()
    assert page.split("|")[:3] == ["{", "{{text}} &amp; &lt;b&gt;", "Which **tea**?"]


OVER = "This question has been answered or is no longer open. Please go on in the chat."


async def test_a_page_whose_question_is_over_says_so_without_script(paged: Client) -> None:
    path = address(await say(paged, {"text": "tea"}))
    await say(paged, {"text": "Green tea"})
    for over in (path, f"{path}x"):
        page = await paged.call("GET", over)
        assert (page.status, page.body) == (200, f"T|Tea house|{OVER}|".encode())


async def test_a_page_that_was_not_built_says_so(tmp_path: Path) -> None:
    async with serving(tmp_path, FLOW, static=tmp_path / "nowhere") as client:
        page = await client.call("GET", address(await say(client, {"text": "tea"})))
        assert (page.status, page.json["code"]) == (503, "not-built")
        assert "pick.html" in page.json["detail"]


async def test_other_methods_are_told_the_right_ones(client: Client) -> None:
    path = address(await say(client, {"text": "tea"}))
    assert (await client.call("DELETE", path)).headers["allow"] == "GET, HEAD, POST"
    assert (await client.call("POST", f"{path}/question", {})).headers["allow"] == "GET"
