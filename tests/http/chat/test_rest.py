"""The rest channel as its callers use it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
from tests.http.support import Client, serving

from dialoom.authoring.mock_fetcher import MockFetcher

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path


@pytest.fixture
async def client(tmp_path: Path) -> AsyncIterator[Client]:
    async with serving(tmp_path) as client:
        yield client


async def test_a_message_is_answered_in_the_form_of_the_channel(client: Client) -> None:
    answer = await client.say("tea", id="1")
    assert answer.status == 200
    hello, question = answer.json
    assert hello["text"] == "Hello!"
    assert question["text"] == "Which tea?"
    assert question["quickReplies"] == ["Black", "Green", "Mint"]
    assert question["richQuickReplies"][0] == {"title": "Black", "value": "Black"}
    assert question["id"] > hello["id"]


async def test_the_same_id_again_gives_the_same_answer_and_runs_nothing(client: Client) -> None:
    first = await client.say("tea", id="1")
    again = await client.say("tea", id="1")
    assert (again.status, again.body) == (200, first.body)
    await client.texts("green", id="2")
    before = len(client.fetcher.requests)
    done = await client.say("secret word", id="3")
    assert done.json[-1]["text"] == "Order 7: Green."
    repeated = await client.say("secret word", id="3")
    assert repeated.body == done.body
    assert len(client.fetcher.requests) == before + 1


async def test_another_body_under_the_same_id_is_refused(client: Client) -> None:
    await client.say("tea", id="1")
    answer = await client.say("coffee", id="1")
    assert (answer.status, answer.json["code"]) == (422, "key-reused")


async def test_an_idempotency_key_stands_for_a_message_id(client: Client) -> None:
    body = {"sender": {"id": "ada"}, "message": {"text": "tea"}}
    headers = {"Authorization": "Bearer rest-token-of-tea", "Idempotency-Key": "k"}
    path = "/v1/bots/tea/channels/rest/rest/test"
    first = await client.call("POST", path, body, headers)
    assert (await client.call("POST", path, body, headers)).body == first.body
    assert (await client.history("conversations/_count")).json == {"count": 1}


async def test_a_day_later_the_id_is_new_again(client: Client) -> None:
    await client.say("tea", id="1")
    # Also the job that is due at the start: on a busy machine it may still be at work, by the time before the move.
    for seconds in (0, 25 * 3600):
        client.clock.move(seconds)
        await client.service.scheduled_jobs.look()
        await client.service.scheduled_jobs.settled()
    answer = await client.say("tea", id="1")
    assert answer.status == 200
    assert (await client.history("messages/_count", query={"From": "user"})).json == {"count": 2}


BAD: list[tuple[Any, int, str]] = [
    (b"{", 400, "bad-json"),
    (b"\xff", 400, "bad-json"),
    (b'{"sender": {"id": "a"}, "sender": {"id": "b"}, "message": {"text": "x"}}', 400, "bad-json"),
    (b'{"sender": {"id": "a"}, "message": {"text": "a\\u0000b"}}', 400, "bad-text"),
    (b'{"sender": {"id": "a"}, "message": {"text": "\\ud800"}}', 400, "bad-text"),
    (b'{"sender": {"id": "a"}, "message": {"option": NaN}}', 400, "bad-json"),
    (b'{"sender": {"id": "a"}, "message": {"option": 1e999}}', 400, "bad-json"),
    (b"[" * 100_000, 400, "bad-json"),
    (b'{"a":' * 100 + b"1" + b"}" * 100, 400, "bad-json"),
    (b" " * (2 * 1024 * 1024), 413, "too-large"),
    ([], 400, "bad-body"),
    ({"sender": {"id": "a"}}, 400, "bad-body"),
    ({"sender": {"id": 1}, "message": {"text": "x"}}, 400, "bad-body"),
    ({"sender": {"id": "a", "nmae": "x"}, "message": {"text": "x"}}, 400, "bad-body"),
    ({"sender": {"id": ""}, "message": {"text": "x"}}, 400, "bad-id"),
    ({"sender": {"id": "a" * 257}, "message": {"text": "x"}}, 400, "bad-id"),
    ({"sender": {"id": "a"}, "message": {}}, 400, "bad-message"),
    ({"sender": {"id": "a"}, "message": {"text": "x", "option": "y"}}, 400, "bad-message"),
    ({"sender": {"id": "a"}, "message": {"text": "x" * 8001}}, 400, "text-too-long"),
    ({"sender": {"id": "a"}, "message": {"text": "x", "id": "i" * 201}}, 400, "bad-id"),
    ({"sender": {"id": "a"}, "message": {"text": "x", "context": {"_system": 1}}}, 400, "context-refused"),
    ({"sender": {"id": "a"}, "message": {"event": {"type": "nothing"}}}, 400, "unknown-event"),
    ({"sender": {"id": "a", "token": "x"}, "message": {"text": "x"}}, 401, "bad-user-token"),
    ({"sender": {"id": "a", "name": "n" * 300}, "message": {"text": "x"}}, 400, "too-long"),
    ({"sender": {"id": "a"}, "message": {"location": {"latitude": 91, "longitude": 0}}}, 400, "bad-body"),
    ({"sender": {"id": "a"}, "message": {"attachments": [{"payload": {"url": "javascript:a"}}]}}, 400, "bad-url"),
    ({"sender": {"id": "a"}, "message": {"text": "x", "context": {"a": "x" * 70_000}}}, 400, "context-too-large"),
]


@pytest.mark.parametrize(("body", "status", "code"), BAD)
async def test_bad_input_is_refused_with_a_reason_and_nothing_is_stored(
    client: Client, body: Any, status: int, code: str
) -> None:
    headers = {"Authorization": "Bearer rest-token-of-tea"}
    answer = await client.call("POST", "/v1/bots/tea/channels/rest/rest/test", body, headers)
    assert (answer.status, answer.json["code"]) == (status, code)
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json["detail"]
    assert (await client.history("messages/_count")).json == {"count": 0}


async def test_a_body_of_another_content_type_is_refused(client: Client) -> None:
    headers = {"Authorization": "Bearer rest-token-of-tea", "Content-Type": "text/plain"}
    answer = await client.call("POST", "/v1/bots/tea/channels/rest/rest/test", b"{}", headers)
    assert (answer.status, answer.json["code"]) == (415, "content-type")


@pytest.mark.parametrize(
    ("path", "token", "status"),
    [
        ("tea/channels/rest/rest/x", None, 401),
        ("tea/channels/rest/rest/x", "wrong", 401),
        ("tea/channels/rest/rest/x", "history-token-of-tea", 401),
        ("tea/channels/rest/rest/x", "web-token-of-tea", 403),
        ("tea/channels/web/rest/x", "web-token-of-tea", 404),
        ("nowhere/channels/rest/rest/x", "rest-token-of-tea", 403),
        ("nowhere/channels/rest/rest/x", None, 401),
    ],
)
async def test_only_the_channels_own_token_opens_it(client: Client, path: str, token: str | None, status: int) -> None:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    body = {"sender": {"id": "a"}, "message": {"text": "x"}}
    answer = await client.call("POST", f"/v1/bots/{path}", body, headers)
    assert answer.status == status
    if status == 401:
        assert answer.headers["www-authenticate"] == "Bearer"
    assert (await client.history("messages/_count")).json == {"count": 0}


@pytest.mark.parametrize("name", ["a\x00b", "n" * 300])
async def test_a_bad_label_in_the_path_is_refused(client: Client, name: str) -> None:
    headers = {"Authorization": "Bearer rest-token-of-tea"}
    body = {"sender": {"id": "a"}, "message": {"text": "x"}}
    assert (await client.call("POST", f"/v1/bots/tea/channels/rest/rest/{name}", body, headers)).status == 400
    assert (await client.history("messages/_count")).json == {"count": 0}


async def test_a_compressed_body_is_refused(client: Client) -> None:
    headers = {"Authorization": "Bearer rest-token-of-tea", "Content-Encoding": "gzip"}
    answer = await client.call("POST", "/v1/bots/tea/channels/rest/rest/test", b"{}", headers)
    assert answer.status == 415


async def test_another_method_is_told_the_right_one(client: Client) -> None:
    answer = await client.call("GET", "/v1/bots/tea/channels/rest/rest/x")
    assert (answer.status, answer.headers["allow"]) == (405, "POST")


@pytest.mark.parametrize(
    ("message", "pointer"),
    [
        ({"option": "x" * 8001}, "/message/option"),
        ({"option": []}, "/message/option"),
        ({"attachments": []}, "/message/attachments"),
        ({"attachments": [{"payload": {"url": "https://x.example"}}] * 11}, "/message/attachments"),
        (
            {"attachments": [{"payload": {"url": "https://x.example"}, "name": "n" * 257}]},
            "/message/attachments/0/name",
        ),
        (
            {"attachments": [{"payload": {"url": "https://x.example"}, "mimeType": "n" * 257}]},
            "/message/attachments/0/mimeType",
        ),
    ],
)
async def test_options_and_attachments_are_bounded(client: Client, message: dict[str, Any], pointer: str) -> None:
    refused = await client.say(**message)
    assert (refused.status, refused.json["pointer"]) == (400, pointer)


class Waiting(MockFetcher):
    """A back end that is asked and does not answer."""

    def __init__(self) -> None:
        super().__init__({})
        self.asked = asyncio.Event()

    async def fetch(self, request: Any, *, secrets: Any = None, identity: Any = None) -> Any:
        self.asked.set()
        await asyncio.Event().wait()


async def test_a_turn_that_the_stop_does_not_wait_for_is_told_to_be_sent_again(tmp_path: Path) -> None:
    fetcher = Waiting()
    async with serving(tmp_path, fetcher=fetcher) as client:
        for text in ("tea", "Green"):
            await client.texts(text)
        asked = asyncio.create_task(client.say("secret", id="m1"))
        await fetcher.asked.wait()
        client.app.shutdown.begun.set()
        # As the server does with requests that are left when its time is over.
        asked.cancel()
        refused = await asked
    assert (refused.status, refused.json["code"]) == (503, "stopping")
    assert refused.headers["retry-after"] == "5"
