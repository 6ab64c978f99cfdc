"""The condition of a data file: what ``dialoom doctor`` tells of it, and whether its pages are as they were written."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple
from urllib.parse import quote

import apsw
import msgspec

from dialoom.errors import StoreError
from dialoom.storage.condition import Condition, Late, Waiting, late_before
from dialoom.storage.rows import Version, token_row
from dialoom.storage.sql_files import load
from dialoom.storage.sqlite.connection import OURS, Deadline, explain, refuse_old
from dialoom.storage.sqlite.migrate import steps
from dialoom.storage.sqlite.reader import Readers

_CONDITION = load("sqlite", "condition")
_PAGES = load("sqlite", "pages")
TABLE_SECONDS: Final = 6 * 3600.0
"""That one table may take."""
MAX_SHOWN: Final = 3
"""Faults of one table that are told."""
STEPS_A_PAUSE: Final = 50_000
"""Steps of SQLite's machine (one a page or cell, about 4 ms) after which the check rests for as long as they took."""


def condition(path: Path) -> Condition:
    """Raises ``StoreError`` for one that cannot be read, is damaged, or is another program's."""
    refuse_old()
    try:
        connection = _open(path)
        try:
            return _look(connection, path)
        finally:
            connection.close()
    except apsw.Error as error:
        raise explain(error, path) from error


class PageLook(NamedTuple):
    tables: int
    looked_at: int
    faults: tuple[str, ...]


def look_at_pages(path: Path, seconds: float) -> PageLook:
    """Return what is damaged, in as many tables as can be looked through in the time. Raises ``StoreError``."""
    faults: list[str] = []
    looked_at, tables = 0, []
    try:
        connection = _open(path)
        try:
            with Deadline(connection, seconds, lambda: False):
                tables = tables_of(connection)
                for table in tables:
                    faults += faults_of(connection, table)
                    looked_at += 1
        except apsw.InterruptError:
            pass
        finally:
            connection.close()
    except apsw.Error as error:
        raise explain(error, path) from error
    return PageLook(len(tables), looked_at, tuple(faults))


def _open(path: Path) -> apsw.Connection:
    # Where no service runs there is no WAL, and a plain reader would make one; "immutable" makes no file.
    kind = "mode=ro" if path.with_name(path.name + "-wal").exists() else "immutable=1"
    flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
    connection = apsw.Connection(f"file:{quote(str(path.resolve()))}?{kind}", flags=flags)
    connection.set_busy_timeout(2000)
    return connection


def _look(connection: apsw.Connection, path: Path) -> Condition:
    begun = time.perf_counter()
    ours = connection.pragma("application_id") == OURS
    seconds = time.perf_counter() - begun
    if not ours and connection.execute("select count(*) from sqlite_schema").get:
        raise StoreError(f"{path} is a database of another program. Name another folder for the data.")
    step, known = int(connection.pragma("user_version")) if ours else 0, len(steps())
    plain = Condition(
        name=f"SQLite {apsw.sqlite_lib_version()}",
        where=str(path),
        step=step,
        known=known,
        is_too_new=step > known,
        seconds=seconds,
    )
    if step != known:
        return plain  # its tables may be others than those that the queries name
    return msgspec.structs.replace(
        plain,
        newest=connection.execute(_CONDITION["newest"].sql).get or 0,
        tokens=tuple(token_row(row) for row in connection.execute(_CONDITION["tokens"].sql)),
        versions=tuple(Version(*row) for row in connection.execute(_CONDITION["versions"].sql)),
        outbox=tuple(Waiting(*row) for row in connection.execute(_CONDITION["outbox"].sql)),
        marks={str(name): int(at) for name, at in connection.execute(_CONDITION["marks"].sql)},
        late=tuple(Late(*row) for row in connection.execute(_CONDITION["late"].sql, (late_before(),))),
    )


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
        """Return the bytes of the data file."""
        return await self._readers.ask(lambda connection, _: size_of(connection), TABLE_SECONDS)

    async def check(self) -> tuple[str, ...]:
        """Return what is damaged; nothing where all pages are right. Raises ``StoreError`` where it cannot be told."""
        found: list[str] = []
        for table in await self._readers.ask(lambda connection, _: tables_of(connection), TABLE_SECONDS):
            found += await self._readers.ask(_looking_at(table), TABLE_SECONDS)
        return tuple(found)


def size_of(connection: apsw.Connection) -> int:
    return int(connection.execute(_PAGES["size"].sql).get)


def tables_of(connection: apsw.Connection) -> list[str]:
    """Return all tables, the table of tables among them: a fault in it is found by reading it."""
    return [name for (name,) in connection.execute(_PAGES["tables"].sql)]


def faults_of(connection: apsw.Connection, table: str) -> list[str]:
    """Return the faults of a table and its indexes, in SQLite's words, which quote no value."""
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
        connection.set_progress_handler(Pauses(deadline.is_over).rest, STEPS_A_PAUSE)
        return faults_of(connection, table)

    return look


class Pauses:
    """Leaves half of the time of a check to others: disk, processor and the interpreter's lock."""

    def __init__(self, is_over: Callable[[], bool]) -> None:
        self._is_over = is_over
        self._since = time.monotonic()

    def rest(self) -> bool:
        """Pause the check; return whether it is to be broken off."""
        if self._is_over():
            return True
        time.sleep(min(time.monotonic() - self._since, 0.1))
        self._since = time.monotonic()
        return False
