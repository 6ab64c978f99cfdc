"""Opens connections to the data file with the settings that durability and privacy rest on."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

import apsw

from dialoom.errors import StoreError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

MIN_SQLITE_VERSION = (3, 51, 3)
"""Older ones can lose commits when a checkpoint meets a WAL reset (fixed in 3.51.3)."""
CHECKPOINT_PAGES = 16000
"""WAL pages (64 MB) after which a commit also checkpoints: rare enough that p99 does not see it."""
STATEMENTS = 256
"""Prepared statements kept: one a query and power of two of rows."""
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
    """The one connection that writes. A new file is for the service's user alone."""
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


def make_durable(connection: apsw.Connection) -> None:
    """What is committed survives a power loss, and what is deleted is overwritten."""
    connection.pragma("journal_mode", "wal")
    connection.pragma("synchronous", "full")
    connection.pragma("secure_delete", True)
    connection.pragma("cache_size", -65536)
    connection.wal_autocheckpoint(CHECKPOINT_PAGES)


def keep_notes_in_memory(connection: apsw.Connection) -> None:
    """The pages that a statement notes to be able to undo itself: those of many rows are more than 64 kB, and would go
    through a file in the system's temporary folder (12 % of the writer's CPU with 32 users). Not before migrations,
    which may sort whole tables."""
    connection.pragma("temp_store", "memory")


def open_reader(path: Path) -> apsw.Connection:
    connection = apsw.Connection(str(path), flags=_ALONE, statementcachesize=STATEMENTS)
    _guard(connection)
    connection.pragma("query_only", True)
    connection.pragma("cache_size", -16384)
    return connection


def _guard(connection: apsw.Connection) -> None:
    """A text in double quotes is never a string, and a broken disk is an error, not a SIGBUS as with mmap."""
    connection.config(apsw.SQLITE_DBCONFIG_DQS_DML, 0)
    connection.config(apsw.SQLITE_DBCONFIG_DQS_DDL, 0)
    connection.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 1)
    connection.config(apsw.SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
    connection.pragma("mmap_size", 0)
    connection.set_busy_timeout(2000)


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
