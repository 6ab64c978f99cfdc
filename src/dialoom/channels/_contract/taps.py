"""What a button sends when it is tapped, and the event that it is read as."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from dialoom.channels._contract.channel import UNSET_FIELDS
from dialoom.engine.events import Picked, Said
from dialoom.messages.plain import plain_title
from dialoom.template.values import plain_text

if TYPE_CHECKING:
    from dialoom.messages import Option, Profile

SAYS: Final = "="
"""Begins the payload of a suggestion, which belongs to no question: behind it stands what a tap says."""


def payload(option: Option) -> str:
    """Return what a tap on an option sends: its key, or of a mere suggestion what it says."""
    return option.key or SAYS + said(option)


def said(option: Option) -> str:
    """Return what a tap on a suggestion says, as if the user had typed it: its value, or its title where that is no
    text."""
    is_plain = isinstance(option.value, str | int | float)
    return plain_text(option.value) if is_plain else plain_title(option.title)


def tapped(sent: str, profile: Profile) -> Picked | Said:
    """Return the event of a tap that sends this payload."""
    common: dict[str, Any] = {**UNSET_FIELDS, "profile": profile}
    if sent.startswith(SAYS):
        return Said(**common, text=sent.removeprefix(SAYS))
    return Picked(**common, key=sent)
