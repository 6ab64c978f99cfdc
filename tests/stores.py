"""A real SQLite store for tests that do not care where their data lies, and the rows that stand in its file."""

from __future__ import annotations

import atexit
import functools
import shutil
import tempfile
import weakref
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import apsw

from dialoom.storage.sqlite.connection import make_durable, open_writer
from dialoom.storage.sqlite.migrate import migrate
from dialoom.storage.sqlite.store import SqliteStore

SHARED_MEMORY = Path("/dev/shm")
"""A file system without a disk under it: the stores sync as in production, and that costs nothing there."""


MIN_SHARED_MEMORY_BYTES = 4 << 30


def has_room() -> bool:
    """Return whether whole servers and folders of tests may lie there: a container may have little of it."""
    return SHARED_MEMORY.is_dir() and shutil.disk_usage(SHARED_MEMORY).free >= MIN_SHARED_MEMORY_BYTES


class TemporaryStore(SqliteStore):
    """Keeps its data file in a folder of its own, deleted with the object. Doubles of failures are subclasses that
    stumble in a method and leave the rest to it. It may be closed and opened again."""

    def __init__(self, **options: Any) -> None:
        folder = new_folder()
        self.path = folder / "data.sqlite"
        shutil.copyfile(migrated_file(), self.path)
        super().__init__(self.path, **options)
        weakref.finalize(self, _left.append, folder)

    def beside(self) -> SqliteStore:
        """Return a store on the same file, as an administrator's command has it beside the service."""
        return SqliteStore(self.path, is_beside=True)

    def query(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        """Run one statement on a connection of its own and return its rows."""
        connection = apsw.Connection(str(self.path))
        try:
            connection.set_busy_timeout(10_000)
            return list(connection.execute(sql, values))
        finally:
            connection.close()

    def count_rows(self, table: str) -> int:
        """Return the number of rows of a table."""
        return int(self.query(f"select count(*) from {table}")[0][0])


def new_folder() -> Path:
    """Return a new folder, where possible without a disk under it, and delete those of stores that are gone."""
    delete_left()
    return Path(tempfile.mkdtemp(prefix="dialoom-", dir=SHARED_MEMORY if SHARED_MEMORY.is_dir() else None))


_left: list[Path] = []
"""Folders whose stores are gone. Not deleted as they go: that may be inside an event loop, where nothing may block."""


@atexit.register
def delete_left() -> None:
    while _left:
        shutil.rmtree(_left.pop(), ignore_errors=True)


@functools.cache
def migrated_file() -> Path:
    """Return an empty data file with all tables. Migrations take 7 ms of CPU, a copy of this 0.1."""
    path = new_folder() / "data.sqlite"
    atexit.register(_left.append, path.parent)
    # On a thread: the caller may be in an event loop, where nothing of ours may block.
    with ThreadPoolExecutor(1) as thread:
        thread.submit(_migrate, path).result()
    return path


def _migrate(path: Path) -> None:
    connection = open_writer(path)
    make_durable(connection)
    migrate(connection, path)
    connection.close()
