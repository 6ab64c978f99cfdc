"""The limits of a connection, by clients that break them over real sockets."""

from __future__ import annotations

import asyncio
import json
import math
from typing import Any

import pytest
from tests.http.raw import Clock, EachAddress, Heard, echo, listening

from dialoom.http.server.limits.client_address import ConnectionsPerAddress
from dialoom.http.server.limits.connection_limits import Limits

GET = b"GET /%d HTTP/1.1\r\nHost: a\r\n\r\n"
SMALL = Limits(head_size=1000, linger_seconds=0.1)


def _code(body: bytes) -> str:
    return str(json.loads(body)["code"])


async def test_requests_of_one_connection_are_answered_one_after_the_other() -> None:
    async with listening() as door:
        client = await door.open()
        for number in range(3):
            await client.send(GET % number)
            assert await client.answer() == (200, b"/%d host 0" % number)


async def test_pipelined_requests_are_answered_in_their_order() -> None:
    async with listening() as door:
        client = await door.open()
        await client.send(b"".join(GET % number for number in range(20)))
        assert [(await client.answer())[1] for _ in range(20)] == [b"/%d host 0" % number for number in range(20)]


@pytest.mark.parametrize(
    "head",
    [
        b"GET /" + b"a" * 1100 + b" HTTP/1.1\r\n",
        b"GET / HTTP/1.1\r\nA: " + b"a" * 1100,
        b"GET / HTTP/1.1\r\n" + b"A: b\r\n" * 200,
        b"\r\n" * 600,
        b"GET / HTTP/1.1\r\nHost: a\r\nA: " + b"a" * 1100 + b"\r\n\r\n",
        b"G" * 1100,
    ],
    ids=["address", "value", "many", "line ends", "whole", "no method"],
)
async def test_a_head_that_is_too_large_ends_its_connection(head: bytes) -> None:
    async with listening(limits=SMALL) as door:
        client = await door.open()
        await client.send(head)
        status, body = await client.answer()
        assert (status, _code(body)) in [(431, "head-too-large"), (400, "bad-request")]
        assert await client.rest() == b""


async def test_a_large_head_that_comes_byte_by_byte_is_refused_when_it_is_too_large() -> None:
    async with listening(limits=SMALL) as door:
        client = await door.open()
        await client.send(b"GET / HTTP/1.1\r\nA: ")
        for _ in range(20):
            await client.send(b"a" * 60)
            await asyncio.sleep(0)
        assert (await client.answer())[0] == 431


async def test_a_head_of_just_under_the_limit_is_let_in() -> None:
    async with listening(limits=SMALL) as door:
        client = await door.open()
        await client.send(b"GET / HTTP/1.1\r\nHost: a\r\nA: " + b"a" * 900 + b"\r\n\r\n")
        assert (await client.answer())[0] == 200


async def test_a_second_head_is_held_to_the_limit_as_well() -> None:
    async with listening(limits=SMALL) as door:
        client = await door.open()
        await client.send(GET % 1)
        assert (await client.answer())[0] == 200
        await client.send(b"GET / HTTP/1.1\r\nA: " + b"a" * 1100)
        assert (await client.answer())[0] == 431
        assert await client.rest() == b""


async def test_a_large_body_before_it_does_not_count_for_a_head() -> None:
    async with listening(limits=SMALL) as door:
        client = await door.open()
        post = b"POST /1 HTTP/1.1\r\nHost: a\r\nContent-Length: 50000\r\n\r\n" + b"a" * 50000
        await client.send(post + GET % 2 + b"GET /3 HTTP/1.1\r\nHost: a\r\n")
        assert (await client.answer())[1] == b"/1 host,content-length 50000"
        assert (await client.answer())[1] == b"/2 host 0"
        await client.send(b"\r\n")
        assert (await client.answer())[1] == b"/3 host 0"


async def test_a_head_that_is_not_whole_in_time_ends_its_connection() -> None:
    async with listening(clock=Clock()) as door:
        client = await door.open()
        await client.send(b"GET / HTTP/1.1\r\nHo")
        await door.pass_time(10)
        status, body = await client.answer()
        assert (status, _code(body)) == (408, "head-too-slow")
        assert await client.rest() == b""


