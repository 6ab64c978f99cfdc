"""Checks what a bot's files need of this machine before the bot is served: variables that are set, keys that can check,
tokens that no other place has.

Asked before anything is published, so that a start that fails leaves all as it was: a login that cannot be had would
show only when users come. Variables of credentials and headers are asked for by the call that needs them.
"""

from __future__ import annotations

import contextlib
import logging
from typing import TYPE_CHECKING, Protocol

from dialoom.errors import SettingError
from dialoom.flow.channels import row_of
from dialoom.flow.pieces import MIN_TOKEN_CHARACTERS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dialoom.flow.model import Bot
    from dialoom.flow.parts import Secret
    from dialoom.service.bots.bots import Bots

log = logging.getLogger(__name__)


class TokenChecks(Protocol):
    """Checks the tokens and keys of a bot against those that are stored. Both methods raise ``SettingError``."""

    async def check_user_keys(self, bot: Bot) -> None:
        """Check that each ``user-secret`` can verify a user token."""

    async def check_given(self, bot: Bot, taken: dict[bytes, str]) -> None:
        """Check that no token of ``bot.json`` belongs to another place. ``taken``: places by hash, added to."""


def tokens_of(bot: Bot) -> list[tuple[str, str | None, Secret | None]]:
    """Return kind and channel of each token that the bot has, with what ``bot.json`` gives for it."""
    of_channels = [("channel", c.id, c.token) for c in bot.channels if row_of(c).has_token]
    return [("server", None, bot.file.access_token), *of_channels]


async def check_needs(
    bot: Bot, bots: Bots, tokens: TokenChecks, taken: dict[bytes, str] | None = None, *, is_published: bool = False
) -> None:
    """Check that this machine has all that the bot needs; raises ``SettingError`` that says all that is missing.
    ``taken``: tokens of the bots that are checked together. ``is_published``: the version was accepted before, so that
    a short token is only warned of."""
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
    await tokens.check_user_keys(bot)
    await tokens.check_given(bot, {} if taken is None else taken)


def short_tokens(bot: Bot, bots: Bots) -> list[str]:
    """Return a sentence for each token in ``bot.json`` that is short enough to be guessed; tokens whose variable is not
    set here cannot be judged."""
    sentences = []
    for _, channel, given in tokens_of(bot):
        with contextlib.suppress(SettingError):
            if given is not None and len(bots.secret(bot.id, given)) < MIN_TOKEN_CHARACTERS:
                place = "access-token" if channel is None else f'channel "{channel}", token'
                sentences.append(
                    f'Bot "{bot.id}", {place}: this token has fewer than {MIN_TOKEN_CHARACTERS} characters and can be '
                    f"guessed. Leave it out, and the service makes one; or take one from: openssl rand -hex 16"
                )
    return sentences


def lacking(bot: Bot, bots: Bots) -> list[str]:
    """Return a sentence for each secret that cannot be read here."""
    sentences = []
    for place, secret in _secrets(bot):
        try:
            bots.secret(bot.id, secret)
        except SettingError as error:
            sentences.append(f"{place}: {error}")
    return sentences


def _secrets(bot: Bot) -> Iterator[tuple[str, Secret]]:
    """Return the secrets that the service itself reads, each with its place in ``bot.json`` or ``flow.json``."""
    if bot.file.access_token is not None:
        yield f'Bot "{bot.id}", access-token', bot.file.access_token
    for channel in bot.channels:
        keys = (
            ("token", channel.token),
            ("user-secret", channel.user_secret),
            ("callback-secret", channel.callback_secret),
        )
        for key, secret in keys:
            if secret is not None:
                yield f'Bot "{bot.id}", channel "{channel.id}", {key}', secret
    authentication = bot.flow.settings.authentication
    if authentication is not None and authentication.oidc is not None:
        yield f'Bot "{bot.id}", settings.authentication, client-secret', authentication.oidc.client_secret
    if authentication is not None and authentication.socialnet is not None:
        yield f'Bot "{bot.id}", settings.authentication, app-secret', authentication.socialnet.app_secret
