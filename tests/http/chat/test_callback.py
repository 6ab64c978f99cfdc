"""The callback of a rest channel: later messages are posted to it, signed, in order, and then count as delivered."""

from __future__ import annotations

import copy
import hashlib
import hmac
import json
from typing import TYPE_CHECKING, Any

import pytest
from tests.data.far_ends import Call, far_end
from tests.http.dialogs import FLOW
from tests.http.support import BASE, BOT, Client, serving
from tests.service.outbox_process import ReceivingServer

from dialoom.data import Egress, HttpFetcher

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from tests.data.far_ends import FarEnd

PATH = "/v1/bots/tea/channels/rest/rest/test/messages"
TOKEN = {"Authorization": "Bearer rest-token-of-tea"}
SECRET = "callback-secret-of-tea"


class Shop(ReceivingServer):
    """The caller's own server, with the calls as they came."""

    def __init__(self, *statuses: str) -> None:
        super().__init__(*statuses)
        self.calls: list[Call] = []

    async def __call__(self, call: Call) -> None:
        self.calls.append(call)
        await super().__call__(call)


def with_callback(url: str, **channel: Any) -> dict[str, Any]:
    bot = copy.deepcopy(BOT)
    bot["channels"][0] |= {"callback-url": f"{url}/bot?shop=1", "callback-secret": SECRET} | channel
    return bot


@pytest.fixture
async def shop(tmp_path: Path) -> AsyncIterator[tuple[Client, Shop, FarEnd]]:
    shop = Shop()
    async with (
        far_end(shop) as there,
        serving(tmp_path, FLOW, HttpFetcher(Egress(allow_private=True)), bot=with_callback(there.url)) as client,
    ):
        yield client, shop, there


async def pick(client: Client, address: str, **option: Any) -> None:
    answer = await client.call("POST", address.removeprefix(BASE), {"option": option})
    assert answer.status == 200, answer.body


async def later(client: Client, **query: str) -> Any:
    return (await client.call("GET", PATH, None, TOKEN, {"sender": "ada"} | query)).json["messages"]


def picker(message: dict[str, Any]) -> str:
    address: str = message["template"]["buttons"][0]["url"]
    return address


async def test_a_later_message_is_posted_as_a_fetch_would_give_it(shop: tuple[Client, Shop, FarEnd]) -> None:
    client, desk, _ = shop
    await pick(client, picker((await client.say("tea")).json[-1]), key="1.0")
    await desk.has(1)
    (call,) = desk.calls
    body = json.loads(call.body)
    assert (call.method, call.target) == ("POST", "/bot?shop=1")
    assert call.headers["content-type"] == "application/json"
    assert {name: body[name] for name in ("bot", "channel", "name", "sender")} == {
        "bot": "tea", "channel": "rest", "name": "test", "sender": {"id": "ada"},
    }  # fmt: skip
    assert call.headers["idempotency-key"] == body["id"]
    (message,) = body["messages"]
    assert message["text"] == "And which to take home?"
    assert [item["value"] for item in message["v2template"]["items"]] == ["Black", "Green", "Mint"]
    (said,) = (await client.history("messages", query={"_id": message["id"]})).json
    assert said["Text"] == "And which to take home?"


async def test_a_post_is_signed_with_its_time(shop: tuple[Client, Shop, FarEnd]) -> None:
    client, desk, _ = shop
    await pick(client, picker((await client.say("tea")).json[-1]), key="1.0")
    await desk.has(1)
    (call,) = desk.calls
    seconds = client.clock.now() // 1000
    code = hmac.new(SECRET.encode(), str(seconds).encode() + b"." + call.body, hashlib.sha256).hexdigest()
    assert call.headers["dialoom-signature"] == f"t={seconds},v1={code}"


async def test_what_was_posted_is_not_fetched_any_more(shop: tuple[Client, Shop, FarEnd]) -> None:
    client, desk, _ = shop
    desk.statuses = ["503 Away"]
    await pick(client, picker((await client.say("tea")).json[-1]), key="1.0")
    await desk.has(1)
    await client.service.outbox.settled()
    assert len(await later(client)) == 1
    while len(desk.got) < 2:  # the pause after the failure begins when the store has noted it
        client.clock.move(2)
        await client.service.outbox.look()
        await client.service.outbox.settled()
    assert await later(client) == []
    assert desk.keys[0] == desk.keys[1]


