"""Examines the bots, of folders and those active in the store, each with what it needs around itself."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from dialoom.auth.secret import Secret
from dialoom.auth.user_token import check_user_key
from dialoom.auth.vault import Vault
from dialoom.errors import FlowError, SettingError, VaultError
from dialoom.flow import Bot, check_folder, read_bot, read_files
from dialoom.flow.model import every
from dialoom.flow.parts import DataSource, FromEnvironment
from dialoom.flow.variables import Variables
from dialoom.service.access.tokens import ALGORITHM
from dialoom.service.bots.bots import open_version
from dialoom.service.doctor.finding import Finding
from dialoom.storage.store import Version

_HOST: Final = re.compile(r"https?://([A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(?::\d+)?(?=[/?#]|$)")
"""An endpoint whose host stands there literally."""


def of_folder(folder: Path, variables: Variables) -> tuple[Bot | None, list[Finding]]:
    errors = [one for one in check_folder(folder, variables=variables) if one.severity == "error"]
    if any(error.prevents_loading for error in errors):
        text = f"{folder} cannot be loaded: {errors[0]} See all with: dialoom check {folder}"
        return None, [Finding("fail", "bots", text)]
    bot = read_bot(folder, variables=variables)
    if errors:
        text = (
            f'{folder} (bot "{bot.id}") has {len(errors)} mistakes, and runs all the same. See: dialoom check {folder}'
        )
        return bot, [Finding("warn", "bots", text)]
    return bot, [Finding("ok", "bots", f'{folder} (bot "{bot.id}") can be loaded.')]


def of_store(vault: Vault, version: Version, variables: Variables) -> tuple[Bot | None, list[Finding]]:
    name = f'The active version {version.version[:12]} of bot "{version.bot}"'
    try:
        bot = read_files(open_version(vault, version), variables=variables)
    except VaultError as error:
        return None, [Finding("fail", "bots", f"{name} cannot be opened. {error}")]
    except FlowError as error:
        text = f"{name} cannot be used by this release: {error.findings[0]} Mend and publish it, or roll it back."
        return None, [Finding("fail", "bots", text)]
    return bot, [Finding("ok", "bots", f"{name} can be used.")]


def variable_lines(bots: Sequence[Bot], environment: Mapping[str, str]) -> list[Finding]:
    """Report whether the environment variables that bots name are set, as far as this command sees them."""
    wanted: dict[str, str] = {}
    for bot in bots:
        for found in every(bot, FromEnvironment):
            wanted.setdefault(found.env, bot.id)
    lines = [
        Finding("fail", "variables", f'{name}, which bot "{bot}" names, is {state} here. Set it for the service.')
        for name, bot in wanted.items()
        if (state := _state(environment.get(name))) is not None
    ]
    if wanted and not lines:
        lines = [Finding("ok", "variables", f"All {len(wanted)} that the bots name are set.")]
    return lines


def user_key_lines(bots: Sequence[Bot], environment: Mapping[str, str]) -> list[Finding]:
    """Report user keys that cannot check any token, as far as this command sees them: such a channel is closed."""
    lines = []
    for bot in bots:
        for channel in bot.channels:
            given = channel.user_secret
            text = environment.get(given.env) if isinstance(given, FromEnvironment) else given
            if text is None or not text.strip():
                continue
            try:
                check_user_key(Secret(text), channel.user_token_algorithm or ALGORITHM)
            except SettingError as error:
                lines.append(Finding("fail", "bots", f'Bot "{bot.id}", channel "{channel.id}": {error}'))
    return lines


def _state(value: str | None) -> str | None:
    """Return what is wrong with a variable."""
    if value is None:
        return "not set"
    return None if value.strip() else "set to an empty text"


def receivers(bot: Bot) -> Iterator[tuple[str, str]]:
    """Return the addresses that deliveries are posted to, each with its purpose."""
    for channel in bot.channels:
        if channel.callback_url is not None:
            yield f'The callback of bot "{bot.id}", channel "{channel.id}"', channel.callback_url
    for name, url in bot.file.live_agents.items():
        yield f'The live agent "{name}" of bot "{bot.id}"', url


def hosts(bot: Bot) -> Iterator[str]:
    """Return the hosts that stand literally in data sources."""
    for source in every(bot, DataSource):
        if isinstance(source.endpoint, str) and (found := _HOST.match(source.endpoint)) is not None:
            yield found[1]
