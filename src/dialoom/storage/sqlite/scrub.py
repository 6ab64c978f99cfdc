"""One scrub of the data file at a time: each may hold a thread for seconds, while somebody reads, and one that begins
later does what all who wait for it want.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

import apsw

from dialoom.storage.sqlite.connection import open_reader
from dialoom.storage.sqlite.writer import truncate

SCRUB_SECONDS: Final = 5.0
"""That a scrub waits for readers; a history query may read for longer."""
SCRUB_PAUSE_SECONDS: Final = 0.05
"""Seconds between two tries."""
MAX_REWRITTEN_BYTES: Final = 2 * 1024 * 1024
"""Bytes of a data file that is rewritten with each scrub: turns wait for less than 0.1 s (4 MB took 0.1 to 0.16 s, 100
MB 3 to 5 s)."""


class Scrubs:
    """``scrub``: does it, on a thread; takes whether the file is to be rewritten whole."""

    def __init__(self, scrub: Callable[[bool], bool]) -> None:
        self._scrub = scrub
        self._running: asyncio.Task[bool] | None = None
        self._next: asyncio.Task[bool] | None = None
        self._next_is_whole = False

    async def ask(self, *, whole: bool) -> bool:
        """Wait for a scrub that begins after this call: the one that runs may be past what was deleted since it
        began."""
        self._next_is_whole |= whole
        if self._next is None:
            self._next = asyncio.get_running_loop().create_task(self._after(self._running))
        # Who gives up does not take it away from the others.
        return await asyncio.shield(self._next)

    async def settled(self) -> None:
        while tasks := {task for task in (self._running, self._next) if task is not None and not task.done()}:
            await asyncio.wait(tasks)

    async def _after(self, running: asyncio.Task[bool] | None) -> bool:
        if running is not None:
            await asyncio.wait([running])
        whole, self._next_is_whole = self._next_is_whole, False
        self._running, self._next = self._next, None
        return await asyncio.to_thread(self._scrub, whole)


def scrub(path: Path, *, whole: bool = False, seconds: float = SCRUB_SECONDS) -> bool:
    """Put the log into the data file and empty it, so that what was deleted lives on in neither; False when readers
    are in the way for too long. On a connection of its own, which waits for nobody: what is copied while turns go on
    need not be copied while they stand.

    ``whole``, or of a small file: it is rewritten before. Deleted rows are overwritten, but where SQLite once divided a
    full page, a copy of a row may have stayed in the page's unused part (in a third of the files with 100 MB of many
    users there was one, of an index).
    """
    # Not as a writer is opened: to open and close the file in any other way takes this process's locks on it away.
    connection = open_reader(path)
    try:
        connection.pragma("query_only", False)
        connection.pragma("secure_delete", True)
        connection.set_busy_timeout(0)
        is_small = connection.pragma("page_count") * connection.pragma("page_size") <= MAX_REWRITTEN_BYTES
        if is_small:
            connection.pragma("temp_store", "memory")
        is_rewritten = not (whole or is_small)
        end = time.monotonic() + seconds
        while True:
            is_rewritten = is_rewritten or _rewrite(connection)
            connection.execute("pragma wal_checkpoint(passive)").fetchall()
            if is_rewritten and truncate(connection):
                return True
            if time.monotonic() > end:
                return False
            time.sleep(SCRUB_PAUSE_SECONDS)
    finally:
        connection.close()


def _rewrite(connection: apsw.Connection) -> bool:
    try:
        connection.execute("vacuum")
    except apsw.BusyError:
        return False
    return True
