"""Reading a dynamic list on demand, over HTTP, while the bot is being talked to."""

from __future__ import annotations

import copy
import json
from typing import TYPE_CHECKING, Any

import pytest
from tests.data.far_ends import Call, far_end
from tests.http.support import FLOW, TRAINING, Client, serving

from dialoom.data import Egress, HttpFetcher

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

TOKEN = {"Authorization": "Bot-Server-Access-Token history-token-of-tea"}
PATH = "/v1/bots/tea/entity-types/Tea/_refresh"


class Shelf:
    def __init__(self) -> None:
        self.teas: Any = ["Green", "Oolong"]

    async def __call__(self, call: Call) -> None:
        await call.reply("200 OK", json.dumps(self.teas).encode(), "Content-Type: application/json")


@pytest.fixture
async def shop(tmp_path: Path) -> AsyncIterator[tuple[Client, Shelf]]:
    shelf = Shelf()
    async with far_end(shelf) as there:
        training = copy.deepcopy(TRAINING)
        training["entity-definitions"][1] |= {
            "data": [],
            "dynamic-data": {"data-source": {"endpoint": there.url, "method": "GET"}, "value-template": "{{this}}"},
        }
        fetcher = HttpFetcher(Egress(allow_private=True))
        async with serving(tmp_path, FLOW, fetcher, training=training) as client:
            yield client, shelf


async def test_a_list_that_changed_is_there_for_the_next_message(shop: tuple[Client, Shelf]) -> None:
    client, shelf = shop
    await client.texts("tea")
    shelf.teas = ["Mate"]
    read = await client.call("POST", PATH, None, TOKEN)
    assert read.status == 200
    assert {name: read.json[name] for name in ("type", "values", "changed", "skipped")} == {
        "type": "Tea", "values": 1, "changed": True, "skipped": 0,
    }  # fmt: skip
    assert read.json["fetchedAt"].endswith("Z")
    assert await client.texts("mate") == ["The password?"]
    (record,) = (await client.history("conversations")).json
    assert record["Data"]["entities"]["kind"]["value"] == "Mate"


async def test_a_list_that_cannot_be_had_is_a_problem_that_says_why(shop: tuple[Client, Shelf]) -> None:
    client, shelf = shop
    shelf.teas = {"teas": []}
    refused = await client.call("POST", PATH, None, TOKEN)
    assert (refused.status, refused.json["code"]) == (502, "list-not-read")
    assert refused.json["detail"] == (
        'The list of "Tea" was not read: the answer holds no list. Pick the list inside of it with a selector. '
        "Its values stay as they are."
    )
    assert (await client.say("tea")).json[-1]["quickReplies"]


@pytest.mark.parametrize(
    ("path", "headers", "status"),
    [
        (PATH, {}, 401),
        (PATH, {"Authorization": "Bot-Server-Access-Token history-token-of-other"}, 403),
        ("/v1/bots/tea/entity-types/Coffee/_refresh", TOKEN, 404),
        ("/v1/bots/tea/entity-types/Conversation/_refresh", TOKEN, 404),
        (PATH + "?force=1", TOKEN, 400),
    ],
)
async def test_who_may_not_or_names_nothing_is_refused(
    shop: tuple[Client, Shelf], path: str, headers: dict[str, str], status: int
) -> None:
    path, _, query = path.partition("?")
    assert (await shop[0].call("POST", path, None, headers, query)).status == status


async def test_it_is_described(shop: tuple[Client, Shelf]) -> None:
    described = (await shop[0].call("GET", "/openapi.json")).json
    operation = described["paths"]["/v1/bots/{bot_id}/entity-types/{type}/_refresh"]["post"]
    assert {"200", "401", "403", "404", "502"} <= set(operation["responses"])
    assert operation["security"] == [{"Bot-Server-Access-Token": ["read"]}]