async def test_what_an_answer_carries_is_not_posted(shop: tuple[Client, Shop, FarEnd]) -> None:
    client, desk, _ = shop
    await client.say("tea")
    await client.say(option="Green")
    await client.service.outbox.look()
    assert not client.service.outbox.is_busy
    assert desk.got == []


async def test_posts_of_a_chat_keep_their_order_and_their_pickers_are_fresh(shop: tuple[Client, Shop, FarEnd]) -> None:
    client, desk, _ = shop
    desk.statuses = ["503 Away"] * 3
    first = (await client.say("tea")).json[-1]
    await pick(client, picker(first), key="1.0")
    for count in (1, 2, 3):
        await desk.has(count)
        await client.service.outbox.settled()
        client.clock.move(20 * 60)  # a picker lives 30 minutes
    await desk.has(4)
    message = desk.bodies[3]["messages"][0]
    await pick(client, picker(message), keys=["2.0"])
    await desk.has(5)
    assert desk.bodies[4]["messages"][0]["text"] == "Which cup?"


async def test_a_masked_value_is_posted_as_it_was_said_and_stored_masked(tmp_path: Path) -> None:
    flow = copy.deepcopy(FLOW)
    steps = flow["conversations"]["tea"]["steps"]
    steps.insert(0, {"type": "command", "command": "set-entity", "entity": "password", "data": "swordfish-7"})
    steps[2]["messages"] = ["Your word is {{password}}."]
    shop = Shop()
    async with (
        far_end(shop) as there,
        serving(tmp_path, flow, HttpFetcher(Egress(allow_private=True)), bot=with_callback(there.url)) as client,
    ):
        await pick(client, picker((await client.say("tea")).json[-1]), key="1.0")
        await shop.has(1)
        (message,) = shop.bodies[0]["messages"]
        assert message["text"] == "Your word is swordfish-7."
        (said,) = (await client.history("messages", query={"_id": message["id"]})).json
        assert "swordfish" not in said["Text"]


async def test_a_new_address_counts_for_what_waits(shop: tuple[Client, Shop, FarEnd], tmp_path: Path) -> None:
    client, desk, _ = shop
    desk.statuses = ["503 Away"]
    await pick(client, picker((await client.say("tea")).json[-1]), key="1.0")
    await desk.has(1)
    moved = Shop()
    async with far_end(moved) as there:
        folder = tmp_path / "tea"
        (folder / "bot.json").write_text(json.dumps(with_callback(there.url)))
        await client.service.publish(folder)
        await client.service.outbox.settled()
        client.clock.move(2)
        await moved.has(1)
        assert moved.keys == desk.keys


async def test_a_secret_that_is_not_set_is_a_dead_letter_until_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shop = Shop()
    monkeypatch.setenv("BOT_CALLBACK", "at-the-start")
    async with far_end(shop) as there:
        bot = with_callback(there.url, **{"callback-secret": {"env": "BOT_CALLBACK"}})
        async with serving(tmp_path, FLOW, HttpFetcher(Egress(allow_private=True)), bot=bot) as client:
            monkeypatch.delenv("BOT_CALLBACK")
            await pick(client, picker((await client.say("tea")).json[-1]), key="1.0")
            while not (letters := await client.service.outbox.dead("tea")):
                await client.service.outbox.look()
                await client.service.outbox.settled()
            (letter,) = letters
            assert '"BOT_CALLBACK", which a bot names, is not set' in letter.reason
            assert len(await later(client)) == 1
            monkeypatch.setenv("BOT_CALLBACK", "now-it-is")
            await client.service.outbox.resend("tea", [letter.id])
            await shop.has(1)
            assert shop.keys == [letter.id]


async def test_a_callback_that_was_taken_away_is_a_dead_letter(
    shop: tuple[Client, Shop, FarEnd], tmp_path: Path
) -> None:
    client, desk, _ = shop
    desk.statuses = ["503 Away"]
    await pick(client, picker((await client.say("tea")).json[-1]), key="1.0")
    await desk.has(1)
    await client.service.outbox.settled()
    (tmp_path / "tea" / "bot.json").write_text(json.dumps(BOT))
    await client.service.publish(tmp_path / "tea")
    client.clock.move(2)
    # The service's own loop looks as well, and may be the one that has it in hand.
    while not (letters := await client.service.outbox.dead("tea")):
        await client.service.outbox.look()
        await client.service.outbox.settled()
    (letter,) = letters
    assert "has no address to post to any more" in letter.reason
    assert len(desk.got) == 1
