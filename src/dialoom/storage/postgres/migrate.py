"""Brings a database's tables to the shape this release knows: forward only, each step in one transaction, under a lock.

A process of the release before goes on while the next one rolls out: each step says which code still works with it.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from dialoom.errors import StoreError
from dialoom.storage.postgres.connection import FAILURES, SCHEMA, connect
from dialoom.storage.postgres.failures import at_start, explain, name_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dialoom.storage.postgres.connection import Connection

FOLDER = Path(__file__).parent / "migrations"
LOCK = 0x4449414C4F4F4D
"""Of the advisory lock under which tables are changed ("DIALOOM")."""
LOCK_SECONDS = 60
_WORKS_WITH = re.compile(r"^-- works with: (\d+)$", re.MULTILINE)


class Step(msgspec.Struct, frozen=True):
    """``works_with``: the least number of steps that code must know to work on the tables after this one."""

    number: int
    works_with: int
    sql: str


def steps(folder: Path = FOLDER) -> list[Step]:
    """``0001_first.sql``, ``0002_...``: numbered without a gap, each with its line ``-- works with: N``."""
    found: list[Step] = []
    for number, file in enumerate(sorted(folder.glob("*.sql")), 1):
        sql = file.read_text("utf-8")
        said = _WORKS_WITH.search(sql)
        if int(file.name[:4]) != number or said is None or not 1 <= int(said[1]) <= number:
            raise ValueError(f'{file.name}: migrations are numbered 0001, 0002 ... and have a line "-- works with: N"')
        found.append(Step(number, int(said[1]), sql))
    return found


async def migrate(url: str, known: Sequence[Step]) -> None:
    """Run the steps that this database has not seen. Processes that start together wait for each other."""
    where = name_of(url)
    connection = await connect(url, seconds=0)
    try:
        await connection.execute(f"set lock_timeout = '{LOCK_SECONDS}s'")
        async with connection.transaction():
            await connection.execute(f"select pg_advisory_xact_lock({LOCK})")
            at = await _at(connection, where, known)
            for step in known[at:]:
                await connection.execute(step.sql)
                await connection.execute("insert into schema_steps values ($1, $2)", step.number, step.works_with)
    except FAILURES as error:
        raise explain(error, where) from None
    finally:
        connection.terminate()


async def _at(connection: Connection, where: str, known: Sequence[Step]) -> int:
    """How many steps the database has seen."""
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
