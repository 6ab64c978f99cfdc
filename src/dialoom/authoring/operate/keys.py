"""Tells which keys the vault has, by their names, which tell nothing of the keys, and whether a restart is due."""

from __future__ import annotations

import contextlib
from pathlib import Path

import msgspec

from dialoom.auth.keys import KEY_FILE, load_keys
from dialoom.auth.vault import Vault
from dialoom.service.service import Service


class Key(msgspec.Struct, frozen=True, rename="camel"):
    """``seals``: it stands first. ``is_loaded``: this process has it; else a restart is due."""

    name: str
    seals: bool
    is_loaded: bool


class Keys(msgspec.Struct, frozen=True, rename="camel"):
    place: str
    """The key file, or the setting that the keys come from."""
    is_file: bool
    data: str
    changed_at: int | None
    """When the key file was written last; milliseconds since 1970. None where the keys come from the setting."""
    is_restart_due: bool
    keys: list[Key]


def keys_of(service: Service) -> Keys:
    """Return the keys as they stand now. Raises ``SettingError``. Reads a file: not for the event loop."""
    settings = service.settings
    data = Path(settings.data)
    file = data / KEY_FILE
    is_file = settings.keys is None
    changed_at = None
    if is_file:
        with contextlib.suppress(OSError):
            changed_at = int(file.stat().st_mtime * 1000)
    running = service.vault.names
    written = Vault.from_keys(load_keys(data, settings.keys)).names
    keys = [Key(name, seals=place == 0, is_loaded=name in running) for place, name in enumerate(written)]
    return Keys(
        place=str(file) if is_file else "DIALOOM_KEYS",
        is_file=is_file,
        data=str(data),
        changed_at=changed_at,
        is_restart_due=written != running,
        keys=keys,
    )
