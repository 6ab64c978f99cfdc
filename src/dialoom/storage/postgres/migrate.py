"""Brings a database's tables to the shape this release knows: forward only, each step in one transaction, under a lock.

A process of the release before goes on while the next one rolls out: each step says which code still works with it.
What would hold it up for long, an index over many rows, is made before the step's transaction and outside of any.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from pathlib import Path

import msgspec

from dialoom.errors import StoreError
from dialoom.storage.postgres.connection import FAILURES, SCHEMA, Connection, connect
from dialoom.storage.postgres.failures import at_start, explain, name_of

FOLDER = Path(__file__).parent / "migrations"
LOCK = 0x4449414C4F4F4D
"""Of the advisory lock under which tables are changed ("DIALOOM")."""
LOOK_EVERY_SECONDS = 0.1
"""Seconds between two looks whether another process is done. Nobody waits inside of a statement: PostgreSQL makes an
index only after all older statements have ended."""
LOCK_SECONDS = 60
_BEFORE = "-- outside a transaction\n"
_INSIDE = "-- in the transaction\n"
_BROKEN_OFF = r"""select c.relname from pg_index i join pg_class c on c.oid = i.indexrelid
where c.relnamespace = to_regnamespace($1) and not i.indisvalid and c.relname like '%\_next'"""
_WORKS_WITH = re.compile(r"^-- works with: (\d+)$", re.MULTILINE)


class Step(msgspec.Struct, frozen=True):
    """``works_with``: the least number of steps that code must know to work on the tables after this one."""

    number: int
    works_with: int
    sql: str
    before: tuple[str, ...] = ()
    """Statements that run first, one by one, and from the beginning again if they were broken off. They make indexes
    under names that end with ``_next``, which the step itself may change."""


def steps(folder: Path = FOLDER) -> list[Step]:
    """Return the steps of a folder: ``0001_first.sql``, ``0002_...``, numbered without a gap, each with its line ``--
    works with: N``."""
    found: list[Step] = []
    for number, file in enumerate(sorted(folder.glob("*.sql")), 1):
        sql = file.read_text("utf-8")
        said = _WORKS_WITH.search(sql)
        if int(file.name[:4]) != number or said is None or not 1 <= int(said[1]) <= number:
            raise ValueError(f'{file.name}: migrations are numbered 0001, 0002 ... and have a line "-- works with: N"')
        before, mark, inside = sql.partition(_BEFORE)[2].partition(_INSIDE)
        statements = tuple(before.strip().removesuffix(";").split(";\n")) if mark else ()
        found.append(Step(number, int(said[1]), inside if mark else sql, statements))
    return found


async def migrate(url: str, known: Sequence[Step]) -> None:
    """Run the steps that this database has not seen. Processes that start together wait for each other."""
    where = name_of(url)
    connection = await connect(url, seconds=0)
    try:
        while not await connection.fetchval(f"select pg_try_advisory_lock({LOCK})"):  # noqa: ASYNC110  # see LOOK_EVERY_SECONDS
            await asyncio.sleep(LOOK_EVERY_SECONDS)
        async with connection.transaction():
            at = await _at(connection, where, known)
        for step in known[at:]:
            await _prepare(connection, step)
            async with connection.transaction():
                await connection.execute(f"set local lock_timeout = '{LOCK_SECONDS}s'")
                await connection.execute(step.sql)
                await connection.execute("insert into schema_steps values ($1, $2)", step.number, step.works_with)
    except FAILURES as error:
        raise explain(error, where) from None
    finally:
        connection.terminate()


async def _prepare(connection: Connection, step: Step) -> None:
    """Run what comes before the step, outside of a transaction. It waits for old readers as long as they take: nobody
    waits for it."""
    if step.before:
        for (name,) in await connection.fetch(_BROKEN_OFF, SCHEMA):
            await connection.execute(f"drop index concurrently {name}")
    for statement in step.before:
        await connection.execute(statement)


async def _at(connection: Connection, where: str, known: Sequence[Step]) -> int:
    """Return how many steps the database has seen."""
    tables = await connection.fetch("select relname from pg_class where relnamespace = to_regnamespace($1)", SCHEMA)
    if not tables:
        # Whoever may not make schemas has one made for them, and empty.
        if await connection.fetchval("select to_regnamespace($1) is null", SCHEMA):
            await connection.execute(f"create schema {SCHEMA}")
        await connection.execute("create table schema_steps (step integer primary key, works_with integer not null)")
        return 0
    if "schema_steps" not in {row[0] for row in tables}:
        raise StoreError(
            f"{at_start(where)} has a schema {SCHEMA} of another program. Name another database, or rename that schema."
        )
    last = await connection.fetchrow("select step, works_with from schema_steps order by step desc limit 1")
    step, works_with = last or (0, 0)
    if works_with > len(known):
        raise StoreError(
            f"{at_start(where)} was written by a newer release (its tables are at step {step}, this release knows "
            f"{len(known)}). Start that release, or restore the backup that was made before it."
        )
    return int(step)
