"""WebSockets on our connections: handshake, pings, slow readers."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
from tests.http.raw import Clock, listening
from websockets.protocol import SERVER, Protocol

from dialoom.errors import RequestError
from dialoom.http.server.exchange import UPGRADE
from dialoom.http.server.limits.slow_readers import SlowReaders
from dialoom.http.server.web_socket import MAX_UNANSWERED_PINGS, WebSocket, handshake

if TYPE_CHECKING:
    from collections.abc import Callable

ASKS = {
    b"connection": b"keep-alive, Upgrade",
    b"upgrade": b"websocket",
    b"sec-websocket-version": b"13",
    b"sec-websocket-key": b"dGhlIHNhbXBsZSBub25jZQ==",
}
HEAD = b"GET / HTTP/1.1\r\nhost: x\r\n" + b"".join(b"%b: %b\r\n" % one for one in ASKS.items()) + b"\r\n"


def test_the_handshake_proves_that_the_key_was_read() -> None:
    head, _ = handshake(ASKS)
    assert b"\r\nsec-websocket-accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n" in head  # RFC 6455 section 1.3


@pytest.mark.parametrize(
    "wrong",
    [
        {b"connection": b"keep-alive"},
        {b"upgrade": b"h2c"},
        {b"sec-websocket-version": b"8"},
        {b"sec-websocket-key": b""},
        {b"sec-websocket-key": b"c2hvcnQ="},
        {b"sec-websocket-key": b"\xff\xff"},
    ],
)
def test_a_request_for_no_web_socket_is_refused(wrong: dict[bytes, bytes]) -> None:
    with pytest.raises(RequestError, match="WebSocket client"):
        handshake(ASKS | wrong)


def test_a_client_that_answers_no_ping_loses_its_connection() -> None:
    ends: list[str] = []
    flow: Any = None  # nothing is sent that could have to wait
    written: list[bytes] = []
    socket = WebSocket(Protocol(SERVER), flow, written.append, lambda: ends.append("close"), lambda: ends.append("cut"))
    for _ in range(MAX_UNANSWERED_PINGS):
        socket.ping()
    socket.received(b"\x8a\x80\x00\x00\x00\x00")  # a pong
    for _ in range(MAX_UNANSWERED_PINGS):
        socket.ping()
    assert (len(written), ends) == (2 * MAX_UNANSWERED_PINGS, [])
    socket.ping()
    assert ends == ["cut"]


class Speaker:
    """An application that makes a WebSocket of the connection and says much."""

    def __init__(self, act: Callable[[WebSocket], Any]) -> None:
        self._act = act
        self.ended = asyncio.Event()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        socket = scope["extensions"][UPGRADE]()
        try:
            await self._act(socket)
        finally:
            self.ended.set()


async def test_a_client_that_reads_nothing_loses_its_web_socket() -> None:
    async def say_much(socket: WebSocket) -> None:
        while not socket.is_over:
            await socket.send(b"x" * 65_536)

    clock, speaker = Clock(), Speaker(say_much)
    readers = SlowReaders(clock, max_stall_seconds=5.0)  # type: ignore[arg-type]  # a loop whose time the test moves
    async with listening(speaker, readers=readers) as door:
        client = await door.open()
        await client.send(HEAD)
        await door.heard()
        for _ in range(3000):
            if readers.count():
                break
            await asyncio.sleep(0.01)
        assert readers.count() == 1
        clock.move(10)
        async with asyncio.timeout(30):
            await speaker.ended.wait()


async def test_pings_of_a_client_that_reads_nothing_do_not_pile_up() -> None:
    blocked = asyncio.Event()

    async def say_much(socket: WebSocket) -> None:
        await socket.send(b"x" * 16_000_000)
        blocked.set()
        await socket.send(b"")

    speaker = Speaker(say_much)
    async with listening(speaker) as door:
        client = await door.open()
        await client.send(HEAD)
        await blocked.wait()
        [connection] = door.state.connections
        before = connection.transport.get_write_buffer_size()
        client.writer.write(b"\x89\x80\x00\x00\x00\x00")
        await door.news.until(lambda: door.news.bytes == len(HEAD) + 6)
        assert connection.flow.read_paused
        assert connection.transport.get_write_buffer_size() <= before + 2
