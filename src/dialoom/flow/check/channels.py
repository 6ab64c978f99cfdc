"""Channels of bot.json: keys of single platforms, and the origins that may talk to a chat (channels.md section 6)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dialoom.flow.report import Fault

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dialoom.flow.check.known import Known
    from dialoom.flow.pieces import Piece

# The keys that one platform alone has; every other key of a channel may stand on all.
PLATFORM_KEYS: dict[str, tuple[str, ...]] = {
    "messenger-1": ("page-id", "app-secret", "page-token", "verify-token"),
    "messenger-2": ("auth-token", "uri"),
    "messenger-3": ("bot-token", "bot-name", "webhook-secret"),
    "voice-assistant": ("skill-id",),
    "workplace-chat": ("app-id", "app-password", "tenant"),
    "directline": ("secret",),
}

_is_origin = re.compile(r"https?://[^/?#@\s*]+", re.IGNORECASE).fullmatch


def platform_keys(channel: Piece, _: Known) -> Iterator[Fault]:
    """A key that belongs to another platform."""
    kind = channel.text("type")
    if kind is None:
        return
    for platform, keys in PLATFORM_KEYS.items():
        for key in keys:
            if platform != kind and key in channel.value:
                message = f'"{key}" belongs to a {platform} channel; this one is {kind}. Remove it, or change the type.'
                yield Fault(path=channel.at(key), message=message, at_key=True)


def origins(channel: Piece, _: Known) -> Iterator[Fault]:
    """``allowed-origins`` are origins in full, never ``*``."""
    for index, origin in enumerate(channel.list("allowed-origins")):
        if not isinstance(origin, str) or _is_origin(origin):
            continue
        if "*" in origin:
            message = f'"{origin[:80]}" would let pages in that are not named. List each origin, as in "https://www.example.com".'
        else:
            message = (
                f'"{origin[:80]}" is no origin: scheme, host and port without a path, as in "https://www.example.com".'
            )
            shorter = origin.rstrip("/")
            if _is_origin(shorter):
                message += f' Did you mean "{shorter}"?'
        yield Fault(path=channel.at("allowed-origins", index), message=message)
