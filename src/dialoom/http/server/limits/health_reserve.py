"""Answers health checks also when all connections are taken: whoever asks would else restart a service, or send people
elsewhere, that only has many clients.

A connection beyond those that there may be waits here for its request: a health check is answered, all else is told
that there are too many. Strangers cannot keep the places: of those who have not asked yet, the one that waited longest
makes room.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable

MAX_RESERVED = 32
"""Connections that wait for their request, and as many again that are being answered."""
HEALTH_PATHS = frozenset({b"/healthz", b"/readyz"})


class HealthReserve:
    def __init__(self, most: int = MAX_RESERVED) -> None:
        self._most = most
        self._waiting: dict[Hashable, Callable[[], None]] = {}
        self._answered: set[Hashable] = set()

    def enter(self, connection: Hashable, refuse: Callable[[], None]) -> bool:
        """Let a connection wait for its request; return False where no health check could be answered now. ``refuse``
        is called when it has to make room."""
        if len(self._answered) >= self._most:
            return False
        if len(self._waiting) >= self._most:
            oldest = next(iter(self._waiting))
            self._waiting.pop(oldest)()
        self._waiting[connection] = refuse
        return True

    def answer(self, connection: Hashable, url: bytes) -> bool:
        """Return whether the request of a connection that waited is to be answered: it is a health check."""
        if self._waiting.pop(connection, None) is None or url.partition(b"?")[0] not in HEALTH_PATHS:
            return False
        self._answered.add(connection)
        return True

    def leave(self, connection: Hashable) -> None:
        """Forget a connection that was closed."""
        self._waiting.pop(connection, None)
        self._answered.discard(connection)
