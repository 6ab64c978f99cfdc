"""``/healthz`` (the process answers) and ``/readyz`` (it can take events)."""

import asyncio
from typing import Any

import msgspec
from litestar import Request, get
from litestar.datastructures import State

from dialoom.errors import RequestError, StoreError
from dialoom.http.history import service_of

STORE_WITHIN = 2.0
"""Seconds that the store has for its answer: who asks has little patience, and another process to turn to."""


class Health(msgspec.Struct, frozen=True):
    status: str


class Door(msgspec.Struct):
    """``is_closing``: the service was told to stop, and new work should go elsewhere. ``store_within``: seconds."""

    is_closing: bool = False
    store_within: float = STORE_WITHIN


@get("/healthz", tags=["Service"], operation_id="health", summary="The process answers", sync_to_thread=False)
def healthz() -> Health:
    return Health("ok")


@get("/readyz", tags=["Service"], operation_id="ready", summary="The service takes events")
async def readyz(request: Request[Any, Any, State]) -> Health:
    """503 while the store is away or the service stops."""
    door: Door = request.app.state.door
    if door.is_closing:
        raise RequestError(503, "stopping", "The service is stopping. Ask another process.")
    try:
        async with asyncio.timeout(door.store_within):
            await service_of(request.app.state).store.bots()
    except TimeoutError as error:
        raise StoreError(f"The store did not answer within {door.store_within:g} s.") from error
    return Health("ok")
