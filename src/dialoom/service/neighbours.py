"""The other processes on a shared store, as this one meets them: what they tell, and what they have left behind."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from dialoom.errors import StoreError
from dialoom.service.hub import News

if TYPE_CHECKING:
    from collections.abc import Callable

    from dialoom.service.clock import Clock
    from dialoom.service.elsewhere import Elsewhere
    from dialoom.service.holding import Holding
    from dialoom.service.hub import Hub
    from dialoom.service.lives import Live, Lives
    from dialoom.storage.store import ChatKey, Notice, Store

log = logging.getLogger(__name__)

LOOK_EVERY = 2.0
"""Seconds between looks for chats that nobody has, and for those that this process has for nothing."""


class Neighbours:
    """``wake``: have a chat looked into, and what waits there run."""

    def __init__(
        self,
        store: Store,
        lives: Lives,
        holding: Holding,
        elsewhere: Elsewhere,
        hub: Hub,
        clock: Clock,
        wake: Callable[[Live], None],
    ) -> None:
        self._store = store
        self._lives = lives
        self._holding = holding
        self._elsewhere = elsewhere
        self._hub = hub
        self._clock = clock
        self._wake = wake
        self._looks: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Take up what was accepted before the last stop; from here on also what others leave."""
        if self._store.is_shared:
            self._store.listen(self.hear)
            self._looks = asyncio.get_running_loop().create_task(self._look_around())
        await self.take_orphans()

    async def stop(self) -> None:
        if self._looks is not None:
            self._looks.cancel()
            await asyncio.gather(self._looks, return_exceptions=True)

    async def _look_around(self) -> None:
        while True:
            await self._clock.sleep(LOOK_EVERY)
            try:
                await self._holding.let_go_idle()
                await self.take_orphans()
            except StoreError as error:
                log.warning("chats that nobody has wait for the store: %s", error)
            except Exception:
                # The outermost loop of these looks: they go on.
                log.exception("fault in the look for chats that nobody has")

    async def take_orphans(self) -> None:
        """Chats with waiting events that no living process has."""
        for key in await self._store.orphans():
            if not self._holding.is_shunned(key):
                live = self._lives.take(key)
                self._holding.doubt(live)
                self._wake(live)

    def hear(self, notice: Notice) -> None:
        key = notice.key
        if key is None:
            self._holding.lost()
            # Notices are lost as well.
            self._elsewhere.doubt_all()
            self._hub.tell_all(News(is_elsewhere=True))
        elif notice.kind == "inbox":
            self._look_into(key)
        elif notice.kind == "said":
            if (live := self._lives.find(key)) is not None:
                self._holding.doubt(live)
            self._elsewhere.said(key)
            self._hub.tell(key, News(typing=False, is_elsewhere=True))
        else:
            is_typing = notice.kind == "typing"
            self._elsewhere.set_typing(key, on=is_typing)
            self._hub.tell(key, News(typing=is_typing))

    def _look_into(self, key: ChatKey) -> None:
        # Also where we think that we do not have it: a lease of which we did not learn is ours to serve.
        live = self._lives.find(key)
        if live is not None and not self._holding.is_shunned(key):
            self._wake(live)
