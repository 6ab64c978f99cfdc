"""How many connections each address has open, so that none takes those of the others. What is done with one too many
is the connection's own.

A proxy speaks for many, and so does whatever reaches the service over loopback: their connections are not counted.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from dialoom.service.observe.logs import ThrottledLog

if TYPE_CHECKING:
    from dialoom.http.server.client_address import ClientAddresses

log = logging.getLogger(__name__)

QUIET = 60.0
"""Seconds between two lines of the log that say the same."""


class ConnectionsPerAddress:
    """Of one server."""

    def __init__(self, clients: ClientAddresses) -> None:
        self._clients = clients
        self._open: dict[str, int] = {}
        self._refusals = ThrottledLog(log, QUIET)

    def enter(self, host: str | None) -> int:
        """A connection was opened; gives how many its address has now, 0 where they are not counted."""
        name = None if host is None else self._clients.single(host)
        if name is None:
            return 0
        self._open[name] = count = self._open.get(name, 0) + 1
        return count

    def leave(self, host: str | None) -> None:
        """One that entered was closed."""
        name = None if host is None else self._clients.single(host)
        if name is None:
            return
        if self._open[name] == 1:
            del self._open[name]
        else:
            self._open[name] -= 1

    def tell(self, most: int, now: float) -> None:
        """That somebody was refused. Not who: an address may be a person's."""
        self._refusals.warn(
            f"one address has {most} connections open and gets no more. If that is your proxy, name its network in "
            f"DIALOOM_TRUSTED_PROXIES",
            now,
        )
