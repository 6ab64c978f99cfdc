"""What the bodies of all requests hold together until they are whole."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from tests.http.raw import Client, Door, EachAddress, echo, listening

from dialoom.http.server.limits.client_address import ClientAddresses, networks
from dialoom.http.server.limits.connection_limits import Limits
from dialoom.http.server.limits.unfinished_bodies import UnfinishedBodies

LIMITS = Limits(linger_seconds=0.1)
MOST = 100_000
LOOPBACK = ClientAddresses()
"""For which what comes from this machine speaks for many."""


def _post(size: int, sent: int) -> bytes:
    return b"POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: %d\r\n\r\n" % size + b"a" * sent


async def _hold(door: Door, sent: int, source: str = "127.0.0.1") -> Client:
    """Open a connection with a request whose last byte does not come."""
    client = await door.open(source)
    await client.send(_post(sent + 1, sent))
    await door.heard()
    return client


async def _refused(client: Client) -> str:
    head = await asyncio.wait_for(client.reader.readuntil(b"\r\n\r\n"), 30)
    assert head.startswith(b"HTTP/1.1 503")
    assert b"\r\nretry-after: 5\r\n" in head
    problem = json.loads(await client.rest())
    assert problem["code"] == "too-many-bodies"
    return str(problem["detail"])


async def test_bodies_that_are_not_whole_have_a_budget_together() -> None:
    bodies = UnfinishedBodies(LOOPBACK, MOST)
    async with listening(echo, LIMITS, bodies=bodies) as door:
        first, second = await _hold(door, 45_000), await _hold(door, 45_000)
        assert bodies.total == 90_000
        assert "on their way at once" in await _refused(await _hold(door, 45_000))
        # Those that were there before are taken to their end, and make room.
        for client in (first, second):
            await client.send(b"a")
            assert (await client.answer())[1] == b"/a host,content-length 45001"
        assert bodies.total == 0
        third = await _hold(door, 45_000)
        await third.send(b"a")
        assert (await third.answer())[0] == 200


async def test_a_body_that_comes_whole_with_its_head_is_always_taken() -> None:
    bodies = UnfinishedBodies(LOOPBACK, MOST)
    async with listening(echo, LIMITS, bodies=bodies) as door:
        await _hold(door, MOST)
        client = await door.open()
        await client.send(_post(500, 500))
        assert (await client.answer())[0] == 200


async def test_a_body_in_many_pieces_counts_as_it_grows() -> None:
    bodies = UnfinishedBodies(LOOPBACK, MOST)
    async with listening(echo, LIMITS, bodies=bodies) as door:
        client = await _hold(door, 0)
        assert bodies.total == 0
        client = await door.open()
        await client.send(_post(MOST * 2, 10_000))
        for _ in range(9):
            await client.send(b"a" * 10_000)
            await door.heard()
        assert bodies.total == MOST
        await client.send(b"a")
        await _refused(client)


async def test_a_connection_that_closes_gives_back_what_it_held() -> None:
    bodies = UnfinishedBodies(LOOPBACK, MOST)
    async with listening(echo, LIMITS, bodies=bodies) as door:
        client = await _hold(door, MOST)
        client.writer.close()
        await door.news.until(lambda: not door.state.connections)
        assert bodies.total == 0
        await _hold(door, MOST)
        assert bodies.total == MOST


async def test_one_address_has_half_of_it() -> None:
    async with listening(echo, LIMITS, bodies=UnfinishedBodies(EachAddress(), MOST)) as door:
        await _hold(door, 30_000)
        assert "from this address" in await _refused(await _hold(door, 30_000))
        other = await _hold(door, 30_000, "127.0.0.2")
        await other.send(b"a")
        assert (await other.answer())[0] == 200


def test_behind_a_trusted_proxy_each_of_its_clients_has_half_of_it() -> None:
    bodies = UnfinishedBodies(ClientAddresses(networks("10.0.0.0/8")), MOST)

    def held(connection: str, user: bytes) -> bool:
        scope: Any = {"client": ("10.0.0.1", 1), "headers": [(b"x-forwarded-for", user)]}
        return bodies.hold(connection, scope, MOST // 2, 0.0) is None

    assert held("one", b"203.0.113.5")
    assert not held("two", b"203.0.113.5")
    assert held("three", b"203.0.113.6")
    bodies.release("one")
    assert held("two", b"203.0.113.5")


async def test_requests_that_wait_for_another_s_answer_count_with_their_bodies() -> None:
    go_on = asyncio.Event()

    async def slow(scope: Any, receive: Any, send: Any) -> None:
        await go_on.wait()
        await echo(scope, receive, send)

    bodies = UnfinishedBodies(LOOPBACK, MOST)
    async with listening(slow, LIMITS, bodies=bodies) as door:
        client = await door.open()
        await client.send(b"GET /1 HTTP/1.1\r\nHost: a\r\n\r\n" + _post(300, 300) * 2)
        await door.heard()
        assert bodies.total == 600
        go_on.set()
        assert [(await client.answer())[0] for _ in range(3)] == [200] * 3
        assert bodies.total == 0


async def test_the_log_says_that_it_was_full(caplog: Any) -> None:
    async with listening(echo, LIMITS, bodies=UnfinishedBodies(LOOPBACK, MOST)) as door:
        await _hold(door, MOST)
        for _ in range(2):
            await _refused(await _hold(door, 1))
    assert caplog.text.count("DIALOOM_UNFINISHED_BODIES") == 1
