"""The web protocol as the chat page uses it."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

import pytest
from tests.http.support import BASE, BOT, Client, serving

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

WEB = "/v1/bots/tea/channels/web/web"


@pytest.fixture
async def client(tmp_path: Path) -> AsyncIterator[Client]:
    async with serving(tmp_path) as client:
        yield client


class Browser:
    """One browser's session."""

    def __init__(self, client: Client, session: dict[str, Any]) -> None:
        self.client = client
        self.session = session
        self.headers = {"Authorization": f"Bearer {session['token']}", "Origin": BASE}
        self.number = 0

    async def send(self, **message: Any) -> Any:
        self.number += 1
        return await self.client.call("POST", f"{WEB}/messages", {"id": f"m{self.number}"} | message, self.headers)

    async def read(self, after: int = 0) -> list[dict[str, Any]]:
        answer = await self.client.call("GET", f"{WEB}/messages", None, self.headers, {"after": after})
        assert answer.status == 200, answer.body
        return list(answer.json["messages"])


async def browser(client: Client, **body: Any) -> Browser:
    answer = await client.open(**body)
    assert answer.status == 200, answer.body
    return Browser(client, answer.json)


async def test_opening_a_new_chat_runs_welcome_once(client: Client) -> None:
    mine = await browser(client)
    assert mine.session["bot"] == {"id": "tea", "name": "Tea house", "avatarUrl": None, "language": "en"}
    assert mine.session["messages"] == []
    assert [message["text"] for message in await mine.read()] == ["Hello!"]
    again = await browser(client, resume=mine.session["resume"])
    assert again.session["user"] == mine.session["user"]
    assert [message["text"] for message in again.session["messages"]] == ["Hello!"]
    assert again.session["cursor"] == "1"
    assert len(await again.read()) == 1


async def test_a_message_is_accepted_once_and_answered_by_the_events(client: Client) -> None:
    mine = await browser(client)
    sent = await mine.send(text="tea")
    assert (sent.status, sent.json) == (202, {"id": "m1"})
    mine.number -= 1
    assert (await mine.send(text="tea")).status == 202
    hello, own, question = await mine.read()
    assert (own["from"], own["text"], own["clientId"]) == ("user", "tea", "m1")
    assert [reply["title"] for reply in question["replies"]] == ["Black", "Green", "Mint"]
    assert [m["position"] for m in (hello, own, question)] == [1, 2, 3]
    mine.number -= 1
    other = await mine.send(text="coffee")
    assert (other.status, other.json["code"]) == (422, "key-reused")


async def test_a_reply_is_chosen_by_its_key_and_an_old_key_is_stale(client: Client) -> None:
    mine = await browser(client)
    await mine.send(text="tea")
    key = (await mine.read())[-1]["replies"][1]["key"]
    assert (await mine.send(option={"key": key})).status == 202
    own, question = (await mine.read(after=3))[:2]
    assert (own["text"], own["type"]) == ("Green", "option")
    assert question["text"] == "The password?"
    await mine.send(option={"key": key})
    assert (await mine.read())[-1]["text"] == "The password?"


async def test_a_page_cannot_choose_whose_chat_it_is(client: Client) -> None:
    mine = await browser(client, user={"id": "ada", "name": "Ada Lovelace"})
    other = await browser(client, user={"id": "ada"})
    assert mine.session["user"] != other.session["user"]
    forged = await browser(client, resume="forged." + mine.session["resume"][7:])
    assert forged.session["user"] not in (mine.session["user"], other.session["user"])
    (record, *_) = (await client.history("conversations")).json
    assert record["Data"]["user"]["ExternalId"] == "ada"
    assert record["Messages"] == {"user": 0, "bot": 1}


async def test_pages_of_other_origins_need_to_be_listed_and_the_channels_token(client: Client) -> None:
    path, token = f"{WEB}/sessions", {"Authorization": "Bearer web-token-of-tea"}
    listed = {"Origin": "https://shop.example"}
    assert (await client.call("POST", path, {}, {"Origin": "https://evil.example"} | token)).status == 403
    assert (await client.call("POST", path, {}, listed)).status == 401
    opened = await client.call("POST", path, {}, listed | token)
    assert (opened.status, opened.headers["access-control-allow-origin"]) == (200, "https://shop.example")
    assert (await client.call("POST", path, {}, token)).status == 200
    assert (await client.call("POST", path, {}, {"Origin": "http://localhost:8080"})).status == 200
    asked = await client.call("OPTIONS", path, None, listed)
    assert asked.status == 204
    assert "authorization" in asked.headers["access-control-allow-headers"]


