"""Opens PostgreSQL stores for tests, and closes them at the end."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator

from dialoom.storage.postgres.heartbeat import HeartbeatTimes
from dialoom.storage.postgres.store import PostgresStore

SLOW = HeartbeatTimes(beat=3600, void=3600, lost=3600)
"""No beat after the first, so that a test alone says when time goes by, and nobody is taken for dead meanwhile."""


@contextlib.asynccontextmanager
async def opened(
    url: str, history_url: str | None = None, *, rhythm: HeartbeatTimes = SLOW
) -> AsyncIterator[PostgresStore]:
    store = PostgresStore(url, history_url, rhythm=rhythm)
    await store.open()
    try:
        yield store
    finally:
        await store.close()
