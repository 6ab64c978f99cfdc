"""Renders a card: a page of HTML that needs no script, its style and its policy.

Every text is escaped here, wherever it came from.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator, Mapping
from html import escape
from typing import Final, Literal

import msgspec

from dialoom.flow.model import Look
from dialoom.http.page_parts import IMAGES, direction, look_style, with_style
from dialoom.languages import language_of_texts

_STYLE: Final = """
:root { color-scheme: light dark; background: light-dark(oklch(0.972 0.004 264), oklch(0.165 0.011 264));
  --brand: var(--look-brand, oklch(0.51 0.19 264));
  --ink: light-dark(color(from var(--brand) xyz-d65 calc(x * min(1, 0.12 / y)) calc(y * min(1, 0.12 / y))
    calc(z * min(1, 0.12 / y))), color(from var(--brand) xyz-d65
    calc(x + (0.9505 - x) * clamp(0, (0.4 - y) / (1 - y), 1))
    calc(y + (1 - y) * clamp(0, (0.4 - y) / (1 - y), 1)) calc(z + (1.089 - z) * clamp(0, (0.4 - y) / (1 - y), 1))));
  --tint: light-dark(oklch(from var(--brand) 0.955 min(c, 0.022) h), oklch(from var(--brand) 0.32 min(c, 0.06) h));
  color: light-dark(oklch(0.25 0.02 264), oklch(0.93 0.006 264));
  -webkit-text-size-adjust: 100%; text-size-adjust: 100%;
  font: 400 15px/22px var(--look-font, system-ui), system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue",
  "Noto Sans", Arial, sans-serif }
body { margin: 0 }
main { box-sizing: border-box; display: grid; place-items: center; min-block-size: 100dvh; padding: 24px 16px }
.card { box-sizing: border-box; display: grid; gap: 12px; inline-size: min(440px, 100%); padding: 20px;
  border-radius: 20px; background: light-dark(oklch(1 0 0), oklch(0.225 0.013 264)); overflow-wrap: anywhere;
  box-shadow: 0 0 0 1px light-dark(oklch(0.915 0.006 264), oklch(0.3 0.014 264)),
    0 12px 40px light-dark(oklch(0.25 0.03 264 / 0.12), oklch(0 0 0 / 0.5)) }
header { display: flex; align-items: center; gap: 12px; font-weight: 600 }
h1 { margin: 0; font-size: 20px; line-height: 28px }
p, dl, form { margin: 0 }
.avatar { position: relative; flex: none; display: grid; place-items: center; inline-size: 36px; block-size: 36px;
  border-radius: 50%; overflow: hidden; background: var(--tint); color: var(--ink) }
.avatar img { position: absolute; inset: 0; inline-size: 100%; block-size: 100%; object-fit: cover }
.text { white-space: pre-line }
.quiet, dt { color: light-dark(oklch(0.5 0.018 264), oklch(0.72 0.014 264)); font-size: 13px; line-height: 18px }
dl { display: grid; grid-template-columns: auto 1fr; gap: 4px 12px; padding: 12px 16px; border-radius: 12px;
  background: light-dark(oklch(0.962 0.005 264), oklch(0.272 0.015 264)) }
dt { line-height: 22px } dd { margin: 0; font-weight: 600 }
.code { padding: 16px; border-radius: 12px; font: 600 40px/48px ui-monospace, "SF Mono", Menlo, Consolas, monospace;
  letter-spacing: 0.15em; text-indent: 0.15em; text-align: center; user-select: all; -webkit-user-select: all;
  background: var(--tint) }
.act { box-sizing: border-box; display: grid; place-items: center; inline-size: 100%; min-block-size: 44px;
  margin-block-start: 4px; padding: 10px 20px; border: 0; border-radius: 12px; background: var(--brand);
  color: color(from var(--brand) xyz-d65 calc(0.9505 * clamp(0, (0.179 - y) * 100000, 1))
    clamp(0, (0.179 - y) * 100000, 1) calc(1.089 * clamp(0, (0.179 - y) * 100000, 1)));
  box-shadow: inset 0 0 0 1px var(--ink); font: inherit; font-weight: 600; text-align: center; text-decoration: none;
  cursor: pointer }
.act:hover { text-decoration: underline; text-underline-offset: 3px }
:focus-visible { outline: 2px solid var(--ink); outline-offset: 2px }
h2 { margin: 8px 0 4px; font-size: 13px; line-height: 18px; font-weight: 600 }
ul { display: grid; gap: 2px; margin: 0 -8px; padding: 0; list-style: none }
.row { display: grid; min-block-size: 44px; align-content: center; padding: 6px 8px; border-radius: 10px;
  box-sizing: border-box; color: inherit; text-decoration: none }
a.row > :first-child { color: var(--ink); font-weight: 600 }
a.row:hover { background: light-dark(oklch(0.962 0.005 264), oklch(0.272 0.015 264)) }
@media (max-height: 360px) { main { padding: 8px } .card { gap: 8px; padding: 12px }
  h1 { font-size: 17px; line-height: 22px } .act { margin-block-start: 0 } }