@pytest.mark.parametrize(
    ("name", "value"), [("user", {"Id": "x"}), ("conversation", "tea"), ("_system", 1), ("order", {"number": 1})]
)
async def test_context_of_a_page_never_sets_what_the_flow_relies_on(client: Client, name: str, value: Any) -> None:
    answer = await client.open(context={name: value})
    assert (answer.status, answer.json["code"], answer.json["pointer"]) == (400, "context-refused", f"/context/{name}")
    assert (await client.history("conversations/_count")).json == {"count": 0}
    mine = await browser(client)
    later = await mine.send(text="tea", context={"shop": "x", name: value})
    assert (later.status, later.json["code"], later.json["pointer"]) == (400, "context-refused", f"/context/{name}")
    assert [message["text"] for message in await mine.read()] == ["Hello!"]


async def test_context_of_a_page_is_told_at_the_opening_and_with_messages(client: Client) -> None:
    mine = await browser(client, context={"shop": "north", "kind": "Green"})
    await mine.send(context={"shop": "south"})
    await mine.send(text="tea", context={"page": "/tea"})
    assert (await mine.read())[-1]["text"] == "The password?"
    (record,) = (await client.history("conversations")).json
    assert record["Data"]["context"] == {"shop": "south", "kind": "Green", "page": "/tea"}


async def test_context_of_a_page_is_bounded_wherever_it_comes(client: Client) -> None:
    large = {"text": "x" * 70_000}
    assert (await client.open(context=large)).json["code"] == "context-too-large"
    mine = await browser(client)
    assert (await mine.send(text="tea", context=large)).json["code"] == "context-too-large"


async def test_a_session_works_on_its_own_channel_only_and_not_for_ever(client: Client) -> None:
    mine = await browser(client)
    other = await client.call("GET", "/v1/bots/other/channels/web/web/messages", None, mine.headers)
    assert other.status == 403
    assert (await client.call("GET", f"{WEB}/messages", None, {"Authorization": "Bearer x"})).status == 401
    resume = {"Authorization": f"Bearer {mine.session['resume']}"}
    assert (await client.call("GET", f"{WEB}/messages", None, resume)).status == 401
    client.clock.move(25 * 3600)
    late = await client.call("GET", f"{WEB}/messages", None, mine.headers)
    assert (late.status, late.json["code"]) == (401, "session")


@pytest.mark.parametrize(
    "body",
    [
        {"id": "1"},
        {"id": "", "text": "x"},
        {"id": "1" * 65, "text": "x"},
        {"id": "1", "text": "x" * 8001},
        {"id": "1", "text": "x", "option": {"key": "a"}},
        {"id": "1", "option": {}},
        {"id": "1", "text": 5},
        {"id": "1", "txet": "x"},
        {"id": "1", "location": {"latitude": "north"}},
    ],
)
async def test_a_bad_message_is_refused_and_not_stored(client: Client, body: Any) -> None:
    mine = await browser(client)
    answer = await client.call("POST", f"{WEB}/messages", body, mine.headers)
    assert answer.status == 400
    assert len(await mine.read()) == 1


async def test_clear_forgets_and_begins_anew(client: Client) -> None:
    mine = await browser(client)
    await mine.send(text="tea")
    cleared = await browser(client, resume=mine.session["resume"], clear=True)
    assert (await cleared.read())[-1]["text"] == "Hello!"
    first, second = (await client.history("conversations")).json
    assert (first["Status"], second["Status"]) == ("abandoned", "active")


class Stream:
    """An event stream read as it comes. ``peer``: from where the connection comes."""

    def __init__(self, client: Client, headers: dict[str, str], peer: str = "127.0.0.1") -> None:
        self._scope = {
            "type": "http", "method": "GET", "path": f"{WEB}/events", "query_string": b"",
            "client": (peer, 40000),
            "headers": [(k.lower().encode(), v.encode()) for k, v in headers.items()],
        }  # fmt: skip
        self._gone = asyncio.Event()
        self._chunks: asyncio.Queue[bytes] = asyncio.Queue()
        self._task = asyncio.create_task(client.app(self._scope, self._receive, self._send))

    async def _receive(self) -> Any:
        await self._gone.wait()
        return {"type": "http.disconnect"}

    async def _send(self, event: Any) -> None:
        if event["type"] == "http.response.body":
            self._chunks.put_nowait(event["body"])

    async def events(self, count: int) -> list[tuple[str, Any]]:
        found: list[tuple[str, Any]] = []
        while len(found) < count:
            chunk = (await self.piece()).decode()
            for block in chunk.split("\n\n"):
                lines = dict(line.split(": ", 1) for line in block.splitlines() if ": " in line and line[0] != ":")
                if "event" in lines:
                    found.append((lines.get("id", lines["event"]), json.loads(lines["data"])))
        return found

    async def piece(self) -> bytes:
        """Return the next bytes of the stream."""
        return await asyncio.wait_for(self._chunks.get(), 30)

    async def ended(self) -> None:
        """Wait until the service ends the stream."""
        await asyncio.wait_for(self._task, 30)

    async def close(self) -> None:
        self._gone.set()
        await self.ended()


