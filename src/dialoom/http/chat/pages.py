"""Serves the hosted pages, chat and picker, and the files that pages load, all from the package."""

from __future__ import annotations

import html
import mimetypes
import re
from collections.abc import Mapping
from pathlib import Path

from dialoom.errors import RequestError
from dialoom.flow.channels import Channel, row_of
from dialoom.http.accept_language import STUDIO_LANGUAGES, spoken
from dialoom.http.chat.closed_channels import ClosedChannels
from dialoom.http.page_parts import IMAGES, direction, look_style, with_images, with_style
from dialoom.http.problems import not_found
from dialoom.http.server.exchange import Document, Exchange, document
from dialoom.languages import chat_texts, language_of_texts, system_texts
from dialoom.service.bots.bots import Deployed
from dialoom.service.service import Service

CHAT_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' https: data:; connect-src 'self'; "
    "font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
)
"""Content-Security-Policy of the chat page: its own files only; images also from where bots show them."""
PICKER_POLICY = CHAT_POLICY.replace("frame-ancestors 'self'", "frame-ancestors 'none'")
STUDIO_POLICY = (
    f"default-src 'none'; script-src 'self'; style-src 'self'; {IMAGES}; connect-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types lit-html"
)
"""Whoever is signed in here may do much: no script, style or answer from elsewhere, and no text becomes elements but by
Lit's own. Pictures as in the chat, whose element is the studio's try-out."""
CHAT, PICKER, STUDIO = "chat.html", "pick.html", "studio.{language}.html"
PLACE = re.compile(r"\{\{(\w+)\}\}")
NOT_OPEN = frozenset({"not-found", "picker-unknown", "picker-over"})
"""Refusals of a ticket that the picker's card says itself: not ours, or its question is not open any more."""
HASHED = "assets/"
"""Files here have a hash of their content in their name."""


def _load(folder: Path) -> dict[str, Document]:
    """Return all built files, a few hundred kB, by their path; none when the front end was not built."""
    files = {}
    for path in sorted(folder.rglob("*")) if folder.is_dir() else ():
        if path.is_file():
            type, name = (
                mimetypes.guess_type(path.name)[0] or "application/octet-stream",
                path.relative_to(folder).as_posix(),
            )
            if type.startswith("text/") or type.endswith(("javascript", "json", "xml")):
                type += "; charset=utf-8"
            is_hashed = name.startswith(HASHED)
            headers = {
                "content-type": type,
                "cache-control": "public, max-age=31536000, immutable" if is_hashed else "no-cache",
                # The widget's one file is loaded by pages of other origins.
                "cross-origin-resource-policy": "cross-origin",
                # It fetches its words; nothing here belongs to anybody.
                "access-control-allow-origin": "*",
            }
            files[name] = document(path.read_bytes(), headers)
    return files


class Pages:
    def __init__(self, service: Service, folder: Path) -> None:
        self._service = service
        self._files = _load(folder)
        self._closed = ClosedChannels()

    async def chat(self, exchange: Exchange, bot: str, channel_id: str) -> None:
        found = self._service.bots.channel(bot, channel_id)
        if found is None or row_of(found[1]).caller != "page":
            raise not_found("There is no chat at this address. Ask whoever gave it to you for the right one.")
        deployed, channel = found
        if channel_id in deployed.closed:
            raise self._closed.refused(bot, channel_id, deployed.closed[channel_id])
        help = system_texts(deployed.bot.file.language).no_script
        await self._page(exchange, CHAT, CHAT_POLICY, deployed, channel, {"noscript": help})

    async def picker(self, exchange: Exchange, bot: str, channel_id: str, ticket: str) -> None:
        """Answer with a card whose question can be read without script; the dialog that answers it is the script's."""
        found = self._service.bots.channel(bot, channel_id)
        if found is None:
            raise not_found("There is nothing to choose at this address. Open the one that stands in the chat.")
        deployed, channel = found
        if channel_id in deployed.closed:
            raise self._closed.refused(bot, channel_id, deployed.closed[channel_id])
        text, help = await self._asked(deployed, channel, ticket)
        values = {
            "text": text,
            "noscript": help,
            # Also for a question that is over: who comes too late needs the chat all the more.
            "back": self._service.pickers.chat_address(bot, channel) or "",
        }
        await self._page(exchange, PICKER, PICKER_POLICY, deployed, channel, values)

    async def _asked(self, deployed: Deployed, channel: Channel, ticket: str) -> tuple[str, str]:
        """Return the card's text, and what to do where there is no script."""
        try:
            question = await self._service.pickers.question(deployed.bot.id, channel.id, ticket)
        except RequestError as refusal:
            if refusal.code not in NOT_OPEN:
                raise
            return chat_texts(deployed.bot.file.language)["pickOver"], ""
        help = system_texts(deployed.bot.file.language).no_script_picker
        return question.text or question.dialog.title, help

    async def studio(self, exchange: Exchange) -> None:
        """Answer with the page of the browser's language, else the same for everybody: its script asks for what it
        shows, once somebody is signed in."""
        language = spoken(exchange.header(b"accept-language") or "", STUDIO_LANGUAGES)
        page = self._built(STUDIO.format(language=language)).content
        policy = with_images(STUDIO_POLICY, self._service.settings)
        headers = {
            "content-security-policy": policy,
            "cross-origin-resource-policy": "same-origin",
            "vary": "accept-language",
        }
        await exchange.answer(200, page, "text/html; charset=utf-8", **headers)

    def _built(self, name: str) -> Document:
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
            # Where there is no picture, or until it is there.
            "initial": deployed.bot.name.strip()[:1].upper(),
            "language": language,
            "direction": direction(language),
            "spoken": language_of_texts(language),
            "header": deployed.bot.file.look.header or deployed.bot.name,
            "avatar": deployed.bot.file.look.avatar or deployed.bot.file.avatar or "",
            **more,
        }
        # All places in one go: what users and authors wrote may look like a place itself.
        page = PLACE.sub(lambda found: html.escape(values.get(found[1], found[0])), template.content.decode())
        style = look_style(deployed.bot.file.look)
        page = page.replace("</head>", f"{style}</head>", 1)
        policy = with_images(with_style(policy, style), self._service.settings)
        # A login opens in a window of its own, whose start page asks this one for a proof: it must not lose its opener.
        headers = {"content-security-policy": policy, "cross-origin-opener-policy": "same-origin-allow-popups"}
        await exchange.answer(200, page.encode(), "text/html; charset=utf-8", **headers)

    async def file(self, exchange: Exchange, path: str) -> None:
        file = self._files.get(path)
        if file is None or path.endswith(".html"):
            raise not_found("There is no such file.")
        await exchange.give(file)
