"""Brings a data file's tables to the shape this release knows: forward only, each step in one transaction."""

from __future__ import annotations

import time
from pathlib import Path

import apsw

from dialoom.errors import StoreError
from dialoom.storage.sqlite.connection import OURS, FolderLock

FOLDER = Path(__file__).parent / "migrations"
MAX_LOCK_SECONDS = 3.0
"""Seconds for which a command waits for another one that is at the tables just now."""
LOOK_EVERY_SECONDS = 0.05


def steps(folder: Path = FOLDER) -> list[Path]:
    """Return the steps of a folder: ``0001_first.sql``, ``0002_...``, numbered without a gap."""
    found = sorted(folder.glob("*.sql"))
    numbers = [int(file.name[:4]) for file in found]
    if numbers != list(range(1, len(found) + 1)):
        raise ValueError(f"migrations must be numbered 0001, 0002 ... without a gap; found {numbers}")
    return found


def migrate(connection: apsw.Connection, path: Path, folder: Path = FOLDER) -> None:
    """Run the steps that this file has not seen. The caller holds the folder's lock."""
    known = steps(folder)
    at = migrations_seen(connection, path, folder)
    for number, file in enumerate(known[at:], at + 1):
        with connection:
            connection.execute(file.read_text("utf-8"))
            connection.pragma("application_id", OURS)
            connection.pragma("user_version", number)


def migrate_beside(
    connection: apsw.Connection, path: Path, folder: Path = FOLDER, patience: float = MAX_LOCK_SECONDS
) -> None:
    """Migrate a file on which a service may be running. That has the folder's lock as long as it lives, and statements
    of an older release do not fit the tables of a newer one: raises ``StoreError`` when that is so."""
    known, lock = len(steps(folder)), FolderLock(path)
    end = time.monotonic() + patience
    while (at := migrations_seen(connection, path, folder)) < known:
        if lock.try_to_take():
            try:
                migrate(connection, path, folder)
            finally:
                lock.release()
        elif time.monotonic() < end:
            time.sleep(LOOK_EVERY_SECONDS)
        else:
            raise StoreError(
                f"A service of an older release is running on {path.parent}: the tables of {path.name} are at step "
                f"{at}, this release would bring them to {known}. Stop that service first, or use the dialoom of its "
                f"release."
            )


def migrations_seen(connection: apsw.Connection, path: Path, folder: Path = FOLDER) -> int:
    """Return how many steps this file has seen. Raises ``StoreError`` when it is not ours, or of a newer release."""
    known = len(steps(folder))
    with connection:
        at = _number(connection, path)
    if at > known:
        raise StoreError(
            f"{path} was written by a newer release (its tables are at step {at}, this release knows {known}). Start "
            f"that release, or restore the backup that was made before it."
        )
    return at


def _number(connection: apsw.Connection, path: Path) -> int:
    if connection.pragma("application_id") == OURS:
        return int(connection.pragma("user_version"))
    if connection.execute("select count(*) from sqlite_schema").get:
        raise StoreError(f"{path} is a database of another program. Name another folder for the data.")
    return 0
