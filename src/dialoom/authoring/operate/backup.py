"""Makes a backup of the service's own database, and keeps it until it is downloaded once."""

from __future__ import annotations

import asyncio
import contextlib
import os
import secrets
import shlex
import threading
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final

import msgspec

from dialoom.errors import SettingError, StoreError
from dialoom.service.service import DATABASE
from dialoom.service.settings import Settings

if TYPE_CHECKING:
    from dialoom.storage.maintenance.sqlite_backup import Backup

KEPT_SECONDS: Final = 600.0
"""That a backup waits to be downloaded."""
FILE: Final = "studio-backup.sqlite"
"""In the data folder; what a killed service has left there goes with the next one."""


class Made(msgspec.Struct, frozen=True):
    """A backup that waits under ``id``."""

    id: str
    size: int
    bots: int
    conversations: int
    messages: int


class Busy(StoreError):
    """Another backup is being made."""


class Backups:
    """At most one at a time: each takes as much room as the database."""

    def __init__(self, settings: Settings) -> None:
        self._url = settings.database_url
        self._data = Path(settings.data)
        self._file = self._data / FILE
        self._making: asyncio.Task[Made] | None = None
        self._id: str | None = None
        """Of the backup that waits."""
        self._expiry: asyncio.Task[None] | None = None

    def command(self) -> str | None:
        """Return the command that makes a backup of PostgreSQL, without a password; None on SQLite."""
        if self._url is None:
            return None
        from dialoom.storage.maintenance.postgres_dump import command  # its driver takes some megabytes

        return shlex.join(command(self._url, Path("dialoom.dump")))

    async def make(self) -> Made:
        """Make a backup; the one before goes. Raises ``Busy``, or ``StoreError`` where there is no room."""
        if self._making is not None and not self._making.done():
            raise Busy("A backup is being made already. Wait until it is there.")
        self._making = asyncio.create_task(self._make())
        # Who hangs up leaves it to its end: only one is at the file.
        return await asyncio.shield(self._making)

    async def _make(self) -> Made:
        self._id = None
        is_over = threading.Event()
        try:
            found = await asyncio.to_thread(self._copy, is_over)
        except asyncio.CancelledError:
            is_over.set()  # the service stops: the thread would hold that up
            raise
        self._id = secrets.token_urlsafe(24)
        if self._expiry is not None:
            self._expiry.cancel()
        self._expiry = asyncio.create_task(self._expire(self._id))
        return Made(self._id, found.size, found.bots, found.conversations, found.messages)

    def _copy(self, is_over: threading.Event) -> Backup:
        from dialoom.storage.maintenance.sqlite_backup import back_up

        def look(_bytes: int, _share: float) -> None:
            if is_over.is_set():
                raise StoreError("The backup was broken off, since the service stops. Make another.")

        self._delete()
        try:
            return back_up(self._data / DATABASE, self._file, look)
        except SettingError as error:
            raise StoreError(str(error)) from error

    async def _expire(self, id: str) -> None:
        await asyncio.sleep(KEPT_SECONDS)
        if self._id == id:
            self._id = None
            await asyncio.to_thread(self._delete)

    async def take(self, id: str) -> tuple[BinaryIO, int] | None:
        """Open the backup ``id`` for its one reader, and return it with its size; None where there is none."""
        if self._id is None or not secrets.compare_digest(self._id.encode(), id.encode()):
            return None
        self._id = None
        return await asyncio.to_thread(self._open)

    def _open(self) -> tuple[BinaryIO, int] | None:
        try:
            file = self._file.open("rb")
        except OSError:
            return None
        self._delete()
        return file, os.fstat(file.fileno()).st_size

    def _delete(self) -> None:
        # A system that does not delete what is open leaves it to the next backup.
        with contextlib.suppress(OSError):
            self._file.unlink()
