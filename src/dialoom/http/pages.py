"""The hosted chat page ``/chat/{bot}/{channel}`` and the files that pages load, all from the package."""

from __future__ import annotations

import gzip
import hashlib
import html
import mimetypes
from typing import TYPE_CHECKING

import msgspec

from dialoom.channels import web
from dialoom.errors import RequestError
from dialoom.http.problems import not_found
from dialoom.widget import static_folder

if TYPE_CHECKING:
    from dialoom.http.exchange import Exchange
    from dialoom.service.service import Service

CHAT_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' https: data:; connect-src 'self'; "
    "font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
)
"""Content-Security-Policy of the chat page: its own files only; images also from where bots show them."""
HASHED = "assets/"
"""Files here have a hash of their content in their name."""
RIGHT_TO_LEFT = frozenset({"ar", "fa", "he", "ur"})
SMALLEST_COMPRESSED = 1024


class _File(msgspec.Struct, frozen=True):
    content: bytes
    compressed: bytes | None
    type: str
    etag: str


def _load() -> dict[str, _File]:
    """All built files, a few hundred kB; empty when the front end was not built."""
    folder = static_folder()
    files = {}
    for path in sorted(folder.rglob("*")) if folder.is_dir() else ():
        if path.is_file():
            content = path.read_bytes()
            type = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
            if type.startswith("text/") or type.endswith(("javascript", "json", "xml")):
                type += "; charset=utf-8"
            small = gzip.compress(content, 9, mtime=0) if len(content) >= SMALLEST_COMPRESSED else None
            etag = f'"{hashlib.sha256(content).hexdigest()[:16]}"'
            files[path.relative_to(folder).as_posix()] = _File(content, small, type, etag)
    return files


class Pages:
    def __init__(self, service: Service) -> None:
        self._service = service
        self._files = _load()

    async def chat(self, exchange: Exchange, bot: str, channel_id: str) -> None:
        _check_method(exchange)
        deployed = self._service.bots.active(bot)
        channel = deployed.channel(channel_id) if deployed is not None else None
        if deployed is None or channel is None or channel.type not in web.LABELS:
            raise not_found("There is no chat at this address. Ask whoever gave it to you for the right one.")
        template = self._files.get("chat.html")
        if template is None:
            detail = "The chat page was not built with this installation. Run: make install"
            raise RequestError(503, "not-built", detail)
        language = deployed.bot.file.language
        values = {
            "bot": bot,
            "channel": channel_id,
            "name": deployed.bot.name,
            "language": language,
            "direction": "rtl" if language.split("-")[0].lower() in RIGHT_TO_LEFT else "ltr",
            "avatar": deployed.bot.file.avatar or "",
        }
        page = template.content.decode()
        for name, value in values.items():
            page = page.replace("{{" + name + "}}", html.escape(value, quote=True))
        body = b"" if exchange.method == "HEAD" else page.encode()
        await exchange.answer(200, body, "text/html; charset=utf-8", **{"content-security-policy": CHAT_POLICY})

    async def file(self, exchange: Exchange, path: str) -> None:
        _check_method(exchange)
        file = self._files.get(path)
        if file is None or path == "chat.html":
            raise not_found("There is no such file.")
        headers = {
            "cache-control": "public, max-age=31536000, immutable" if path.startswith(HASHED) else "no-cache",
            "etag": file.etag,
            "vary": "accept-encoding",
            # The widget's one file is loaded by pages of other origins.
            "cross-origin-resource-policy": "cross-origin",
        }
        if exchange.header(b"if-none-match") == file.etag:
            await exchange.start(304, headers)
            await exchange.chunk(b"", more=False)
            return
        content = file.content
        if file.compressed is not None and "gzip" in (exchange.header(b"accept-encoding") or ""):
            content = file.compressed
            headers["content-encoding"] = "gzip"
        headers |= {"content-type": file.type, "content-length": str(len(content))}
        await exchange.start(200, headers)
        await exchange.chunk(b"" if exchange.method == "HEAD" else content, more=False)


def _check_method(exchange: Exchange) -> None:
    if exchange.method not in {"GET", "HEAD"}:
        raise RequestError(405, "method", "Pages are read with GET.", headers={"Allow": "GET, HEAD"})
