"""What stands in the log, and what never does."""

from __future__ import annotations

import asyncio
import io
import json
import logging
from typing import TYPE_CHECKING, Any

import pytest
from tests.http.support import BASE, MOCKS, serving
from tests.stores import TemporaryStore

from dialoom.authoring.mock_fetcher import MockFetcher
from dialoom.errors import RequestError, StoreError, VaultError
from dialoom.service.observe import logs

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

MARKED = (
    "MarkedPassword",
    "MarkedName",
    "marked-user",
    "marked-message-id",
    "MarkedContext",
    "MarkedAnswer",
    "rest-token-of-tea",
    "history-token-of-tea",
    "web-token-of-tea",
    "MarkedToken",
)


@pytest.fixture(params=["text", "json"])
def lines(request: pytest.FixtureRequest) -> Iterator[Any]:
    """Log everything as the service does; return the lines."""
    root, written = logging.getLogger(), io.StringIO()
    handler, level = logs.writer(request.param, written), root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    yield lambda: written.getvalue().splitlines()
    root.removeHandler(handler)
    root.setLevel(level)


class _Broken(TemporaryStore):
    """Raises what it is told to, with words of users in it."""

    fault: BaseException | None = None

    async def commit(self, write: Any) -> Any:
        if self.fault is not None:
            fault, self.fault = self.fault, None
            raise fault
        return await super().commit(write)


class _Faulty(MockFetcher):
    fault: BaseException | None = None

    async def fetch(self, request: Any, **named: Any) -> Any:
        if self.fault is not None:
            fault, self.fault = self.fault, None
            raise fault
        return await super().fetch(request, **named)


async def test_talks_through_errors_leave_no_word_of_a_user_in_the_log(tmp_path: Path, lines: Any) -> None:
    store, fetcher = _Broken(), _Faulty(MOCKS)
    async with serving(tmp_path, store=store, fetcher=fetcher) as client:

        async def say(text: str, sender: str = "marked-user", **message: Any) -> int:
            body = {"sender": {"id": sender, "name": "MarkedName"}, "message": message | {"text": text}}
            headers = {"Authorization": "Bearer rest-token-of-tea"}
            return (await client.call("POST", "/v1/bots/tea/channels/rest/rest/MarkedName", body, headers)).status

        store.fault = KeyError("MarkedPassword of MarkedName")
        assert await say("MarkedPassword") == 500
        store.fault = StoreError("the store is away")
        assert await say("MarkedPassword") == 503
        assert await say("tea") == 200
        assert await say("Green") == 200
        fetcher.fault = ValueError("MarkedAnswer for marked-user")
        assert await say("MarkedPassword") in {200, 500}
        assert await say("help", sender="marked-user-1", id="marked-message-id") == 200
        assert await say("MarkedPassword", sender="marked-user-1", id="marked-message-id") == 422
        assert (await client.say("MarkedPassword", token="MarkedToken")).status == 401
        session = {"user": {"name": "MarkedName"}, "context": {"MarkedContext": "MarkedContext"}}
        await client.call("POST", "/v1/bots/tea/channels/web/web/sessions", session, {"Origin": BASE})
        await client.call("GET", "/v1/bots/tea/MarkedName", None, {"Authorization": "Bearer history-token-of-tea"})
        await client.history("conversations", query={"User.Name": {"$nothing": "MarkedName"}})
        # One level more: the cause of an error of ours is foreign.
        try:
            raise StoreError("the store is away") from KeyError("MarkedPassword")
        except StoreError as error:
            store.fault = error
        await say("MarkedPassword", sender="marked-user-2")
    text = "\n".join(lines())
    assert "KeyError" in text
    assert "the store is away" in text
    for word in MARKED:
        assert word not in text, word


async def test_lines_of_a_turn_carry_its_ids(tmp_path: Path, lines: Any) -> None:
    store = _Broken()
    async with serving(tmp_path, store=store, fetcher=_Faulty(MOCKS)) as client:
        await client.say("tea")
        await client.say("Green")
        (record,) = (await client.history("conversations")).json
        client.fetcher.fault = ValueError("no")
        await client.say("secret")
        found = [line for line in lines() if "fault in a turn" in line or "left in its inbox" in line]
        assert found
        if found[0].startswith("{"):
            line = json.loads(found[0])
            assert (line["bot"], line["conversation"]) == ("tea", record["_id"])
            assert line["turn"]
            assert "ValueError" in line["trace"]
        else:
            assert f"conversation={record['_id']}" in found[0]
            assert "bot=tea" in found[0]
            assert "turn=" in found[0]


async def test_a_line_for_each_request_names_its_route_and_never_its_address(tmp_path: Path, lines: Any) -> None:
    async with serving(tmp_path, log_requests="on") as client:
        await client.say("help", sender="marked-user")
        await client.call("GET", "/v1/marked-user", None, None, "a=MarkedName")
    text = "\n".join(lines())
    assert "POST /v1/bots/{bot_id}/channels/{channel_id}/rest/{name} 200" in text
    assert "GET other 404" in text
    for word in MARKED:
        assert word not in text


async def test_without_the_setting_no_request_is_logged(tmp_path: Path, lines: Any) -> None:
    async with serving(tmp_path) as client:
        await client.say("help")
    assert not [line for line in lines() if "/rest/" in line]


def _trace(error: Exception, cause: BaseException | None = None) -> str:
    try:
        raise error from cause
    except type(error) as raised:
        return logs.trace_of(raised)


def test_a_trace_shows_places_and_classes_and_only_messages_of_ours() -> None:
    assert "KeyError" in (text := _trace(KeyError("MarkedName")))
    assert "MarkedName" not in text
    assert "test_logs.py" in text
    assert _trace(VaultError("the key is missing")).endswith("VaultError: the key is missing")
    assert _trace(RequestError("key-reused", "MarkedName")).endswith("RequestError: key-reused")
    assert _trace(OSError(28, "No space left on device", "/MarkedName")).endswith("OSError: No space left on device")


def test_a_trace_shows_what_led_to_an_error() -> None:
    text = _trace(StoreError("away"), ConnectionResetError(104, "Connection reset by peer"))
    assert text.index("Connection reset by peer") < text.index("This led to") < text.index("StoreError: away")


async def test_what_the_event_loop_finds_is_logged_without_what_it_holds(lines: Any) -> None:
    asyncio.get_running_loop().set_exception_handler(logs.loop_fault)

    async def fails() -> None:
        raise KeyError(MARKED[1])

    task = asyncio.ensure_future(fails())
    await asyncio.wait([task])
    del task
    await asyncio.sleep(0)
    text = "\n".join(lines())
    assert "Task exception was never retrieved" in text
    assert "MarkedName" not in text