async def test_events_come_as_they_are_said_and_go_on_after_the_last_one_seen(client: Client) -> None:
    mine = await browser(client)
    stream = Stream(client, mine.headers)
    assert [name for name, _ in await stream.events(2)] == ["1", "typing"]
    await mine.send(text="tea")
    events = await stream.events(3)
    assert [name for name, _ in events] == ["2", "3", "typing"]
    assert events[1][1]["text"] == "Which tea?"
    await stream.close()
    await mine.send(text="green")
    later = Stream(client, mine.headers | {"Last-Event-ID": "3"})
    assert [name for name, _ in await later.events(3)] == ["4", "5", "typing"]
    await later.close()


async def test_a_stream_of_an_erased_user_ends_with_the_first_message_of_the_new_chat(client: Client) -> None:
    mine = await browser(client)
    await mine.send(text="tea")
    await mine.send(text="green")
    stream = Stream(client, mine.headers)
    assert [name for name, _ in await stream.events(6)] == ["1", "2", "3", "4", "5", "typing"]
    await client.service.erasure.erase("tea", mine.session["user"]["id"])
    assert await stream.events(1) == [("typing", {"on": False})]
    await mine.send(text="help")
    await stream.ended()
    late = Stream(client, mine.headers | {"Last-Event-ID": "5"})
    await late.ended()
    assert b"has begun again" in await late.piece()
    again = await browser(client, resume=mine.session["resume"])
    assert (await again.read())[0]["text"] == "help"


async def test_open_streams_end_when_the_service_stops(client: Client) -> None:
    mine = await browser(client)
    stream = Stream(client, mine.headers)
    await stream.events(2)
    client.app.shutdown.begun.set()
    await stream.ended()


async def test_a_stream_that_is_opened_while_the_service_stops_gives_what_was_said_and_ends(client: Client) -> None:
    mine = await browser(client)
    client.app.shutdown.begun.set()
    stream = Stream(client, mine.headers)
    assert [name for name, _ in await stream.events(2)] == ["1", "typing"]
    await stream.ended()


async def test_of_too_many_streams_of_a_chat_the_oldest_ends_and_is_to_come_again_later(client: Client) -> None:
    mine, other = await browser(client), await browser(client)
    streams = [Stream(client, mine.headers) for _ in range(8)]
    others = Stream(client, other.headers)
    for stream in (*streams, others):
        await stream.events(2)
    newest = Stream(client, mine.headers)
    await newest.events(2)
    assert await streams[0].piece() == b"retry: 30000\n\n"
    await streams[0].ended()
    await mine.send(text="tea")
    for stream in (*streams[1:], newest):
        assert (await stream.events(2))[1][1]["text"] == "Which tea?"
        await stream.close()
    # All are gone, and as many may come again.
    again = [Stream(client, mine.headers) for _ in range(8)]
    for stream in again:
        await stream.events(4)
    for stream in (*again, others):
        await stream.close()


async def test_a_stream_too_many_of_an_address_is_refused_and_its_page_polls_without_waiting(tmp_path: Path) -> None:
    async with serving(tmp_path, streams_per_address=2) as client:
        mine = [await browser(client) for _ in range(3)]
        streams = [Stream(client, one.headers, "203.0.113.5") for one in mine[:2]]
        for stream in streams:
            await stream.events(2)
        call, wait = client.call, {"after": "1", "wait": "20"}
        refused = await call("GET", f"{WEB}/events", None, mine[2].headers, None, "203.0.113.5")
        assert (refused.status, refused.json["code"]) == (429, "too-many-streams")
        assert refused.headers["retry-after"] == "30"
        begin = asyncio.get_running_loop().time()
        polled = await call("GET", f"{WEB}/messages", None, mine[2].headers, wait, "203.0.113.5")
        assert (polled.status, polled.json["messages"]) == (200, [])
        assert asyncio.get_running_loop().time() - begin < 10
        elsewhere = Stream(client, mine[2].headers, "203.0.113.6")
        await elsewhere.events(2)
        for stream in (*streams, elsewhere):
            await stream.close()
        again = Stream(client, mine[2].headers, "203.0.113.5")
        await again.events(2)
        await again.close()


