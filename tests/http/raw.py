"""A server with an app of the test's own on a real socket, and clients that say what no HTTP client would."""

from __future__ import annotations

import asyncio
import contextlib
from functools import partial
from typing import TYPE_CHECKING, Any

import uvicorn
from uvicorn.server import ServerState

from dialoom.http.protocol import LIMITS, Connection

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from dialoom.http.protocol import Limits


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
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"%d" % len(body))]})
    await send({"type": "http.response.body", "body": body})


class Client:
    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    async def send(self, data: bytes) -> None:
        self.writer.write(data)
        with contextlib.suppress(ConnectionError):
            await self.writer.drain()

    async def answer(self) -> tuple[int, bytes]:
        """Status and body of the next answer."""
        head = await asyncio.wait_for(self.reader.readuntil(b"\r\n\r\n"), 10)
        length = next(int(x.split(b":")[1]) for x in head.split(b"\r\n") if x.lower().startswith(b"content-length"))
        return int(head.split(b" ")[1]), await self.reader.readexactly(length)

    async def rest(self) -> bytes:
        """What comes until the server hangs up."""
        with contextlib.suppress(ConnectionError):
            return await asyncio.wait_for(self.reader.read(), 10)
        return b""


class Door:
    def __init__(self, port: int, state: ServerState) -> None:
        self.port, self.state = port, state
        self.clients: list[Client] = []

    async def open(self) -> Client:
        client = Client(*await asyncio.open_connection("127.0.0.1", self.port))
        self.clients.append(client)
        return client


@contextlib.asynccontextmanager
async def listening(app: Any = echo, limits: Limits = LIMITS, keep_alive: int = 5) -> AsyncIterator[Door]:
    config = uvicorn.Config(app, lifespan="off", ws="none", log_config=None, timeout_keep_alive=keep_alive)
    config.load()
    state = ServerState()
    make = partial(Connection, config=config, server_state=state, app_state={}, limits=limits)
    server = await asyncio.get_running_loop().create_server(make, "127.0.0.1", 0)
    door = Door(server.sockets[0].getsockname()[1], state)
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
