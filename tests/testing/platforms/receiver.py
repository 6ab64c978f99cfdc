"""A webhook that keeps what a platform sends it, in place of the service."""

from __future__ import annotations

import json
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import aiohttp
from aiohttp import web

if TYPE_CHECKING:
    from collections.abc import AsyncIterator


@dataclass
class Received:
    method: str
    query: dict[str, str]
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass
class Receiver:
    """``answers`` holds (status, body) for the next calls; 200 with an empty object otherwise."""

    url: str = ""
    received: list[Received] = field(default_factory=list)
    answers: list[tuple[int, Any]] = field(default_factory=list)
    client: aiohttp.ClientSession = field(init=False)

    async def post(
        self, address: str, body: Any, headers: dict[str, str] | None = None, method: str = "POST"
    ) -> tuple[int, Any]:
        """Call a stand-in as the service does."""
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        sent = {"Content-Type": "application/json", **(headers or {})}
        async with self.client.request(method, address, data=data, headers=sent) as answer:
            content = await answer.read()
            return answer.status, json.loads(content) if content else None


@asynccontextmanager
async def receiver() -> AsyncIterator[Receiver]:
    made = Receiver()

    async def take(request: web.Request) -> web.Response:
        headers = {name.lower(): value for name, value in request.headers.items()}
        made.received.append(Received(request.method, dict(request.query), headers, await request.read()))
        if request.method == "GET":
            return web.Response(text=request.query.get("hub.challenge", ""))
        status, body = made.answers.pop(0) if made.answers else (200, {})
        return web.json_response(body, status=status)

    server = web.Application()
    server.router.add_route("*", "/{path:.*}", take)
    runner = web.AppRunner(server, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    made.url = f"http://127.0.0.1:{runner.addresses[0][1]}/hook"
    try:
        async with aiohttp.ClientSession() as client:
            made.client = client
            yield made
    finally:
        await runner.cleanup()
