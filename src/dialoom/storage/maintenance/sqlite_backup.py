"""Copies an SQLite data file whole while a service writes to it, and checks the copy.

``VACUUM INTO`` reads one state of the file and lets the service write on. SQLite's backup interface begins again with
each commit of another process: beside ten messages a second it does not end.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeAlias
from urllib.parse import quote

import apsw
import msgspec

from dialoom.errors import StoreError
from dialoom.storage.errors import Damaged, DiskFull
from dialoom.storage.maintenance.new_file import new_file
from dialoom.storage.sql_files import load
from dialoom.storage.sqlite.connection import CHECKPOINT_PAGES, OURS, PAGE_BYTES, explain, open_reader

_PAGES = load("sqlite", "pages")
STEPS_A_LOOK: Final = 1000
"""Steps of SQLite's machine, about three a row, between two looks at how far it is, and at signals of the system."""
SYNC_BYTES: Final = 8 * 1024 * 1024
"""Of the copy that go to the disk together: a service's commits on that disk wait for them."""
_WRITING: Final = frozenset(
    (apsw.SQLITE_IOERR_WRITE, apsw.SQLITE_IOERR_FSYNC, apsw.SQLITE_IOERR_DIR_FSYNC, apsw.SQLITE_IOERR_TRUNCATE)
)

Show: TypeAlias = Callable[[int, float], object]
"""Is told the bytes that are copied, and which share of the whole that is."""


class Backup(msgspec.Struct, frozen=True):
    """A copy that was opened and found right."""

    size: int
    """Bytes."""
    seconds: float
    """That the copying took, without the check."""
    bots: int
    conversations: int
    messages: int


def back_up(source: Path, to: Path, show: Show = lambda _bytes, _share: None) -> Backup:
    """Write a copy of the data file, as it is at the start, to the new file ``to``. Raises ``SettingError`` for a name
    that cannot be taken, ``StoreError`` where there is no room, or one of the files cannot be read or written."""
    with new_file(to) as part:
        begun = time.monotonic()
        try:
            step = _copy(source, part, to, show)
        except apsw.Error as error:
            raise _explained(error, source, to) from error
        seconds = time.monotonic() - begun
        try:
            return _check(part, step, seconds)
        except apsw.Error as error:
            raise explain(error, part) from error


def _copy(source: Path, part: Path, to: Path, show: Show) -> int:
    """Return the step of the tables that were copied."""
    connection = open_reader(source)
    try:
        # Else it may write nothing, to the copy neither.
        connection.pragma("query_only", False)
        connection.pragma("cache_size", -2048)  # what is copied goes to its file at once, where it can be counted
        refuse_foreign(connection, source)
        pages = connection.pragma("page_count") - connection.pragma("freelist_count")
        size = pages * connection.pragma("page_size")
        refuse_without_room(size, source, to)

        with part.open("rb") as written:
            synced = 0

            def look() -> bool:
                nonlocal synced
                done = os.fstat(written.fileno()).st_size
                if done - synced > SYNC_BYTES:
                    os.fsync(written.fileno())
                    synced = done
                show(done, min(done / size, 1.0))
                return False

            connection.set_progress_handler(look, STEPS_A_LOOK)
            connection.execute("vacuum into ?", (str(part),))
        return int(connection.pragma("user_version"))
    finally:
        connection.close()


def refuse_foreign(connection: apsw.Connection, path: Path) -> None:
    """Raise ``StoreError`` for a file of another program."""
    if connection.pragma("application_id") != OURS:
        raise StoreError(f"{path} is no database of this service. Name its folder with --data.")


def refuse_without_room(size: int, source: Path, to: Path) -> None:
    """Raise ``DiskFull`` where the copy would not fit: a copy that is tried would take the last room from the
    service, where both share a disk."""
    needed = size
    if os.stat(source).st_dev == os.stat(to.parent).st_dev:
        # The log of what the service writes meanwhile cannot be emptied before the copy is done.
        needed += CHECKPOINT_PAGES * PAGE_BYTES
    free = shutil.disk_usage(to.parent).free
    if free < needed:
        raise DiskFull(
            f"There is no room for {to}: it needs about {needed / 1e6:,.0f} MB, and its disk has {free / 1e6:,.0f} MB "
            f"left. Nothing was written. Name a file on another disk, or make room."
        )


def _explained(error: apsw.Error, source: Path, to: Path) -> StoreError:
    if isinstance(error, apsw.FullError) or getattr(error, "extendedresult", None) in _WRITING:
        return DiskFull(
            f"{to} could not be written whole: its disk is full, or fails ({error}). Nothing of it is left. Make room, "
            f"or name a file on another disk."
        )
    return explain(error, source)


def _check(part: Path, step: int, seconds: float) -> Backup:
    connection = apsw.Connection(
        f"file:{quote(str(part.resolve()))}?immutable=1", flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
    )
    try:
        connection.set_progress_handler(lambda: False, STEPS_A_LOOK)  # so that signals of the system are heard
        found = connection.execute("pragma quick_check").get
        if found != "ok" or connection.pragma("application_id") != OURS or connection.pragma("user_version") != step:
            raise Damaged(f"The copy is not as it should be ({found}), and was deleted. Run: dialoom doctor")
        bots, conversations, messages = connection.execute(_PAGES["counts"].sql).get
        return Backup(part.stat().st_size, seconds, bots, conversations, messages)
    finally:
        connection.close()
