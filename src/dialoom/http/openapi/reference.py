"""Serves ``/openapi.json`` and ``/docs``: the description of the interface, for programs and as a page for people."""

from __future__ import annotations

import asyncio
import base64
import hashlib
from collections.abc import Awaitable, Callable
from functools import cached_property
from pathlib import Path

import msgspec

from dialoom.http.openapi.document import describe
from dialoom.http.openapi.page import page
from dialoom.http.server.exchange import Document, Exchange, document

_STYLE = Path(__file__).parent / "docs.css"
_HEADERS = {"cache-control": "no-cache"}


class Reference:
    """Answers with the description, which is made at the first request. Made outside the event loop: it reads its
    style."""

    def __init__(self, base_url: str) -> None:
        self._base_url = base_url
        self._style = _STYLE.read_text("utf-8")

    def endpoints(self) -> dict[str, Callable[[Exchange], Awaitable[None]]]:
        return {"description": self.description, "reference": self.docs}

    async def description(self, exchange: Exchange) -> None:
        exchange.query()
        await exchange.give(await asyncio.to_thread(lambda: self._description))

    async def docs(self, exchange: Exchange) -> None:
        exchange.query()
        await exchange.give(await asyncio.to_thread(lambda: self._page))

    @cached_property
    def _description(self) -> Document:
        content = msgspec.json.encode(describe(self._base_url))
        # Anybody may read it, and tools in pages of other origins do.
        return document(content, _HEADERS | {"content-type": "application/json", "access-control-allow-origin": "*"})

    @cached_property
    def _page(self) -> Document:
        hash = base64.b64encode(hashlib.sha256(self._style.encode()).digest()).decode("ascii")
        policy = (
            f"default-src 'none'; style-src 'sha256-{hash}'; img-src data:; base-uri 'none'; form-action 'none'; "
            "frame-ancestors 'none'"
        )
        content = page(describe(self._base_url), self._style).encode()
        return document(
            content, _HEADERS | {"content-type": "text/html; charset=utf-8", "content-security-policy": policy}
        )
