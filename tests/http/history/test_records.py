"""The history API as its clients use it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from tests.http.support import FLOW, TRAINING, Client, serving

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


async def test_what_was_not_understood_and_where_it_stopped_can_be_asked_for(client: Client) -> None:
    """A message that got no more than the question again is marked, and counted in its conversation."""
    for text in ("tea", "a submarine", "no idea"):
        await client.say(text, sender="ada")
    await _order(client, "bob")
    (record,) = (await client.history("conversations", query={"Data.notUnderstood": {"$gt": 0}})).json
    assert (record["User"], record["Data"]["notUnderstood"], record["Data"]["step"]) == ("ada", 2, "tea/0")
    marked = (await client.history("messages", query={"Understood": False})).json
    assert [message["Text"] for message in marked] == ["a submarine", "no idea"]
    (other,) = (await client.history("conversations", query={"User": "bob"})).json
    assert "notUnderstood" not in other["Data"]
    assert other["Data"]["step"] == "tea/2"


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


async def test_no_page_of_the_framework_is_served(client: Client) -> None:
    for path in ("/schema", "/-schema", "/-schema/openapi.json", "//-schema"):
        assert (await client.call("GET", path)).status == 404


async def test_health_needs_no_token(client: Client) -> None:
    assert (await client.call("GET", "/healthz")).json == {"status": "ok"}
    assert (await client.call("GET", "/readyz")).json == {"status": "ok"}


OFFERING = FLOW | {"settings": {"understanding": {"ask": 0.05, "threshold": 1}}}
"""The tea bot asks what was meant of anything that is like an expression."""
TEA = {"type": "Conversation", "value": "tea"}


async def test_what_was_offered_and_what_was_chosen_can_be_asked_for(tmp_path: Path) -> None:
    async with serving(tmp_path, OFFERING) as client:
        for sender, answer in (("ada", "your tea"), ("bob", "no")):
            for text in ("hi", "I want your tea", answer):
                assert (await client.say(text, sender=sender)).status == 200
        (record,) = (await client.history("conversations", query={"Data.offersTaken": {"$gt": 0}})).json
        assert (record["User"], record["Status"], record["Goal"]) == ("ada", "active", "tea")
        assert (record["Data"]["offered"], record["Data"]["notUnderstood"]) == (1, 1)
        (refused,) = (await client.history("conversations", query={"Data.offersRefused": 1})).json
        assert (refused["User"], refused["Data"]["offered"]) == ("bob", 1)
        assert "offersTaken" not in refused["Data"]
        (said, *_) = (await client.history("messages", query={"Offered.value": "tea", "User": "ada"})).json
        assert (said["Text"], said["Offered"], said["Understood"]) == ("I want your tea", [TEA], False)
        (chosen,) = (await client.history("messages", query={"Chosen.value": "tea"})).json
        assert (chosen["Text"], chosen["Chosen"]) == ("your tea", TEA)
        none = (await client.history("messages", query={"User": "bob", "From": "user", "Text": "no"})).json
        assert [message["Chosen"] for message in none] == [None]


async def test_what_was_offered_for_an_answer_to_a_secret_question_is_only_counted(tmp_path: Path) -> None:
    flow = msgspec.json.decode(msgspec.json.encode(OFFERING))
    steps = flow["conversations"]["tea"]["steps"]
    steps[1]["entity-type"] = "Number"
    flow["conversations"]["bags"] = {"type": "support", "steps": steps[:1]}
    training = msgspec.json.decode(msgspec.json.encode(TRAINING))
    training["entity-definitions"][0]["data"].append({"value": "bags", "expressions": ["tea bags"]})
    async with serving(tmp_path, flow, training=training) as client:
        for text in ("tea", "green", "some bags"):
            assert (await client.say(text, sender="ada")).status == 200
        (record,) = (await client.history("conversations")).json
        assert record["Data"]["offered"] == 1
        said = (await client.history("messages", query={"From": "user"})).json[-1]
        assert said["Text"] == "***"
        assert "Offered" not in said
