"""Streams of lines: sent as fast as the client takes them, and cut off when they cannot be sent whole.

What the lines say is for who makes them. One piece of them is here at a time: the next is made when the connection has
taken the one before, and that holds 64 KiB before it makes us wait. Who takes nothing for long loses the connection
(``slow_readers``), and the work ends with it.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Mapping
from typing import Any

from dialoom.http import problems
from dialoom.http.server.accept import NDJSON
from dialoom.http.server.exchange import Exchange

MAX_CHUNK_BYTES = 64 * 1024
"""Bytes handed to the connection at once."""
_HEADERS = {
    "content-type": NDJSON,
    "cache-control": "no-store",
    # Proxies of the nginx family would keep a stream that is read slowly in files.
    "x-accel-buffering": "no",
}


class LineStream:
    """Sends streams until ``stopping`` is set: then they are cut off, which tells the client that there was more."""

    def __init__(self, stopping: asyncio.Event) -> None:
        self._stopping = stopping

    async def send(
        self, exchange: Exchange, pieces: AsyncGenerator[bytes, None], headers: Mapping[str, str] | None = None
    ) -> None:
        """Send the pieces: each some whole lines, a part of a long one, or none yet; what is raised before the first is
        answered as any error."""
        async with contextlib.aclosing(pieces):
            walking = asyncio.ensure_future(_walk(exchange, pieces, {**_HEADERS, **(headers or {})}))
            beside: set[asyncio.Future[Any]] = {
                asyncio.ensure_future(exchange.disconnected()),
                asyncio.ensure_future(self._stopping.wait()),
            }
            try:
                done, _ = await asyncio.wait({walking, *beside}, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for task in (walking, *beside):
                    task.cancel()
                await asyncio.gather(walking, *beside, return_exceptions=True)
        # Whether the client is still there, and must not take what it has for the whole.
        is_cut = walking not in done and self._stopping.is_set()
        if is_cut and not exchange.is_started:
            raise problems.stopping()
        if is_cut:
            exchange.cut()
        elif not walking.cancelled():
            walking.result()


async def _walk(exchange: Exchange, pieces: AsyncGenerator[bytes, None], headers: Mapping[str, str]) -> None:
    async for piece in pieces:
        await _begin(exchange, headers)
        if exchange.method == "HEAD":
            break
        for start in range(0, len(piece), MAX_CHUNK_BYTES):
            await exchange.chunk(piece[start : start + MAX_CHUNK_BYTES])
        # A store that answers from memory and a client that reads as fast would let nobody else have a turn.
        await asyncio.sleep(0)
    await _begin(exchange, headers)
    await exchange.chunk(b"", more=False)


async def _begin(exchange: Exchange, headers: Mapping[str, str]) -> None:
    if not exchange.is_started:
        await exchange.start(200, dict(headers))
