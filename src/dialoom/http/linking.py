"""The pages of account linking. Logging in is not part of this version: the start page says so, and nothing happens.

No bot is known there yet, so the page speaks the browser's language.
"""

from __future__ import annotations

import base64
import hashlib
import html
import re
from typing import TYPE_CHECKING

from dialoom.errors import RequestError
from dialoom.flow.texts import languages, system_texts
from dialoom.http.pages import direction

if TYPE_CHECKING:
    from dialoom.http.exchange import Exchange

_STYLE = """
:root { color-scheme: light dark }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; font: 15px/22px system-ui, sans-serif;
  background: light-dark(oklch(97% 0 0), oklch(20% 0.01 260)); color: light-dark(oklch(25% 0.01 260), oklch(94% 0 0)) }
main { box-sizing: border-box; width: min(400px, calc(100vw - 32px)); padding: 24px; border-radius: 18px;
  background: light-dark(oklch(100% 0 0), oklch(25% 0.01 260)) }
h1 { margin: 0 0 12px; font-size: 18px; line-height: 24px } p { margin: 0 }
"""
_STYLE_HASH = base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode("ascii")
POLICY = (
    f"default-src 'none'; style-src 'sha256-{_STYLE_HASH}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


MOST_LANGUAGES = 32
_QUALITY = re.compile(r"[01](\.\d{0,3})?")


async def start(exchange: Exchange) -> None:
    """Where login links lead."""
    if exchange.method not in {"GET", "HEAD"}:
        raise RequestError(405, "method", "Pages are read with GET.", headers={"Allow": "GET, HEAD"})
    language = spoken(exchange.header(b"accept-language") or "")
    texts = system_texts(language)
    page = _page(language, texts.login_not_yet, texts.login_not_yet_text)
    body = b"" if exchange.method == "HEAD" else page.encode()
    headers = {"content-security-policy": POLICY, "vary": "accept-language"}
    await exchange.answer(501, body, "text/html; charset=utf-8", **headers)


def spoken(accepted: str) -> str:
    """The best of an ``Accept-Language`` that there are texts in (RFC 9110 section 12.5.4); English else."""
    wanted = []
    for place, part in enumerate(accepted.split(",")[:MOST_LANGUAGES]):
        tag, *parameters = (piece.strip().lower() for piece in part.split(";"))
        quality = next((piece[2:] for piece in parameters if piece.startswith("q=")), "1")
        weight = float(quality) if _QUALITY.fullmatch(quality) else 0.0
        wanted.append((-weight, place, tag.partition("-")[0]))
    return next((tag for weight, _, tag in sorted(wanted) if weight and tag in languages()), "en")


def _page(language: str, title: str, text: str) -> str:
    """Nothing of the request stands in it; what does come in is escaped all the same."""
    title, text = html.escape(title), html.escape(text)
    return (
        f'<!doctype html><html lang="{language}" dir="{direction(language)}"><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width">'
        f"<title>{title}</title><style>{_STYLE}</style><main><h1>{title}</h1><p>{text}</p></main></html>\n"
    )
