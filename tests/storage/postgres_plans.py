"""Plans of PostgreSQL for tables with rows: in an empty one every way costs the same, and any may be taken."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from dialoom.storage.postgres.connection import connect

if TYPE_CHECKING:
    from collections.abc import Sequence

ROWS = """
insert into conversations
select 'salon', lpad(n::text, 8, '0'), 'ann', 'web', case when n % 60 = 0 then 'success' else 'closed' end,
    'T' || lpad((n * 7919 % 3000)::text, 8, '0'), '', '', '', case when n % 50 = 0 then 1 else 0 end, n % 97, n % 19,
    case when n % 70 = 0 then 'web' else 'rest' end, 'F' || n % 40, case when n % 80 = 0 then 'Li' else 'L' || n end,
    '{}', '{}'
from generate_series(1, 3000) n
"""


class Planner:
    """Asks the server for plans in a transaction in which the conversations are full. It has an event loop of its own,
    so that a whole file of tests shares it; ``url`` names a database with our tables."""

    def __init__(self, url: str) -> None:
        self._runner = asyncio.Runner()
        # What is asked is the plan: on a busy machine it may take longer than the service lets a statement.
        self._connection: Any = self._runner.run(connect(url, seconds=0))
        self._runner.run(self._fill())

    async def _fill(self) -> None:
        await self._connection.execute("set idle_in_transaction_session_timeout = 0")
        await self._connection.execute("begin")
        await self._connection.execute(ROWS)
        await self._connection.execute("analyze conversations")

    def explain(self, sql: str, values: Sequence[Any], *, but: Sequence[str], style: str = "text") -> list[str]:
        """Return the lines of a plan that is made without the ways named in ``but`` ("sort" for ``enable_sort``)."""
        return self._runner.run(self._explain(sql, values, but, style))

    async def _explain(self, sql: str, values: Sequence[Any], but: Sequence[str], style: str) -> list[str]:
        await self._connection.execute("savepoint asked")
        for way in but:
            await self._connection.execute(f"set local enable_{way} = off")
        lines = [row[0] for row in await self._connection.fetch(f"explain (format {style}) {sql}", *values)]
        await self._connection.execute("rollback to savepoint asked")
        return lines

    def close(self) -> None:
        """Take the rows back."""
        self._runner.run(self._connection.execute("rollback"))
        self._runner.run(self._connection.close())
        self._runner.close()
