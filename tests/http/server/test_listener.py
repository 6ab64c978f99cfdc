"""Pending connections are accepted, however busy the loop is."""

from __future__ import annotations

import asyncio
import errno
import socket
import struct
import sys
from contextlib import ExitStack
from typing import Any

import pytest
from tests.live import wait_until

from dialoom.http.server import listener
from dialoom.http.server.listener import Listener

PEOPLE = 100
Inside = asyncio.Queue[asyncio.BaseTransport]


class Counted(asyncio.Protocol):
    def __init__(self, inside: Inside) -> None:
        self._inside = inside

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._inside.put_nowait(transport)


class FullLine(socket.socket):
    """The system has no room for one more open file, the first time."""

    tries = 0

    def accept(self) -> tuple[socket.socket, Any]:
        self.tries += 1
        if self.tries == 1:
            raise OSError(errno.EMFILE, "Too many open files")
        return super().accept()


def _bound(line: socket.socket) -> socket.socket:
    line.bind(("127.0.0.1", 0))
    line.listen(2 * PEOPLE)
    return line


def _stand(stack: ExitStack, line: socket.socket, count: int) -> None:
    for _ in range(count):
        stack.enter_context(socket.create_connection(line.getsockname()))
    if sys.platform == "linux":
        # A client is connected when it has the second of three packets; the kernel may put the third off, under load.
        wait_until(lambda: _in_line(line) == count)


def _in_line(line: socket.socket) -> int:
    """How many wait to be taken: of a socket that listens Linux tells it as ``tcpi_unacked``."""
    (found,) = struct.unpack_from("I", line.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 104), 24)
    return int(found)


async def _got_in(inside: Inside, count: int) -> None:
    async with asyncio.timeout(30):
        for _ in range(count):
            (await inside.get()).close()
    assert inside.empty()


async def test_all_pending_connections_are_accepted_in_one_pass_of_the_loop() -> None:
    inside: Inside = asyncio.Queue()
    taken: list[int] = []

    class Line(socket.socket):
        def accept(self) -> tuple[socket.socket, Any]:
            found = super().accept()
            taken[-1] += 1
            return found

    with ExitStack() as stack:
        line = _bound(stack.enter_context(Line()))
        _stand(stack, line, PEOPLE)
        made = Listener(line, lambda: Counted(inside))
        made.open()
        while not sum(taken):
            taken.append(0)
            await asyncio.sleep(0)
        assert taken[-1] == PEOPLE
        await _got_in(inside, PEOPLE)
        await made.close()


def test_the_loop_by_itself_accepts_one_connection_a_pass() -> None:
    """As uvicorn would have it. Should a pass accept all one day, only the closing of the listener is left to do."""
    uvloop = pytest.importorskip("uvloop", reason="uvloop is not on this machine")

    async def passes(stack: ExitStack) -> int:
        inside: Inside = asyncio.Queue()
        line = _bound(stack.enter_context(socket.socket()))
        _stand(stack, line, PEOPLE)
        server = await asyncio.get_running_loop().create_server(lambda: Counted(inside), sock=line)
        count = 0
        while inside.qsize() < PEOPLE:
            count += 1
            await asyncio.sleep(0)
        server.close()
        await _got_in(inside, PEOPLE)
        return count

    with ExitStack() as stack, asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        assert runner.run(passes(stack)) >= PEOPLE


async def test_a_connection_pending_when_the_listener_closes_is_still_accepted() -> None:
    inside: Inside = asyncio.Queue()
    with ExitStack() as stack:
        line = _bound(stack.enter_context(socket.socket()))
        made = Listener(line, lambda: Counted(inside))
        made.open()
        _stand(stack, line, 3)
        await made.close()
        await _got_in(inside, 3)


async def test_no_new_connection_becomes_pending_once_the_listener_closes() -> None:
    inside: Inside = asyncio.Queue()
    with ExitStack() as stack:
        line = _bound(stack.enter_context(socket.socket()))
        late = stack.enter_context(socket.socket())
        late.setblocking(False)

        def make() -> Counted:
            # It is refused later on, when it asks again; in line it would be hung up on.
            assert late.connect_ex(line.getsockname()) == errno.EINPROGRESS
            return Counted(inside)

        made = Listener(line, make)
        made.open()
        _stand(stack, line, 1)
        await made.close()
        await _got_in(inside, 1)
        with pytest.raises(OSError, match="not connected"):
            late.getpeername()


async def test_a_full_table_of_open_files_is_waited_out(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(listener, "PAUSE_SECONDS", 0.01)
    inside: Inside = asyncio.Queue()
    with ExitStack() as stack:
        line = _bound(stack.enter_context(FullLine()))
        made = Listener(line, lambda: Counted(inside))
        made.open()
        _stand(stack, line, 1)
        await _got_in(inside, 1)
        assert "no connection can be taken for a moment: Too many open files" in caplog.text
        await made.close()
