"""Where the vault's keys come from: the setting ``keys``, or a key file that is made beside the data."""

from __future__ import annotations

import base64
import binascii
import logging
import os
import stat
import tempfile
from pathlib import Path

from dialoom.auth.secret import Secret
from dialoom.errors import SettingError

log = logging.getLogger(__name__)

KEY_BYTES = 32
KEY_FILE = "vault.keys"
"""One key a line, the newest first. Whoever has it and the data reads everything: back it up apart from them."""


def load_keys(data: Path, setting: str | None) -> tuple[Secret[bytes], ...]:
    """Return the keys, the newest first. Raises ``SettingError``. Reads a file: not for the event loop."""
    if setting is not None:
        return _read(setting.split(","), "The setting keys (DIALOOM_KEYS)")
    file = data / KEY_FILE
    try:
        with file.open(encoding="ascii") as opened:
            _check_mode(file, os.fstat(opened.fileno()).st_mode)
            lines = opened.read().split()
    except (OSError, UnicodeDecodeError) as error:
        raise SettingError(
            f"The key file {file} cannot be read ({error}). See that it belongs to the service's user, or give the "
            f"keys in DIALOOM_KEYS."
        ) from error
    return _read(lines, f"The key file {file}")


def _check_mode(file: Path, mode: int) -> None:
    """Raise ``SettingError`` for a key file that others can read: who reads the key reads everything. On Windows the
    mode tells nothing of who may."""
    if os.name != "posix":
        return
    mode = stat.S_IMODE(mode)
    if mode & (stat.S_IROTH | stat.S_IWOTH):
        raise SettingError(
            f"The key file {file} is open to every user of this machine (mode {mode:o}). Run: chmod 600 {file}\n"
            f"If others may have read it, give the vault a new key then: dialoom keys add"
        )
    if mode & (stat.S_IRGRP | stat.S_IWGRP):
        log.warning("the key file %s is open to its group (mode %o). Run: chmod 600 %s", file, mode, file)


class NewKey:
    """The first key of a data folder, which is not in its file yet."""

    def __init__(self, data: Path) -> None:
        self.file = data / KEY_FILE
        self._text = base64.b64encode(os.urandom(KEY_BYTES)).decode()

    @property
    def keys(self) -> tuple[Secret[bytes], ...]:
        return _read([self._text], "The new key")

    def save(self) -> None:
        """Write the file. Raises ``SettingError``, also where somebody else was first. Writes a file."""
        try:
            _make(self.file, self._text)
        except FileExistsError as error:
            raise SettingError(
                f"Another process has just made the key file {self.file}. Start this one again."
            ) from error
        except OSError as error:
            raise SettingError(
                f"The key file {self.file} cannot be made ({error}). See that the folder exists and belongs to the "
                f"service's user, or give the keys in DIALOOM_KEYS."
            ) from error


def add_key(data: Path) -> None:
    """Put a new key in front of those of the key file. Raises ``SettingError``. Reads and writes files."""
    file = data / KEY_FILE
    part = file.with_suffix(".part")
    try:
        old = file.read_text("ascii")
        _read(old.split(), f"The key file {file}")
        handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError as error:
        raise SettingError(f"{part} is there: a key is just being added. If not, delete it and try again.") from error
    except (OSError, UnicodeDecodeError) as error:
        raise SettingError(f"The key file {file} cannot be read ({error}). Name its folder with --data.") from error
    try:
        with os.fdopen(handle, "w", encoding="ascii") as made:
            made.write(f"{base64.b64encode(os.urandom(KEY_BYTES)).decode()}\n{old}")
            made.flush()
            os.fsync(made.fileno())
        part.replace(file)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise SettingError(f"The key file {file} cannot be written ({error}). It is as it was.") from error


def _read(texts: list[str], source: str) -> tuple[Secret[bytes], ...]:
    keys = []
    for number, text in enumerate(texts, 1):
        try:
            # Both alphabets are met in the wild: `openssl rand -base64 32` and Python's urlsafe form.
            key = base64.b64decode(text.strip().translate(str.maketrans("-_", "+/")), validate=True)
        except (binascii.Error, ValueError):
            key = b""
        if len(key) != KEY_BYTES:
            raise SettingError(
                f"{source}: key {number} is not allowed. Each key is {KEY_BYTES} random bytes as base64, for example "
                f"from: openssl rand -base64 {KEY_BYTES}"
            )
        keys.append(Secret(key))
    if not keys:
        raise SettingError(f"{source} holds no key. Put the one back that sealed the data.")
    if len(set(keys)) != len(keys):
        raise SettingError(f"{source} holds one key twice. Remove one of them.")
    return tuple(keys)


def _make(file: Path, text: str) -> None:
    """Write a file whole or not at all, and for the service's user alone (mode 600). Of two starts at once one makes
    it."""
    handle, name = tempfile.mkstemp(prefix=f".{KEY_FILE}.", dir=file.parent)
    try:
        with os.fdopen(handle, "w", encoding="ascii") as made:
            made.write(text + "\n")
            made.flush()
            os.fsync(made.fileno())
        # A link, unlike a rename, never replaces the key of whoever was first.
        os.link(name, file)
    finally:
        os.unlink(name)