@media (max-width: 359px) { .code { font-size: 30px; letter-spacing: 0.08em; text-indent: 0.08em } }
@media (forced-colors: active) { .card, .act { border: 1px solid } }
"""
_STYLE_HASH: Final = base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode("ascii")
_ICON: Final = (
    "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E%3Cpath fill='%234263eb' "
    "d='M4 8a4 4 0 0 1 4-4h16a4 4 0 0 1 4 4v10a4 4 0 0 1-4 4H14l-7 6v-6a3 3 0 0 1-3-3z'/%3E%3C/svg%3E"
)
START_SCRIPT: Final = "/static/login-start.js"
CLOSE_SCRIPT: Final = "/static/login-close.js"
POPUP_SCRIPT: Final = "/static/login-teams.js"
Script = Literal["", "/static/login-start.js", "/static/login-close.js", "/static/login-teams.js"]


NO_LOOK: Final = Look()


class PageOwner(msgspec.Struct, frozen=True):
    """Names the language of a card, and its bot. ``bot`` is empty where none is known."""

    language: str
    bot: str = ""
    avatar: str | None = None
    look: Look = NO_LOOK


class Button(msgspec.Struct, frozen=True):
    """Describes the card's one action. Without an address it sends ``answer`` to the page's own."""

    words: str
    address: str = ""
    answer: str = ""


class Row(msgspec.Struct, frozen=True):
    """Describes a line of a list: a link where it has an address."""

    title: str
    note: str = ""
    address: str = ""


class Card(msgspec.Struct, frozen=True, kw_only=True):
    title: str
    texts: tuple[str, ...]
    rows: tuple[tuple[str, str], ...] = ()
    """Names and values."""
    lists: tuple[tuple[str, tuple[Row, ...]], ...] = ()
    """Headings with the rows below each."""
    code: str = ""
    button: Button | None = None
    quiet: str = ""
    """Small print under the button."""
    refresh: str = ""
    """Where the browser goes by itself. Not by a redirect where a form led here: Chromium holds ``form-action`` against
    every address on the way, and those behind the provider's are nobody's to know."""
    script: Script = ""
    script_data: Mapping[str, str] = {}
    """What the script is told, as ``data-`` attributes."""


def page(card: Card, whose: PageOwner) -> str:
    return "".join(_parts(card, whose))


def policy(card: Card, look: Look = NO_LOOK) -> str:
    """Return the Content-Security-Policy that this card needs; ``with_images`` puts the places of images in."""
    asks = "'self'" if card.button is not None and card.button.answer else "'none'"
    parts = ["default-src 'none'", f"style-src 'sha256-{_STYLE_HASH}'", IMAGES]
    if card.script:
        parts.append("script-src 'self'")
    if card.script == START_SCRIPT:
        parts.append("connect-src 'self'")
    whole = "; ".join([*parts, "base-uri 'none'", f"form-action {asks}", "frame-ancestors 'none'"])
    return with_style(whole, look_style(look))


def _parts(card: Card, whose: PageOwner) -> Iterator[str]:
    spoken = language_of_texts(whose.language)
    yield f'<!doctype html>\n<html lang="{spoken}" dir="{direction(spoken)}">\n<head>\n<meta charset="utf-8">\n'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
    yield '<meta name="color-scheme" content="light dark">\n<meta name="robots" content="noindex">\n'
    if card.refresh:
        yield f'<meta http-equiv="refresh" content="0; url={escape(card.refresh)}">\n'
    yield f'<title>{escape(card.title)}</title>\n<link rel="icon" href="{escape(_ICON)}">\n<style>{_STYLE}</style>\n'
    yield look_style(whose.look)
    if card.script:
        yield f'<script type="module" src="{card.script}"></script>\n'
    script_data = "".join(f' data-{name}="{escape(value)}"' for name, value in card.script_data.items())
    yield f'</head>\n<body>\n<main{script_data}>\n<div class="card">\n'
    if whose.bot:
        yield f'<header>{_avatar(whose)}<span dir="auto">{escape(whose.bot)}</span></header>\n'
    yield f'<h1 dir="auto">{escape(card.title)}</h1>\n'
    yield from (f'<p class="text" dir="auto">{escape(text)}</p>\n' for text in card.texts)
    if card.rows:
        rows = "".join(f"<dt>{escape(name)}</dt><dd><bdi>{escape(value)}</bdi></dd>" for name, value in card.rows)
        yield f"<dl>{rows}</dl>\n"
    for heading, lines in card.lists:
        items = "".join(f"<li>{_row(line)}</li>\n" for line in lines)
        yield f"<section><h2>{escape(heading)}</h2>\n<ul>\n{items}</ul></section>\n"
    if card.code:
        # Read aloud digit by digit; as an image it is read by its name alone, and is copied as it stands all the same.
        aloud = " ".join(card.code)
        yield f'<p class="code" dir="ltr" role="img" aria-label="{escape(aloud)}">{escape(card.code)}</p>\n'
    if card.button is not None:
        yield _action(card.button)
    if card.quiet:
        yield f'<p class="quiet">{escape(card.quiet)}</p>\n'
    yield "</div>\n</main>\n</body>\n</html>\n"


def _avatar(whose: PageOwner) -> str:
    initial = escape(whose.bot.strip()[:1].upper())
    image = f'<img src="{escape(whose.avatar)}" alt="" referrerpolicy="no-referrer">' if whose.avatar else ""
    return f'<span class="avatar" aria-hidden="true">{initial}{image}</span>'


def _row(line: Row) -> str:
    note = f'<span class="quiet" dir="auto">{escape(line.note)}</span>' if line.note else ""
    inner = f'<span dir="auto">{escape(line.title)}</span>{note}'
    return (
        f'<a class="row" href="{escape(line.address)}">{inner}</a>'
        if line.address
        else f'<div class="row">{inner}</div>'
    )


def _action(button: Button) -> str:
    if button.address:
        return f'<a class="act" href="{escape(button.address)}">{escape(button.words)}</a>\n'
    hidden = f'<input type="hidden" name="answer" value="{escape(button.answer)}">'
    return f'<form method="post">{hidden}<button class="act">{escape(button.words)}</button></form>\n'
