"""The bots of folders, for commands that look at them without a service: read by the settings of this environment."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from dialoom.errors import SettingError
from dialoom.flow import read_bot
from dialoom.service.settings import Settings, read_settings

if TYPE_CHECKING:
    from dialoom.flow import Bot


def settings_here() -> Settings:
    return read_settings({}, os.environ, Path("dialoom.toml"))


def variables_here() -> frozenset[str]:
    """Environment variables that a bot may name besides those that begin with ``BOT_``."""
    settings = settings_here()
    return settings.listed(settings.bot_env)


def bot_in(folder: Path) -> Bot:
    """Raises ``SettingError`` where there is no folder, ``FlowError`` with every finding of one that is wrong."""
    if not folder.is_dir():
        raise SettingError(f"{folder} is no folder of a bot. Name the folder that bot.json stands in.")
    return read_bot(folder, variables=variables_here())
