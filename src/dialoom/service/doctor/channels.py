"""Examines the channels that platforms call: keys that bot.json lacks, and what each platform says of its channel."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Final, Literal, Protocol, TypeAlias

from dialoom.errors import RemoteError, SettingError
from dialoom.flow import Bot
from dialoom.flow.channels import SECRET_CHANNEL_KEYS, Channel, row_of
from dialoom.flow.parts import FromEnvironment
from dialoom.service.bots.preflight import without_keys
from dialoom.service.doctor.finding import Finding
from dialoom.service.outbox.delivery import RETRIED_FAILURES

PLATFORM_SECONDS: Final = 10.0
"""Seconds for all that one channel's platform is asked."""

LEVELS: Final[Mapping[str, Literal["ok", "by-hand", "fail"]]] = {"ok": "ok", "by-hand": "by-hand", "wrong": "fail"}


class PlatformFinding(Protocol):
    """One thing that a platform says of a channel."""

    @property
    def state(self) -> Literal["ok", "wrong", "by-hand"]:
        """Return ``ok``, ``wrong``, or ``by-hand`` for what no call can see."""

    @property
    def text(self) -> str:
        """Return what it is, and where it is not right what to do."""


AskPlatform: TypeAlias = Callable[["Bot", "Channel"], Awaitable[Sequence[PlatformFinding]]]
"""Returns what a channel's platform says of it. Raises ``SettingError`` and ``RemoteError``."""


async def lines(bot: Bot, environment: Mapping[str, str], ask: AskPlatform | None) -> list[Finding]:
    """Report on each channel that a platform calls."""
    called = [channel for channel in bot.channels if row_of(channel).caller == "platform"]
    found = await asyncio.gather(*(_of_channel(bot, channel, environment, ask) for channel in called))
    return [line for lines in found for line in lines]


async def _of_channel(
    bot: Bot, channel: Channel, environment: Mapping[str, str], ask: AskPlatform | None
) -> list[Finding]:
    keys = row_of(channel).missing_keys(channel)
    found = [Finding("fail", "channels", without_keys(bot, channel, keys))] if keys else []
    is_askable = not set(keys) & set(SECRET_CHANNEL_KEYS) and not _is_unset(channel, environment)
    if ask is None or not is_askable:
        return found  # a variable that is not set is said by the look at variables
    shown = f'Bot "{bot.id}", channel "{channel.id}" ({row_of(channel).shown_as})'
    try:
        async with asyncio.timeout(PLATFORM_SECONDS):
            findings = await ask(bot, channel)
    except RemoteError as error:
        # Such a failure says more about the way to the platform than about the channel.
        level: Literal["warn", "fail"] = "warn" if error.kind in RETRIED_FAILURES else "fail"
        return [*found, Finding(level, "channels", f"{shown}: {error}")]
    except SettingError as error:
        return [*found, Finding("fail", "channels", f"{shown}: {error}")]
    except TimeoutError:
        text = f"{shown}: the platform did not answer within {PLATFORM_SECONDS:g} s. Look again later."
        return [*found, Finding("warn", "channels", text)]
    return [*found, *(Finding(LEVELS[one.state], "channels", f"{shown}: {one.text}") for one in findings)]


def _is_unset(channel: Channel, environment: Mapping[str, str]) -> bool:
    given = (getattr(channel, key.replace("-", "_")) for key in SECRET_CHANNEL_KEYS)
    return any(isinstance(secret, FromEnvironment) and not environment.get(secret.env, "").strip() for secret in given)
