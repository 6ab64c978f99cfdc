"""The service on a port of loopback beside the stand-in of a platform, in one process: both call each other as they
would over the network."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
import uvicorn
from tests.http.support import FLOW, TRAINING, write_bot
from tests.live import free_port
from tests.stores import TemporaryStore

from dialoom.channels import CHANNELS
from dialoom.http.app import App
from dialoom.service.service import Service, build_service, running
from dialoom.service.settings import Settings

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from dialoom.testing.clock import MovedClock


class Running(NamedTuple):
    """A running service."""

    service: Service
    url: str

    async def settled(self) -> None:
        """Wait until nothing of what the bot has said is on its way."""
        await self.service.signals.settled()
        await self.service.outbox.settled()


@contextlib.asynccontextmanager
async def running_service(
    folder: Path,
    channel: dict[str, Any],
    flow: dict[str, Any] = FLOW,
    training: dict[str, Any] = TRAINING,
    port: int | None = None,
    providers: Any = None,
    clock: MovedClock | None = None,
    **settings: Any,
) -> AsyncIterator[Running]:
    """Run the tea bot with one channel; ``settings`` say where the platform is. ``providers``: stands in for the
    identity providers of logins. ``clock``: this machine's by default."""
    port = port or free_port()
    (folder / "data").mkdir(parents=True, exist_ok=True)
    named = Settings(data=str(folder / "data"), port=port, **settings)
    service = await asyncio.to_thread(
        build_service, named, CHANNELS, store=TemporaryStore(), own_port=port, clock=clock
    )
    bot = write_bot(
        folder / "tea", {"id": "tea", "access-token": "history-token-of-tea", "channels": [channel]}, flow, training
    )
    async with running(service, [bot], lambda: 0.5):
        seen = service if providers is None else msgspec.structs.replace(service, providers=providers)
        app = await asyncio.to_thread(App, seen, f"http://127.0.0.1:{port}", None)
        server = uvicorn.Server(uvicorn.Config(app, port=port, log_level="error", lifespan="off"))
        serving = asyncio.create_task(server.serve())
        while not server.started:  # noqa: ASYNC110  # the server has no event for it
            await asyncio.sleep(0.01)
        try:
            yield Running(service, f"http://127.0.0.1:{port}")
        finally:
            server.should_exit = True
            await serving
