"""Examines the settings, the data folder and the keys, as the service's process would find them."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Final

from dialoom.auth.keys import KEY_FILE, load_keys
from dialoom.auth.vault import Vault
from dialoom.service.doctor.finding import Finding
from dialoom.service.local import IN_CLEAR, allowances, restrictions
from dialoom.service.service import DATABASE
from dialoom.service.settings import Settings

MIN_FREE_BYTES: Final = 200 * 1024**2
"""Bytes; the log of writes alone may take 64 MB before it is worked in."""
LOW_FREE_BYTES: Final = 2 * 1024**3
_MIB: Final = 1024**2


def settings_lines(settings: Settings) -> list[Finding]:
    kept = "PostgreSQL" if settings.database_url is not None else "SQLite in the data folder"
    lines = [Finding("ok", "settings", f"They can be read. Data folder {settings.data}, database: {kept}.")]
    told = allowances(settings) or restrictions(settings)
    if told is not None:
        lines.append(Finding("ok", "settings", told))
    if settings.is_in_clear:
        lines.append(Finding("warn", "settings", IN_CLEAR))
    return lines


def folder_lines(settings: Settings, free: Callable[[Path], int] | None = None) -> list[Finding]:
    """Report on the data folder. ``free`` returns the free bytes of its disk."""
    data = Path(settings.data)
    if not data.exists():
        parent = next(folder for folder in data.resolve().parents if folder.exists())
        if not os.access(parent, os.W_OK):
            return [Finding("fail", "data folder", f"{data} does not exist, and {parent} cannot be written. Make it.")]
        return [Finding("ok", "data folder", f"{data} does not exist yet; the service makes it.")]
    if not data.is_dir() or not os.access(data, os.R_OK | os.W_OK | os.X_OK):
        return [
            Finding(
                "fail", "data folder", f"{data} is no folder that this user can write. Give it to the service's user."
            )
        ]
    return [*_rights(data), *_room(data, free or _free)]


def _rights(data: Path) -> list[Finding]:
    lines = []
    for file in (data / DATABASE, data / KEY_FILE):
        if not file.exists():
            continue
        if not os.access(file, os.R_OK | os.W_OK):
            text = f"{file} cannot be read and written by this user. Give it to the service's user."
            lines.append(Finding("fail", "data folder", text))
        if (mode := stat.S_IMODE(file.stat().st_mode)) & (stat.S_IRWXG | stat.S_IRWXO):
            text = f"{file} can be read by other users of this machine (mode {mode:o}). Run: chmod 600 {file}"
            is_stopped = file.name == KEY_FILE and mode & (stat.S_IROTH | stat.S_IWOTH)  # no service starts with it
            lines.append(Finding("fail" if is_stopped else "warn", "data folder", text))
    return lines or [Finding("ok", "data folder", f"{data} can be written, and its files are closed to others.")]


def _room(data: Path, free: Callable[[Path], int]) -> list[Finding]:
    room = free(data)
    text = f"{data} has room for {room // _MIB:,} MiB more."
    if room < MIN_FREE_BYTES:
        return [Finding("fail", "disk", f"{text} Make room: a service on a full disk refuses messages.")]
    if room < LOW_FREE_BYTES:
        return [Finding("warn", "disk", f"{text} Make room soon.")]
    return [Finding("ok", "disk", text)]


def _free(folder: Path) -> int:
    return shutil.disk_usage(folder).free


def vault_of(settings: Settings) -> tuple[Vault | None, list[Finding]]:
    """Return the vault, None without keys; unlike a start this makes none. Raises ``SettingError``."""
    file = Path(settings.data) / KEY_FILE
    if settings.keys is None and not file.exists():
        if settings.database_url is None:
            return None, [Finding("ok", "keys", f"There are none yet; the service makes them in {file}.")]
        text = "DIALOOM_KEYS is not set. Set it to the same value for every process on the database."
        return None, [Finding("warn", "keys", text)]
    keys = load_keys(Path(settings.data), settings.keys)
    where = "DIALOOM_KEYS" if settings.keys is not None else str(file)
    lines = [Finding("ok", "keys", f"{where} holds {len(keys)} that can be used.")]
    if settings.keys is None and settings.database_url is not None:
        text = f"They stand in {file} alone; other machines on the database need the same. Set DIALOOM_KEYS everywhere."
        lines = [Finding("warn", "keys", text)]
    return Vault.from_keys(keys), lines
