"""Makes a file that gets its name once it is whole: nobody takes half a backup, or half an export, for one."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from dialoom.errors import SettingError


@contextmanager
def new_file(to: Path, *, replaces: bool = False) -> Iterator[Path]:
    """Yield an empty file beside ``to``, for its owner alone, which is renamed to it after the block and deleted where
    the block fails. What a killed process has left of an earlier try is replaced. Raises ``SettingError`` where ``to``
    cannot be written or, unless it ``replaces`` that, exists."""
    part = to.with_name(f"{to.name}.part")
    if not replaces:
        _refuse_existing(to)
    with as_setting_error(to):
        _remove(part)
        os.close(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    try:
        yield part
        if not replaces:
            _refuse_existing(to)
        with as_setting_error(to):
            _sync(part)
            part.replace(to)
            _sync(to.parent)
    finally:
        _remove(part)


@contextmanager
def as_setting_error(to: Path) -> Iterator[None]:
    """Raise what the system has against the file as ``SettingError``."""
    try:
        yield
    except OSError as error:
        raise SettingError(
            f"{to} cannot be written: {error.strerror}. Name another file, in a folder that there is."
        ) from error


def _remove(part: Path) -> None:
    """Delete the file, and a journal that SQLite made beside it: it would be played back into another of that name."""
    for name in (part.name, f"{part.name}-journal"):
        part.with_name(name).unlink(missing_ok=True)


def _refuse_existing(to: Path) -> None:
    if os.path.lexists(to):
        raise SettingError(f"{to} exists and is left as it is. Name a new file.")


def _sync(path: Path) -> None:
    """Write a file, or the names in a folder, to the disk."""
    if path.is_dir() and os.name != "posix":
        return  # other systems open no folders
    descriptor = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
