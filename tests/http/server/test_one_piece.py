"""Answers in one piece: they read like those in parts, and are left to be sent in parts where more is to be done."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from tests.http.raw import in_parts, listening

from dialoom.http.server.exchange import WHOLE

GET = b"GET /%d HTTP/1.1\r\nHost: a\r\n\r\n"
PLAIN = [(b"content-type", b"text/plain"), (b"content-length", b"2")]


class OnePiece:
    """An app that gives its answers in one piece where it can. ``given``: of each request, whether it could."""

    def __init__(self, *, reads: bool = False) -> None:
        self.given: list[bool] = []
        self.has_given = asyncio.Event()
        self._reads = reads

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        while self._reads and (await receive())["more_body"]:
            pass
        self.given.append(scope["extensions"][WHOLE](200, PLAIN, b"", b"ok"))
        self.has_given.set()
        if not self.given[-1]:
            await in_parts(send, 200, PLAIN, b"ok")


async def test_an_answer_in_one_piece_reads_like_one_in_parts() -> None:
    async def app(scope: Any, _: Any, send: Any) -> None:
        if scope["path"] == "/1":
            assert scope["extensions"][WHOLE](200, PLAIN, b"a: b\r\n", b"ok")
            return
        await in_parts(send, 200, [*PLAIN, (b"a", b"b")], b"ok")

    async with listening(app) as door:
        client = await door.open()
        found = []
        for number in (1, 2, 1):
            await client.send(GET % number)
            found.append(await asyncio.wait_for(client.reader.readuntil(b"ok"), 10))
        assert found[0] == found[1] == found[2]


@pytest.mark.parametrize(
    ("request_", "header", "body"),
    [
        (b"GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", (b"a", b"b"), b"ok"),
        (b"GET / HTTP/1.0\r\n\r\n", (b"a", b"b"), b"ok"),
        (GET % 1, (b"connection", b"close"), b"ok"),
        (GET % 1, (b"Connection", b"close"), b"ok"),
        (GET % 1, (b"Transfer-Encoding", b"chunked"), b"ok"),
        (GET % 1, (b"a", b"b\r\nc: d"), b"ok"),
        (GET % 1, (b"a\r\nc", b"b"), b"ok"),
        (GET % 1, (b"Content-Length", b"100000"), b"o" * 100_000),
        (GET % 1, (b"a", b"b"), b"more than is said"),
    ],
    ids=[
        "last request",
        "HTTP/1.0",
        "last answer",
        "last answer, in capitals",
        "chunked",
        "line in a value",
        "line in a name",
        "large",
        "other length",
    ],
)
async def test_what_is_out_of_the_ordinary_is_left_to_be_sent_in_parts(
    request_: bytes, header: tuple[bytes, bytes], body: bytes
) -> None:
    async def app(scope: Any, _: Any, send: Any) -> None:
        assert not scope["extensions"][WHOLE](200, [*PLAIN, header], b"", body)
        await in_parts(send, 200, [(b"content-length", b"8")], b"in parts")

    async with listening(app) as door:
        client = await door.open()
        await client.send(request_)
        assert await client.answer() == (200, b"in parts")


async def test_an_answer_whose_length_is_not_said_is_left_to_be_sent_in_parts() -> None:
    async def app(scope: Any, _: Any, send: Any) -> None:
        assert not scope["extensions"][WHOLE](200, [(b"a", b"b")], b"", b"ok")
        await in_parts(send, 200, [(b"a", b"b")], b"ok")

    async with listening(app) as door:
        client = await door.open()
        await client.send(b"GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        assert (await client.rest()).endswith(b"\r\n\r\n2\r\nok\r\n0\r\n\r\n")


async def test_names_of_headers_go_out_in_small_letters_in_one_piece_as_in_parts() -> None:
    headers = [(b"Content-Length", b"2"), (b"X-Tea", b"Green")]

    async def app(scope: Any, _: Any, send: Any) -> None:
        if scope["path"] == "/1":
            assert scope["extensions"][WHOLE](200, headers, b"", b"ok")
            return
        await in_parts(send, 200, headers, b"ok")

    async with listening(app) as door:
        client = await door.open()
        found = []
        for number in (1, 2):
            await client.send(GET % number)
            found.append(await asyncio.wait_for(client.reader.readuntil(b"ok"), 10))
        assert found[0] == found[1]
        assert b"\r\nx-tea: Green\r\n" in found[0]


async def test_an_answer_that_has_no_body_says_nothing_of_one_in_one_piece_as_in_parts() -> None:
    async def app(scope: Any, _: Any, send: Any) -> None:
        if scope["path"] == "/1":
            assert scope["extensions"][WHOLE](204, [(b"a", b"b")], b"", b"")
            return
        await in_parts(send, 204, [(b"a", b"b")], b"")

    async with listening(app) as door:
        client = await door.open()
        found = []
        for number in (1, 2, 1):
            await client.send(GET % number)
            found.append(await asyncio.wait_for(client.reader.readuntil(b"\r\n\r\n"), 10))
        assert found == [b"HTTP/1.1 204 No Content\r\na: b\r\n\r\n"] * 3


async def test_who_asks_for_the_head_alone_gets_no_body_of_an_answer_in_one_piece() -> None:
    app = OnePiece()
    async with listening(app) as door:
        client = await door.open()
        await client.send(b"HEAD / HTTP/1.1\r\nHost: a\r\n\r\n" + GET % 1)
        head = await asyncio.wait_for(client.reader.readuntil(b"\r\n\r\n"), 10)
        assert b"\r\ncontent-length: 2\r\n" in head
        assert await client.answer() == (200, b"ok")
    assert app.given == [False, True]


async def test_pipelined_requests_get_answers_in_one_piece_and_in_parts_in_their_order() -> None:
    async def app(scope: Any, _: Any, send: Any) -> None:
        body = scope["path"].encode()
        headers = [(b"content-length", b"%d" % len(body))]
        if int(body[1:]) % 3:
            assert scope["extensions"][WHOLE](200, headers, b"", body)
        else:
            await in_parts(send, 200, headers, body)

    async with listening(app) as door:
        client = await door.open()
        await client.send(b"".join(GET % number for number in range(20)))
        assert [await client.answer() for _ in range(20)] == [(200, b"/%d" % number) for number in range(20)]


async def test_who_waits_to_be_asked_for_a_body_gets_an_answer_in_one_piece_after_that() -> None:
    app = OnePiece(reads=True)
    async with listening(app) as door:
        client = await door.open()
        await client.send(b"POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n")
        asked = await asyncio.wait_for(client.reader.readuntil(b"\r\n\r\n"), 10)
        assert asked == b"HTTP/1.1 100 Continue\r\n\r\n"
        await client.send(b"abc")
        assert await client.answer() == (200, b"ok")
        await client.send(GET % 1)
        assert await client.answer() == (200, b"ok")
    assert app.given == [True, True]


@pytest.mark.parametrize("rest", [b"Expect: 100-continue\r\n\r\n", b"\r\nabc"], ids=["not asked for", "begun"])
async def test_an_answer_before_its_body_is_whole_is_left_to_be_sent_in_parts_and_is_the_last(rest: bytes) -> None:
    app = OnePiece()
    async with listening(app) as door:
        client = await door.open()
        await client.send(b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n" + rest)
        assert await client.answer() == (200, b"ok")
        await client.send(b"defghij" + GET % 1)
        assert await client.rest() == b""
    assert app.given == [False]


async def test_while_a_client_takes_nothing_answers_are_left_to_be_sent_in_parts_which_wait_for_it() -> None:
    app = OnePiece()
    async with listening(app) as door:
        client = await door.open()
        await door.heard()
        (connection,) = door.state.connections
        connection.pause_writing()
        await client.send(GET % 1)
        await asyncio.wait_for(app.has_given.wait(), 10)
        connection.resume_writing()
        assert await client.answer() == (200, b"ok")
    assert app.given == [False]
