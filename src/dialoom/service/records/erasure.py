"""Erases all that is stored of one user on one channel, in every table, file and process.

The store deletes rows; what its log may still hold of them is scrubbed here, at once or by a scheduled job: while the
log is read, and after a crash. Backups are left to the operator.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta

from dialoom.errors import RequestError
from dialoom.messages.records import time_schema
from dialoom.service.access.studio_rows import delete_rows_that_begin, hash_chat
from dialoom.service.bots.bots import Deployed
from dialoom.service.bots.scheduled_jobs import bring_forward
from dialoom.service.clock import Clock, iso
from dialoom.service.turns.hand_off_list import HandOffList
from dialoom.service.turns.runner import Runner
from dialoom.service.turns.traces import Traces
from dialoom.storage.store import ChatKey, Store

log = logging.getLogger(__name__)

NAME: Final = "scrub"
TRY_OUTS: Final = "try-out"
"""Kind of the rows of try-outs; those that were begun from a conversation have ids that begin with its chat's hash."""
BATCH: Final = 64
"""Records of one step. A pause as long as the step leaves turns half of the time."""
SCRUB_AGAIN_MS: Final = 10_000
"""Milliseconds after which a log that was being read is scrubbed again: as long as a history query may take."""
INTERRUPTED_AFTER_MS: Final = 60_000
"""Milliseconds without a step after which an erasure counts as interrupted, and its job scrubs the log. A step takes
some milliseconds, and some seconds where another process holds the file."""


class Copy(msgspec.Struct, frozen=True):
    """A place in a bot's files that holds a sentence of the user, or a test made from their conversation."""

    version: Annotated[str, Meta(description="`draft`, or `active version`.", examples=["draft"])]
    file: Annotated[str, Meta(description="The file's name.", examples=["tests/order.json"])]
    path: Annotated[str, Meta(description="A JSON pointer.", examples=["/scenarios/0/steps/2/user/text"])]


class Receipt(msgspec.Struct, frozen=True, rename="camel"):
    """What was erased of a person. Keep it as your proof; it holds nothing of what was said."""

    user: Annotated[str, Meta(description="The user's id.", examples=["ada"])]
    channel: Annotated[str, Meta(description="The channel's id.", examples=["rest"])]
    conversations: Annotated[int, Meta(description="Conversations that were deleted.", examples=[12])]
    messages: Annotated[int, Meta(description="Messages that were deleted.", examples=[148])]
    files: Annotated[int, Meta(description="Files that were deleted.", examples=[1])]
    deliveries: Annotated[int, Meta(description="Deliveries to the outside that were deleted.", examples=[0])]
    memory: Annotated[bool, Meta(description="Whether a memory of the user was deleted.", examples=[True])]
    erased_at: Annotated[str, time_schema("When it was done.", "2026-11-21T09:00:00.000Z")]
    log: Annotated[
        Literal["truncated", "pending", "operator"],
        Meta(
            description="The database's own log: `truncated`, `pending` (as soon as nobody reads from it), or the"
            " `operator`'s (PostgreSQL).",
            examples=["truncated"],
        ),
    ]
    try_outs: Annotated[
        int, Meta(description="Try-outs of the studio that were played from their conversations.", examples=[0])
    ] = 0
    copies: Annotated[
        tuple[Annotated[Copy, Meta(description="One such place.")], ...],
        Meta(
            description="Where the bot's tests and training hold what the user said. They are their author's files:"
            " change them yourself, and publish.",
            examples=[[]],
        ),
    ] = ()


class Erasure:
    """Erases users, step by step."""

    def __init__(self, store: Store, runner: Runner, clock: Clock, traces: Traces, hand_offs: HandOffList) -> None:
        self._store = store
        self._runner = runner
        self._clock = clock
        self._traces = traces
        self._hand_offs = hand_offs

    async def erase(self, bot: str, user: str, channel: str | None = None, *, whole: bool = False) -> Receipt:
        """Erase the user; what comes from them later comes from somebody unknown. Erasing again completes an erasure
        that was interrupted. ``whole``: as for ``Store.scrub``. Raises ``RequestError`` as ``user_of`` does."""
        key = await user_of(self._store, bot, user, channel)
        # From the last step to the scrub only the log holds the user, and erasing again finds nobody: so a job is
        # planned before. It has a name of its own, so that another erasure does not finish it.
        job = f"{NAME} {secrets.token_hex(8)}"
        scrub_at = 0
        conversations = messages = files = deliveries = try_outs = 0
        had_memory = is_done = False
        loop = asyncio.get_running_loop()
        try:
            while not is_done:
                begun = loop.time()
                scrub_at = await self._postpone(bot, job, scrub_at)
                step = await self._store.erase(key, BATCH)
                conversations, messages = conversations + step.conversations, messages + step.messages
                files, deliveries = files + step.files, deliveries + step.deliveries
                had_memory, is_done = had_memory or step.had_memory, step.is_done
                if not is_done:
                    await asyncio.sleep(loop.time() - begun)
            await self._traces.erase(key)
            await self._hand_offs.erase(key)
            try_outs = await delete_rows_that_begin(self._store, bot, TRY_OUTS, hash_chat(key))
        finally:
            self._runner.forget(key)
        log_state = await self._scrub(bot, job, whole=whole)
        log.info(
            "a user of bot %s was erased: %d conversations, %d messages, %d files, %d deliveries; database log %s",
            *(bot, conversations, messages, files, deliveries, log_state),
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
            log=log_state,
            try_outs=try_outs,
        )

    async def _postpone(self, bot: str, job: str, scrub_at: int) -> int:
        """Postpone the job, which runs only when no more steps do. Return its time."""
        now = self._clock.now()
        if self._store.is_shared or scrub_at - now > INTERRUPTED_AFTER_MS // 2:
            return scrub_at
        await bring_forward(self._store, bot, job, now + INTERRUPTED_AFTER_MS)
        return now + INTERRUPTED_AFTER_MS

    async def _scrub(self, bot: str, job: str, *, whole: bool) -> Literal["truncated", "pending", "operator"]:
        if self._store.is_shared:
            return "operator"
        is_clean = await self._store.scrub(whole=whole)
        if not is_clean:
            # One job for all erasures that wait for the same reader.
            await bring_forward(self._store, bot, NAME, self._clock.now() + SCRUB_AGAIN_MS)
        await self._store.finish_job(bot, job, None)
        return "truncated" if is_clean else "pending"


class Scrubbing:
    """Scrubs the log, as a scheduled job, after a reader held that up or an erasure was interrupted."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    async def plan(self, deployed: Deployed) -> None:
        """Plan nothing: an erasure plans the job."""

    async def do(self, bot: str, what: str) -> int | None:
        if await self._store.scrub():
            log.info("nothing is left in the database log of a user of bot %s who was erased", bot)
            return None
        return self._clock.now() + SCRUB_AGAIN_MS


async def user_of(store: Store, bot: str, user: str, channel: str | None) -> ChatKey:
    """Return the chat key of a user's id. Raises ``RequestError``: ``not-found`` if nothing is stored of the user,
    ``several-channels`` if the id is known on several and none is named."""
    known = await store.channels_of(bot, user)
    if not known or (channel is not None and channel not in known):
        where = "" if channel is None else f' on the channel "{channel[:80]}"'
        raise RequestError("not-found", f"Nothing is kept of a user of this id{where}.")
    if channel is None and len(known) > 1:
        raise RequestError(
            "several-channels",
            f"Users of this id are known on several channels: {', '.join(known)}. Say which is meant with channel=.",
        )
    return ChatKey(bot, channel or known[0], user)
