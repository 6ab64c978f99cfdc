"""Answers that go out before their request's body is there, clients that say no more, and requests without a host."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

import pytest
from tests.http.raw import Clock, echo, listening
from tests.http.support import serving

from dialoom.http.server.exchange import WHOLE

if TYPE_CHECKING:
    from pathlib import Path

    from tests.http.raw import Client

GET = b"GET /%d HTTP/1.1\r\nHost: a\r\n\r\n"
POST = b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: %d\r\n"


class Refusing:
    """Answers without a look at the body, in one piece where it can be."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.asked.append(scope["path"])
        headers = [(b"content-length", b"2")]
        if not scope["extensions"][WHOLE](401, headers, b"", b"no"):
            await send({"type": "http.response.start", "status": 401, "headers": headers})
            await send({"type": "http.response.body", "body": b"no"})


async def refusal(client: Client) -> bytes:
    """The head of an answer that says no."""
    answer = await asyncio.wait_for(client.reader.readuntil(b"\r\n\r\nno"), 30)
    assert answer.startswith(b"HTTP/1.1 401")
    return answer


async def test_a_refusal_before_the_body_was_asked_for_ends_the_connection() -> None:
    """Else the next request's first bytes would be taken for the body, or the body for a request."""
    app = Refusing()
    async with listening(app) as door:
        client = await door.open()
        await client.send(POST % 20 + b"Expect: 100-continue\r\n\r\n")
        assert b"\r\nconnection: close\r\n" in await refusal(client)
        await client.send(GET % 2 + GET % 3)
        assert await client.rest() == b""
    assert app.asked == ["/"]


async def test_what_comes_of_a_body_after_its_answer_is_thrown_away_and_never_answered() -> None:
    app = Refusing()
    clock = Clock()
    async with listening(app, clock=clock) as door:
        client = await door.open()
        await client.send(POST % 3_000_000 + b"\r\n" + b"a" * 100)
        assert b"\r\nconnection: close\r\n" in await refusal(client)
        await client.send(b"a" * 2_999_900 + GET % 2)
        await door.heard()
        assert await client.rest() == b""
        clock.move(1)
        await door.news.until(lambda: not door.state.connections)
    assert app.asked == ["/"]


async def test_the_same_of_a_body_in_chunks_that_is_never_whole() -> None:
    app = Refusing()
    async with listening(app) as door:
        client = await door.open()
        await client.send(b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n")
        assert b"\r\nconnection: close\r\n" in await refusal(client)
        assert await client.rest() == b""


async def test_a_refusal_of_a_request_that_is_whole_leaves_the_connection_open() -> None:
    app = Refusing()
    async with listening(app) as door:
        client = await door.open()
        for _ in range(2):
            await client.send(POST % 3 + b"\r\nabc")
            assert b"connection" not in await refusal(client)
        await client.send(POST % 3 + b"Expect: 100-continue\r\n\r\nabc" + GET % 2)
        assert b"connection" not in await refusal(client)
        assert b"connection" not in await refusal(client)
    assert app.asked == ["/", "/", "/", "/2"]


async def test_a_body_that_was_asked_for_keeps_its_connection() -> None:
    async with listening() as door:
        client = await door.open()
        await client.send(POST % 3 + b"Expect: 100-continue\r\n\r\n")
        asked = await asyncio.wait_for(client.reader.readuntil(b"\r\n\r\n"), 30)
        assert asked == b"HTTP/1.1 100 Continue\r\n\r\n"
        await client.send(b"abc")
        assert (await client.answer())[1].endswith(b" 3")
        await client.send(GET % 2)
        assert (await client.answer())[1] == b"/2 host 0"


# -- whom a request is meant for


@pytest.mark.parametrize(
    "head",
    [
        b"GET / HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\nhost: b\r\n\r\n",
        b"GET / HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n",
    ],
    ids=["none", "twice", "two", "two in HTTP/1.0"],
)
async def test_a_request_without_one_host_is_refused(head: bytes) -> None:
    app = Refusing()
    async with listening(app) as door:
        client = await door.open()
        await client.send(head)
        status, body = await client.answer()
        assert (status, json.loads(body)["code"]) == (400, "bad-request")
        assert "Host" in json.loads(body)["detail"]
        assert await client.rest() == b""
    assert app.asked == []


async def test_a_request_of_http_1_0_needs_no_host() -> None:
    async with listening() as door:
        client = await door.open()
        await client.send(b"GET / HTTP/1.0\r\n\r\n")
        assert (await client.answer())[0] == 200


# -- clients that say no more


async def test_who_has_sent_all_of_a_post_and_says_no_more_is_answered() -> None:
    go_on = asyncio.Event()

    async def slow(scope: Any, receive: Any, send: Any) -> None:
        await go_on.wait()
        await echo(scope, receive, send)

    async with listening(slow) as door:
        client = await door.open()
        await client.send(POST % 3 + b"\r\nabc")
        client.writer.write_eof()
        await door.heard()
        for _ in range(100):
            await asyncio.sleep(0)
        go_on.set()
        assert (await client.answer())[0] == 200
        assert await client.rest() == b""
        await door.news.until(lambda: not door.state.connections)


STUDIO = b"POST /v1/studio/a HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc"


@pytest.mark.parametrize(
    "request_", [GET % 1, POST % 3 + b"\r\nab", STUDIO], ids=["asks only", "amid a body", "the studio"]
)
async def test_who_asks_only_or_stops_amid_a_body_or_is_the_studios_page_and_says_no_more_has_gone(
    request_: bytes,
) -> None:
    gone = asyncio.Event()

    async def stream(scope: Any, receive: Any, send: Any) -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        gone.set()

    async with listening(stream) as door:
        client = await door.open()
        await client.send(request_)
        client.writer.write_eof()
        await asyncio.wait_for(gone.wait(), 30)


# -- heads alone


async def test_health_is_told_to_who_asks_for_the_head_alone(tmp_path: Path) -> None:
    async with serving(tmp_path) as service, listening(service.app) as door:
        client = await door.open()
        for path in (b"/healthz", b"/readyz"):
            await client.send(b"HEAD %b HTTP/1.1\r\nHost: a\r\n\r\nGET %b HTTP/1.1\r\nHost: a\r\n\r\n" % (path, path))
            head = await asyncio.wait_for(client.reader.readuntil(b"\r\n\r\n"), 30)
            assert head.startswith(b"HTTP/1.1 200")
            assert b"\r\ncontent-length: 15\r\n" in head
            assert await client.answer() == (200, b'{"status":"ok"}')
        service.app.shutdown.is_announced = True
        await client.send(b"HEAD /readyz HTTP/1.1\r\nHost: a\r\n\r\n")
        head = await asyncio.wait_for(client.reader.readuntil(b"\r\n\r\n"), 30)
        assert head.startswith(b"HTTP/1.1 503")
        assert await client.rest() == b""
