"""What a bot's files need of this machine before the bot is served: variables that are set, keys that can check, tokens
that no other place has.

Asked before anything is published, so that a start that fails leaves all as it was: a login that cannot be had would
show only when users come. Variables of credentials and headers are asked for by the call that needs them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dialoom.errors import SettingError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from dialoom.flow.model import Bot, Secret
    from dialoom.service.bots import Bots
    from dialoom.service.tokens import Tokens


async def check_needs(bot: Bot, bots: Bots, tokens: Tokens, taken: dict[bytes, str] | None = None) -> None:
    """``taken``: tokens of the bots that are looked at together. Raises ``SettingError`` that says all that is
    missing."""
    missing = lacking(bot, bots.secret)
    if missing:
        raise SettingError("\n".join(missing))
    await tokens.check_user_keys(bot)
    await tokens.check_given(bot, {} if taken is None else taken)


def lacking(bot: Bot, read: Callable[[Secret], str]) -> list[str]:
    """A sentence for each secret that cannot be read here."""
    sentences = []
    for place, secret in _secrets(bot):
        try:
            read(secret)
        except SettingError as error:
            sentences.append(f"{place}: {error}")
    return sentences


def _secrets(bot: Bot) -> Iterator[tuple[str, Secret]]:
    """Those that the service itself reads, each with its place in ``bot.json`` or ``flow.json``."""
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
