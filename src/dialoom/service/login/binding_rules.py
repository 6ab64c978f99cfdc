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
STRICTNESS: Final[tuple[Binding, ...]] = ("off", "confirm", "cookie", "code")
"""The weakest first. Under ``cookie`` a browser may go on by ``code``, and not the other way round."""


def rule_of(authentication: Authentication, channel: Channel) -> Binding:
    binding = authentication.binding
    if isinstance(binding, str):
        return binding
    return (binding or {}).get(channel.type, DEFAULTS[channel.type])


def stricter(one: Binding, other: Binding) -> Binding:
    return max(one, other, key=STRICTNESS.index)


def tie_that_counts(tied_by: Binding | None, rule: Binding) -> Binding:
    """By what a browser that was tied may end its login under this rule. Where a stricter one was published since,
    whose proof nobody asked it for, the code is asked for."""
    return tied_by if tied_by is not None and stricter(tied_by, rule) == tied_by else "code"
