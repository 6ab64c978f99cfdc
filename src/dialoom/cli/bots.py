"""The bots of folders, for commands that look at them without a service: read by the settings of this environment."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from dialoom.errors import SettingError
from dialoom.flow import Bot, folder_id, read_bot
from dialoom.flow.variables import Variables
from dialoom.service.settings import Settings, read_settings


def settings_here() -> Settings:
    return read_settings({}, os.environ, Path("dialoom.toml"))


def variables_here(folders: Iterable[Path] = ()) -> Variables:
    """Return the environment variables that bots may name, where the bots of these folders are all that there are."""
    return variables_of(settings_here(), folders)


def variables_of(settings: Settings, folders: Iterable[Path]) -> Variables:
    return settings.variables(id for folder in folders if (id := folder_id(folder)) is not None)


def bot_in(folder: Path) -> Bot:
    """Raises ``SettingError`` where there is no folder, ``FlowError`` with every finding of one that is wrong."""
    if not folder.is_dir():
        raise SettingError(f"{folder} is no folder of a bot. Name the folder that bot.json stands in.")
    return read_bot(folder, variables=variables_here())
