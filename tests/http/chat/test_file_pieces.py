"""A file is read from the store as its reader takes it: who reads nothing holds a piece, and not all of it."""

from __future__ import annotations

import asyncio
import os
import socket
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlsplit

import pytest
from tests.http.raw import listening
from tests.http.support import serving
from tests.stores import TemporaryStore

from dialoom.http.server.limits.slow_readers import SlowReaders
from dialoom.service.chat.attachments import MAX_FILE_BYTES
from dialoom.storage.rows import MAX_PIECE_BYTES
from dialoom.storage.store import ChatKey

if TYPE_CHECKING:
    from pathlib import Path

    from tests.http.raw import Door
    from tests.http.support import Answer, Client

    from dialoom.storage.store import FileRow

ADA = ChatKey("tea", "web", "ada")
PIECES = MAX_FILE_BYTES // MAX_PIECE_BYTES + 1
"""Of the largest file as it is sealed."""
READERS = 6


class Counted(TemporaryStore):
    """``asked``: the numbers of the pieces that were read. From the one of place ``gone`` on, the file is away."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[int] = []
        self.gone: int | None = None

    async def content(self, bot: str, id: str) -> bytes | None:
        raise AssertionError("nobody needs all of a file at once")

    async def piece(self, file: FileRow, number: int) -> bytes | None:
        self.asked.append(number)
        if self.gone is not None and len(self.asked) > self.gone:
            return None
        return await super().piece(file, number)


async def kept(client: Client, content: bytes) -> str:
    """Its address, without the host."""
    parts = urlsplit((await client.service.attachments.keep(ADA, "a.bin", content)).url)
    return f"{parts.path}?{parts.query}"


async def fetch(client: Client, address: str, method: str = "GET") -> Answer:
    path, _, query = address.partition("?")
    return await client.call(method, path, None, {}, dict(parse_qsl(query)))


async def reader(door: Door, address: str, stack: ExitStack) -> socket.socket:
    """One that has asked and takes nothing."""
    loop = asyncio.get_running_loop()
    one = stack.enter_context(socket.socket())
    one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    one.setblocking(False)
    await loop.sock_connect(one, ("127.0.0.1", door.port))
    await loop.sock_sendall(one, f"GET {address} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n".encode())
    return one


def waiting(door: Door) -> list[int]:
    """Bytes that wait here, by connection."""
    return [one.transport.get_write_buffer_size() for one in door.state.connections]


async def stand_still(door: Door, store: Counted, readers: int) -> None:
    """Until the system takes no more and nothing more is read."""
    before: Any = None
    async with asyncio.timeout(60):
        while sum(map(bool, waiting(door))) < readers or before != (len(store.asked), waiting(door)):
            before = (len(store.asked), waiting(door))
            for _ in range(500):
                await asyncio.sleep(0)


async def done(door: Door) -> None:
    """Everybody has gone, and nothing is done for them any more."""
    await door.news.until(lambda: not door.state.connections)
    await asyncio.wait(door.state.tasks or {asyncio.ensure_future(asyncio.sleep(0))}, timeout=30)
    assert not door.state.tasks


async def test_readers_who_take_nothing_hold_a_piece_each_and_get_all_once_they_read(tmp_path: Path) -> None:
    store, content = Counted(), os.urandom(MAX_FILE_BYTES)
    readers = SlowReaders(asyncio.get_running_loop())
    async with serving(tmp_path, store=store) as client, listening(client.app, readers=readers) as door:
        address = await kept(client, content)
        with ExitStack() as stack:
            sockets = [await reader(door, address, stack) for _ in range(READERS)]
            await stand_still(door, store, READERS)
            assert readers.count() == READERS
            assert max(waiting(door)) <= MAX_PIECE_BYTES
            # All was looked at once, and a part of it a second time.
            assert store.asked.count(PIECES - 1) == READERS
            assert READERS * PIECES < len(store.asked) < 2 * READERS * PIECES
            got = b""
            while data := await asyncio.get_running_loop().sock_recv(sockets[0], 1 << 20):
                got += data
            assert got.partition(b"\r\n\r\n")[2] == content
        await done(door)


async def test_for_a_reader_who_has_gone_nothing_more_is_read(tmp_path: Path) -> None:
    store = Counted()
    async with serving(tmp_path, store=store) as client, listening(client.app) as door:
        address = await kept(client, bytes(MAX_FILE_BYTES))
        with ExitStack() as stack:
            await reader(door, address, stack)
            await stand_still(door, store, 1)
            read = len(store.asked)
        await done(door)
        assert len(store.asked) == read


@pytest.mark.parametrize("size", [1, MAX_PIECE_BYTES - 40, MAX_PIECE_BYTES, 2 * MAX_PIECE_BYTES - 30, MAX_FILE_BYTES])
async def test_a_file_of_any_size_comes_whole(tmp_path: Path, size: int) -> None:
    store, content = Counted(), os.urandom(size)
    async with serving(tmp_path, store=store) as client:
        address = await kept(client, content)
        answer = await fetch(client, address)
        assert (answer.status, answer.headers["content-length"]) == (200, str(size))
        assert answer.body == content


async def test_nothing_of_a_file_is_read_for_its_head(tmp_path: Path) -> None:
    store = Counted()
    async with serving(tmp_path, store=store) as client:
        answer = await fetch(client, await kept(client, b"a leaf"), "HEAD")
        assert (answer.status, answer.headers["content-length"], answer.body) == (200, "6", b"")
    assert store.asked == []


async def test_of_a_file_that_was_changed_nothing_is_given(tmp_path: Path) -> None:
    """Not even its first pieces, which are as they were."""
    store = Counted()
    async with serving(tmp_path, store=store) as client:
        address = await kept(client, bytes(3 * MAX_PIECE_BYTES))
        ((number, sealed),) = store.query("select number, content from file_pieces order by number desc limit 1")
        changed = sealed[:-1] + bytes([sealed[-1] ^ 1])
        store.query("update file_pieces set content = ? where number = ?", changed, number)
        answer = await fetch(client, address)
        assert (answer.status, answer.json["code"]) == (500, "sealed")


async def test_a_file_that_goes_while_it_is_given_is_not_taken_for_whole(tmp_path: Path) -> None:
    store, size = Counted(), 3 * MAX_PIECE_BYTES
    async with serving(tmp_path, store=store) as client:
        address = await kept(client, bytes(size))
        store.gone = size // MAX_PIECE_BYTES + 1 + 2  # all of them once, two more
        answer = await fetch(client, address)
        assert (answer.status, answer.headers["content-length"]) == (200, str(size))
        assert 0 < len(answer.body) < size


async def test_a_file_that_has_lost_its_content_is_not_there(tmp_path: Path) -> None:
    store = Counted()
    async with serving(tmp_path, store=store) as client:
        address = await kept(client, b"a leaf")
        store.gone = 0
        assert (await fetch(client, address)).status == 404
