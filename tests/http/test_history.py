"""The history API as its clients use it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.http.support import Client, serving

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path


@pytest.fixture
async def client(tmp_path: Path) -> AsyncIterator[Client]:
    async with serving(tmp_path) as client:
        yield client


async def _order(client: Client, sender: str) -> None:
    for text in ("tea", "green", "open sesame"):
        answer = await client.say(text, sender=sender)
        assert answer.status == 200, answer.body


async def test_a_finished_conversation_stands_there_as_success_with_right_counts(client: Client) -> None:
    await _order(client, "ada")
    (record,) = (await client.history("conversations")).json
    assert record["Status"] == "success"
    assert record["Goal"] == "tea"
    assert record["Messages"] == {"user": 3, "bot": 4}
    assert record["Errors"] == 0
    assert record["User"] == "ada"
    assert record["Data"]["channel"] == {"Id": "rest", "ProviderName": "rest", "Name": "test"}
    assert record["Data"]["user"]["FirstName"] == "Ada"
    assert record["Data"]["user"]["LastName"] == "Lovelace"
    assert record["EndedAt"] == record["UpdatedAt"]
    assert set(record) == {
        "_id", "Bot", "User", "Channel", "Status", "StartedAt", "UpdatedAt", "EndedAt", "Goal", "Errors", "Messages",
        "FlowVersion", "Data",
    }  # fmt: skip


async def test_its_messages_come_in_their_order_and_the_answer_to_a_secret_question_is_masked(client: Client) -> None:
    await _order(client, "ada")
    (record,) = (await client.history("conversations")).json
    messages = (await client.history("messages", query={"Conversation": record["_id"]})).json
    assert [(m["From"], m["Text"]) for m in messages] == [
        ("user", "tea"),
        ("bot", "Hello!"),
        ("bot", "Which tea?"),
        ("user", "green"),
        ("bot", "The password?"),
        ("user", "***"),
        ("bot", "Order 7: Green."),
    ]
    assert [m["Sequence"] for m in messages] == [1, 2, 3, 4, 5, 6, 7]
    assert messages[2]["Step"] == "tea/0"
    assert set(messages[0]) == {
        "_id", "Bot", "Conversation", "User", "Channel", "From", "Type", "Text", "Payload", "Step", "Understanding",
        "Error", "CreatedAt", "Sequence",
    }  # fmt: skip
    assert b"sesame" not in (await client.history("messages")).body + (await client.history("conversations")).body


async def test_limit_skip_sort_and_query_choose(client: Client) -> None:
    for sender in ("a", "b", "c"):
        await _order(client, sender)
        client.clock.move(1)

    async def users(**query: Any) -> list[str]:
        return [record["User"] for record in (await client.history("conversations", **query)).json]

    assert await users() == ["a", "b", "c"]
    assert await users(limit=2) == ["a", "b"]
    assert await users(skip=1, limit=1) == ["b"]
    assert await users(limit=0) == []
    assert await users(sort={"StartedAt": -1}) == ["c", "b", "a"]
    assert await users(sort="User") == ["a", "b", "c"]
    assert await users(query={"User": {"$in": ["a", "c"]}}) == ["a", "c"]
    assert await users(query={"$or": [{"User": "a"}, {"Messages.user": {"$gt": 3}}]}) == ["a"]
    assert await users(query={"Data.user.FirstName": "Ada", "Status": "success"}) == ["a", "b", "c"]
    assert (await client.history("conversations/_count", query={"User": {"$ne": "b"}})).json == {"count": 2}
    assert (await client.history("messages/_count")).json == {"count": 21}


async def test_one_conversation_can_be_read_by_its_id(client: Client) -> None:
    await _order(client, "ada")
    (record,) = (await client.history("conversations")).json
    assert (await client.history(f"conversations/{record['_id']}")).json == record
    assert (await client.history("conversations/nothing")).status == 404


@pytest.mark.parametrize(
    ("query", "parts"),
    [
        ({"limit": "1001"}, ["limit", "1000"]),
        ({"limit": "-1"}, ["limit"]),
        ({"limit": "ten"}, ["limit"]),
        ({"skip": "1000001"}, ["skip"]),
        ({"offset": "1"}, ['"offset"', "limit, skip, sort, query"]),
        ({"query": "{"}, []),
        ({"query": '{"a": {"$where": "1"}}'}, ["$where"]),
        ({"query": '{"a": {"$near": 1}}'}, ["$near"]),
        ({"query": "[]"}, []),
        ({"sort": '{"a": 2}'}, []),
        ({"sort": "-StartedAt"}, ["StartedAt", '{"StartedAt":-1}']),
        ({"sort": "[1]"}, []),
    ],
)
async def test_a_bad_parameter_is_named(client: Client, query: dict[str, str], parts: list[str]) -> None:
    answer = await client.history("conversations", **query)
    assert answer.status == 400
    assert answer.headers["content-type"] == "application/problem+json"
    assert [part for part in parts if part not in answer.json["detail"]] == []


async def test_a_parameter_given_twice_is_refused(client: Client) -> None:
    headers = {"Authorization": "Bot-Server-Access-Token history-token-of-tea"}
    answer = await client.call("GET", "/v1/bots/tea/messages", None, headers, "limit=1&limit=2")
    assert (answer.status, answer.json["code"]) == (400, "bad-parameter")


@pytest.mark.parametrize(
    ("bot", "authorization", "status"),
    [
        ("tea", None, 401),
        ("tea", "Bot-Server-Access-Token", 401),
        ("tea", "Bot-Server-Access-Token wrong", 401),
        ("tea", "Bearer history-token-of-tea", 401),
        ("tea", "Bot-Server-Access-Token rest-token-of-tea", 401),
        ("tea", "Bot-Server-Access-Token history-token-of-other", 403),
        ("nowhere", "Bot-Server-Access-Token history-token-of-tea", 403),
        ("tea", "bot-server-access-token history-token-of-tea", 200),
    ],
)
async def test_only_the_bots_own_token_opens_its_history(
    client: Client, bot: str, authorization: str | None, status: int
) -> None:
    headers = {"Authorization": authorization} if authorization else {}
    answer = await client.call("GET", f"/v1/bots/{bot}/conversations", None, headers)
    assert answer.status == status
    if status == 401:
        assert answer.headers["www-authenticate"] == "Bot-Server-Access-Token"


async def test_a_revoked_token_opens_nothing(client: Client) -> None:
    token = await client.service.tokens.create("tea", name="for a day")
    headers = {"Authorization": f"Bot-Server-Access-Token {token.text}"}
    assert (await client.call("GET", "/v1/bots/tea/messages", None, headers)).status == 200
    await client.service.tokens.revoke("tea", token.row.id)
    assert (await client.call("GET", "/v1/bots/tea/messages", None, headers)).status == 401


async def test_other_methods_and_paths_are_problem_details_too(client: Client) -> None:
    posted = await client.call("POST", "/v1/bots/tea/conversations", {})
    assert (posted.status, posted.json["code"]) == (405, "method")
    assert "GET" in posted.headers["allow"]
    nowhere = await client.call("GET", "/v1/nothing")
    assert (nowhere.status, nowhere.json["code"]) == (404, "not-found")


async def test_the_interface_describes_itself(client: Client) -> None:
    described = (await client.call("GET", "/openapi.json")).json
    assert described["openapi"].startswith("3.1")
    assert {
        "/v1/bots/{bot_id}/conversations",
        "/v1/bots/{bot_id}/messages",
        "/v1/bots/{bot_id}/conversations/_count",
        "/v1/bots/{bot_id}/messages/_count",
        "/v1/bots/{bot_id}/channels/{channel_id}/rest/{name}",
    } <= set(described["paths"])
    schemas = described["components"]["schemas"]
    assert schemas["RestBody"]["additionalProperties"] is False
    assert "StartedAt" in schemas["ConversationRecord"]["properties"]
    listing = described["paths"]["/v1/bots/{bot_id}/conversations"]["get"]
    assert {parameter["name"] for parameter in listing["parameters"]} == {"bot_id", "limit", "skip", "sort", "query"}


async def test_errors_are_described_as_they_come(client: Client) -> None:
    described = (await client.call("GET", "/openapi.json")).json
    for path in ("conversations", "messages", "conversations/_count", "messages/_count"):
        responses = described["paths"][f"/v1/bots/{{bot_id}}/{path}"]["get"]["responses"]
        assert {"200", "400", "401", "403", "406", "503"} <= set(responses)
        assert set(responses["400"]["content"]) == {"application/problem+json"}


async def test_no_page_of_the_framework_is_served(client: Client) -> None:
    for path in ("/docs", "/schema", "/-schema", "/-schema/openapi.json"):
        assert (await client.call("GET", path)).status == 404


async def test_another_form_than_json_is_refused(client: Client) -> None:
    headers = {"Authorization": "Bot-Server-Access-Token history-token-of-tea", "Accept": "text/html"}
    answer = await client.call("GET", "/v1/bots/tea/messages", None, headers)
    assert (answer.status, answer.json["code"]) == (406, "not-acceptable")


async def test_health_needs_no_token(client: Client) -> None:
    assert (await client.call("GET", "/healthz")).json == {"status": "ok"}
    assert (await client.call("GET", "/readyz")).json == {"status": "ok"}


async def test_the_rest_channel_and_the_picker_page_are_described(client: Client) -> None:
    described = (await client.call("GET", "/openapi.json")).json
    base = "/v1/bots/{bot_id}/channels/{channel_id}"
    paths, schemas = described["paths"], described["components"]["schemas"]
    later = paths[f"{base}/rest/{{name}}/messages"]["get"]
    assert [(one["name"], one.get("required", False)) for one in later["parameters"]] == [
        ("sender", True),
        ("after", False),
    ]
    pick, question = paths[f"{base}/pick/{{ticket}}"], paths[f"{base}/pick/{{ticket}}/question"]["get"]
    assert pick["post"]["security"] == question["security"] == []
    assert {"200", "400", "404", "410", "429"} <= set(pick["post"]["responses"])
    assert "401" not in question["responses"]
    assert schemas["PickBody"]["additionalProperties"] is False
    assert "v2template" in schemas["RestMessage"]["properties"]
