"""Ends work when the client that waits for it goes away: a long query must not run on for nobody.

Twelve clients that asked for a query of 0.2 s and hung up after 0.25 s, again and again, left another one 503
``history-busy`` in place of its answer, as long as their queries ran to the end; with this its answer came in 0.2 to
3 s. The test of it: ``test_a_query_ends_when_its_client_goes_away``.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from dialoom.errors import RequestError
from dialoom.http.server.exchange import Exchange

T = TypeVar("T")

GRACE_SECONDS = 0.1
"""For which the work goes on before somebody looks whether its client is there: most is done by then."""


async def cancel_on_disconnect(exchange: Exchange, work: Coroutine[object, object, T]) -> T:
    """Return the work's result. Raise ``RequestError``, which nobody will read, when the client has gone."""
    working = asyncio.ensure_future(work)
    waiting: set[asyncio.Future[Any]] = {working}
    try:
        await asyncio.wait(waiting, timeout=GRACE_SECONDS)
        if not working.done():
            waiting.add(asyncio.ensure_future(exchange.disconnected()))
            await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            raise RequestError("incomplete", "The connection ended before the answer was ready.")
        return working.result()
    finally:
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
