"""What counts for a login: the version of the bot that it began with, whatever is active by now, and its terms."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from dialoom.service.login.binding_rules import rule_of, stricter

if TYPE_CHECKING:
    from dialoom.flow.model import Authentication, Binding, Channel
    from dialoom.service.bots.bots import Bots, Deployed
    from dialoom.storage.store import ChatKey


class Terms(NamedTuple):
    """What counts for a login link each time that a browser comes with it."""

    deployed: Deployed
    """The version whose provider block counts."""
    channel: Channel
    """As the version that is active now has it."""
    authentication: Authentication
    rule: Binding


async def version_of(bots: Bots, bot: str, version: str) -> Deployed | None:
    """None when it is not to be had any more. Raises ``VaultError``."""
    active = bots.active(bot)
    if active is not None and active.version == version:
        return active
    return await bots.pinned(bot, version)


async def terms_of(bots: Bots, key: ChatKey, version: str) -> Terms | None:
    """The provider is that of the version which the login began with; of two rules, its own and that of the version
    which is active by now, the stricter one counts. None where no login can come of it any more. Raises
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
