"""The operator's own indexes: tables of keys that triggers keep, filled and emptied in steps that no turn waits for.

An index of SQLite's own would be made in one transaction, for whose seconds every turn would wait. The steps leave the
data file to the others in between, as a command makes them beside the running service. Two commands may work on one
index at a time: the later takes it over under a mark of its own, and the earlier one's next step is refused.
"""

from __future__ import annotations

import asyncio
import re
import secrets
import time
from typing import Any, NamedTuple

import apsw

from dialoom.errors import StoreError
from dialoom.query import Table
from dialoom.query.sql.sqlite import key_sql
from dialoom.query.tree import parts_of
from dialoom.storage.operator_indexes import check_property, index_name, indexed_table
from dialoom.storage.rows import Collection, IndexRow
from dialoom.storage.sql_files import load
from dialoom.storage.sqlite.writer import Group, Writer, each

_INDEXES = load("sqlite", "indexes")
ALL = _INDEXES["all"]

RECORDS_A_STEP = 200
"""That one commit takes in, or forgets: 2 to 4 ms."""
REST = 3.0
"""How many times as long as a step took the next one waits."""
_NO_RECORD = 0
"""Before the first row."""


class Work(NamedTuple):
    collection: Collection
    property: str
    mark: str


async def add(writer: Writer, collection: Collection, property: str) -> None:
    check_property(collection, property)
    work = Work(collection, property, secrets.token_hex(8))
    while (state := await writer.submit(_make, (work,))) == "going":
        # Keys are missing in it that nobody could tell: it is made again.
        await _let_go(writer, work)
    if state == "ready":
        return
    last = _NO_RECORD
    while last is not None:
        last = await _rested(writer, _fill, (work, last))
    await writer.submit(_finish, (work,))


async def drop(writer: Writer, collection: Collection, property: str) -> bool:
    """Drop an index in steps; return whether there was one. From the first step on nobody uses it, and to the last the
    triggers keep what is left of it true: it holds what people wrote, and that must go with them whenever it is broken
    off."""
    work = Work(collection, property, secrets.token_hex(8))
    if not await writer.submit(_put_off, (work,)):
        return False
    await _let_go(writer, work)
    return True


async def _let_go(writer: Writer, work: Work) -> None:
    while not await _rested(writer, _thin, (work,)):
        pass


def table_for(connection: apsw.Connection, collection: Collection, bot: str) -> Table:
    """Return the collection's table as it is asked for a bot, with the indexes that are ready. They are so as long as
    the transaction lasts that this is called in."""
    rows = connection.execute(_INDEXES["ready"].sql, (collection,)).fetchall()
    return indexed_table(collection, bot, [str(property) for (property,) in rows])


def index_row(row: tuple[Any, ...]) -> IndexRow:
    collection, property, state = row
    return IndexRow(collection, property, is_ready=state == "ready")


async def _rested(writer: Writer, group: Group, payload: tuple[Any, ...]) -> Any:
    begun = time.perf_counter()
    result = await writer.submit(group, payload)
    await asyncio.sleep(REST * (time.perf_counter() - begun))
    return result


# -- on the writer's thread


@each
def _make(connection: apsw.Connection, work: Work) -> str:
    """Begin an index; return its state: to be filled (``making``), to be dropped first, or ready."""
    connection.execute(_INDEXES["begin"].sql, work)
    state = str(connection.execute(_INDEXES["state"].sql, work[:2]).get)
    if state == "making":
        connection.execute(_written("make", work))
    return state


@each
def _fill(connection: apsw.Connection, work: Work, after: int) -> int | None:
    """Put the next records into an index; return the place of the last one, None where all are in."""
    _check(connection, work)
    last: int | None = connection.execute(_written("step", work), (after, RECORDS_A_STEP)).get
    if last is not None:
        connection.execute(_written("fill", work), (after, last))
    return last


@each
def _finish(connection: apsw.Connection, work: Work) -> None:
    _check(connection, work)
    connection.execute(_INDEXES["finish"].sql, work[:2])


@each
def _put_off(connection: apsw.Connection, work: Work) -> bool:
    """Mark an index as one to be dropped; return whether there was one."""
    connection.execute(_INDEXES["let_go"].sql, work)
    return bool(connection.changes())


@each
def _thin(connection: apsw.Connection, work: Work) -> bool:
    """Delete the next entries of an index; return whether none is left and it is gone."""
    _check(connection, work)
    connection.execute(_written("thin", work), (RECORDS_A_STEP,))
    is_last = connection.changes() < RECORDS_A_STEP
    if is_last:
        connection.execute(_written("unmake", work))
        connection.execute(_INDEXES["remove"].sql, work[:2])
    return is_last


def _check(connection: apsw.Connection, work: Work) -> None:
    """Raise ``StoreError`` where another command has taken over the index. Checked in the transaction of each step, so
    that of two commands at once the later one alone goes on."""
    if not connection.execute(_INDEXES["is_mine"].sql, work).get:
        raise StoreError(
            f"Another command, which adds or drops it, has taken over the index on {work.property} of "
            f"{work.collection}. Let that one end. See: dialoom index list"
        )


def _written(query: str, work: Work) -> str:
    """Return a statement for an index. Only names of our making go in, and the property as the compiler writes it."""
    path = parts_of(work.property)
    words = {"$name": index_name(work.collection, work.property), "$table": work.collection}
    for row in ("new", "old"):
        words[f"${row}_kind"], words[f"${row}_value"] = key_sql(f"{row}.body", path)
    words["$kind"], words["$value"] = key_sql("body", path)
    return _filled_in(_INDEXES[query].sql, words)


def _filled_in(sql: str, words: dict[str, str]) -> str:
    """Replace the words of a statement in one pass: a property's name may hold what looks like another word."""
    pattern = re.compile("|".join(re.escape(word) for word in words))
    return pattern.sub(lambda found: words[found[0]], sql)
