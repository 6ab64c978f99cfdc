"""One service a data file: an exclusive lock on a file beside it, which the system lets go when the process dies."""

from __future__ import annotations

import os
import sys
import time
from typing import TYPE_CHECKING

from dialoom.errors import StoreError

if TYPE_CHECKING:
    from pathlib import Path


A_LOOK = 0.05
"""Seconds that nobody's look takes (``is_taken``): a service does not fail to start since somebody looked."""


class FolderLock:
    """SQLite's own locks would let a second service in; both would then run the same chats' turns."""

    def __init__(self, data_file: Path) -> None:
        self._path = data_file.with_name(data_file.name + ".lock")
        self._file: int | None = None

    def take(self) -> None:
        if not self.try_to_take():
            time.sleep(A_LOOK)
        if self._file is None and not self.try_to_take():
            raise StoreError(
                f"Another service is running on {self._path.parent}. Stop it first, or give this one a folder of its "
                f"own."
            )

    def try_to_take(self) -> bool:
        """Whether it is ours now; no other process had it."""
        try:
            file = os.open(self._path, os.O_CREAT | os.O_RDWR, 0o600)
        except OSError as error:
            raise StoreError(
                f"{self._path} cannot be written ({error.strerror}). See that the folder exists and that the service's "
                f"user may write there."
            ) from error
        try:
            _lock(file)
        except OSError:
            os.close(file)
            return False
        self._file = file
        return True

    def release(self) -> None:
        """The file itself stays: deleting it would let two processes hold locks on two files of one name."""
        if self._file is not None:
            os.close(self._file)
            self._file = None


def is_taken(data_file: Path) -> bool:
    """Whether a service runs on this file: told by trying, as the system knows no other way."""
    lock = FolderLock(data_file)
    if not lock.try_to_take():
        return True
    lock.release()
    return False


if sys.platform == "win32":
    import msvcrt

    def _lock(file: int) -> None:
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _lock(file: int) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
