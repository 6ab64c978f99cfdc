"""The operator's own indexes: tables of keys that triggers keep, filled and emptied in steps that no turn waits for.

An index of SQLite's own would be made in one transaction, for whose seconds every turn would wait. The steps leave the
data file to the others in between, as a command makes them beside the running service.
"""

from __future__ import annotations

import asyncio
import re
import time
from typing import TYPE_CHECKING, Any

from dialoom.query.paths import parts_of
from dialoom.query.sqlite_keys import key_sql
from dialoom.storage.named import load
from dialoom.storage.properties import check_property, index_name, indexed_table
from dialoom.storage.store import IndexRow

if TYPE_CHECKING:
    from collections.abc import Sequence

    import apsw

    from dialoom.query import Table
    from dialoom.storage.sqlite.writer import Group, Writer
    from dialoom.storage.store import Collection

_INDEXES = load("sqlite", "indexes")
ALL = _INDEXES["all"]

RECORDS_A_STEP = 200
"""That one commit takes in, or forgets: 2 to 4 ms."""
REST = 3.0
"""How many times as long as a step took the next one waits."""
_NO_RECORD = 0
"""Before the first row."""


async def add(writer: Writer, collection: Collection, property: str) -> None:
    check_property(collection, property)
    if not await writer.submit(_make, (collection, property)):
        return
    place = _NO_RECORD
    while place is not None:
        place = await _rested(writer, _fill, (collection, property, place))
    await writer.submit(_finish, (collection, property))


async def drop(writer: Writer, collection: Collection, property: str) -> bool:
    """From its first step on nobody uses it, and to its last the triggers keep what is left of it true: it holds what
    people wrote, and that must go with them whenever it is broken off."""
    if not await writer.submit(_put_off, (collection, property)):
        return False
    while not await _rested(writer, _thin, (collection, property)):
        pass
    return True


def table_for(connection: apsw.Connection, collection: Collection, bot: str) -> Table:
    """The collection's table as it is asked for a bot, with the indexes that are ready. They are so as long as the
    transaction lasts that this is called in."""
    rows = connection.execute(_INDEXES["ready"].sql, (collection,)).fetchall()
    return indexed_table(collection, bot, [str(property) for (property,) in rows])


def index_row(row: tuple[Any, ...]) -> IndexRow:
    collection, property, is_ready = row
    return IndexRow(collection, property, bool(is_ready))


async def _rested(writer: Writer, group: Group, payload: tuple[Any, ...]) -> Any:
    begun = time.perf_counter()
    result = await writer.submit(group, payload)
    await asyncio.sleep(REST * (time.perf_counter() - begun))
    return result


# -- on the writer's thread


def _make(connection: apsw.Connection, payloads: Sequence[tuple[Collection, str]]) -> list[bool]:
    """Whether it has still to be filled."""
    return [_make_one(connection, collection, property) for collection, property in payloads]


def _make_one(connection: apsw.Connection, collection: Collection, property: str) -> bool:
    known = connection.execute(_INDEXES["ready"].sql, (collection,)).fetchall()
    if (property,) in known:
        return False
    connection.execute(_INDEXES["put"].sql, (collection, property))
    connection.execute(_written("make", collection, property))
    return True


def _fill(connection: apsw.Connection, payloads: Sequence[tuple[Collection, str, int]]) -> list[int | None]:
    """The place of the last record that is in now; None when it is the last of all."""
    places: list[int | None] = []
    for collection, property, after in payloads:
        step = _written("step", collection, property)
        last: int | None = connection.execute(step, (after, RECORDS_A_STEP)).get
        if last is not None:
            connection.execute(_written("fill", collection, property), (after, last))
        places.append(last)
    return places


def _finish(connection: apsw.Connection, payloads: Sequence[tuple[Collection, str]]) -> list[None]:
    for payload in payloads:
        connection.execute(_INDEXES["set_ready"].sql, (1, *payload))
    return [None] * len(payloads)


def _put_off(connection: apsw.Connection, payloads: Sequence[tuple[Collection, str]]) -> list[bool]:
    """Whether it is there."""
    there = []
    for payload in payloads:
        connection.execute(_INDEXES["set_ready"].sql, (0, *payload))
        there.append(bool(connection.changes()))
    return there


def _thin(connection: apsw.Connection, payloads: Sequence[tuple[Collection, str]]) -> list[bool]:
    """Whether nothing is left of it."""
    done = []
    for collection, property in payloads:
        connection.execute(_written("thin", collection, property), (RECORDS_A_STEP,))
        is_last = connection.changes() < RECORDS_A_STEP
        if is_last:
            connection.execute(_written("unmake", collection, property))
            connection.execute(_INDEXES["remove"].sql, (collection, property))
        done.append(is_last)
    return done


def _written(query: str, collection: Collection, property: str) -> str:
    """Only names of our making, and the property as the compiler writes it, go in."""
    path = parts_of(property)
    words = {"$name": index_name(collection, property), "$table": collection}
    for row in ("new", "old"):
        words[f"${row}_kind"], words[f"${row}_value"] = key_sql(f"{row}.body", path)
    words["$kind"], words["$value"] = key_sql("body", path)
    return _filled_in(_INDEXES[query].sql, words)


def _filled_in(sql: str, words: dict[str, str]) -> str:
    """In one pass: a property's name may hold what looks like another word."""
    pattern = re.compile("|".join(re.escape(word) for word in words))
    return pattern.sub(lambda found: words[found[0]], sql)
