"""Shows a browser why it gets no page: a card in its language, where a program gets problem details."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from dialoom.errors import RequestError
from dialoom.http.accept_language import spoken
from dialoom.http.pages.card import Button, Card, PageOwner, page, policy
from dialoom.http.problems import MEDIA_TYPE, status_of
from dialoom.http.server.accept import accepted
from dialoom.languages import chat_texts, login_texts

if TYPE_CHECKING:
    from dialoom.http.server.exchange import Exchange

HTML: Final = "text/html"
START_PAGE: Final = "/"
"""Where a card leads from which there is no way on."""
USED_UP: Final = frozenset({"file-address", "picker-over", "login-over", "link-over"})
"""Refusals of a link that was good once."""


def wants_card(exchange: Exchange) -> bool:
    """Return whether a person looks at the answer: a browser names HTML before all else when it opens an address, a
    script or a program does not."""
    if exchange.method not in ("GET", "HEAD"):
        return False
    try:
        return accepted(exchange.scope["headers"], (MEDIA_TYPE, HTML)) == HTML
    except RequestError:
        return False


async def refuse_with_card(exchange: Exchange, error: RequestError) -> None:
    """Answer with the error's status and headers, and a card. The error's own words are for developers."""
    language = spoken(exchange.header(b"accept-language") or "")
    here = f"?{exchange.scope['query_string'].decode('ascii', 'replace')}"
    # A language that was not used yet is read from its file.
    card = await asyncio.to_thread(refusal_card, language, error.code, here)
    headers = {name.lower(): value for name, value in error.headers.items()}
    headers |= {"content-security-policy": policy(card), "cache-control": "no-store", "vary": "accept, accept-language"}
    body = page(card, PageOwner(language)).encode()
    await exchange.answer(status_of(error.code), body, f"{HTML}; charset=utf-8", **headers)


def refusal_card(language: str, code: str, here: str) -> Card:
    """Return what happened and the one thing to do: to load ``here`` again where that may help, else the start page."""
    texts, chat = login_texts(language), chat_texts(language)
    status = status_of(code)
    if status == 429 or status >= 500:
        return Card(
            title=texts.refusals.busy.title,
            texts=(texts.refusals.busy.text,),
            button=Button(chat["tryAgain"], here),
        )
    button = Button(chat["startPage"], START_PAGE)
    if code in USED_UP:
        return Card(title=texts.refusals.over.title, texts=(texts.ask_for_link,), button=button)
    return Card(title=texts.refusals.unknown.title, texts=(texts.refusals.unknown.text,), button=button)
