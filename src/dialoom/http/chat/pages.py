"""The hosted pages, chat and picker, and the files that pages load, all from the package."""

from __future__ import annotations

import gzip
import hashlib
import html
import mimetypes
import re
from typing import TYPE_CHECKING

import msgspec

from dialoom.channels import web
from dialoom.errors import RequestError
from dialoom.http.problems import not_found
from dialoom.languages import chat_texts, language_of_texts, system_texts

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from dialoom.flow.model import Channel
    from dialoom.http.server.exchange import Exchange
    from dialoom.service.bots.bots import Deployed
    from dialoom.service.service import Service
    from dialoom.service.settings import Settings

CHAT_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' https: data:; connect-src 'self'; "
    "font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
)
"""Content-Security-Policy of the chat page: its own files only; images also from where bots show them."""
PICKER_POLICY = CHAT_POLICY.replace("frame-ancestors 'self'", "frame-ancestors 'none'")
STUDIO_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types lit-html"
)
"""Whoever is signed in here may do much: nothing from elsewhere, and no text becomes elements but by Lit's own."""
IMAGES = "img-src 'self' https: data:"
IMAGES_HERE = f"{IMAGES} http://127.0.0.1:* http://localhost:*"
"""Of a service that only this machine reaches: a bot's back end shows its pictures beside it, without TLS."""
CHAT, PICKER, STUDIO = "chat.html", "pick.html", "studio.html"
PLACE = re.compile(r"\{\{(\w+)\}\}")
OVER = frozenset({"not-found", "picker-unknown", "picker-over"})
"""Refusals of a ticket that the card says itself: not ours, or its question is not open any more."""
HASHED = "assets/"
"""Files here have a hash of their content in their name."""
RIGHT_TO_LEFT = frozenset({"ar", "fa", "he", "ur"})
SMALLEST_COMPRESSED = 1024


class _File(msgspec.Struct):
    content: bytes
    type: str
    etag: str
    _compressed: bytes = b""

    def compressed(self) -> bytes:
        """Return the content as gzip, made when it is first asked for: 4 ms for the largest."""
        self._compressed = self._compressed or gzip.compress(self.content, 9, mtime=0)
        return self._compressed


def _load(folder: Path) -> dict[str, _File]:
    """All built files, a few hundred kB; empty when the front end was not built."""
    files = {}
    for path in sorted(folder.rglob("*")) if folder.is_dir() else ():
        if path.is_file():
            content = path.read_bytes()
            type = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
            if type.startswith("text/") or type.endswith(("javascript", "json", "xml")):
                type += "; charset=utf-8"
            etag = f'"{hashlib.sha256(content).hexdigest()[:16]}"'
            files[path.relative_to(folder).as_posix()] = _File(content, type, etag)
    return files


