"""Clients that take their answers slowly or not at all: how long they may, and how much waits for all of them."""

from __future__ import annotations

import asyncio
import logging
import signal
import socket
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import pytest
from tests.http.raw import Clock, listening

from dialoom.http.server.exchange import Exchange
from dialoom.http.server.limits.slow_readers import (
    MAX_STALL_AT_STOP_SECONDS,
    MAX_STALL_SECONDS,
    QUIET_SECONDS,
    SlowReaders,
)
from dialoom.http.server.line_stream import LineStream
from dialoom.http.server.listener import MAX_UNSENT_BYTES, Listener
from dialoom.http.server.request_context import Shutdown
from dialoom.http.server.server import MAX_STOP_SECONDS, Server

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from tests.http.raw import Door

MEBIBYTE = 2**20
GET = b"GET / HTTP/1.1\r\nHost: a\r\n\r\n"


class Line:
    """A connection with so many bytes to go."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.is_aborted = False

    def get_write_buffer_size(self) -> int:
        return self.size

    def abort(self) -> None:
        self.is_aborted = True


def entered(readers: SlowReaders, *sizes: int) -> list[Any]:
    lines: list[Any] = [Line(size) for size in sizes]
    for line in lines:
        readers.enter(line)
    return lines


async def watched(**limits: Any) -> tuple[SlowReaders, Any]:
    clock: Any = Clock()
    return SlowReaders(clock, **limits), clock


# -- who is let go


async def test_who_takes_nothing_for_a_minute_is_let_go_and_who_takes_a_little_stays() -> None:
    readers, clock = await watched()
    still, taking = entered(readers, 500, 500)
    for _ in range(10):
        clock.move(MAX_STALL_SECONDS / 2)
        taking.size -= 1
    assert (still.is_aborted, taking.is_aborted) == (True, False)
    assert readers.count() == 1


async def test_the_minute_begins_with_the_last_byte_that_was_taken() -> None:
    readers, clock = await watched()
    (line,) = entered(readers, 500)
    clock.move(MAX_STALL_SECONDS - 5)
    line.size -= 1
    clock.move(MAX_STALL_SECONDS - 5)
    assert not line.is_aborted
    clock.move(10)
    assert line.is_aborted


async def test_whoever_has_taken_all_is_waited_for_no_longer() -> None:
    readers, clock = await watched()
    (line,) = entered(readers, 500)
    readers.leave(line)
    readers.leave(line)
    clock.move(10 * MAX_STALL_SECONDS)
    assert not line.is_aborted


async def test_when_too_much_waits_those_go_first_who_took_nothing_for_the_longest() -> None:
    readers, clock = await watched(most=1000)
    longest, taking, last = entered(readers, 300, 300, 300)
    clock.move(5)
    taking.size -= 10
    last.size -= 10
    clock.move(5)
    (new,) = entered(readers, 500)
    await asyncio.sleep(0)
    assert [line.is_aborted for line in (longest, taking, last, new)] == [True, True, False, False]
    assert readers.count() == 2


async def test_of_those_who_wait_as_long_the_one_with_the_most_goes_first() -> None:
    readers, _ = await watched(most=1000)
    lines = entered(readers, 100, 700, 150, 100)
    await asyncio.sleep(0)
    assert [line.is_aborted for line in lines] == [False, True, False, False]


async def test_an_answer_that_grows_counts_with_what_it_has_now() -> None:
    readers, clock = await watched(most=1000)
    growing, other = entered(readers, 100, 100)
    growing.size = 950
    clock.move(2)
    assert (growing.is_aborted, other.is_aborted) == (True, False)


async def test_a_service_that_stops_waits_for_some_seconds_only() -> None:
    readers, clock = await watched()
    still, taking = entered(readers, 500, 500)
    readers.hurry()
    clock.move(MAX_STALL_AT_STOP_SECONDS - 1)
    taking.size -= 1
    clock.move(2)
    assert (still.is_aborted, taking.is_aborted) == (True, False)


async def test_the_log_says_each_reason_once_a_minute(caplog: pytest.LogCaptureFixture) -> None:
    readers, clock = await watched(most=1000)
    with caplog.at_level(logging.WARNING):
        entered(readers, 10, 10, 900, 900, 900)
        await asyncio.sleep(0)
        clock.move(MAX_STALL_SECONDS + 1)
        entered(readers, 10)
        clock.move(MAX_STALL_SECONDS + QUIET_SECONDS)
    told = [record.getMessage() for record in caplog.records]
    assert ["took nothing" in line for line in told] == [False, True, True]
    assert "more such lines" in told[2]


# -- on sockets


async def whole(scope: Any, receive: Any, send: Any) -> None:
    """An answer in one piece, as files and pages are."""
    body = b"a" * 8 * MEBIBYTE
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"%d" % len(body))]})
    await send({"type": "http.response.body", "body": body})


async def endless(scope: Any, receive: Any, send: Any) -> None:
    """A stream of the history."""

    async def pieces() -> AsyncGenerator[bytes, None]:
        while True:
            yield b"a" * 250_000 + b"\n"

    await LineStream(asyncio.Event()).send(Exchange(scope, receive, send), pieces())


async def unread(door: Door) -> int:
    """Bytes that wait here once the sockets take no more."""
    before, now = -1, 0
    while before != now:
        for _ in range(500):
            await asyncio.sleep(0)
        before, now = now, sum(one.transport.get_write_buffer_size() for one in door.state.connections)
    return now


@pytest.mark.parametrize("app", [whole, endless])
async def test_a_client_that_reads_nothing_loses_its_connection_and_its_answer_ends(app: Any) -> None:
    clock: Any = Clock()
    readers = SlowReaders(clock)
    async with listening(app, clock=clock, readers=readers) as door:
        client = await door.open()
        await client.send(GET)
        await door.heard()
        assert await unread(door)
        await door.pass_time(MAX_STALL_SECONDS - 2)
        assert len(door.state.connections) == 1
        await door.pass_time(4)
        await door.news.until(lambda: not door.state.connections)
        came = await client.rest()
        assert came.startswith(b"HTTP/1.1 200")
        assert len(came) < 8 * MEBIBYTE
        assert not came.endswith(b"\r\n0\r\n\r\n")  # which would say that a stream is whole
        assert readers.count() == 0
        await asyncio.wait(door.state.tasks or {asyncio.ensure_future(asyncio.sleep(0))}, timeout=10)
        assert not door.state.tasks


async def test_without_the_limit_a_client_that_reads_nothing_stays_for_ever() -> None:
    """uvicorn sees to no such client: should it do so one day, the limit can go."""
    async with listening(whole, clock=Clock(), readers=None) as door:
        client = await door.open()
        await client.send(GET)
        await door.heard()
        assert await unread(door)
        await door.pass_time(24 * 3600)
        assert len(door.state.connections) == 1
        assert await unread(door)


async def test_a_client_that_reads_slowly_gets_all() -> None:
    clock: Any = Clock()
    readers = SlowReaders(clock)
    async with listening(whole, keep_alive=10_000, clock=clock, readers=readers) as door:
        client = await door.open()
        await client.send(GET)
        await client.reader.readuntil(b"\r\n\r\n")
        for _ in range(4):
            await door.pass_time(MAX_STALL_SECONDS - 10)
            assert len(await client.reader.readexactly(2 * MEBIBYTE)) == 2 * MEBIBYTE
        assert len(door.state.connections) == 1


async def test_what_is_left_of_a_small_answer_does_not_hold_its_connection_for_ever() -> None:
    """Too little to make its sender wait; the connection is closed as an idle one."""

    async def app(scope: Any, receive: Any, send: Any) -> None:
        head = [(b"content-length", b"50000")]
        await send({"type": "http.response.start", "status": 200, "headers": head})
        await send({"type": "http.response.body", "body": b"a" * 50_000})

    clock: Any = Clock()
    readers = SlowReaders(clock)
    async with listening(app, keep_alive=65, clock=clock, readers=readers) as door:
        client = await door.open()
        await door.heard()
        while not await unread(door):
            await client.send(GET)
            await door.heard()
        assert readers.count() == 0
        await door.pass_time(70)
        assert readers.count() == 1
        await door.pass_time(MAX_STALL_SECONDS + 2)
        await door.news.until(lambda: not door.state.connections)


async def test_the_system_takes_little_of_an_answer_that_nobody_reads() -> None:
    made: asyncio.Queue[asyncio.Transport] = asyncio.Queue()

    class Sender(asyncio.Protocol):
        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            assert isinstance(transport, asyncio.Transport)
            transport.write(b"a" * 8 * MEBIBYTE)
            made.put_nowait(transport)

    with ExitStack() as stack:
        line = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        client = stack.enter_context(socket.socket())
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        listener = Listener(line, Sender)
        listener.open()
        await asyncio.get_running_loop().sock_connect(_unblocked(client), line.getsockname())
        transport = await asyncio.wait_for(made.get(), 10)
        left = -1
        while left != (left := transport.get_write_buffer_size()):
            for _ in range(100):
                await asyncio.sleep(0)
        transport.abort()
        await listener.close()
    assert left > 8 * MEBIBYTE - 4 * MAX_UNSENT_BYTES


def _unblocked(one: socket.socket) -> socket.socket:
    one.setblocking(False)
    return one


# -- the server


class Stub:
    """As much of the application as the server knows."""

    def __init__(self) -> None:
        self.shutdown = Shutdown()
        self.asked = asyncio.Event()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        await whole(scope, receive, send)
        self.asked.set()


async def test_a_client_that_reads_nothing_does_not_hold_up_the_end_of_the_service() -> None:
    """Without a look at it, that would come when the time to stop is over."""
    app: Any = Stub()
    server = Server(app)
    line = socket.create_server(("127.0.0.1", 0))
    serving = asyncio.ensure_future(server.serve(sockets=[line]))
    with socket.socket() as client:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        await asyncio.get_running_loop().sock_connect(_unblocked(client), line.getsockname())
        await asyncio.get_running_loop().sock_sendall(client, GET)
        await asyncio.wait_for(app.asked.wait(), 10)
        server.handle_exit(signal.SIGTERM, None)
        await asyncio.wait_for(serving, MAX_STOP_SECONDS - MAX_STALL_AT_STOP_SECONDS - 3)
