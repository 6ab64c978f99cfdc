"""Streams of lines: sent as fast as the client takes them, and cut off when they cannot be sent whole.

What the lines say is for who makes them. One piece of them is here at a time: the next is made when the connection has
taken the one before, and that holds 64 KiB before it makes us wait.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from typing import TYPE_CHECKING, Any

from dialoom.http import problems
from dialoom.http.accept import NDJSON

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Mapping

    from dialoom.http.exchange import Exchange

log = logging.getLogger(__name__)

CHUNK = 64 * 1024
"""Bytes handed to the connection at once."""
PATIENCE = 300.0
"""Seconds for which a client may take nothing: one that has lost its way would hold its connection for ever."""
_HEADERS = {
    "content-type": NDJSON,
    "cache-control": "no-store",
    # Proxies of the nginx family would keep a stream that is read slowly in files.
    "x-accel-buffering": "no",
}


class Lines:
    """``stopping`` is set when the service begins to stop: the cut tells who reads that there was more."""

    def __init__(self, stopping: asyncio.Event, patience: float = PATIENCE) -> None:
        self._stopping = stopping
        self._patience = patience

    async def send(
        self, exchange: Exchange, pieces: AsyncGenerator[bytes, None], headers: Mapping[str, str] | None = None
    ) -> None:
        """``pieces``: each some whole lines, or none yet; what is raised before the first is answered as any error."""
        walk = _Walk(exchange, pieces, {**_HEADERS, **(headers or {})})
        async with contextlib.aclosing(pieces):
            walking = asyncio.ensure_future(walk.go())
            beside: set[asyncio.Future[Any]] = {
                asyncio.ensure_future(exchange.disconnected()),
                asyncio.ensure_future(self._stopping.wait()),
            }
            try:
                is_cut = await self._watch(walk, walking, beside)
            finally:
                for task in (walking, *beside):
                    task.cancel()
                await asyncio.gather(walking, *beside, return_exceptions=True)
        if is_cut and not exchange.is_started:
            raise problems.stopping()
        if is_cut:
            exchange.cut()
        elif not walking.cancelled():
            walking.result()

    async def _watch(self, walk: _Walk, walking: asyncio.Future[None], beside: set[asyncio.Future[Any]]) -> bool:
        """Returns when it is over; whether the client is still there and must not take what it has for the whole."""
        while True:
            before = walk.taken
            done, _ = await asyncio.wait(
                {walking, *beside}, timeout=self._patience, return_when=asyncio.FIRST_COMPLETED
            )
            if walking in done:
                return False
            if done:
                return self._stopping.is_set()
            if walk.taken == before:
                log.warning("a stream was cut off: its client took nothing for %g s", self._patience)
                return True


class _Walk:
    """``taken`` grows with each piece that the connection has taken."""

    def __init__(self, exchange: Exchange, pieces: AsyncGenerator[bytes, None], headers: Mapping[str, str]) -> None:
        self._exchange = exchange
        self._pieces = pieces
        self._headers = headers
        self.taken = 0

    async def go(self) -> None:
        exchange = self._exchange
        async for piece in self._pieces:
            await self._begin()
            if exchange.method == "HEAD":
                break
            for start in range(0, len(piece), CHUNK):
                await exchange.chunk(piece[start : start + CHUNK])
                self.taken += 1
            self.taken += 1
            # A store that answers from memory and a client that reads as fast would let nobody else have a turn.
            await asyncio.sleep(0)
        await self._begin()
        await exchange.chunk(b"", more=False)

    async def _begin(self) -> None:
        if not self._exchange.is_started:
            await self._exchange.start(200, dict(self._headers))
