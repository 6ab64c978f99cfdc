"""The other processes on a shared store, as this one meets them: what they tell, and what they have left behind."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from dialoom.errors import StoreError
from dialoom.service.chat.hub import Update
from dialoom.service.cluster.failing_events import StoreOutage

if TYPE_CHECKING:
    from collections.abc import Callable

    from dialoom.service.chat.active_chats import ActiveChat, ActiveChats
    from dialoom.service.chat.hub import Hub
    from dialoom.service.clock import Clock
    from dialoom.service.cluster.failing_events import FailingEvents
    from dialoom.service.cluster.leases import Leases
    from dialoom.service.cluster.remote_events import RemoteEvents
    from dialoom.storage.store import ChatKey, Notice, Store

log = logging.getLogger(__name__)

LOOK_EVERY = 2.0
"""Seconds between looks for chats that nobody has, for those that this process has for nothing, and for events that
are to be tried again."""
LAST_SECONDS = 1.0
"""That a stop waits for what it has cancelled."""


class Peers:
    """``wake``: have a chat looked into, and what waits there run. ``withdraw``: give up what is to be posted of it."""

    def __init__(
        self,
        store: Store,
        lives: ActiveChats,
        holding: Leases,
        elsewhere: RemoteEvents,
        stuck: FailingEvents,
        hub: Hub,
        clock: Clock,
        wake: Callable[[ActiveChat], None],
        withdraw: Callable[[ChatKey], None],
    ) -> None:
        self._store = store
        self._lives = lives
        self._holding = holding
        self._elsewhere = elsewhere
        self._stuck = stuck
        self._hub = hub
        self._clock = clock
        self._wake = wake
        self._withdraw = withdraw
        self._looks: asyncio.Task[None] | None = None
        self._is_stopped = False
        self._away = StoreOutage(log, "chats that nobody has")

    async def start(self) -> None:
        """Take up what was accepted before the last stop; from here on also what others leave."""
        self._store.listen(self.hear)
        self._looks = asyncio.get_running_loop().create_task(self._look_around())
        await self.take_orphans()

    async def stop(self) -> None:
        self._is_stopped = True
        if self._looks is not None:
            self._looks.cancel()
            # Not for ever: a driver's own waiting may swallow a cancellation.
            await asyncio.wait([self._looks], timeout=LAST_SECONDS)

    async def _look_around(self) -> None:
        while not self._is_stopped:
            await self._clock.sleep(LOOK_EVERY)
            try:
                self._try_stuck()
                if self._store.is_shared:
                    await self._holding.let_go_idle()
                    await self.take_orphans()
            except StoreError as error:
                self._away.note(error)
            except Exception:
                # The outermost loop of these looks: they go on.
                log.exception("fault in the look for chats that nobody has")
            else:
                self._away.is_over()

    async def take_orphans(self) -> None:
        """Chats with waiting events that no living process has."""
        for key in await self._store.orphans():
            if not self._stuck.is_resting(key):
                live = self._lives.take(key)
                live.doubt()
                self._wake(live)

    def _try_stuck(self) -> None:
        for key in self._stuck.due():
            live = self._lives.take(key)
            if not live.busy:
                live.doubt()
                self._wake(live)

    def hear(self, notice: Notice) -> None:
        key = notice.key
        if notice.kind == "erased":
            self.forget(key)
        elif key is None:
            self._holding.lost()
            # Notices are lost as well.
            self._elsewhere.doubt_all()
            self._hub.tell_all(Update(is_elsewhere=True))
        elif notice.kind == "inbox":
            self._look_into(key)
        elif notice.kind == "said":
            if (live := self._lives.find(key)) is not None:
                live.doubt()
            self._elsewhere.said(key)
            self._hub.tell(key, Update(typing=False, is_elsewhere=True))
        else:
            is_typing = notice.kind == "typing"
            self._elsewhere.set_typing(key, on=is_typing)
            self._hub.tell(key, Update(typing=is_typing))

    def forget(self, key: ChatKey | None) -> None:
        """A user was erased (None: somebody may have been). What is known of the chat is known no more; whoever waits
        in it for an answer that will not come is told once the store was asked."""
        lives = self._lives.all() if key is None else filter(None, [self._lives.find(key)])
        for live in lives:
            live.doubt()
            if live.has_accepted():
                self._wake(live)
        news = Update(typing=False, is_elsewhere=True)
        if key is None:
            self._elsewhere.doubt_all()
            self._hub.tell_all(news)
        else:
            self._stuck.forget(key)
            self._withdraw(key)
            self._elsewhere.said(key)
            self._hub.tell(key, news)

    def _look_into(self, key: ChatKey) -> None:
        # Also where we think that we do not have it: a lease of which we did not learn is ours to serve.
        live = self._lives.find(key)
        if live is not None and not self._stuck.is_resting(key):
            self._wake(live)
