"""Ends work when the client that waits for it goes away: a long query must not run on for nobody.

Twelve clients that asked for a query of 0.2 s and hung up after 0.25 s, again and again, left another one 503
``history-busy`` in place of its answer, as long as their queries ran to the end; with this its answer came in 0.2 to
3 s. The test of it: ``test_a_query_ends_when_its_client_goes_away``.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, TypeVar

from dialoom.errors import RequestError

if TYPE_CHECKING:
    from collections.abc import Coroutine

    from dialoom.http.server.exchange import Exchange

T = TypeVar("T")

GRACE = 0.1
"""Seconds that work may take before somebody looks whether its client is there: most is done by then."""


async def attended(exchange: Exchange, work: Coroutine[Any, Any, T]) -> T:
    """Its result. Raises ``RequestError``, which nobody will read, when the client has gone."""
    working = asyncio.ensure_future(work)
    try:
        done, _ = await asyncio.wait({working}, timeout=GRACE)
        if not done:
            await _or_gone(exchange, working)
        if not working.done():
            raise RequestError("incomplete", "The connection ended before the answer was ready.")
        return working.result()
    finally:
        if not working.done():
            working.cancel()
            await asyncio.gather(working, return_exceptions=True)


async def _or_gone(exchange: Exchange, working: asyncio.Future[Any]) -> None:
    gone = asyncio.ensure_future(exchange.disconnected())
    try:
        await asyncio.wait({working, gone}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        gone.cancel()
