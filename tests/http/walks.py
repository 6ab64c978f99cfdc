"""A client in this process that takes an answer piece by piece, stops taking, or goes away amid it."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from dialoom.http.server.exchange import CUT

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping

TOKEN = b"Bot-Server-Access-Token history-token-of-tea"


class Walker:
    """The service may send one piece each time that ``take`` is called: until then its ``send`` waits, as a socket's
    does whose client reads nothing."""

    def __init__(self, app: Any, path: str, query: Mapping[str, Any], accept: str, method: str, token: str) -> None:
        self._scope = {
            "type": "http",
            "method": method,
            "path": path,
            "query_string": urlencode(query).encode(),
            "headers": [(b"authorization", token.encode()), (b"accept", accept.encode())],
            "server": ("127.0.0.1", 8080),
            "client": ("127.0.0.1", 40000),
            "extensions": {CUT: self._cut},
        }
        self._pieces: asyncio.Queue[Any] = asyncio.Queue(1)
        self._gone = asyncio.Event()
        self._has_asked = False
        self._is_ended = False
        self.is_cut = False
        self.status = 0
        self.headers: dict[str, str] = {}
        self.task = asyncio.create_task(app(self._scope, self._receive, self._send))

    async def take(self) -> bytes | None:
        """The next piece that is not empty; None when nothing comes any more."""
        while True:
            waiting = asyncio.ensure_future(self._pieces.get())
            await asyncio.wait({waiting, self.task}, return_when=asyncio.FIRST_COMPLETED)
            if not waiting.done():
                waiting.cancel()
                return None
            if waiting.result() is None:
                await self.task
                return None
            if waiting.result():
                return bytes(waiting.result())

    async def rest(self) -> bytes:
        found = []
        while (piece := await self.take()) is not None:
            found.append(piece)
        return b"".join(found)

    @property
    def is_whole(self) -> bool:
        """Return whether the answer came to its end."""
        return self.task.done() and not self.is_cut and self._is_ended

    def leave(self) -> None:
        self._gone.set()

    def _cut(self) -> None:
        self.is_cut = True

    async def _receive(self) -> Any:
        if not self._has_asked:
            self._has_asked = True
            return {"type": "http.request", "body": b"", "more_body": False}
        await self._gone.wait()
        return {"type": "http.disconnect"}

    async def _send(self, event: Any) -> None:
        if self._gone.is_set():
            return
        if event["type"] == "http.response.start":
            self.status = event["status"]
            self.headers = {name.decode(): value.decode() for name, value in event["headers"]}
            return
        await self._pieces.put(event["body"])
        if not event.get("more_body", False):
            self._is_ended = True
            await self._pieces.put(None)


@contextlib.asynccontextmanager
async def walking(
    app: Any,
    path: str = "/v1/bots/tea/messages",
    accept: str = "application/x-ndjson",
    method: str = "GET",
    token: str = "history-token-of-tea",
    **query: Any,
) -> AsyncIterator[Walker]:
    walker = Walker(app, path, query, accept, method, f"Bot-Server-Access-Token {token}")
    try:
        yield walker
    finally:
        walker.task.cancel()
        await asyncio.wait({walker.task})
