"""Opens the data file: the lock that keeps a second service out, the settings that durability and privacy rest on, and
what a failure means for the operator.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
import time
from collections.abc import Callable
from pathlib import Path

import apsw

from dialoom.errors import StoreError
from dialoom.storage.errors import Damaged, DiskFailing, DiskFull, ReadOnly, Refused, TooSlow

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
        """Take the lock; return whether no other process had it."""
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
        """Give the lock back. The file itself stays: deleting it would let two processes hold locks on two files of one
        name."""
        if self._file is not None:
            os.close(self._file)
            self._file = None


def is_taken(data_file: Path) -> bool:
    """Return whether a service runs on this file; found out by trying to lock, as the system has no other way."""
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


OURS = 0x4449414C
"""``application_id`` of our files ("DIAL"): another program's database is never touched."""

_MEANINGS: tuple[tuple[type[apsw.Error], type[StoreError], str], ...] = (
    (apsw.NotADBError, Damaged, "{path} is no database, or its beginning is damaged. Restore it from a backup."),
    (apsw.CorruptError, Damaged, "{path} is damaged. Stop the service and restore it from a backup."),
    (apsw.FullError, DiskFull, "The disk of {path} is full; nothing of this was written. Make room and try again."),
    (
        apsw.ReadOnlyError,
        ReadOnly,
        "{path} cannot be written. Give the service's user the right to write the file and its folder.",
    ),
    (
        apsw.PermissionsError,
        ReadOnly,
        "{path} cannot be opened. Give the service's user the right to write it and its folder.",
    ),
    (
        apsw.CantOpenError,
        StoreError,
        "{path} cannot be opened. See that its folder exists and the service's user may write there.",
    ),
    (
        apsw.BusyError,
        StoreError,
        "{path} is locked by another program. Wait for `dialoom database compact`, or close the database browser.",
    ),
    (
        apsw.InterruptError,
        TooSlow,
        "The query took too long and was stopped. Narrow it, or ask for an indexed property.",
    ),
    (
        apsw.IOError,
        DiskFailing,
        "The disk of {path} failed while it was read or written ({error}). Check disk and file system.",
    ),
    (apsw.NoMemError, StoreError, "There was no memory left for the database {path}. Give the service more."),
)

_OF_ROWS = (apsw.ConstraintError, apsw.MismatchError, apsw.TooBigError)
"""What the rows are to blame for, so that trying again gives the same."""


def explain(error: apsw.Error, path: Path) -> StoreError:
    """Return the error of this package for one of SQLite. It holds no value of a row: SQLite names columns at most."""
    for kind, meant, sentence in _MEANINGS:
        if isinstance(error, kind):
            return meant(sentence.format(path=path, error=error))
    refusal = Refused if isinstance(error, _OF_ROWS) else StoreError
    return refusal(f"The database {path} refused a statement: {error}. Please report this.")


MIN_SQLITE_VERSION = (3, 51, 3)
"""Older ones can lose commits when a checkpoint meets a WAL reset (fixed in 3.51.3)."""
CHECKPOINT_PAGES = 16000
"""WAL pages (64 MB) after which a commit also checkpoints: rare enough that p99 does not see it."""
PAGE_BYTES = 4096
LOOK_PAGES = 256
"""WAL pages (1 MB) between two looks at the room on the disk."""
MIN_ROOM_BYTES = 4 * 1024 * 1024
"""That a disk shall have besides what a checkpoint may need of it."""
STATEMENTS = 256
"""Prepared statements kept: one a query and power of two of rows."""
BUSY_MS = 2000
"""Milliseconds that a statement waits for another connection."""
OPCODES_A_LOOK = 500_000
"""Steps of SQLite's machine between two looks at the clock, 10 to 100 ms. Each look needs the interpreter's lock,
for which a thread waits up to 5 ms while the event loop computes."""
_ALONE = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_NOMUTEX
"""Each connection is its thread's own."""


def refuse_old(version: str | None = None) -> None:
    found = version or apsw.sqlite_lib_version()
    if tuple(int(part) for part in found.split(".")) < MIN_SQLITE_VERSION:
        wanted = ".".join(str(part) for part in MIN_SQLITE_VERSION)
        raise StoreError(
            f"SQLite {found} can lose what was written; {wanted} or newer is needed. Install a newer apsw package."
        )


