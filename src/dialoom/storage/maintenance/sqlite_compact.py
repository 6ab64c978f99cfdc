"""Gives the room of deleted rows in an SQLite file back to the disk. The file is written anew, and whoever would write
to it waits meanwhile."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple

import apsw

from dialoom.errors import StoreError
from dialoom.storage.errors import DiskFull
from dialoom.storage.maintenance.sqlite_backup import refuse_foreign
from dialoom.storage.sqlite.connection import FolderLock, explain, open_reader
from dialoom.storage.sqlite.scrub import scrub

SECONDS_A_BYTE: Final = 6.5 / 400e6
"""That turns wait, measured on two cores; for the sentence that says so."""
MAX_SCRUB_SECONDS: Final = 60.0
"""That readers of a running service may hold it up."""


class Room(NamedTuple):
    """Of a data file, in bytes."""

    size: int
    free: int
    """Of pages without rows. Pages with few give room back as well when the file is written anew."""


class InUse(StoreError):
    """A service runs, and its turns would wait."""


def compact(path: Path, *, is_anyway: bool, tell: Callable[[Room], object]) -> Room:
    """Write the file anew; return what it has then. ``tell``: is told what it has before. ``is_anyway``: also while a
    service runs. Raises ``InUse`` where one does, ``StoreError`` where there is no room or readers are in the way."""
    lock = FolderLock(path)
    is_alone = lock.try_to_take()
    try:
        before = _room(path)
        if not is_alone and not is_anyway:
            raise InUse(
                f"A service is running on {path.parent}. All its turns would wait for about "
                f"{max(before.size - before.free, 1e6) * SECONDS_A_BYTE:,.1f} s while {path.name} is written anew, and "
                f"senders of messages be told to send them again; at least {before.free / 1e6:,.1f} of "
                f"{before.size / 1e6:,.1f} MB would be given back. Stop it first, or say --anyway in a quiet hour."
            )
        _refuse_without_room(path, before)
        tell(before)
        try:
            is_done = scrub(path, whole=True, seconds=MAX_SCRUB_SECONDS)
        except apsw.Error as error:
            raise explain(error, path) from error
        if not is_done:
            raise StoreError(
                f"{path} could not be written anew, or its log not emptied: somebody reads or writes without an end. "
                f"Nothing is lost. Try again later."
            )
        return _room(path)
    finally:
        lock.release()


def _room(path: Path) -> Room:
    try:
        connection = open_reader(path)
        try:
            refuse_foreign(connection, path)
            page = connection.pragma("page_size")
            return Room(connection.pragma("page_count") * page, connection.pragma("freelist_count") * page)
        finally:
            connection.close()
    except apsw.Error as error:
        raise explain(error, path) from error


def _refuse_without_room(path: Path, room: Room) -> None:
    """Raise ``DiskFull`` where what is written anew would not fit: all of it goes through the log, and through a file
    in the folder for temporary files, which may be on the same disk."""
    needed = 2 * (room.size - room.free)
    free = shutil.disk_usage(path.parent).free
    if free < needed:
        raise DiskFull(
            f"There is no room to write {path} anew: that takes up to {needed / 1e6:,.0f} MB meanwhile, and its disk "
            f"has {free / 1e6:,.0f} MB left. Nothing was changed. Make room, or a backup on another disk (dialoom "
            f"backup), which is as small, and put it in the place of the file while the service is stopped."
        )