class Pages:
    def __init__(self, service: Service, folder: Path) -> None:
        self._service = service
        self._files = _load(folder)

    async def chat(self, exchange: Exchange, bot: str, channel_id: str) -> None:
        deployed = self._service.bots.active(bot)
        channel = deployed.channel(channel_id) if deployed is not None else None
        if deployed is None or channel is None or channel.type not in web.LABELS:
            raise not_found("There is no chat at this address. Ask whoever gave it to you for the right one.")
        help = system_texts(deployed.bot.file.language).no_script
        await self._page(exchange, CHAT, CHAT_POLICY, deployed, channel, {"noscript": help})

    async def picker(self, exchange: Exchange, bot: str, channel_id: str, ticket: str) -> None:
        """One card, whose question can be read without script; the dialog that answers it is the script's."""
        deployed = self._service.bots.active(bot)
        channel = deployed.channel(channel_id) if deployed is not None else None
        if deployed is None or channel is None:
            raise not_found("There is nothing to choose at this address. Open the one that stands in the chat.")
        text, help = await self._asked(deployed, channel, ticket)
        values = {
            # Where there is no picture, or until it is there.
            "initial": deployed.bot.name.strip()[:1].upper(),
            "text": text,
            "noscript": help,
        }
        await self._page(exchange, PICKER, PICKER_POLICY, deployed, channel, values)

    async def _asked(self, deployed: Deployed, channel: Channel, ticket: str) -> tuple[str, str]:
        """What the card says, and what to do with it where there is no script."""
        try:
            question = await self._service.pickers.question(deployed.bot.id, channel.id, ticket)
        except RequestError as refusal:
            if refusal.code not in OVER:
                raise
            return chat_texts(deployed.bot.file.language)["pickOver"], ""
        help = system_texts(deployed.bot.file.language).no_script_picker
        return question.text or question.dialog.title, help

    async def studio(self, exchange: Exchange) -> None:
        """The same for everybody: what it shows it asks for, once somebody is signed in."""
        page = self._built(STUDIO).content
        headers = {"content-security-policy": STUDIO_POLICY, "cross-origin-resource-policy": "same-origin"}
        await exchange.answer(200, page, "text/html; charset=utf-8", **headers)

    def _built(self, name: str) -> _File:
        page = self._files.get(name)
        if page is None:
            detail = f"The page {name} was not built with this installation. Run: make install"
            raise RequestError("not-built", detail)
        return page

    async def _page(
        self,
        exchange: Exchange,
        name: str,
        policy: str,
        deployed: Deployed,
        channel: Channel,
        more: Mapping[str, str],
    ) -> None:
        template = self._built(name)
        language = deployed.bot.file.language
        values = {
            "bot": deployed.bot.id,
            "channel": channel.id,
            "name": deployed.bot.name,
            "language": language,
            "direction": direction(language),
            "spoken": language_of_texts(language),
            "avatar": deployed.bot.file.avatar or "",
            **more,
        }
        # All places in one go: what users and authors wrote may look like a place itself.
        page = PLACE.sub(lambda found: html.escape(values.get(found[1], found[0])), template.content.decode())
        policy = with_images(policy, self._service.settings)
        # A login opens in a window of its own, whose start page asks this one for a proof: it must not lose its opener.
        headers = {"content-security-policy": policy, "cross-origin-opener-policy": "same-origin-allow-popups"}
        await exchange.answer(200, page.encode(), "text/html; charset=utf-8", **headers)

    async def file(self, exchange: Exchange, path: str) -> None:
        file = self._files.get(path)
        if file is None or path in {CHAT, PICKER, STUDIO}:
            raise not_found("There is no such file.")
        headers = {
            "cache-control": "public, max-age=31536000, immutable" if path.startswith(HASHED) else "no-cache",
            "etag": file.etag,
            "vary": "accept-encoding",
            # The widget's one file is loaded by pages of other origins.
            "cross-origin-resource-policy": "cross-origin",
            # It fetches its words; nothing here belongs to anybody.
            "access-control-allow-origin": "*",
        }
        if exchange.header(b"if-none-match") == file.etag:
            await exchange.start(304, headers)
            await exchange.chunk(b"", more=False)
            return
        content = file.content
        if len(content) >= SMALLEST_COMPRESSED and "gzip" in (exchange.header(b"accept-encoding") or ""):
            content = file.compressed()
            headers["content-encoding"] = "gzip"
        headers |= {"content-type": file.type, "content-length": str(len(content))}
        await exchange.start(200, headers)
        await exchange.chunk(b"" if exchange.method == "HEAD" else content, more=False)


def direction(language: str) -> str:
    """How text of this language runs: the value of ``dir``."""
    return "rtl" if language.partition("-")[0].lower() in RIGHT_TO_LEFT else "ltr"


def with_images(policy: str, settings: Settings) -> str:
    """The policy with the places that images may come from."""
    is_here = settings.is_loopback_only and settings.base_url is None
    return policy.replace(IMAGES, IMAGES_HERE) if is_here else policy
