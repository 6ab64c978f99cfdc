"""Receives and sends files: ``POST .../web/files`` takes one in, ``GET .../files/{id}`` gives it out."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractContextManager
from urllib.parse import quote

import msgspec

from dialoom.errors import RequestError
from dialoom.http.problems import not_found
from dialoom.http.server.exchange import Exchange
from dialoom.service.chat.attachments import IMAGES, MAX_FILE_BYTES, Found, StoredFile
from dialoom.service.service import Service
from dialoom.storage.store import ChatKey

MAX_UPLOADS = 16
"""Files that are taken in at one time: each holds up to twice its size of memory."""
MAX_UPLOADS_PER_USER = 4
MAX_WAITING_PER_USER = 20
"""Files of one user that come in or wait for that; a message has at most 10."""
MAX_UPLOAD_SECONDS = 120.0
"""In which a file must have come in once it has a place: a line with 700 kbit/s carries the largest."""
MAX_IDLE_SECONDS = 10.0
"""Seconds without a byte after which a file is given up: its place is for others."""
MAX_QUEUE_SECONDS = 5.0
"""Seconds that a file waits for one of the places that all users share. For those of its own user it waits as long as
these take."""
MAX_CACHE_SECONDS = 3600
_SANDBOX = "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'"
"""Content-Security-Policy: whatever a browser makes of the file, it runs nothing and belongs to no origin."""


class _Queue:
    """Counts the files that one user is sending."""

    def __init__(self) -> None:
        self.places = asyncio.Semaphore(MAX_UPLOADS_PER_USER)
        self.count = 0


class AttachmentEndpoints:
    def __init__(
        self,
        service: Service,
        seconds: float = MAX_UPLOAD_SECONDS,
        idle_seconds: float = MAX_IDLE_SECONDS,
        queue_seconds: float = MAX_QUEUE_SECONDS,
    ) -> None:
        self._service = service
        self._seconds = seconds
        self._idle_seconds = idle_seconds
        self._queue_seconds = queue_seconds
        self._places = asyncio.Semaphore(MAX_UPLOADS)
        self._queues: dict[ChatKey, _Queue] = {}

    # -- in

    async def take(
        self,
        exchange: Exchange,
        key: ChatKey,
        share: Callable[[int], AbstractContextManager[None]] = lambda _: contextlib.nullcontext(),
    ) -> None:
        """Store a file; the caller has checked the session. ``share``: takes so many bytes from a day's share."""
        name = exchange.query("name").get("name", "")
        kept = await self.keep(key, name, await self.receive(exchange, key), share)
        await exchange.answer(201, msgspec.json.encode(kept))

    async def receive(self, exchange: Exchange, key: ChatKey) -> bytes:
        """Return the body of a request that brings files of this user, once there is a place for it."""
        if (exchange.header(b"content-encoding") or "identity").lower() != "identity":
            raise RequestError("content-type", "Send the file as it is, without Content-Encoding.")
        async with self._place(key):
            return await self._body(exchange)

    async def keep(
        self, key: ChatKey, name: str, content: bytes, share: Callable[[int], AbstractContextManager[None]]
    ) -> StoredFile:
        """Store a file that was received."""
        if not content:
            raise RequestError("file-empty", "The file is empty. Send its bytes as the body.")
        with share(len(content)):
            return await self._service.attachments.keep(key, name, content)

    async def _body(self, exchange: Exchange) -> bytes:
        try:
            async with asyncio.timeout(self._seconds):
                return await exchange.body(MAX_FILE_BYTES, _too_large(), self._idle_seconds)
        except TimeoutError as error:
            detail = (
                f"The file did not come in within {self._seconds:g} s, or nothing of it came for "
                f"{self._idle_seconds:g} s. Send it again."
            )
            raise RequestError("upload-too-slow", detail, headers={"Connection": "close"}) from error

    @contextlib.asynccontextmanager
    async def _place(self, key: ChatKey) -> AsyncIterator[None]:
        queue = self._queues.setdefault(key, _Queue())
        if queue.count >= MAX_WAITING_PER_USER:
            detail = f"{MAX_WAITING_PER_USER} files of this user come in already. Wait until one is done."
            raise RequestError("too-many-files", detail, headers={"Retry-After": "5", "Connection": "close"})
        queue.count += 1
        try:
            async with queue.places:
                await self._take_place()
                try:
                    yield
                finally:
                    self._places.release()
        finally:
            queue.count -= 1
            if not queue.count:
                self._queues.pop(key, None)

    async def _take_place(self) -> None:
        try:
            async with asyncio.timeout(self._queue_seconds):
                await self._places.acquire()
        except TimeoutError as error:
            detail = "Too many files come in at this moment. Send it again in some seconds."
            raise RequestError("files-busy", detail, headers={"Retry-After": "5", "Connection": "close"}) from error

    # -- out

    async def give(self, exchange: Exchange, bot: str, channel: str, id: str) -> None:
        query = exchange.query("e", "s")
        files, expires = self._service.attachments, _seconds(query.get("e", ""))
        if not files.is_signed(bot, channel, id, expires, query.get("s", "")):
            detail = "This address of a file has expired or was changed. Read the chat again for a new one."
            raise RequestError("file-address", detail)
        found = await files.find(bot, channel, id, with_content=exchange.method == "GET")
        if found is None:
            raise not_found("The file is no longer here.")
        type = found.about.mime_type
        kind = "inline" if type in IMAGES else "attachment"
        headers = {
            "content-type": f"{type}; charset=utf-8" if type.startswith("text/") else type,
            "content-length": str(found.row.size),
            "content-disposition": f"{kind}; {_file_name(found.about.name)}",
            "content-security-policy": _SANDBOX,
            "cache-control": f"private, max-age={min(files.seconds_left(expires), MAX_CACHE_SECONDS)}",
            # The chat stands in pages of other origins; the signature says who may read.
            "cross-origin-resource-policy": "cross-origin",
        }
        await exchange.start(200, headers)
        if exchange.method == "GET":
            await self._send(exchange, found)
        await exchange.chunk(b"", more=False)

    async def _send(self, exchange: Exchange, found: Found) -> None:
        """Send a file, each piece once the client has taken the one before: a slow reader costs the memory of one."""
        async with contextlib.aclosing(self._service.attachments.pieces(found)) as pieces:
            await exchange.taken()
            async for piece in pieces:
                await exchange.chunk(piece)
                await exchange.taken()


def _seconds(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 12 else 0


def _file_name(name: str) -> str:
    """Return the file's name in both forms of RFC 6266: one for old clients, one that holds every character."""
    plain = "".join(c if c.isascii() and c.isprintable() and c not in '"\\%;' else "_" for c in name)
    return f"filename=\"{plain}\"; filename*=UTF-8''{quote(name, safe='')}"


def _too_large() -> RequestError:
    detail = f"A file has at most {MAX_FILE_BYTES // 1024**2} MiB. Send a smaller one."
    return RequestError("file-too-large", detail, headers={"Connection": "close"})
