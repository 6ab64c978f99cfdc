"""Decides which rule keeps a forwarded login link from being of use to its sender (login.md, The forwarded link), and
under which version of the bot a login that has begun goes on.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from dialoom.flow.channels import Binding, Channel, row_of
from dialoom.flow.model import Authentication
from dialoom.service.bots.bots import Bots, Deployed
from dialoom.storage.store import ChatKey

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
    return (binding or {}).get(channel.type, row_of(channel).binding)


def stricter(one: Binding, other: Binding) -> Binding:
    return max(one, other, key=STRICTNESS.index)


def tie_that_counts(tied_by: Binding | None, rule: Binding) -> Binding:
    """Return the rule by which a tied browser may finish its login. Where a stricter rule was published since it was
    tied, the code is asked for."""
    return tied_by if tied_by is not None and stricter(tied_by, rule) == tied_by else "code"


class Terms(NamedTuple):
    """Holds what applies to a login link whenever a browser opens it."""

    deployed: Deployed
    """The version whose provider block counts."""
    channel: Channel
    """As the version that is active now has it."""
    authentication: Authentication
    rule: Binding


async def version_of(bots: Bots, bot: str, version: str) -> Deployed | None:
    """Return a version of the bot; None when it is gone or unusable. Raises ``VaultError``."""
    active = bots.active(bot)
    if active is not None and active.version == version:
        return active
    return await bots.pinned(bot, version)


async def terms_of(bots: Bots, key: ChatKey, version: str) -> Terms | None:
    """Return what applies to a login: the provider of the version that it began with, and the stricter one of that
    version's rule and the active version's. None where the login cannot go on. Raises
    ``VaultError``."""
    active = bots.active(key.bot)
    deployed = await version_of(bots, key.bot, version)
    channel = None if active is None else active.channel(key.channel)
    authentication = None if deployed is None else deployed.bot.flow.settings.authentication
    if active is None or deployed is None or channel is None or authentication is None:
        return None
    rule, newer = rule_of(authentication, channel), active.bot.flow.settings.authentication
    if newer is not None:
        rule = stricter(rule, rule_of(newer, channel))
    return Terms(deployed, channel, authentication, rule)