async def test_a_long_poll_counts_as_a_stream_while_it_waits(client: Client) -> None:
    mine = await browser(client)
    polls = [
        asyncio.create_task(client.call("GET", f"{WEB}/messages", None, mine.headers, {"after": "1", "wait": "20"}))
        for _ in range(9)
    ]
    done, waiting = await asyncio.wait(polls, timeout=10, return_when=asyncio.FIRST_COMPLETED)
    assert (len(done), len(waiting)) == (1, 8)
    await mine.send(text="tea")
    for answer in await asyncio.gather(*waiting):
        assert [message["text"] for message in answer.json["messages"]] == ["tea", "Which tea?"]


async def test_a_long_poll_ends_when_the_service_stops(client: Client) -> None:
    mine = await browser(client)
    waiting = asyncio.create_task(
        client.call("GET", f"{WEB}/messages", None, mine.headers, {"after": "1", "wait": "20"})
    )
    await asyncio.sleep(0)
    client.app.shutdown.begun.set()
    assert (await asyncio.wait_for(waiting, 10)).json["messages"] == []


async def test_a_long_poll_waits_for_what_is_said_next(client: Client) -> None:
    mine = await browser(client)
    waiting = asyncio.create_task(
        client.call("GET", f"{WEB}/messages", None, mine.headers, {"after": "1", "wait": "20"})
    )
    await asyncio.sleep(0)
    await mine.send(text="tea")
    answer = await asyncio.wait_for(waiting, 30)
    assert [message["text"] for message in answer.json["messages"]] == ["tea", "Which tea?"]
    assert answer.json["next"] == "3"


@pytest.mark.parametrize(
    ("message", "pointer"),
    [
        ({"option": {"keys": []}}, "/option/keys"),
        ({"option": {"keys": ["1.0"] * 1001}}, "/option/keys"),
        ({"option": {"keys": ["1.0", "k" * 65]}}, "/option/keys/1"),
        ({"option": {"key": "k" * 65}}, "/option/key"),
        ({"option": {"value": "x" * 8001}}, "/option/value"),
        ({"option": {"value": [["a"]]}}, "/option/value/0"),
        ({"text": "tea", "ask": "1"}, "/ask"),
        ({"option": {"key": "1.0"}, "ask": "1"}, "/ask"),
        ({"option": {"keys": ["1.0"]}, "ask": "1"}, "/ask"),
        ({"context": {"shop": "x"}, "ask": "1"}, "/ask"),
    ],
)
async def test_an_option_is_bounded_and_ask_stands_only_where_it_says_something(
    client: Client, message: dict[str, Any], pointer: str
) -> None:
    mine = await browser(client)
    refused = await mine.send(**message)
    assert (refused.status, refused.json["pointer"]) == (400, pointer)
    assert len(await mine.read()) == 1


async def test_a_user_may_erase_their_own_data_where_the_operator_lets_them_and_nobody_else_s(tmp_path: Path) -> None:
    channels = [
        channel | {"erase-from-page": True} if channel["type"] == "web" else channel for channel in BOT["channels"]
    ]
    async with serving(tmp_path, bot=BOT | {"channels": channels}) as client:
        mine, other = await browser(client), await browser(client)
        assert mine.session["channel"] == {"mayErase": True, "privacyUrl": None, "consent": None}
        for one in (mine, other):
            await one.send(text="tea")
        receipt = await client.call("POST", f"{WEB}/erasure", None, mine.headers)
        assert receipt.status == 200, receipt.body
        assert receipt.json["user"] == mine.session["user"]["id"]
        assert receipt.json["messages"] >= 2
        again = await browser(client, resume=mine.session["resume"])
        assert again.session["messages"] == []
        assert len(await other.read()) >= 2
        refused = await client.call("POST", f"{WEB}/erasure", None, {"Origin": BASE})
        assert refused.status == 401


async def test_a_user_may_not_erase_their_data_where_the_operator_says_nothing(client: Client) -> None:
    mine = await browser(client)
    assert mine.session["channel"] == {"mayErase": False, "privacyUrl": None, "consent": None}
    refused = await client.call("POST", f"{WEB}/erasure", None, mine.headers)
    assert (refused.status, refused.json["code"]) == (403, "erasure-off")
    assert len(await mine.read()) == 1
