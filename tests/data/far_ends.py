"""Real servers on loopback that answer a call badly: raw bytes over asyncio, counted."""

from __future__ import annotations

import asyncio
import gzip
import io
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from dialoom.data import Egress, HttpFetcher
from dialoom.engine.effects import Request
from dialoom.engine.events import NoResponse, Response

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

    from aiohttp.abc import AbstractResolver

    Answer = Callable[["Call"], Awaitable[None]]


class Call:
    """One request as the far end saw it, and the stream to answer on."""

    def __init__(self, head: bytes, body: bytes, writer: asyncio.StreamWriter) -> None:
        first, *rest = head.decode("latin-1").split("\r\n")
        self.method, self.target, _ = first.split(" ", 2)
        self.headers = {
            name.lower(): value.strip() for name, _, value in (line.partition(":") for line in rest if line)
        }
        self.body = body
        self.writer = writer

    async def send(self, data: bytes) -> None:
        self.writer.write(data)
        await self.writer.drain()

    async def reply(self, status: str = "200 OK", body: bytes = b"", *headers: str) -> None:
        lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", *headers, "", ""]
        await self.send("\r\n".join(lines).encode() + body)


class FarEnd:
    def __init__(self, port: int, calls: list[Call], connections: list[asyncio.StreamWriter]) -> None:
        self.port = port
        self.calls = calls
        self.connections = connections

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"


@asynccontextmanager
async def far_end(answer: Answer, *, host: str = "127.0.0.1") -> AsyncIterator[FarEnd]:
    calls: list[Call] = []
    connections: list[asyncio.StreamWriter] = []
    tasks: set[asyncio.Task[None]] = set()

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connections.append(writer)
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n"))[:-4]
                call = Call(head, b"", writer)
                call.body = await reader.readexactly(int(call.headers.get("content-length", "0")))
                calls.append(call)
                await answer(call)
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.ensure_future(talk(reader, writer))
        tasks.add(task)
        task.add_done_callback(tasks.discard)

    server = await asyncio.start_server(connected, host, 0)
    try:
        yield FarEnd(server.sockets[0].getsockname()[1], calls, connections)
    finally:
        server.close()
        for task in list(tasks):
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for writer in connections:
            writer.transport.abort()
        await asyncio.sleep(0)


def bomb(size: int) -> bytes:
    """``size`` zeros, gzipped, without ever holding them."""
    packed = io.BytesIO()
    with gzip.GzipFile(fileobj=packed, mode="wb", mtime=0) as file:
        for _ in range(size // 65_536):
            file.write(bytes(65_536))
    return packed.getvalue()


@asynccontextmanager
async def fetching(egress: Egress, *, resolver: AbstractResolver | None = None) -> AsyncIterator[HttpFetcher]:
    fetcher = HttpFetcher(egress, resolver=resolver, pauses=(0.0,))
    try:
        yield fetcher
    finally:
        await fetcher.close()


def call(url: str, method: str = "GET", **more: Any) -> Request:
    return Request(method=method, url=url, **{"trusted_host": True, "timeout": 60.0, **more})


async def hang(call: Call) -> None:
    await asyncio.Event().wait()


async def drip(call: Call) -> None:
    await call.send(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
    while True:
        await call.send(b"x")
        await asyncio.sleep(0.02)


async def answer_ok(call: Call) -> None:
    await call.reply(body=b'{"ok": true}')


def failure(result: Response | NoResponse) -> NoResponse:
    assert isinstance(result, NoResponse), result
    return result


def response(result: Response | NoResponse) -> Response:
    assert isinstance(result, Response), result
    return result
