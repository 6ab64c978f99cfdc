"""Looks for damaged pages in the SQLite data file, all day, so that an operator learns of them before users do.

How pages are read is ``storage.sqlite.condition``'s. PostgreSQL checks its own pages. A service whose file is damaged
goes on serving what can still be read: another process could not serve more of it.
"""

from __future__ import annotations

import logging
from typing import Final, Protocol

from dialoom.errors import StoreError
from dialoom.service.clock import Clock
from dialoom.storage.errors import Damaged
from dialoom.storage.store import PAGES_CHECKED, Store

log = logging.getLogger(__name__)

LOOK_EVERY_SECONDS: Final = 60.0
PASS_EVERY_MS: Final = 30 * 60 * 1000
"""Milliseconds between two passes: with what a pass takes, less than an hour from the damage to the word of it."""
MAX_OFTEN_BYTES: Final = 10 * 1024**3
"""Of a file that is read so often. A larger one is read once a day: a pass may take many minutes."""
LARGE_PASS_EVERY_MS: Final = 24 * 3600 * 1000


class Pages(Protocol):
    """Checks the pages of a database. ``check`` returns what is damaged. Both raise ``StoreError``."""

    def open(self) -> None: ...

    async def close(self) -> None: ...

    async def size(self) -> int: ...

    async def check(self) -> tuple[str, ...]: ...


class PageWatch:
    def __init__(self, pages: Pages, store: Store, clock: Clock) -> None:
        self._pages = pages
        self._store = store
        self._clock = clock
        self._tried_at: int | None = None
        """Of the last pass of this process, by the elapsed time."""
        self.checked_at: int | None = None
        """When the last pass ended that found all pages right, milliseconds since 1970."""
        self.damage: tuple[str, ...] = ()
        """What the last pass of this process found."""

    async def run(self) -> None:
        """Check pages until cancelled."""
        self._pages.open()
        try:
            while True:
                # Not at once: a start has other things to read.
                await self._clock.sleep(LOOK_EVERY_SECONDS)
                try:
                    await self.look()
                except StoreError as error:
                    log.warning("the pages of the database could not be checked: %s", error)
        finally:
            await self._pages.close()

    async def look(self) -> None:
        """Make a pass when one is due."""
        self.checked_at = (await self._store.marks()).get(PAGES_CHECKED)
        if self._is_fresh(is_large=await self._pages.size() > MAX_OFTEN_BYTES):
            return
        self._tried_at = self._clock.elapsed()
        try:
            found = await self._pages.check()
        except Damaged as error:
            found = (str(error),)
        self._note(found)
        if not found:
            self.checked_at = self._clock.now()
            await self._store.set_mark(PAGES_CHECKED, self.checked_at)

    def _is_fresh(self, *, is_large: bool) -> bool:
        """Return whether the last pass is recent enough: each start makes one, after a crash or a restore most of all;
        of a large file, once a day is enough."""
        if self._tried_at is not None:
            return self._clock.elapsed() - self._tried_at < (LARGE_PASS_EVERY_MS if is_large else PASS_EVERY_MS)
        is_known = self.checked_at is not None and 0 <= self._clock.now() - self.checked_at < LARGE_PASS_EVERY_MS
        return is_large and is_known

    def _note(self, found: tuple[str, ...]) -> None:
        """Log each change once."""
        if found and found != self.damage:
            log.error(
                "pages of the database are damaged (%s). Stop the service and restore the database from a backup; "
                "until then it serves what can still be read",
                "; ".join(found),
            )
        elif self.damage and not found:
            log.info("no page of the database is damaged any more")
        self.damage = found
