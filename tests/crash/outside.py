"""What the bots call and what is delivered to: keeps each request, answers after a while, tells what comes by.

A booking is made once a key, as a careful back end does it; that a key came twice is the harness's to judge.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections import defaultdict
from typing import TYPE_CHECKING, Any

from aiohttp import web
from tests.crash import bots
from tests.crash.check import Call, Post

if TYPE_CHECKING:
    import random

SLOW = 1.2
"""Seconds of one call in ten."""


class Moments:
    """Instants at which a kill hurts most: ``call`` (one came in), ``result`` (its answer goes out), ``said``."""

    def __init__(self) -> None:
        self._waiting: dict[str, list[asyncio.Future[None]]] = defaultdict(list)

    def happened(self, kind: str) -> None:
        for future in self._waiting.pop(kind, []):
            if not future.done():
                future.set_result(None)

    async def next(self, kind: str, seconds: float) -> None:
        """Until it happens, or so many seconds at most."""
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting[kind].append(future)
        await asyncio.wait([future], timeout=seconds)


class Outside:
    def __init__(self, moments: Moments, draw: random.Random) -> None:
        self._moments = moments
        self._draw = draw
        self.calls: dict[str, list[Call]] = defaultdict(list)
        """By item: each order has its own."""
        self.numbers: dict[str, str] = {}
        """Of bookings, by item."""
        self.posts: dict[str, list[Post]] = defaultdict(list)
        """By user."""
        self._by_key: dict[str | None, str] = {}
        self._runner: web.AppRunner | None = None
        self.url = ""

    async def start(self) -> None:
        app = web.Application()
        app.router.add_get("/price", self._price)
        app.router.add_post("/orders", self._order)
        app.router.add_post("/posts", self._post)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=1.0)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        port: int = self._runner.addresses[0][1]
        self.url = f"http://127.0.0.1:{port}"

    async def stop(self) -> None:
        if self._runner is not None:
            await self._runner.cleanup()

    async def _price(self, request: web.Request) -> web.Response:
        item = request.query["item"]
        self.calls[item].append(Call("GET", None, b"", time.monotonic()))
        return await self._answer({"cents": bots.price_of(item)})

    async def _order(self, request: web.Request) -> web.Response:
        body, key = await request.read(), request.headers.get("Idempotency-Key")
        item = json.loads(body)["item"]
        self.calls[item].append(Call("POST", key, body, time.monotonic()))
        number = self._by_key.setdefault(key, f"N{len(self._by_key) + 1}")
        self.numbers.setdefault(item, number)
        return await self._answer({"number": number}, 201)

    async def _answer(self, content: dict[str, Any], status: int = 200) -> web.Response:
        self._moments.happened("call")
        await asyncio.sleep(SLOW if self._draw.random() < 0.1 else self._draw.uniform(0, 0.1))
        self._moments.happened("result")
        return web.json_response(content, status=status)

    async def _post(self, request: web.Request) -> web.Response:
        body = await request.read()
        handed_over = json.loads(body)["conversation"]
        # One in eight is not taken: the service tries again.
        is_taken = self._draw.random() > 1 / 8
        post = Post(
            request.headers.get("Idempotency-Key"), body, handed_over["Messages"]["user"], is_taken, time.time()
        )
        self.posts[handed_over["User"]].append(post)
        self._moments.happened("post")
        await asyncio.sleep(self._draw.uniform(0, 0.05))
        return web.Response(status=200 if is_taken else 503)

    def taken(self, user: str) -> int:
        """How many deliveries of this user have arrived."""
        return len({post.key for post in self.posts[user] if post.is_taken})
