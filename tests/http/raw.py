"""A server with an app of the test's own on a real socket, and clients that say what no HTTP client would."""

from __future__ import annotations

import asyncio
import contextlib
from functools import partial
from typing import TYPE_CHECKING, Any

import uvicorn
from uvicorn.server import ServerState

from dialoom.http.server.limits.client_address import ClientAddresses
from dialoom.http.server.limits.connection_limits import LIMITS
from dialoom.http.server.protocol import Connection

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from dialoom.http.server.limits.client_address import ConnectionsPerAddress
    from dialoom.http.server.limits.connection_limits import Limits
    from dialoom.http.server.limits.health_reserve import HealthReserve
    from dialoom.http.server.limits.slow_readers import SlowReaders
    from dialoom.http.server.limits.unfinished_bodies import UnfinishedBodies


class EachAddress(ClientAddresses):
    """Counts loopback as any other address: the requests of tests come from there."""

    def single(self, host: str) -> str | None:
        return host


async def echo(scope: Any, receive: Any, send: Any) -> None:
    """Answers with the path, the names of the headers and the length of the body."""
    size = 0
    while True:
        event = await receive()
        if event["type"] == "http.disconnect":
            return
        size += len(event["body"])
        if not event["more_body"]:
            break
    names = b",".join(name for name, _ in scope["headers"])
    body = b"%b %b %d" % (scope["path"].encode(), names, size)
    await in_parts(send, 200, [(b"content-length", b"%d" % len(body))], body)


async def in_parts(send: Any, status: int, headers: list[tuple[bytes, bytes]], body: bytes) -> None:
    """An answer as ASGI has it."""
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


class Timer:
    def __init__(self, at: float, run: Callable[[], None]) -> None:
        self.at, self.run, self.is_cancelled = at, run, False

    def cancel(self) -> None:
        self.is_cancelled = True


class Clock:
    """The event loop as connections see it, with a time that the test moves."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._now = 1000.0
        self._timers: list[Timer] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._loop, name)

    def time(self) -> float:
        return self._now

    def call_later(self, delay: float, callback: Callable[..., None], *values: Any) -> Timer:
        timer = Timer(self._now + delay, partial(callback, *values))
        self._timers.append(timer)
        return timer

    def move(self, seconds: float) -> None:
        """Time passes; what falls due is done in its order."""
        end = self._now + seconds
        while True:
            self._timers = [timer for timer in self._timers if not timer.is_cancelled]
            due = min((timer for timer in self._timers if timer.at <= end), key=lambda timer: timer.at, default=None)
            if due is None:
                break
            self._timers.remove(due)
            self._now = max(self._now, due.at)
            due.run()
        self._now = end


class Heard(Connection):
    """Says when something was opened, came or was closed."""

    def __init__(self, *values: Any, news: News, **named: Any) -> None:
        super().__init__(*values, **named)
        self._news = news

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as Connection has it
        super().connection_made(transport)
        self._news.opened += 1
        self._news.changed.set()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._news.bytes += len(data)
        self._news.changed.set()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._news.changed.set()


class News:
    """What the server has seen, and what its clients did."""

    def __init__(self) -> None:
        self.opened = self.bytes = self.sent = 0
        self.changed = asyncio.Event()

    async def until(self, condition: Callable[[], bool]) -> None:
        async with asyncio.timeout(30):
            while not condition():
                self.changed.clear()
                await self.changed.wait()


class Client:
    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, news: News) -> None:
        self.reader, self.writer, self._news = reader, writer, news

    async def send(self, data: bytes) -> None:
        self._news.sent += len(data)
        self.writer.write(data)
        with contextlib.suppress(ConnectionError):
            await self.writer.drain()

    async def answer(self) -> tuple[int, bytes]:
        """Status and body of the next answer."""
        head = await asyncio.wait_for(self.reader.readuntil(b"\r\n\r\n"), 30)
        length = next(int(x.split(b":")[1]) for x in head.split(b"\r\n") if x.lower().startswith(b"content-length"))
        return int(head.split(b" ")[1]), await self.reader.readexactly(length)

    async def rest(self) -> bytes:
        """What comes until the server hangs up."""
        with contextlib.suppress(ConnectionError):
            return await asyncio.wait_for(self.reader.read(), 30)
        return b""


class Door:
    """``clock`` stands still until it is moved, where there is one."""

    def __init__(self, port: int, state: ServerState, news: News, clock: Clock | None) -> None:
        self.port, self.state = port, state
        self.clients: list[Client] = []
        self.news = news
        self._clock = clock

    async def open(self, source: str = "127.0.0.1") -> Client:
        """``source``: the address that it comes from."""
        streams = await asyncio.open_connection("127.0.0.1", self.port, local_addr=(source, 0))
        client = Client(*streams, self.news)
        self.clients.append(client)
        return client

    async def heard(self) -> None:
        """All that clients have opened and sent has reached the server."""
        news = self.news
        await news.until(lambda: news.opened == len(self.clients) and news.bytes == news.sent)

    async def pass_time(self, seconds: float) -> None:
        """From when all that was sent has come."""
        assert self._clock is not None
        await self.heard()
        self._clock.move(seconds)


@contextlib.asynccontextmanager
async def listening(
    app: Any = echo,
    limits: Limits = LIMITS,
    keep_alive: int = 5,
    clock: Clock | None = None,
    addresses: ConnectionsPerAddress | None = None,
    readers: SlowReaders | None = None,
    bodies: UnfinishedBodies | None = None,
    reserve: HealthReserve | None = None,
) -> AsyncIterator[Door]:
    config = uvicorn.Config(app, lifespan="off", ws="none", log_config=None, timeout_keep_alive=keep_alive)
    config.load()
    state = ServerState()
    news = News()
    own = {"config": config, "server_state": state, "app_state": {}, "limits": limits, "addresses": addresses}
    own |= {"readers": readers, "bodies": bodies, "reserve": reserve}
    make = partial(Heard, news=news, _loop=clock, **own)
    server = await asyncio.get_running_loop().create_server(make, "127.0.0.1", 0)
    door = Door(server.sockets[0].getsockname()[1], state, news, clock)
    try:
        yield door
    finally:
        for client in door.clients:
            client.writer.close()
        server.close()
        for connection in list(state.connections):
            connection.transport.abort()
        await server.wait_closed()
        await asyncio.sleep(0)
