"""``/healthz`` (the process answers) and ``/readyz`` (it can take events)."""

from typing import Any

import msgspec
from litestar import Request, get
from litestar.datastructures import State

from dialoom.http.history import service_of


class Health(msgspec.Struct, frozen=True):
    status: str


@get("/healthz", tags=["Service"], operation_id="health", summary="The process answers", sync_to_thread=False)
def healthz() -> Health:
    return Health("ok")


@get("/readyz", tags=["Service"], operation_id="ready", summary="The store answers")
async def readyz(request: Request[Any, Any, State]) -> Health:
    """503 while the store is away."""
    await service_of(request.app.state).store.bots()
    return Health("ok")