async def test_dripping_bytes_win_a_head_no_time() -> None:
    async with listening(clock=Clock()) as door:
        client = await door.open()
        for letter in b"GET / HTTP":
            await client.send(bytes([letter]))
            await door.pass_time(1)
        assert (await client.answer())[0] == 408


async def test_dripping_line_ends_before_a_head_win_no_time_either() -> None:
    async with listening(clock=Clock(), keep_alive=65) as door:
        client = await door.open()
        await client.send(GET % 1)
        await client.answer()
        for _ in range(10):
            await client.send(b"\r\n")
            await door.pass_time(1)
        assert (await client.answer())[0] == 408


async def test_a_connection_on_which_nothing_comes_is_closed_without_a_word() -> None:
    async with listening(clock=Clock()) as door:
        client = await door.open()
        await door.pass_time(10)
        assert await client.rest() == b""


async def test_an_idle_connection_may_rest_longer_than_a_head_may_take() -> None:
    async with listening(clock=Clock(), keep_alive=65) as door:
        client = await door.open()
        await client.send(GET % 1)
        await client.answer()
        await door.pass_time(60)
        await client.send(GET % 2)
        assert (await client.answer())[0] == 200


async def test_a_body_of_which_nothing_more_comes_is_refused() -> None:
    async with listening(clock=Clock()) as door:
        client = await door.open()
        await client.send(b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc")
        await door.pass_time(10)
        status, body = await client.answer()
        assert (status, _code(body)) == (408, "body-too-slow")
        assert await client.rest() == b""


async def test_without_the_limits_a_body_that_never_comes_holds_its_connection_for_ever() -> None:
    """uvicorn sees to no such body: should it do so one day, the limits can go."""
    none = Limits(body_seconds=math.inf, body_grace=math.inf)
    async with listening(limits=none, clock=Clock()) as door:
        client = await door.open()
        await client.send(b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc")
        await door.pass_time(24 * 3600)
        assert len(door.state.connections) == 1


async def test_a_body_that_goes_on_coming_is_let_in_though_it_takes_longer_than_a_pause_may() -> None:
    async with listening(clock=Clock()) as door:
        client = await door.open()
        await client.send(b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 6\r\n\r\n")
        for _ in range(6):
            await door.pass_time(9)
            await client.send(b"a")
        assert await client.answer() == (200, b"/ host,content-length 6")


async def test_a_body_that_drips_without_end_is_refused_after_a_minute() -> None:
    async with listening(clock=Clock()) as door:
        client = await door.open()
        await client.send(b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n")
        for _ in range(7):
            await client.send(b"a")
            await door.pass_time(9)
        status, body = await client.answer()
        assert (status, _code(body)) == (408, "body-too-slow")
        assert b"too slowly" in body
        assert await client.rest() == b""


async def test_a_large_body_wins_time_with_what_comes_of_it() -> None:
    async with listening(clock=Clock()) as door:
        client = await door.open()
        await client.send(b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10000000\r\n\r\n")
        for _ in range(50):
            await client.send(b"a" * 200_000)
            await door.pass_time(6)
        assert await client.answer() == (200, b"/ host,content-length 10000000")


async def test_a_client_that_waits_to_be_asked_for_its_body_is_not_too_slow() -> None:
    asked = asyncio.Event()

    async def patient(scope: Any, receive: Any, send: Any) -> None:
        await asked.wait()
        await echo(scope, receive, send)

    async with listening(patient, clock=Clock()) as door:
        client = await door.open()
        await client.send(b"POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n")
        await door.pass_time(300)
        asked.set()
        assert await client.reader.readuntil(b"\r\n\r\n") == b"HTTP/1.1 100 Continue\r\n\r\n"
        await door.pass_time(9)
        await client.send(b"abc")
        assert (await client.answer())[0] == 200


async def test_a_body_that_the_application_does_not_take_yet_is_not_too_slow() -> None:
    asked = asyncio.Event()

    async def patient(scope: Any, receive: Any, send: Any) -> None:
        await asked.wait()
        await echo(scope, receive, send)

    clock = Clock()
    async with listening(patient, clock=clock) as door:
        client = await door.open()
        sending = asyncio.ensure_future(
            client.send(b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9000000\r\n\r\n" + b"a" * 9_000_000)
        )
        await door.news.until(
            lambda: any(isinstance(one, Heard) and one.flow.read_paused for one in door.state.connections)
        )
        clock.move(300)
        asked.set()
        assert await client.answer() == (200, b"/ host,content-length 9000000")
        await sending


async def test_trailers_of_a_chunked_body_add_no_header_and_are_bounded() -> None:
    async with listening(limits=SMALL) as door:
        client = await door.open()
        chunked = b"POST /%d HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n"
        await client.send(GET % 1 + chunked % 2 + b"Authorization: x\r\n\r\n")
        assert (await client.answer())[1] == b"/1 host 0"
        assert (await client.answer())[1] == b"/2 host,transfer-encoding 3"
        await client.send(chunked % 3)
        for _ in range(3):
            await client.send(b"A: " + b"a" * 500)
            await door.heard()  # pieces of their own
        status, body = await client.answer()
        assert (status, _code(body)) == (413, "too-large")
        assert await client.rest() == b""


async def test_a_chunked_body_of_small_pieces_is_let_in() -> None:
    async with listening(limits=SMALL) as door:
        client = await door.open()
        await client.send(
            b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n" + b"1\r\na\r\n" * 2000 + b"0\r\n\r\n"
        )
        assert await client.answer() == (200, b"/ host,transfer-encoding 2000")


async def test_an_answer_before_the_whole_body_that_ends_the_connection_reaches_who_goes_on_sending() -> None:
    async def hasty(scope: Any, receive: Any, send: Any) -> None:
        headers = [(b"content-length", b"2"), (b"connection", b"close")]
        await send({"type": "http.response.start", "status": 413, "headers": headers})
        await send({"type": "http.response.body", "body": b"no"})

    clock = Clock()
    async with listening(hasty, clock=clock) as door:
        client = await door.open()
        await client.send(b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9000000\r\n\r\n")
        await client.send(b"a" * 9_000_000)
        await door.heard()
        assert await client.answer() == (413, b"no")
        assert await client.rest() == b""
        assert len(door.state.connections) == 1
        clock.move(1)
        await door.news.until(lambda: not door.state.connections)


async def test_a_slow_second_head_leaves_the_answer_before_it_whole() -> None:
    go_on = asyncio.Event()

    async def slow(scope: Any, receive: Any, send: Any) -> None:
        await go_on.wait()
        await echo(scope, receive, send)

    async with listening(slow, clock=Clock()) as door:
        client = await door.open()
        await client.send(GET % 1 + b"GET /2 HTTP/1.1\r\nHo")
        await door.pass_time(10)
        go_on.set()
        assert (await client.answer())[1] == b"/1 host 0"
        assert await client.rest() == b""


async def test_more_pipelined_requests_than_are_kept_end_the_connection_after_those_that_were() -> None:
    go_on = asyncio.Event()

    async def slow(scope: Any, receive: Any, send: Any) -> None:
        await go_on.wait()
        await echo(scope, receive, send)

    async with listening(slow, Limits(pipelined=3, linger_seconds=0.1)) as door:
        client = await door.open()
        await client.send(b"".join(GET % number for number in range(10)))
        await door.heard()
        go_on.set()
        assert [(await client.answer())[1] for _ in range(4)] == [b"/%d host 0" % number for number in range(4)]
        assert await client.rest() == b""


async def test_one_connection_too_many_is_told_so() -> None:
    async with listening(limits=Limits(connections=2, linger_seconds=0.1)) as door:
        first, second = await door.open(), await door.open()
        third = await door.open()
        status, body = await third.answer()
        assert (status, _code(body)) == (503, "too-many-connections")
        assert await third.rest() == b""
        for client in (first, second):
            await client.send(GET % 1)
            assert (await client.answer())[0] == 200


async def test_one_address_gets_its_share_of_the_connections_and_no_more() -> None:
    limits = Limits(connections=12, min_connections_per_address=3, linger_seconds=0.1)
    async with listening(limits=limits, addresses=ConnectionsPerAddress(EachAddress())) as door:
        clients = [await door.open() for _ in range(3)]
        await door.heard()
        one_more = await door.open()
        status, body = await one_more.answer()
        assert (status, _code(body)) == (503, "too-many-connections")
        assert b"from this address" in body
        other = await door.open("127.0.0.2")
        for client in (*clients, other):
            await client.send(GET % 1)
            assert (await client.answer())[0] == 200


async def test_an_address_that_goes_on_opening_connections_is_hung_up_on_without_a_word() -> None:
    limits = Limits(connections=12, min_connections_per_address=3, linger_seconds=10)
    async with listening(limits=limits, addresses=ConnectionsPerAddress(EachAddress())) as door:
        clients = [await door.open() for _ in range(7)]
        await door.heard()
        assert await clients[6].rest() == b""
        assert len(door.state.connections) == 6


async def test_a_connection_that_was_closed_makes_room_for_another_of_its_address() -> None:
    addresses = ConnectionsPerAddress(EachAddress())
    async with listening(
        limits=Limits(connections=4, min_connections_per_address=1, linger_seconds=0.1), addresses=addresses
    ) as door:
        for _ in range(5):
            client = await door.open()
            await client.send(b"GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            assert (await client.answer())[0] == 200
            await door.news.until(lambda: not door.state.connections)


async def test_what_is_no_http_is_refused_with_a_problem() -> None:
    async with listening(limits=Limits(linger_seconds=0.1)) as door:
        client = await door.open()
        await client.send(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03")
        status, body = await client.answer()
        assert (status, _code(body)) == (400, "bad-request")


@pytest.mark.parametrize("protocol", [b"websocket", b"h2c"])
async def test_a_wish_for_another_protocol_is_passed_over(protocol: bytes) -> None:
    async with listening() as door:
        client = await door.open()
        await client.send(b"GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: " + protocol + b"\r\n\r\n")
        assert (await client.answer())[0] == 200
        assert await client.rest() == b""


async def test_a_wish_for_another_protocol_with_a_body_is_refused_at_once() -> None:
    async with listening(limits=Limits(linger_seconds=0.1)) as door:
        client = await door.open()
        head = b"POST / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: h2c\r\nContent-Length: 3\r\n\r\nabc"
        await client.send(head)
        assert (await client.answer())[0] in {200, 400}
        assert await client.rest() == b""


async def test_a_request_on_its_way_when_the_service_stops_is_answered_and_ends_its_connection() -> None:
    async with listening(limits=Limits(stop_seconds=60, linger_seconds=0.1)) as door:
        fresh, begun, idle = await door.open(), await door.open(), await door.open()
        await idle.send(GET % 1)
        await idle.answer()
        await begun.send(b"GET /2 HTTP/1.1\r\nHo")
        await door.heard()
        for connection in list(door.state.connections):
            connection.shutdown()
        await fresh.send(GET % 1)
        await begun.send(b"st: a\r\n\r\n")
        await idle.send(GET % 3)
        for client in (fresh, begun, idle):
            assert (await client.answer())[0] == 200
            assert await client.rest() == b""


async def test_an_idle_connection_is_closed_soon_after_the_service_was_told_to_stop() -> None:
    async with listening(clock=Clock()) as door:
        fresh, idle = await door.open(), await door.open()
        await idle.send(GET % 1)
        await idle.answer()
        await door.heard()
        for connection in list(door.state.connections):
            connection.shutdown()
        await door.pass_time(1)
        assert await fresh.rest() == await idle.rest() == b""


async def test_a_request_with_others_behind_it_hears_that_its_client_has_gone() -> None:
    gone = asyncio.Event()

    async def stream(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        while (await receive())["type"] != "http.disconnect":
            pass
        gone.set()

    async with listening(stream) as door:
        client = await door.open()
        await client.send(b"".join(GET % number for number in range(3)))
        await door.heard()
        client.writer.close()
        await asyncio.wait_for(gone.wait(), 10)


async def test_a_rest_between_two_requests_counts_from_the_last_answer() -> None:
    async with listening(clock=Clock(), keep_alive=65) as door:
        client = await door.open()
        for number in range(3):
            await client.send(GET % number)
            assert (await client.answer())[0] == 200
            await door.pass_time(60)
        await door.pass_time(4)
        await client.send(GET % 3)
        assert (await client.answer())[0] == 200
        await door.pass_time(65)
        assert await client.rest() == b""
