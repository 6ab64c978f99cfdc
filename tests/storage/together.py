"""Several stores side by side, for tests that draw many cases."""

from __future__ import annotations

import asyncio
import itertools
import secrets
import threading
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Coroutine

    from dialoom.storage.store import Store


class Stores:
    """All three, on an event loop of their own that goes on between the drawn cases (PostgreSQL's beats with it)."""

    def __init__(self, *stores: Store) -> None:
        self.stores = stores
        # The database is not this file's alone.
        run = secrets.token_hex(4)
        self.bots = (f"bot {run} {number}" for number in itertools.count())
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever)
        self._thread.start()
        for store in stores:
            self.run(store.open())

    def run(self, work: Coroutine[Any, Any, Any]) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    def close(self) -> None:
        try:
            for store in self.stores:
                self.run(store.close())
        finally:
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()
            self._loop.close()
