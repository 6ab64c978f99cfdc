"""Receives the notices of other processes on a shared store, and takes over chats that a process has left."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

from dialoom.errors import StoreError
from dialoom.service.chat.active_chats import ActiveChat, ActiveChats
from dialoom.service.chat.hub import Hub, Update
from dialoom.service.clock import Clock
from dialoom.service.cluster.failing_events import FailingEvents
from dialoom.service.cluster.leases import Leases
from dialoom.service.cluster.remote_events import RemoteEvents
from dialoom.storage.store import ChatKey, Notice, Store

log = logging.getLogger(__name__)

LOOK_EVERY_SECONDS = 2.0
"""Seconds between looks for chats that nobody has, for those that this process has for nothing, and for events that
are to be tried again."""
STOP_SECONDS = 1.0
"""That a stop waits for what it has cancelled."""


class Peers:
    """Takes chats over from other processes and hears of what they store. ``wake``: reads a chat's inbox and runs its
    events. ``withdraw``: gives up the deliveries of a chat."""

    def __init__(
        self,
        store: Store,
        active_chats: ActiveChats,
        leases: Leases,
        remote_events: RemoteEvents,
        failing_events: FailingEvents,
        hub: Hub,
        clock: Clock,
        wake: Callable[[ActiveChat], None],
        withdraw: Callable[[ChatKey], None],
    ) -> None:
        self._store = store
        self._active_chats = active_chats
        self._leases = leases
        self._remote_events = remote_events
        self._failing_events = failing_events
        self._hub = hub
        self._clock = clock
        self._wake = wake
        self._withdraw = withdraw
        self._looks: asyncio.Task[None] | None = None
        self._is_stopped = False

    async def start(self) -> None:
        """Take the chats that have waiting events and no holder, at the start and from then on."""
        self._store.listen(self.receive)
        self._looks = asyncio.get_running_loop().create_task(self._look_around())
        await self.take_orphans()

    async def stop(self) -> None:
        self._is_stopped = True
        if self._looks is not None:
            self._looks.cancel()
            # Not for ever: a driver's own waiting may swallow a cancellation.
            await asyncio.wait([self._looks], timeout=STOP_SECONDS)

    async def _look_around(self) -> None:
        while not self._is_stopped:
            await self._clock.sleep(LOOK_EVERY_SECONDS)
            try:
                self._try_failing()
                if self._store.is_shared:
                    await self._leases.let_go_idle()
                    await self.take_orphans()
            except StoreError:
                pass  # ``store_outage`` has told the operator
            except Exception:
                # The outermost loop of these looks: they go on.
                log.exception("fault in the look for chats that nobody has")

    async def take_orphans(self) -> None:
        """Take the chats with waiting events that no living process holds."""
        for key in await self._store.orphans():
            if not self._failing_events.is_resting(key):
                chat = self._active_chats.take(key)
                chat.doubt()
                self._wake(chat)

    def _try_failing(self) -> None:
        for key in self._failing_events.due():
            chat = self._active_chats.take(key)
            if not chat.busy:
                chat.doubt()
                self._wake(chat)

    def receive(self, notice: Notice) -> None:
        key = notice.key
        if notice.kind == "erased":
            self.forget(key)
        elif key is None:
            self._leases.lost()
            # Notices are lost as well.
            self._remote_events.doubt_all()
            self._hub.tell_all(Update(is_remote=True))
        elif notice.kind == "inbox":
            self._look_into(key)
        elif notice.kind == "said":
            if (chat := self._active_chats.find(key)) is not None:
                chat.doubt()
            self._remote_events.said(key)
            self._hub.tell(key, Update(typing=False, is_remote=True))
        else:
            is_typing = notice.kind == "typing"
            self._remote_events.set_typing(key, on=is_typing)
            self._hub.tell(key, Update(typing=is_typing))

    def forget(self, key: ChatKey | None) -> None:
        """Forget a chat whose user was erased (None: any may have been). A caller that waits for an answer is told once
        the store was asked."""
        active_chats = self._active_chats.all() if key is None else filter(None, [self._active_chats.find(key)])
        for chat in active_chats:
            chat.doubt()
            if chat.has_accepted():
                self._wake(chat)
        news = Update(typing=False, is_remote=True)
        if key is None:
            self._remote_events.doubt_all()
            self._hub.tell_all(news)
        else:
            self._failing_events.forget(key)
            self._withdraw(key)
            self._remote_events.said(key)
            self._hub.tell(key, news)

    def _look_into(self, key: ChatKey) -> None:
        # Also where we think that we do not have it: a lease of which we did not learn is ours to serve.
        chat = self._active_chats.find(key)
        if chat is not None and not self._failing_events.is_resting(key):
            self._wake(chat)
