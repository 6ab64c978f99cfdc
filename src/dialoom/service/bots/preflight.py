"""Checks what a bot's files need of this machine before the bot is served: variables that are set, keys that can check,
tokens that no other place has.

What the bot itself lacks is asked before anything is published, so that a start that fails leaves all as it was: a
login that cannot be had would show only when users come. What one channel lacks closes that channel, and the others
run. Variables of credentials and headers are asked for by the call that needs them.
"""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Sequence
from typing import Protocol

from dialoom.errors import SettingError
from dialoom.flow.channels import SECRET_CHANNEL_KEYS, Channel, row_of
from dialoom.flow.model import Bot
from dialoom.flow.parts import Secret
from dialoom.flow.pieces import MIN_TOKEN_CHARACTERS
from dialoom.service.bots.bots import Bots

log = logging.getLogger(__name__)


class TokenChecks(Protocol):
    """Checks the tokens and keys of a bot against those that are stored. Both methods raise ``SettingError``."""

    async def check_user_key(self, bot: Bot, channel: Channel) -> None:
        """Check that a channel's ``user-secret`` can verify a user token."""

    async def check_given(
        self, bot: Bot, kind: str, channel: str | None, given: Secret | None, taken: dict[bytes, str]
    ) -> None:
        """Check that a token of ``bot.json`` belongs to no other place. ``taken``: places by hash, added to."""


def tokens_of(bot: Bot) -> list[tuple[str, str | None, Secret | None]]:
    """Return kind and channel of each token that the bot has, with what ``bot.json`` gives for it."""
    of_channels = [("channel", c.id, c.token) for c in bot.channels if row_of(c).has_token]
    return [("server", None, bot.file.access_token), *of_channels]


async def check_needs(
    bot: Bot, bots: Bots, tokens: TokenChecks, taken: dict[bytes, str] | None = None, *, is_published: bool = False
) -> dict[str, str]:
    """Check that this machine has all that the bot needs; raises ``SettingError`` that says all that is missing. Return
    the channels that lack something, each with the reason, which is logged: they are closed, and the others run.

    ``taken``: tokens of the bots that are checked together. ``is_published``: the version was accepted before, so that
    a short token is only warned of.
    """
    missing = bots.closed(bot) or lacking(bot, bots)
    if not missing and not is_published:
        missing = await bots.taken_by(bot)
    if missing:
        raise SettingError("\n".join(missing))
    short = short_tokens(bot, bots)
    if short and not is_published:
        raise SettingError("\n".join(short))
    for sentence in short:
        log.warning("%s", sentence)
    taken = {} if taken is None else taken
    await tokens.check_given(bot, "server", None, bot.file.access_token, taken)
    return await _closed(bot, bots, tokens, taken)


async def _closed(bot: Bot, bots: Bots, tokens: TokenChecks, taken: dict[bytes, str]) -> dict[str, str]:
    """Return the channels that cannot be open here, each with the reason; say so, and which keys others lack."""
    closed: dict[str, str] = {}
    for channel in bot.channels:
        row = row_of(channel)
        try:
            if missing := lacking_of(channel, bot, bots):
                raise SettingError(" ".join(missing))
            await tokens.check_user_key(bot, channel)
            if row.has_token:
                await tokens.check_given(bot, "channel", channel.id, channel.token, taken)
        except SettingError as error:
            closed[channel.id] = str(error)
            log.warning("%s The channel takes no calls until a restart; the rest of the bot runs.", error)
            continue
        if row.caller == "platform" and (keys := row.missing_keys(channel)):
            log.warning("%s", without_keys(bot, channel, keys))
    return closed


async def reasons_for_no_calls(channel: Channel, bot: Bot, bots: Bots, tokens: TokenChecks) -> list[str]:
    """Return a sentence for each thing without which a channel takes no calls here; none where it takes them."""
    keys = row_of(channel).missing_keys(channel)
    reasons = [*lacking_of(channel, bot, bots), *([without_keys(bot, channel, keys)] if keys else [])]
    if not reasons:
        try:
            await tokens.check_user_key(bot, channel)
        except SettingError as error:
            return [str(error)]
    return reasons


def without_keys(bot: Bot, channel: Channel, keys: Sequence[str]) -> str:
    """Return a sentence on keys that a channel needs and ``bot.json`` does not have."""
    named = ", ".join(f"{key} ({row_of(channel).keys[key].rstrip('.')})" for key in keys)
    return f'Bot "{bot.id}", channel "{channel.id}" ({row_of(channel).shown_as}): bot.json lacks {named}. Write it.'


def short_tokens(bot: Bot, bots: Bots) -> list[str]:
    """Return a sentence for each token in ``bot.json`` that is short enough to be guessed; tokens whose variable is not
    set here cannot be judged."""
    sentences = []
    for _, channel, given in tokens_of(bot):
        with contextlib.suppress(SettingError):
            if given is not None and len(bots.secret(bot.id, given)) < MIN_TOKEN_CHARACTERS:
                key = "access-token" if channel is None else f'channel "{channel}", token'
                sentences.append(
                    f'Bot "{bot.id}", {key}: this token has fewer than {MIN_TOKEN_CHARACTERS} characters and can be '
                    f"guessed. Leave it out, and the service makes one; or take one from: openssl rand -hex 16"
                )
    return sentences


def lacking(bot: Bot, bots: Bots) -> list[str]:
    """Return a sentence for each secret of the bot itself that cannot be read here."""
    named = []
    if bot.file.access_token is not None:
        named.append((f'Bot "{bot.id}", access-token', bot.file.access_token))
    authentication = bot.flow.settings.authentication
    owner = f'Bot "{bot.id}", settings.authentication'
    if authentication is not None and authentication.oidc is not None:
        named.append((f"{owner}, client-secret", authentication.oidc.client_secret))
    if authentication is not None and authentication.socialnet is not None:
        named.append((f"{owner}, app-secret", authentication.socialnet.app_secret))
    return _unread(bot, bots, named)


def lacking_of(channel: Channel, bot: Bot, bots: Bots) -> list[str]:
    """Return a sentence for each secret of a channel that cannot be read here."""
    given = ((key, getattr(channel, key.replace("-", "_"))) for key in SECRET_CHANNEL_KEYS)
    owner = f'Bot "{bot.id}", channel "{channel.id}"'
    return _unread(bot, bots, [(f"{owner}, {key}", secret) for key, secret in given if secret is not None])


def _unread(bot: Bot, bots: Bots, named: Sequence[tuple[str, Secret]]) -> list[str]:
    sentences = []
    for name, secret in named:
        try:
            bots.secret(bot.id, secret)
        except SettingError as error:
            sentences.append(f"{name}: {error}")
    return sentences
