"""Makes the cards of the pages of account linking: one function a page, in the bot's language or the browser's.

How a card looks is left to ``page``.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, Literal

import msgspec

from dialoom.flow.channels import row_of
from dialoom.http.login_pages.page import CLOSE_SCRIPT, POPUP_SCRIPT, START_SCRIPT, Button, Card, PageOwner, Script
from dialoom.languages import LANGUAGES, RefusalText, login_texts

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from dialoom.http.login_pages.login_redirect import LoginRedirect
    from dialoom.service.bots.bots import Deployed
    from dialoom.service.login.confirmation_page import PageTexts
    from dialoom.service.login.links import Opened

CLOSE_AFTER_MS: Final = 3000
"""Milliseconds (login.md, The flow, 5)."""
MAX_LANGUAGES: Final = 32
"""Of an ``Accept-Language`` that are looked at."""
_QUALITY: Final = re.compile(r"[01](\.\d{0,3})?")
Reason = Literal["unknown", "over", "browser", "failed", "cancelled", "lost", "busy"]
REASONS: Final[Mapping[str, Reason]] = {
    "login-unknown": "unknown",
    "login-over": "over",
    "login-browser": "browser",
    "login-failed": "failed",
    "login-timeout": "failed",
    "login-cancelled": "cancelled",
    "login-lost": "lost",
    "bad-text": "unknown",
    "bad-parameter": "unknown",
    "method": "unknown",
}
"""Why a login does not go on, by the code of the refusal. All others are passing (``busy``): overload, a store that is
away, a stop."""


def spoken(accepted: str) -> str:
    """Return the best language of an ``Accept-Language`` with texts (RFC 9110 section 12.5.4), else English."""
    wanted = []
    for place, part in enumerate(accepted.split(",")[:MAX_LANGUAGES]):
        tag, *parameters = (piece.strip().lower() for piece in part.split(";"))
        quality = next((piece[2:] for piece in parameters if piece.startswith("q=")), "1")
        weight = float(quality) if _QUALITY.fullmatch(quality) else 0.0
        wanted.append((-weight, place, tag.partition("-")[0]))
    return next((tag for weight, _, tag in sorted(wanted) if weight and tag in LANGUAGES), "en")


def whose(deployed: Deployed) -> PageOwner:
    """Return the name, the avatar and the language of a bot's pages: that of the chat."""
    bot = deployed.bot
    return PageOwner(bot.file.language, bot.name, bot.file.avatar)


def wait_card(opened: Opened, challenge: str, origins: Sequence[str], go_on: str) -> Card:
    """Return the card that is shown while the script asks the window that opened this one. ``go_on``: the address to go
    on without it, with a code at the end."""
    texts = login_texts(opened.deployed.bot.file.language)
    script_data = {"challenge": challenge, "origins": msgspec.json.encode(origins).decode(), "next": go_on}
    return Card(
        title=texts.wait_title,
        texts=(texts.wait_text,),
        button=Button(texts.go_on, go_on),
        quiet=texts.wait_code,
        script=START_SCRIPT,
        script_data=script_data,
    )


def confirm_card(opened: Opened, question: str) -> Card:
    texts, bot = login_texts(opened.deployed.bot.file.language), opened.deployed.bot
    rows = [
        (texts.confirm_bot, bot.name),
        (texts.confirm_channel, opened.channel.name or row_of(opened.channel).shown_as),
        *([(texts.confirm_name, opened.name)] if opened.name else ()),
    ]
    return Card(
        title=texts.confirm_title,
        texts=(texts.confirm_text,),
        rows=tuple(rows),
        button=Button(texts.confirm_yes, answer=question),
        quiet=texts.confirm_no,
    )


def leave_card(opened: Opened, address: str) -> Card:
    texts = login_texts(opened.deployed.bot.file.language)
    return Card(
        title=texts.leave_title, texts=(texts.leave_text,), button=Button(texts.go_on, address), refresh=address
    )


def done_card(opened: Opened, words: PageTexts, way: LoginRedirect) -> Card:
    texts = login_texts(opened.deployed.bot.file.language)
    closing: Script = POPUP_SCRIPT if row_of(opened.channel).opens_popup else CLOSE_SCRIPT
    return Card(
        title=words.title or texts.done_title,
        texts=(words.text or texts.done_text,),
        button=Button(texts.back, way.address) if way.address else None,
        refresh=way.address if way.address and way.goes else "",
        script=closing if way.closes else "",
        script_data={"after": str(CLOSE_AFTER_MS)} if way.closes else {},
    )


def again_card(language: str, way: LoginRedirect) -> Card:
    """Return the card for the browser that has used the link up itself: the user is logged in already."""
    texts = login_texts(language)
    button = Button(texts.back, way.address) if way.address else None
    return Card(title=texts.again_title, texts=(texts.done_text,), button=button)


def code_card(opened: Opened, code: str, way: LoginRedirect) -> Card:
    texts = login_texts(opened.deployed.bot.file.language)
    button = Button(texts.back, way.address) if way.address else None
    return Card(title=texts.code_title, texts=(texts.code_text,), code=code, button=button)


def refusal_card(language: str, code: str) -> Card:
    """Return the card that says what happened, and what to do about it."""
    texts, reason = login_texts(language), REASONS.get(code, "busy")
    refusal: RefusalText = getattr(texts.refusals, reason)
    return Card(title=refusal.title, texts=(refusal.text, *(() if reason == "busy" else (texts.ask_for_link,))))
