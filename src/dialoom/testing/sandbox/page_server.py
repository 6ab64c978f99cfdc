"""Serves the sandbox page on loopback: the page's files, what each user sees as a stream, and what the person does.

Only this machine reaches it, and only its own page may act: other pages in the same browser are refused by origin.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import mimetypes
import socket
from collections.abc import Sequence
from typing import Any

from aiohttp import web

from dialoom.testing.sandbox.bot_copy import Place
from dialoom.widget import static_folder

MAX_EXCHANGES = 60
"""Payloads of a channel that the page shows."""
HEARTBEAT_SECONDS = 15.0
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'; img-src 'self' https: http://127.0.0.1:* http://localhost:* data:; "
    "require-trusted-types-for 'script'; trusted-types lit-html"
)


class PageServer:
    """The page and its two interfaces: ``GET /state`` (server-sent events) and ``POST /act``."""

    def __init__(self, places: Sequence[Place], port: int = 0) -> None:
        self._places = places
        self._socket = _free_socket(port)
        self._runner: web.AppRunner | None = None
        self._version = asyncio.Condition()
        self._count = 0
        self._files: dict[str, bytes] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self.bot = ""
        self.problems: dict[str, list[str]] = {}
        """By channel, what could not be connected."""

    @property
    def url(self) -> str:
        """Return the address of the page."""
        return f"http://127.0.0.1:{self._socket.getsockname()[1]}"

    async def start(self) -> None:
        """Listen, and follow what the platforms send and get."""
        self._loop = asyncio.get_running_loop()
        self._files = await asyncio.to_thread(_files)
        server = web.Application()
        server.router.add_get("/", self._page)
        server.router.add_get("/static/{path:.+}", self._file)
        server.router.add_get("/state", self._stream)
        server.router.add_post("/act", self._act)
        self._runner = web.AppRunner(server, access_log=None, shutdown_timeout=0.1)
        await self._runner.setup()
        await web.SockSite(self._runner, self._socket).start()
        for place in self._places:
            place.platform.listeners.append(self.changed)

    async def stop(self) -> None:
        """Stop listening and end all streams."""
        if self._runner is not None:
            await self._runner.cleanup()
        self._socket.close()

    def changed(self) -> None:
        """Have the streams send what there is to see."""
        self._count += 1
        asyncio.ensure_future(self._tell())  # noqa: RUF006  # it ends at once and nothing waits for it

    async def _tell(self) -> None:
        async with self._version:
            self._version.notify_all()

    def state(self) -> dict[str, Any]:
        """Return what the page shows."""
        return {"bot": self.bot, "columns": [self._column(place) for place in self._places]}

    def _column(self, place: Place) -> dict[str, Any]:
        shown = place.platform.exchanges[-MAX_EXCHANGES:]
        exchanges = [
            {
                "number": one.number,
                "caller": one.caller,
                "method": one.method,
                "address": one.address,
                "status": one.status,
                "body": one.body,
                "answer": one.answer,
            }
            for one in shown
        ]
        return {
            "platform": place.platform.platform,
            "channel": place.channel,
            "name": place.shown_as,
            "problems": self.problems.get(place.channel, []),
            "screen": place.platform.screen(),
            "exchanges": exchanges,
        }

    async def _page(self, request: web.Request) -> web.Response:
        content = self._files.get("sandbox.html")
        if content is None:
            return web.Response(text="The page sandbox.html was not built. Run: make install", status=503)
        headers = {"Content-Security-Policy": POLICY, "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}
        return web.Response(body=content, content_type="text/html", charset="utf-8", headers=headers)

    async def _file(self, request: web.Request) -> web.Response:
        path = request.match_info["path"]
        content = self._files.get(path)
        if content is None:
            return web.Response(status=404)
        kind = mimetypes.guess_type(path)[0] or "application/octet-stream"
        return web.Response(body=content, content_type=kind, headers={"X-Content-Type-Options": "nosniff"})

    async def _stream(self, request: web.Request) -> web.StreamResponse:
        if not self._is_own(request):
            return web.Response(status=403)
        headers = {"Content-Type": "text/event-stream", "Cache-Control": "no-store"}
        response = web.StreamResponse(headers=headers)
        await response.prepare(request)
        sent = -1
        # A page that was closed ends the stream, and is no error.
        with contextlib.suppress(ConnectionResetError):
            while True:
                if sent == self._count:
                    await response.write(b": \n\n")
                else:
                    sent = self._count
                    await response.write(f"data: {json.dumps(self.state())}\n\n".encode())
                await self._change_after(sent)
        return response

    async def _change_after(self, sent: int) -> None:
        """Wait until there is more to see, but no longer than a heartbeat."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(HEARTBEAT_SECONDS), self._version:
                await self._version.wait_for(lambda: self._count != sent)

    async def _act(self, request: web.Request) -> web.Response:
        if not self._is_own(request) or request.content_type != "application/json":
            return web.Response(status=403)
        body = await request.json()
        for place in self._places:
            if place.channel == body.get("channel"):
                return await self._do(place, body.get("action", {}))
        return web.json_response({"problem": "There is no such channel."}, status=404)

    async def _do(self, place: Place, action: dict[str, Any]) -> web.Response:
        try:
            address = await place.platform.act(action)
        except (LookupError, TypeError, ValueError) as error:
            return web.json_response({"problem": str(error)}, status=409)
        finally:
            self.changed()
        return web.json_response({"open": address})

    def _is_own(self, request: web.Request) -> bool:
        """Return whether the request comes from the page: by host against rebound names, by origin against others."""
        host = self.url.removeprefix("http://")
        origin = request.headers.get("Origin")
        return request.headers.get("Host") == host and origin in (None, self.url)


def _free_socket(port: int) -> socket.socket:
    """Return a socket on this port of loopback, or on a free one where it is taken."""
    try:
        return socket.create_server(("127.0.0.1", port))
    except OSError:
        return socket.create_server(("127.0.0.1", 0))


def _files() -> dict[str, bytes]:
    folder = static_folder()
    names = [*folder.glob("sandbox.html"), *folder.glob("assets/*"), *folder.glob("*.svg")]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in names}
