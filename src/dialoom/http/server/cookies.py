"""Cookies of the service's own pages: what they are called, and finding one in a request."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from dialoom.http.server.exchange import Exchange


def cookie_name(word: str, base_url: str) -> str:
    """With the port behind it: cookies ignore ports, and two services on one host would take each other's."""
    place = urlsplit(base_url.lower())
    return f"{word}_{place.port or (443 if place.scheme == 'https' else 80)}"


def secure(base_url: str) -> str:
    """What a cookie says besides where the service is reached over TLS."""
    return "; Secure" if base_url.lower().startswith("https:") else ""


def found(exchange: Exchange, name: str) -> str | None:
    """Its value (RFC 6265 section 5.4: pairs parted by ``;``)."""
    for pair in (exchange.header(b"cookie") or "").split(";"):
        key, _, value = pair.strip().partition("=")
        if key == name:
            return value
    return None
