"""Logs a user out for the operator, from a process beside the services.

On a store that processes share, whoever has the chat does it in the chat's order. A store of one process has nobody to
be told: there the turn is run and stored here, and the service, which notices that, reads its chats again.
"""

from __future__ import annotations

from typing import Final

import msgspec

from dialoom.engine.events import LoggedOut
from dialoom.messages import Profile
from dialoom.service.chat import inbound as inbound_events
from dialoom.service.chat.active_chats import ActiveChat, QueuedEvent
from dialoom.service.chat.inbound import InboundEvent
from dialoom.service.chat.inbox import Inbox
from dialoom.service.clock import Clock, IdSource
from dialoom.service.records.erasure import user_of
from dialoom.service.turns.turn import Turns
from dialoom.storage.store import ChatKey, Dedupe, Notice, Overtaken, Store

RETRY_SECONDS: Final = (0.05, 0.1, 0.2, 0.5, 1.0, 2.0)
"""Seconds between two tries, while the user talks to the service."""
MAX_LOOKS: Final = 15
LOOK_EVERY_SECONDS: Final = 1.0
"""Seconds. Processes look for events of chats that nobody has every two."""


class OperatorLogOut:
    def __init__(self, store: Store, inbox: Inbox, turns: Turns, clock: Clock) -> None:
        self._store = store
        self._inbox = inbox
        self._turns = turns
        self._clock = clock
        self._ids = IdSource()

    async def log_out(self, bot: str, user: str, channel: str | None = None) -> bool:
        """Log a user out; return False when that will be done once a service runs that has the bot. Raises
        ``RequestError`` as ``user_of`` does."""
        key = await user_of(self._store, bot, user, channel)
        inbound = self._log_out_event(key)
        if self._store.is_shared:
            return await self._ask_services(key, inbound)
        await self._do(key, inbound)
        return True

    def _log_out_event(self, key: ChatKey) -> InboundEvent:
        now = self._clock.now()
        id = self._ids.make(now)
        profile = Profile(id=key.user, channel=key.channel)
        event = LoggedOut(id=id, now=now, seed=inbound_events.seed(id), profile=profile)
        return InboundEvent(event=event)

    async def _do(self, key: ChatKey, inbound: InboundEvent) -> None:
        for pause in RETRY_SECONDS:
            try:
                await self._turn(key, inbound)
            except Overtaken:
                await self._clock.sleep(pause)
            else:
                return
        await self._turn(key, inbound)

    async def _turn(self, key: ChatKey, inbound: InboundEvent) -> None:
        chat, queued = ActiveChat(key, "held"), QueuedEvent(inbound)
        turn_input = await self._turns.load(chat, queued)
        # It never waits for a call: nothing of the flow is run.
        await self._turns.commit(chat, turn_input, queued, self._turns.begin(turn_input, queued))

    async def _ask_services(self, key: ChatKey, inbound: InboundEvent) -> bool:
        dedupe = Dedupe(f"log-out {inbound.event.id}", b"")
        await self._inbox.accept(ActiveChat(key, "none"), QueuedEvent(msgspec.structs.replace(inbound, dedupe=dedupe)))
        for _ in range(MAX_LOOKS):
            self._store.tell(Notice("inbox", key))
            await self._clock.sleep(LOOK_EVERY_SECONDS)
            seen = await self._store.answered(key, dedupe.key)
            if seen is None or seen.answer is not None:
                return True  # the one without the other: the user was erased meanwhile
        return False
