"""What other servers publish, kept for minutes: however many want it at once, the server is asked once.

Bounded in entries; a failure is kept for seconds only, so that a server that hangs is not asked by each user in turn,
and one that works again is used again. How it is asked is left to the caller.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable
from typing import Final, Generic, TypeVar

from dialoom.errors import RemoteError
from dialoom.service.clock import Clock
from dialoom.service.tasks import cancel_all

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")
Ask = Callable[[], Awaitable[V]]

MAX_ENTRIES: Final = 128
"""Entries. One holds what was read out of 1 MiB at most."""
MAX_AGE_MS: Final = 10 * 60 * 1000
"""Milliseconds. A key that its issuer withdrew is believed no longer than that."""
MAX_FAILURE_AGE_MS: Final = 3_000
COOL_DOWN_MS: Final = 30_000
"""Milliseconds between two look-ups that a value brings about which did not serve (an unknown key)."""


class _Entry(Generic[V]):
    """Holds one cached answer. ``cool_until``: milliseconds since 1970 before which a value that does not serve is not
    requested again."""

    __slots__ = ("cool_until", "found", "until")

    def __init__(self, found: V | RemoteError, until: int, cool_until: int) -> None:
        self.found = found
        self.until = until
        self.cool_until = cool_until


class Cache(Generic[K, V]):
    """Caches answers of other servers, for one event loop."""

    def __init__(self, clock: Clock, most: int = MAX_ENTRIES) -> None:
        self._clock = clock
        self._most = most
        self._entries: OrderedDict[K, _Entry[V]] = OrderedDict()
        self._flights: dict[K, asyncio.Task[V | RemoteError]] = {}

    async def get(self, key: K, ask: Ask[V]) -> V:
        """Return the value, cached or asked for. Raises the ``RemoteError`` of ``ask``, also for a short while
        after."""
        entry = self._entries.get(key)
        if entry is None or entry.until <= self._clock.now():
            return _value(await self._asked(key, ask))
        self._entries.move_to_end(key)
        return _value(entry.found)

    async def newer(self, key: K, than: V, ask: Ask[V]) -> V | None:
        """Look up a newer value than one that did not serve; None where the server was asked just now. A failure
        keeps the cached value."""
        entry = self._entries.get(key)
        if entry is not None and entry.found is not than and not isinstance(entry.found, RemoteError):
            return entry.found
        if entry is not None and key not in self._flights:
            now = self._clock.now()
            if entry.cool_until > now:
                return None
            entry.cool_until = now + COOL_DOWN_MS
        return _value(await self._asked(key, ask))

    async def close(self) -> None:
        """Cancel the look-ups that run."""
        await cancel_all(self._flights.values())

    async def _asked(self, key: K, ask: Ask[V]) -> V | RemoteError:
        flight = self._flights.get(key)
        if flight is None:
            flight = self._flights[key] = asyncio.create_task(self._flight(key, ask))
        # Others may wait for the same answer: who runs out of time must not end it.
        return await asyncio.shield(flight)

    async def _flight(self, key: K, ask: Ask[V]) -> V | RemoteError:
        found: V | RemoteError
        try:
            found = await ask()
        except RemoteError as error:
            found = error.again()
        finally:
            del self._flights[key]
        self._keep(key, found)
        return found

    def _keep(self, key: K, found: V | RemoteError) -> None:
        now, entry = self._clock.now(), self._entries.get(key)
        is_failure = isinstance(found, RemoteError)
        if is_failure and entry is not None and entry.until > now:
            return  # asked for although a value lives: that one stays
        until = now + (MAX_FAILURE_AGE_MS if is_failure else MAX_AGE_MS)
        self._entries[key] = _Entry(found, until, 0 if entry is None else entry.cool_until)
        self._entries.move_to_end(key)
        while len(self._entries) > self._most:
            self._entries.popitem(last=False)


def _value(found: V | RemoteError) -> V:
    if isinstance(found, RemoteError):
        raise found.again()
    return found