def open_writer(path: Path) -> apsw.Connection:
    """Open the one connection that writes. A new file is for the service's user alone."""
    refuse_old()
    try:
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    except OSError as error:
        raise StoreError(
            f"{path} cannot be opened for writing ({error.strerror}). See that its folder exists and that the "
            f"service's user may write there."
        ) from error
    connection = apsw.Connection(str(path), flags=_ALONE, statementcachesize=STATEMENTS)
    _guard(connection)
    return connection


def make_durable(connection: apsw.Connection, room: Callable[[], int] | None = None) -> None:
    """Set the connection so that what is committed survives a power loss, and what is deleted is overwritten.
    ``room``: tells the free bytes of its disk."""
    connection.pragma("journal_mode", "wal")
    connection.pragma("synchronous", "full")
    connection.pragma("secure_delete", True)
    connection.pragma("cache_size", -65536)
    folder = Path(connection.filename).parent
    connection.set_wal_hook(LogLimit(room or (lambda: shutil.disk_usage(folder).free)).look)


class LogLimit:
    """Puts the log into the data file before there is no room on the disk to do so.

    A checkpoint needs as much as the data file grows by, at most as much as the log. A log that took the last room of a
    small volume could never be put into the data file again, and nothing else is there that could be deleted.
    ``room``: tells the free bytes of the disk."""

    def __init__(self, room: Callable[[], int]) -> None:
        self._room = room
        self._looked_at = 0
        """Pages of the log at the last look."""

    def look(self, connection: apsw.Connection, _name: str, pages: int) -> int:
        """Checkpoint when it is time. SQLite calls it after each commit, with the pages of the log."""
        if pages < self._looked_at:
            self._looked_at = 0  # the log began anew
        if pages < self._looked_at + LOOK_PAGES:
            return apsw.SQLITE_OK
        room = self._room()
        is_short = room < pages * PAGE_BYTES + MIN_ROOM_BYTES
        if pages >= CHECKPOINT_PAGES or is_short:
            empty_log(connection, is_cut=is_short)
        self._looked_at = pages
        return apsw.SQLITE_OK


def empty_log(connection: apsw.Connection, *, is_cut: bool) -> None:
    """Put the log into the data file, as much as readers let. ``is_cut``: give its room back to the disk. What cannot
    be put in stays in the log, which counts as the data does."""
    connection.set_busy_timeout(0)  # turns wait meanwhile
    try:
        with contextlib.suppress(apsw.Error):
            connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_PASSIVE)
            if is_cut:
                connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
    finally:
        connection.set_busy_timeout(BUSY_MS)


def keep_notes_in_memory(connection: apsw.Connection) -> None:
    """Keep in memory the pages that a statement notes to be able to undo itself: those of many rows are more than
    64 kB, and would go through a file in the system's temporary folder (12 % of the writer's CPU with 32 users). Not
    before migrations, which may sort whole tables."""
    connection.pragma("temp_store", "memory")


def open_reader(path: Path) -> apsw.Connection:
    connection = apsw.Connection(str(path), flags=_ALONE, statementcachesize=STATEMENTS)
    _guard(connection)
    connection.pragma("query_only", True)
    connection.pragma("cache_size", -16384)
    return connection


def _guard(connection: apsw.Connection) -> None:
    """Forbid strings in double quotes, and turn mmap off: with it a broken disk is a SIGBUS in place of an error."""
    connection.config(apsw.SQLITE_DBCONFIG_DQS_DML, 0)
    connection.config(apsw.SQLITE_DBCONFIG_DQS_DDL, 0)
    connection.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 1)
    connection.config(apsw.SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
    connection.pragma("mmap_size", 0)
    connection.set_busy_timeout(BUSY_MS)


class Deadline:
    """Stops the statement of a connection, and what Python does with its rows, after some seconds."""

    def __init__(self, connection: apsw.Connection, seconds: float, is_dropped: Callable[[], bool]) -> None:
        self._connection = connection
        self._end = time.monotonic() + seconds
        self._is_dropped = is_dropped

    def is_over(self) -> bool:
        return time.monotonic() > self._end or self._is_dropped()

    def check(self) -> None:
        if self.is_over():
            raise apsw.InterruptError("interrupted")

    def __enter__(self) -> Deadline:
        self._connection.set_progress_handler(self.is_over, OPCODES_A_LOOK)
        return self

    def __exit__(self, *_: object) -> None:
        self._connection.set_progress_handler(None)
