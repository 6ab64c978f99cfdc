"""The condition of a data file. It is opened for reading alone, also beside a service that writes to it."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote

import apsw
import msgspec

from dialoom.errors import StoreError
from dialoom.storage.condition import Condition, Late, Waiting, late_before
from dialoom.storage.rows import Version, token_row
from dialoom.storage.sql_files import load
from dialoom.storage.sqlite import page_check
from dialoom.storage.sqlite.connection import Deadline, refuse_old
from dialoom.storage.sqlite.failures import OURS, explain
from dialoom.storage.sqlite.migrate import steps

if TYPE_CHECKING:
    from pathlib import Path

_CONDITION = load("sqlite", "condition")


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
    """What is damaged, in as many tables as can be looked through in the time. Raises ``StoreError``."""
    faults: list[str] = []
    looked_at, tables = 0, []
    try:
        connection = _open(path)
        try:
            with Deadline(connection, seconds, lambda: False):
                tables = page_check.tables_of(connection)
                for table in tables:
                    faults += page_check.faults_of(connection, table)
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
