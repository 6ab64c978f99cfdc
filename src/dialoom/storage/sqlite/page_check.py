"""Reads all pages of a data file, table by table, to find damage before somebody needs what is damaged.

On a thread and a connection of its own, beside whatever reads and writes. A table is one read transaction: while it
runs the log of writes cannot begin from the front, so that it grows by what is written meanwhile.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

import apsw

from dialoom.storage.sql_files import load
from dialoom.storage.sqlite.reader import Readers

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from dialoom.storage.sqlite.connection import Deadline

_PAGES = load("sqlite", "pages")
TABLE_SECONDS: Final = 6 * 3600.0
"""That one table may take."""
MAX_SHOWN: Final = 3
"""Faults of one table that are told."""
STEPS_A_PAUSE: Final = 50_000
"""Steps of SQLite's machine (one a page or cell, about 4 ms) after which the check rests for as long as they took."""


class PageCheck:
    """Of the data file at ``path``, which must be there once something is asked."""

    def __init__(self, path: Path) -> None:
        self._readers = Readers(path, 1, "pages")

    def open(self) -> None:
        self._readers.open()

    async def close(self) -> None:
        """Cancel what runs first: it ends within moments."""
        await self._readers.close()

    async def size(self) -> int:
        """Bytes of the data file."""
        return await self._readers.ask(lambda connection, _: size_of(connection), TABLE_SECONDS)

    async def check(self) -> tuple[str, ...]:
        """What is damaged; nothing where all pages are right. Raises ``StoreError`` where it cannot be told."""
        found: list[str] = []
        for table in await self._readers.ask(lambda connection, _: tables_of(connection), TABLE_SECONDS):
            found += await self._readers.ask(_looking_at(table), TABLE_SECONDS)
        return tuple(found)


def size_of(connection: apsw.Connection) -> int:
    return int(connection.execute(_PAGES["size"].sql).get)


def tables_of(connection: apsw.Connection) -> list[str]:
    """All tables, that of the tables first. A fault in it is found by reading it."""
    return [name for (name,) in connection.execute(_PAGES["tables"].sql)]


def faults_of(connection: apsw.Connection, table: str) -> list[str]:
    """The faults of a table and its indexes, in SQLite's words, which quote no value."""
    try:
        texts = [str(text) for (text,) in connection.execute(_PAGES["check"].sql, (table,))]
    except apsw.CorruptError as error:
        texts = [str(error)]
    except apsw.SQLError:
        if table not in tables_of(connection):
            return []  # an index of the operator's own went meanwhile, and its table with it
        raise
    lines = [line for text in texts for line in text.splitlines() if line != "ok" and not line.startswith("***")]
    return [f"{table}: {line}" for line in lines[:MAX_SHOWN]]


def _looking_at(table: str) -> Callable[[apsw.Connection, Deadline], list[str]]:
    def look(connection: apsw.Connection, deadline: Deadline) -> list[str]:
        # What the connection keeps of the pass before would be looked at in place of the file.
        connection.pragma("shrink_memory")
        connection.set_progress_handler(_Pauses(deadline.is_over).rest, STEPS_A_PAUSE)
        return faults_of(connection, table)

    return look


class _Pauses:
    """Half of the time is left to others: disk, processor and the interpreter's lock."""

    def __init__(self, is_over: Callable[[], bool]) -> None:
        self._is_over = is_over
        self._since = time.monotonic()

    def rest(self) -> bool:
        """Returns whether the check is to be broken off."""
        if self._is_over():
            return True
        time.sleep(min(time.monotonic() - self._since, 0.1))
        self._since = time.monotonic()
        return False
