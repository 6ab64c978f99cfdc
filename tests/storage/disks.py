"""Disks on which things go wrong: one that is full, and a service's user without the right to write."""

from __future__ import annotations

import os
import shutil
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import apsw

if TYPE_CHECKING:
    from collections.abc import Iterator

NOBODY = 65534


class SmallDisk(apsw.VFS):
    """Where SQLite writes while this is its default: files grow by ``room`` bytes together, then the disk is full."""

    def __init__(self) -> None:
        self.room = 1 << 40
        self.below = apsw.vfs_names()[0]
        super().__init__("small-disk", self.below, makedefault=True)

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> apsw.VFSFile:  # noqa: N802  # apsw's name
        return _File(self, name, flags)

    def grow(self, more: int) -> None:
        if more > self.room:
            raise apsw.FullError("no room")
        self.room -= max(more, 0)

    def look(self) -> None:
        """Before anything is read."""


class _File(apsw.VFSFile):
    def __init__(self, disk: SmallDisk, *arguments: Any) -> None:
        super().__init__(disk.below, *arguments)
        self._disk = disk

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802  # apsw's name
        self._disk.grow(offset + len(data) - self.xFileSize())
        super().xWrite(data, offset)

    def xTruncate(self, newsize: int) -> None:  # noqa: N802  # apsw's name
        self._disk.room += max(self.xFileSize() - newsize, 0)
        super().xTruncate(newsize)

    def xRead(self, amount: int, offset: int) -> bytes:  # noqa: N802  # apsw's name
        self._disk.look()
        return super().xRead(amount, offset)


@contextmanager
def small_disk() -> Iterator[SmallDisk]:
    disk = SmallDisk()
    try:
        yield disk
    finally:
        disk.unregister()


@contextmanager
def folder_without_rights() -> Iterator[Path]:
    """A folder to whose rights this process is bound, also where it runs as root (who may write everywhere): it goes on
    as nobody meanwhile."""
    is_root = os.geteuid() == 0
    folder = Path(tempfile.mkdtemp(prefix="dialoom-rights-"))
    if is_root:
        os.chown(folder, NOBODY, NOBODY)
        os.seteuid(NOBODY)
    try:
        yield folder
    finally:
        folder.chmod(0o700)
        if is_root:
            os.seteuid(0)
        shutil.rmtree(folder)
