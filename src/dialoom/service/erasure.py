"""Erases a person: all that is kept of one user on one channel, in every table, file and process (history-api.md).

How rows are deleted is the store's; what its log may still hold of them is scrubbed here, now or, while somebody reads
from it, by a chore. Backups are the operator's.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Final, Literal

import msgspec

from dialoom.errors import RequestError
from dialoom.service.chores import bring_forward
from dialoom.service.clock import iso
from dialoom.storage.store import ChatKey

if TYPE_CHECKING:
    from dialoom.service.bots import Deployed
    from dialoom.service.clock import Clock
    from dialoom.service.runner import Runner
    from dialoom.storage.store import Store

log = logging.getLogger(__name__)

NAME: Final = "scrub"
BATCH: Final = 64
"""Records of one step. With a pause as long as the step, turns have half of the time."""
SCRUB_AGAIN: Final = 10_000
"""Milliseconds after which a log that was read from is scrubbed again: as long as a history query may take."""


class Receipt(msgspec.Struct, frozen=True, rename="camel"):
    """What was erased. ``memory``: whether there was any."""

    user: str
    channel: str
    conversations: int
    messages: int
    files: int
    deliveries: int
    memory: bool
    erased_at: str
    log: Literal["truncated", "pending", "operator"]
    """Of the database: nothing of the person is in it any more; it will be so soon; it is the operator's to keep."""


class Erasure:
    def __init__(self, store: Store, runner: Runner, clock: Clock) -> None:
        self._store = store
        self._runner = runner
        self._clock = clock

    async def erase(self, bot: str, user: str, channel: str | None = None, *, whole: bool = False) -> Receipt:
        """Once it returns, nothing is left; what comes from then on comes from somebody unknown. One that was broken
        off is ended by another. ``whole``: as ``Store.scrub`` means it. Raises ``RequestError`` as ``user_of`` does."""
        key = await user_of(self._store, bot, user, channel)
        conversations = messages = files = deliveries = 0
        had_memory = is_done = False
        loop = asyncio.get_running_loop()
        try:
            while not is_done:
                begun = loop.time()
                step = await self._store.erase(key, BATCH)
                conversations, messages = conversations + step.conversations, messages + step.messages
                files, deliveries = files + step.files, deliveries + step.deliveries
                had_memory, is_done = had_memory or step.had_memory, step.is_done
                if not is_done:
                    await asyncio.sleep(loop.time() - begun)
            # Tokens of a user (logins come with the identity providers) are to be revoked and deleted here.
        finally:
            self._runner.forget(key)
        told = await self._scrub(bot, whole=whole)
        log.info(
            "a user of bot %s was erased: %d conversations, %d messages, %d files, %d deliveries; database log %s",
            *(bot, conversations, messages, files, deliveries, told),
        )
        return Receipt(
            user=user,
            channel=key.channel,
            conversations=conversations,
            messages=messages,
            files=files,
            deliveries=deliveries,
            memory=had_memory,
            erased_at=iso(self._clock.now()),
            log=told,
        )

    async def _scrub(self, bot: str, *, whole: bool) -> Literal["truncated", "pending", "operator"]:
        if self._store.is_shared:
            return "operator"
        if await self._store.scrub(whole=whole):
            return "truncated"
        await bring_forward(self._store, bot, NAME, self._clock.now() + SCRUB_AGAIN)
        return "pending"


class Scrubbing:
    """The work of the chore that ends what a reader has held up, also after a restart."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    async def plan(self, deployed: Deployed) -> None:
        """It is planned when it is needed."""

    async def do(self, bot: str, what: str) -> int | None:
        if await self._store.scrub():
            log.info("nothing is left in the database log of a user of bot %s who was erased", bot)
            return None
        return self._clock.now() + SCRUB_AGAIN


async def user_of(store: Store, bot: str, user: str, channel: str | None) -> ChatKey:
    """The one whom an id means. Raises ``RequestError``: 404 for one of whom nothing is kept, 409 for one of several
    channels."""
    known = await store.channels_of(bot, user)
    if not known or (channel is not None and channel not in known):
        where = "" if channel is None else f' on the channel "{channel[:80]}"'
        raise RequestError(404, "not-found", f"Nothing is kept of a user of this id{where}.")
    if channel is None and len(known) > 1:
        raise RequestError(
            409,
            "several-channels",
            f"Users of this id are known on several channels: {', '.join(known)}. Say which is meant with channel=.",
        )
    return ChatKey(bot, channel or known[0], user)
