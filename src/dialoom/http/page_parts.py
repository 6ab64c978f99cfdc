"""Parts of every HTML page: how its text runs, the element with a bot's look, and the policy that allows both."""

from __future__ import annotations

import base64
import hashlib
from urllib.parse import quote, urlsplit

from dialoom.flow.model import Look
from dialoom.service.settings import Settings

IMAGES = "img-src 'self' https: data:"
IMAGES_HERE = f"{IMAGES} http://127.0.0.1:* http://localhost:*"
"""Of a service that only this machine reaches: a bot's back end shows its pictures beside it, without TLS."""
RIGHT_TO_LEFT = frozenset({"ar", "fa", "he", "ur"})


def direction(language: str) -> str:
    """Return how text of this language runs: the value of ``dir``."""
    return "rtl" if language.partition("-")[0].lower() in RIGHT_TO_LEFT else "ltr"


def look_style(look: Look) -> str:
    """Return the element that brings a bot's look onto a page; empty where it has none."""
    properties = ";".join(f"{name}:{value}" for name, value in _custom_properties(look).items())
    return f"<style>:root{{{properties}}}</style>" if properties else ""


def _custom_properties(look: Look) -> dict[str, str]:
    """Return what the styles of the chat and of the pages read of a look, by the names of the custom properties."""
    found = {
        "--look-brand": look.brand,
        "--look-background": look.background,
        "--look-font": look.font,
        "--look-radius": None if look.radius is None else f"{look.radius}px",
    }
    return {name: value for name, value in found.items() if value is not None}


def with_style(policy: str, style: str) -> str:
    """Return the policy with leave for this one style element."""
    if not style:
        return policy
    content = style.removeprefix("<style>").removesuffix("</style>")
    digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode("ascii")
    return policy.replace("style-src ", f"style-src 'sha256-{digest}' ", 1)


def with_images(policy: str, settings: Settings) -> str:
    """Return the policy with the places that images may come from."""
    images = IMAGES_HERE if settings.is_local else IMAGES
    if settings.map_tiles_url is not None:
        parts = urlsplit(settings.map_tiles_url)
        images += f" {parts.scheme}://{parts.netloc}"
    return policy.replace(IMAGES, images)


def in_header(address: str) -> str:
    """Return an address as a header can hold it: ASCII without control characters, whatever the flow's author wrote."""
    return quote(address, safe="!#$%&'()*+,/:;=?@[]~")
