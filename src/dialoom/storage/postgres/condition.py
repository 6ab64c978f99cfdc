"""The condition of a PostgreSQL database, asked on one connection that changes nothing."""

from __future__ import annotations

import asyncio
import time

import msgspec

from dialoom.storage.condition import Condition, Late, Waiting, late_before
from dialoom.storage.postgres.connection import FAILURES, Connection, connect
from dialoom.storage.postgres.failures import explain, name_of
from dialoom.storage.postgres.migrate import steps
from dialoom.storage.rows import Version, token_row
from dialoom.storage.sql_files import load

_CONDITION = load("postgres", "condition")
ROUNDS = 3
"""The quickest of so many answers counts: the first ones may find the server asleep."""


async def condition(url: str) -> Condition:
    """Raises ``StoreError`` when the server cannot be reached or does not let us in."""
    connection = await connect(url)
    try:
        return await _look(connection, name_of(url))
    except FAILURES as error:
        raise explain(error, name_of(url)) from None
    finally:
        connection.terminate()


async def _look(connection: Connection, where: str) -> Condition:
    await connection.execute("set default_transaction_read_only = on")
    release, fsync, full_pages, used, most = await connection.fetchrow(_CONDITION["server"].sql)
    seconds, ahead = min([await _answer(connection) for _ in range(ROUNDS)])
    is_made = await connection.fetchval(_CONDITION["is_made"].sql)
    step, works_with = (await connection.fetchrow(_CONDITION["step"].sql) if is_made else None) or (0, 0)
    known = len(await asyncio.to_thread(steps))
    risks = [] if fsync else ["fsync is off: a crash of its machine loses what was written. Set fsync = on there."]
    if not full_pages:
        risks.append("full_page_writes is off: a power loss can damage tables. Set full_page_writes = on there.")
    plain = Condition(
        name=f"PostgreSQL {release.split()[0]}",
        where=where,
        step=step,
        known=known,
        is_too_new=works_with > known,
        seconds=seconds,
        risks=tuple(risks),
        ahead=ahead,
        connections=(used, most),
    )
    if step < known or plain.is_too_new:
        return plain  # its tables may be others than those that the queries name
    return msgspec.structs.replace(
        plain,
        newest=await connection.fetchval(_CONDITION["newest"].sql) or 0,
        tokens=tuple([token_row(tuple(row)) for row in await connection.fetch(_CONDITION["tokens"].sql)]),
        versions=tuple([Version(*row) for row in await connection.fetch(_CONDITION["versions"].sql)]),
        outbox=tuple([Waiting(*row) for row in await connection.fetch(_CONDITION["outbox"].sql)]),
        marks=dict([tuple(row) for row in await connection.fetch(_CONDITION["marks"].sql)]),
        late=tuple([Late(*row) for row in await connection.fetch(_CONDITION["late"].sql, late_before())]),
    )


async def _answer(connection: Connection) -> tuple[float, float]:
    """Return the seconds until the server answered, and by how many its clock is ahead of ours."""
    before = time.time()
    theirs = await connection.fetchval(_CONDITION["clock"].sql)
    after = time.time()
    return after - before, theirs - (before + after) / 2
