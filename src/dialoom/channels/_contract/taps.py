"""What a button sends when it is tapped, and the event that it is read as."""

from __future__ import annotations

import hashlib
from typing import Any, Final

from dialoom.channels._contract.channel import UNSET_FIELDS, ChatEvent, from_platform
from dialoom.engine.events import Picked, Said
from dialoom.messages import Option, Profile
from dialoom.template.values import plain_text

SAYS: Final = "="
"""Begins the payload of a suggestion, which belongs to no question: behind it stands what a tap says."""
SHORTENED: Final = "#"
"""Begins the payload of a suggestion whose words are too long for one: behind it stands their hash, by which they are
found among what the bot said last."""
_HASH_CHARS = 32


def payload(option: Option, max_bytes: int) -> str:
    """Return what a tap on an option sends: its key, or of a mere suggestion what it says, or a short key of that."""
    sent = option.key or SAYS + said(option)
    return sent if len(sent.encode()) <= max_bytes else short_key(option)


def short_key(option: Option) -> str:
    """Return the short key of a suggestion."""
    return SHORTENED + hashlib.sha256(said(option).encode()).hexdigest()[:_HASH_CHARS]


def said(option: Option) -> str:
    """Return what a tap on a suggestion, which is plain, says, as if the user had typed it: its value, or its title
    where that is no text."""
    is_plain = isinstance(option.value, str | int | float)
    return plain_text(option.value) if is_plain else option.title


def tapped(sent: str, title: str, profile: Profile, id: str) -> ChatEvent:
    """Return the event of a tap that sends this payload. ``title``: of the button, which is what the tap says where the
    words of a short key are not found any more; ``id`` as for ``from_platform``."""
    common: dict[str, Any] = {**UNSET_FIELDS, "profile": profile}
    if sent.startswith(SHORTENED):
        return from_platform(Said(**common, text=title), id)._replace(suggestion=sent)
    if sent.startswith(SAYS):
        return from_platform(Said(**common, text=sent.removeprefix(SAYS)), id)
    return from_platform(Picked(**common, key=sent), id)
