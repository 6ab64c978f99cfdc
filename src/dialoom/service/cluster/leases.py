"""Takes and releases the leases of chats where several processes share a store, and notes which were lost.

A store of one process has all its chats; here it asks only for what waited in them before its start, and for what is
stored where it cannot know.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence

from dialoom.auth.vault import Vault
from dialoom.errors import DialoomError, StoreError, VaultError
from dialoom.service.chat import chat_row
from dialoom.service.chat.active_chats import ActiveChat, ActiveChats, QueuedEvent
from dialoom.service.chat.inbox import Inbox, internal
from dialoom.service.clock import Clock
from dialoom.service.cluster.failing_events import FailingEvents
from dialoom.service.cluster.remote_events import RemoteEvents
from dialoom.storage.store import ChatKey, Held, Inbound, Store

log = logging.getLogger(__name__)

IDLE_MS = 30_000
"""Milliseconds for which a chat is held after its last event, so that the next one costs nothing more."""
BATCH = 1000
STOP_SECONDS = 2.0
"""That a stop takes to let chats go. Those that are left are free as soon as the store is closed, or this process
counts as gone."""


class Leases:
    def __init__(
        self,
        store: Store,
        vault: Vault,
        inbox: Inbox,
        remote_events: RemoteEvents,
        active_chats: ActiveChats,
        failing_events: FailingEvents,
        clock: Clock,
    ) -> None:
        self._store = store
        self._vault = vault
        self._inbox = inbox
        self._remote_events = remote_events
        self._active_chats = active_chats
        self._failing_events = failing_events
        self._clock = clock
        self._losses = 0
        self._leaving: dict[ChatKey, asyncio.Future[None]] = {}
        """Chats that are being let go: whoever wants one again waits, or it would be let go after it was taken."""

    async def take(self, chat: ActiveChat) -> bool:
        """Take the lease of a chat and put its waiting events into its queue, in order; False while another process has
        it.

        Raises ``VaultError`` for a chat that cannot be read here, and ``RequestError`` for one with an event that is
        not to be tried again yet; a shared one is let go then.
        """
        key = chat.key
        while True:
            if (leaving := self._leaving.get(key)) is not None:
                await asyncio.wait([leaving])
            losses, known = self._losses, {queued.number for queued in chat.queue}
            chat.ask()
            held = await self._store.hold(key)
            if losses == self._losses:
                break  # else it was lost again before we knew that we had it
        if held is None:
            chat.lose()
            self._failing_events.run_by_peer(key)
            return False
        self._failing_events.still(key, {row.number for row in held.waiting})
        try:
            self._take_up(chat, held, known)
        except DialoomError:
            await self.abandon(chat)
            raise
        return True

    def _take_up(self, chat: ActiveChat, held: Held, known: set[int | None]) -> None:
        if self._store.is_shared and self._failing_events.is_resting(chat.key, {row.number for row in held.waiting}):
            raise internal()
        self._put_in_order(chat, held.waiting, known)
        row, loaded = held.chat, chat.loaded
        stored = (0, b"") if row is None else (row.revision, chat_row.mark_of(row.state))
        if loaded is None or (loaded.revision, loaded.mark) != stored:
            try:
                loaded = chat_row.open_chat(self._vault, chat.key, held.chat)
            except VaultError as error:
                self._failing_events.note(chat.key, held.waiting[0].number if held.waiting else None, error)
                raise
        chat.hold(loaded)

    def _put_in_order(self, chat: ActiveChat, rows: Sequence[Inbound], known: set[int | None]) -> None:
        """Make the chat's queue from the rows of its inbox, in order. ``known``: numbers of the queue before the rows
        were read."""
        rest = {queued.inbound.event.id: queued for queued in chat.queue}
        # One that is being accepted now may be in the inbox before we know its number.
        ours = [(row, rest.pop(row.id, None) or self._remote_events.find(chat.key, row.number)) for row in rows]
        accepted: list[QueuedEvent] = []
        for row, queued in [(row, queued or self._waiting(row)) for row, queued in ours]:
            if queued is None:
                continue
            self._remote_events.reclaim(chat.key, row.number)
            queued.number = row.number
            queued.is_committing = False
            queued.set_durable()
            if not chat.is_held:
                queued.journal = None
            accepted.append(queued)
        others: list[QueuedEvent] = []
        for queued in rest.values():
            if queued.number is None:
                others.append(queued)
            elif queued.number in known:
                self._remote_events.leave(chat.key, queued, is_done=True)
            else:
                accepted.append(queued)
        accepted.sort(key=lambda queued: queued.number or 0)
        chat.queue.clear()
        chat.queue.extend([*accepted, *others])

    def _waiting(self, row: Inbound) -> QueuedEvent | None:
        if self._failing_events.is_resting(row.key, {row.number}):
            return None
        try:
            return self._inbox.waiting(row)
        except VaultError as error:
            self._failing_events.note(row.key, row.number, error)
            if self._store.is_shared:
                raise  # nothing behind it can be stored before it; another process may be able to read it
            return None  # the others go on

    def lost(self) -> None:
        """Note that other processes may have taken all leases."""
        self._losses += 1
        self._active_chats.left.clear()
        for chat in self._active_chats.all():
            chat.lose()

    async def abandon(self, chat: ActiveChat) -> None:
        """Release a chat whose events this process cannot run, for other processes to try."""
        chat.doubt()
        if not self._store.is_shared:
            return
        try:
            await self._let_go([chat.key])
        except StoreError:
            log.warning("a chat of bot %s could not be let go", chat.key.bot)

    async def let_go_idle(self) -> None:
        now = self._clock.now()
        idle = self._active_chats.idle_since(now - IDLE_MS, now)
        for chat in idle:
            self._active_chats.forget(chat)
        left, self._active_chats.left = self._active_chats.left, set()
        if left:
            await self._let_go([*left])

    async def let_go_all(self) -> None:
        held = [chat for chat in self._active_chats.all() if chat.may_be_held]
        for chat in held:
            chat.lose()
        left, self._active_chats.left = self._active_chats.left, set()
        try:
            async with asyncio.timeout(STOP_SECONDS):
                await self._let_go([*left, *(chat.key for chat in held)])
        except (StoreError, TimeoutError):
            log.warning("the chats of this process could not be let go")

    async def _let_go(self, keys: Sequence[ChatKey]) -> None:
        gone: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._leaving |= dict.fromkeys(keys, gone)
        try:
            for start in range(0, len(keys), BATCH):
                await self._store.let_go(keys[start : start + BATCH])
        except StoreError:
            # Nobody else may have them, and here nobody knows them: the next look tries again.
            self._active_chats.left |= {key for key in keys if self._active_chats.find(key) is None}
            raise
        finally:
            for key in keys:
                del self._leaving[key]
            gone.set_result(None)
