"""Dead letters over HTTP: who may see, resend and drop them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.data.far_ends import far_end
from tests.http.support import BOT, Answer, Client, serving
from tests.service.outbox.test_hand_over import handing_over
from tests.service.outbox_process import ReceivingServer

from dialoom.data import Egress, HttpFetcher

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

PATH = "/v1/bots/tea/dead-letters"


@pytest.fixture
async def letters(tmp_path: Path) -> AsyncIterator[tuple[Client, ReceivingServer]]:
    """A bot whose hand-overs were refused twice."""
    desk = ReceivingServer("403 No", "403 No")
    async with far_end(desk) as there:
        bot = BOT | {"live-agents": {"desk": there.url}}
        async with serving(tmp_path, handing_over(), HttpFetcher(Egress(allow_private=True)), bot=bot) as client:
            for count, sender in enumerate(("ada", "ben"), 1):
                for text in ("tea", "my s3cret"):
                    await client.say(text, sender=sender)
                await desk.has(count)
                await client.service.outbox.settled()
            yield client, desk


async def ask(client: Client, method: str = "GET", path: str = PATH, scope: str = "read", query: str = "") -> Answer:
    token = await client.service.tokens.create("tea", scopes=(scope,))
    return await client.call(method, path, None, {"Authorization": f"Bot-Server-Access-Token {token.text}"}, query)


async def test_dead_letters_are_listed_without_what_they_say(letters: tuple[Client, ReceivingServer]) -> None:
    client, desk = letters
    answer = await ask(client)
    assert answer.status == 200
    assert b"s3cret" not in answer.body
    first, second = answer.json
    assert {name: first[name] for name in ("channel", "user", "receiver", "attempts")} == {
        "channel": "rest", "user": "ada", "receiver": "live-agent desk", "attempts": 1,
    }  # fmt: skip
    assert "answered 403 Forbidden" in first["reason"]
    assert [first["id"], second["id"]] == desk.keys
    assert first["createdAt"].endswith("Z")
    assert first["deadAt"].endswith("Z")
    assert [one["id"] for one in (await ask(client, query="limit=1")).json] == [first["id"]]


async def test_a_resent_letter_is_delivered_with_its_id(letters: tuple[Client, ReceivingServer]) -> None:
    client, desk = letters
    id = desk.keys[0]
    assert (await ask(client, "POST", f"{PATH}/{id}/resend", "erase")).status == 204
    await desk.has(3)
    await client.service.outbox.settled()
    assert desk.keys[2] == id
    assert [one["id"] for one in (await ask(client)).json] == [desk.keys[1]]
    again = await ask(client, "POST", f"{PATH}/{id}/resend", "erase")
    assert (again.status, again.json["code"]) == (404, "not-found")


async def test_a_dropped_letter_is_gone(letters: tuple[Client, ReceivingServer]) -> None:
    client, desk = letters
    assert (await ask(client, "DELETE", f"{PATH}/{desk.keys[0]}", "erase")).status == 204
    assert [one["id"] for one in (await ask(client)).json] == [desk.keys[1]]
    assert (await ask(client, "DELETE", f"{PATH}/{desk.keys[0]}", "erase")).status == 404


@pytest.mark.parametrize(("method", "rest"), [("POST", "/resend"), ("DELETE", "")])
async def test_a_token_that_may_only_read_changes_nothing(
    letters: tuple[Client, ReceivingServer], method: str, rest: str
) -> None:
    client, desk = letters
    refused = await ask(client, method, f"{PATH}/{desk.keys[0]}{rest}")
    assert (refused.status, refused.json["code"]) == (403, "scope")
    assert len((await ask(client)).json) == 2


async def test_without_a_token_of_the_bot_nothing_is_told(letters: tuple[Client, ReceivingServer]) -> None:
    client, desk = letters
    assert (await client.call("GET", PATH)).status == 401
    other = {"Authorization": "Bot-Server-Access-Token history-token-of-other"}
    for method, path in (("GET", PATH), ("POST", f"{PATH}/{desk.keys[0]}/resend"), ("DELETE", f"{PATH}/x")):
        assert (await client.call(method, path, None, other)).json["code"] == "other-bot"


async def test_wrong_parameters_are_refused(letters: tuple[Client, ReceivingServer]) -> None:
    client, _ = letters
    for query, code in (("limit=0", "bad-parameter"), ("limit=x", "bad-parameter"), ("skip=1", "unknown-parameter")):
        refused = await ask(client, query=query)
        assert (refused.status, refused.json["code"]) == (400, code)


async def test_the_description_has_all_three(letters: tuple[Client, ReceivingServer]) -> None:
    client, _ = letters
    described = (await client.call("GET", "/openapi.json")).json["paths"]
    assert set(described["/v1/bots/{bot_id}/dead-letters"]) == {"parameters", "get"}
    responses = described["/v1/bots/{bot_id}/dead-letters/{letter_id}/resend"]["post"]["responses"]
    assert {"204", "401", "403", "404"} <= set(responses)
    assert set(described["/v1/bots/{bot_id}/dead-letters/{letter_id}"]) == {"parameters", "delete"}
