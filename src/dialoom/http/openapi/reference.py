"""``/openapi.json`` and ``/docs``: the description of the interface, for programs and as a page for people."""

from __future__ import annotations

import asyncio
import base64
import gzip
import hashlib
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from dialoom.http.openapi.document import describe
from dialoom.http.openapi.page import page

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from dialoom.http.server.exchange import Exchange

_STYLE = Path(__file__).parent / "docs.css"


class _Document(NamedTuple):
    content: bytes
    small: bytes
    etag: str
    headers: dict[str, str]


class Reference:
    """Reads its style when it is made: not for the event loop. The rest is made when somebody asks first."""

    def __init__(self, base_url: str) -> None:
        self._base_url = base_url
        self._style = _STYLE.read_text("utf-8")

    def endpoints(self) -> dict[str, Callable[[Exchange], Awaitable[None]]]:
        return {"description": self.description, "reference": self.docs}

    async def description(self, exchange: Exchange) -> None:
        await self._give(exchange, await asyncio.to_thread(lambda: self._description))

    async def docs(self, exchange: Exchange) -> None:
        await self._give(exchange, await asyncio.to_thread(lambda: self._page))

    @cached_property
    def _description(self) -> _Document:
        content = msgspec.json.encode(describe(self._base_url))
        # Anybody may read it, and tools in pages of other origins do.
        return _document(content, {"content-type": "application/json", "access-control-allow-origin": "*"})

    @cached_property
    def _page(self) -> _Document:
        hash = base64.b64encode(hashlib.sha256(self._style.encode()).digest()).decode("ascii")
        policy = (
            f"default-src 'none'; style-src 'sha256-{hash}'; img-src data:; base-uri 'none'; form-action 'none'; "
            "frame-ancestors 'none'"
        )
        content = page(describe(self._base_url), self._style).encode()
        return _document(content, {"content-type": "text/html; charset=utf-8", "content-security-policy": policy})

    async def _give(self, exchange: Exchange, document: _Document) -> None:
        exchange.query()
        headers = document.headers | {"etag": document.etag, "cache-control": "no-cache", "vary": "accept-encoding"}
        if exchange.header(b"if-none-match") == document.etag:
            await exchange.start(304, headers)
            await exchange.chunk(b"", more=False)
            return
        content = document.content
        if "gzip" in (exchange.header(b"accept-encoding") or ""):
            content = document.small
            headers["content-encoding"] = "gzip"
        await exchange.start(200, headers | {"content-length": str(len(content))})
        await exchange.chunk(b"" if exchange.method == "HEAD" else content, more=False)


def _document(content: bytes, headers: dict[str, str]) -> _Document:
    etag = f'"{hashlib.sha256(content).hexdigest()[:16]}"'
    return _Document(content, gzip.compress(content, 6, mtime=0), etag, headers)
