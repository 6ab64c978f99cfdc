"""Which rule keeps a forwarded login link from being of use to who sent it (login.md, The forwarded link)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

    from dialoom.flow.model import Authentication, Binding, Channel, ChannelType

DEFAULTS: Final[Mapping[ChannelType, Binding]] = {
    "web": "cookie",
    "mobile": "cookie",
    "rest": "off",
    "messenger-1": "confirm",
    "messenger-2": "confirm",
    "messenger-3": "confirm",
    "voice-assistant": "confirm",
    "workplace-chat": "confirm",
    "directline": "confirm",
}
"""Where ``binding`` says nothing. A voice assistant links accounts itself and has no link of ours."""
TIES: Final[Mapping[Binding, frozenset[Binding]]] = {
    "cookie": frozenset({"cookie", "code"}),
    "code": frozenset({"code"}),
    "confirm": frozenset({"confirm"}),
    "off": frozenset({"off"}),
}
"""The rules by which a browser may go on under a configured one: who cannot prove whose chat it is types the code."""


def rule_of(authentication: Authentication, channel: Channel) -> Binding:
    binding = authentication.binding
    if isinstance(binding, str):
        return binding
    return (binding or {}).get(channel.type, DEFAULTS[channel.type])
