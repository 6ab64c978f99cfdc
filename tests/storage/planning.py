"""A table of PostgreSQL with rows to plan for: in an empty one every way costs the same, and any may be taken."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from dialoom.storage.postgres.connection import Connection

ROWS = """
insert into conversations
select 'salon', lpad(n::text, 8, '0'), 'ann', 'web', case when n % 60 = 0 then 'success' else 'closed' end,
    'T' || lpad((n * 7919 % 3000)::text, 8, '0'), '', '', '', case when n % 50 = 0 then 1 else 0 end, n % 97, n % 19,
    case when n % 70 = 0 then 'web' else 'rest' end, 'F' || n % 40, case when n % 80 = 0 then 'Li' else 'L' || n end,
    '{}', '{}'
from generate_series(1, 3000) n
"""


@asynccontextmanager
async def full_of_rows(connection: Connection) -> AsyncIterator[None]:
    """The conversations are full until the end of the block, and what is set locally is forgotten then."""
    transaction = connection.transaction()
    await transaction.start()
    try:
        # What is asked is the plan: on a busy machine it may take longer than the service lets a statement.
        await connection.execute("set local statement_timeout = 0")
        await connection.execute(ROWS)
        await connection.execute("analyze conversations")
        yield
    finally:
        await transaction.rollback()
