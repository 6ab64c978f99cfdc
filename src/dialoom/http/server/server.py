"""Runs uvicorn with our connections and our way to stop: it says that it is not ready, then ends what it has begun.

No accepted request is dropped: those of pending connections, or on their way on an open one, are read and answered.
Turns that still run are the service's (``left`` says for how long).
"""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import Callable
from functools import partial
from types import FrameType
from typing import TYPE_CHECKING, Protocol

import uvicorn

from dialoom.http.server.limits.client_address import ClientAddresses, ConnectionsPerAddress
from dialoom.http.server.limits.connection_limits import LIMITS, Limits
from dialoom.http.server.limits.health_reserve import HealthReserve
from dialoom.http.server.limits.slow_readers import SlowReaders
from dialoom.http.server.limits.unfinished_bodies import UnfinishedBodies
from dialoom.http.server.listener import Listener
from dialoom.http.server.protocol import Connection
from dialoom.http.server.request_context import Shutdown

if TYPE_CHECKING:
    from dialoom.http.server.exchange import Receive, Scope, Send

MAX_STOP_SECONDS = 18.0
"""Seconds from the signal, the delay among them, until turns that are not done are dropped unwritten (service.md,
Storage)."""
RESERVED_DESCRIPTORS = 512
"""Files that are open besides the connections of clients: database, data sources, templates."""


class Application(Protocol):
    """Defines an ASGI application that is told of the end of the service."""

    shutdown: Shutdown

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None: ...


class Server(uvicorn.Server):
    """Runs one service until a signal. ``delay``: seconds between the first signal and the closing of the listeners.
    ``clients``: tells them apart, so that one address gets a share of the connections alone. ``greet`` is called once
    the listeners are open."""

    def __init__(
        self,
        app: Application,
        *,
        delay: float = 0.0,
        limits: Limits = LIMITS,
        clients: ClientAddresses | None = None,
        greet: Callable[[], None] = lambda: None,
    ) -> None:
        self._loop = asyncio.get_running_loop()
        self._readers = SlowReaders(self._loop)
        clients = clients or ClientAddresses()
        make = partial(
            Connection,
            limits=limits,
            addresses=ConnectionsPerAddress(clients),
            readers=self._readers,
            bodies=None if limits.unfinished_bytes is None else UnfinishedBodies(clients, limits.unfinished_bytes),
            reserve=HealthReserve(),
        )
        super().__init__(
            uvicorn.Config(
                app,
                http=make,  # type: ignore[arg-type]  # a partial is as good as a class: uvicorn only calls it
                ws="none",
                lifespan="off",
                log_config=None,
                access_log=False,
                server_header=False,
                proxy_headers=False,
                timeout_keep_alive=65,
            )
        )
        self._app = app
        self._delay = delay
        self._greet = greet
        self._listeners: list[Listener] = []
        self.stopped_at: float | None = None
        self.is_open = asyncio.Event()
        """Set once connections are accepted."""

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        # Not uvicorn's own way: it raises the signal again when it is done, before the runner could finish its turns.
        if self.stopped_at is None:
            self.stopped_at = time.monotonic()
            self._loop.call_soon_threadsafe(self._leave)
        else:
            self.force_exit = True
            self._loop.call_soon_threadsafe(self._close)

    def left(self) -> float:
        """Return the seconds that are left of the time to stop; 0 after a second signal."""
        if self.force_exit:
            return 0.0
        return MAX_STOP_SECONDS if self.stopped_at is None else self.stopped_at + MAX_STOP_SECONDS - time.monotonic()

    def _leave(self) -> None:
        """Announce the end by ``/readyz``; go on serving for ``delay`` seconds."""
        self._app.shutdown.is_announced = True
        if self._delay:
            self._loop.call_later(self._delay, self._close)
        else:
            self._close()

    def _close(self) -> None:
        self._app.shutdown.is_announced = True
        # Open event streams end; uvicorn alone would wait for them for ever.
        self._app.shutdown.begun.set()
        self._readers.hurry()
        self.should_exit = True

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Open the listeners. ``sockets``: bound already."""
        await super().startup([])
        self._listeners = [Listener(line, self._connection) for line in sockets or ()]
        for listener in self._listeners:
            listener.open()
        self.is_open.set()
        # Signals are heard by now: whoever stops the service as soon as it says that it runs, stops it in order.
        self._greet()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        for listener in self._listeners:
            await listener.close()
        self.config.timeout_graceful_shutdown = max(1, int(self.left()))
        await super().shutdown()

    def _connection(self) -> asyncio.Protocol:
        made: asyncio.Protocol = self.config.http_protocol_class(  # type: ignore[call-arg]  # as uvicorn calls it
            config=self.config, server_state=self.server_state, app_state={}
        )
        return made


def make_room(connections: int) -> int:
    """Let the process open as many files as these connections take; return how many connections the system allows."""
    try:
        import resource
    except ImportError:
        return connections
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = connections + RESERVED_DESCRIPTORS
    if soft != resource.RLIM_INFINITY and soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return connections if soft == resource.RLIM_INFINITY else max(1, min(connections, soft - RESERVED_DESCRIPTORS))
