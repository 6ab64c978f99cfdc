"""``/healthz`` (the process answers) and ``/readyz`` (it can take events)."""

import asyncio
from typing import Any

import msgspec
from litestar import Request, get
from litestar.datastructures import State

from dialoom.errors import RequestError, StoreError
from dialoom.http.admission import service_of
from dialoom.storage.store import Store

STORE_WITHIN = 2.0
"""Seconds that the store has for its answer: who asks has little patience, and another process to turn to."""
FRESH = 0.5
"""Seconds for which the store's answer counts: nobody who asks at a gallop may take its connections from the chats."""


class Health(msgspec.Struct, frozen=True):
    status: str


class Door:
    """``is_closing``: the service was told to stop, and new work should go elsewhere. ``store_within``, ``fresh``:
    seconds that the store has for its answer, and for which that answer counts."""

    def __init__(self) -> None:
        self.is_closing = False
        self.store_within = STORE_WITHIN
        self.fresh = FRESH
        self._look: asyncio.Task[None] | None = None
        self._looked_at = 0.0

    async def check(self, store: Store) -> None:
        """Raises ``StoreError``. All who ask while one look is on its way, or fresh, get what that one finds."""
        now = asyncio.get_running_loop().time()
        if self._look is None or (self._look.done() and now - self._looked_at >= self.fresh):
            self._looked_at = now
            self._look = asyncio.create_task(self._ask(store))
        # Whoever hangs up takes the look from nobody else.
        await asyncio.shield(self._look)

    async def _ask(self, store: Store) -> None:
        try:
            async with asyncio.timeout(self.store_within):
                await store.bots()
        except TimeoutError as error:
            raise StoreError(f"The store did not answer within {self.store_within:g} s.") from error


@get("/healthz", tags=["Service"], operation_id="health", summary="The process answers", sync_to_thread=False)
def healthz() -> Health:
    return Health("ok")


@get("/readyz", tags=["Service"], operation_id="ready", summary="The service takes events")
async def readyz(request: Request[Any, Any, State]) -> Health:
    """503 while the store is away or the service stops."""
    door: Door = request.app.state.door
    if door.is_closing:
        raise RequestError(503, "stopping", "The service is stopping. Ask another process.")
    await door.check(service_of(request.app.state).store)
    return Health("ok")
