"""Keeps the values of dynamic entity types fresh: at start and publish, on a schedule, on demand (understanding.md).

A list that cannot be had changes nothing: the last good one stays, and before the first one ``data`` as it is written.
A scheduled job of each type has one of several processes read its list; all get it from the store. What a list means
is left to ``engine.dynamic``, putting it into versions to ``bots``.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable, Iterable
from secrets import SystemRandom
from typing import Annotated, Any, Final, NamedTuple

import msgspec
from msgspec import Meta

from dialoom.engine import dynamic
from dialoom.engine.events import NoResponse
from dialoom.errors import DialoomError, RemoteError, StoreError
from dialoom.messages.records import time_schema
from dialoom.service.bots.bots import Bots, Deployed
from dialoom.service.bots.entity_lists import EntityList, sources
from dialoom.service.bots.outbound_calls import OutboundCalls
from dialoom.service.bots.scheduled_jobs import bring_forward
from dialoom.service.clock import Clock, iso
from dialoom.service.tasks import cancel_all
from dialoom.storage.store import ScheduledJob, Store

log = logging.getLogger(__name__)

MAX_WAIT_SECONDS: Final = 5.0
"""Seconds that a start or a publish waits for lists that it has none of yet; they are read on behind it."""
RETRY_AFTER_SECONDS: Final = 60.0
"""Seconds after a failure until the next try; twice as many after each further one, up to the schedule's own."""
JITTER: Final = 0.1
"""Share of the time between two readings by which it varies, so that many types do not call all at once."""
FRESH_MS: Final = 60_000
"""Milliseconds for which a list needs no other reading when a process starts, or follows another's publish."""
NAME: Final = "dynamic-data"

_between: Callable[[float, float], float] = SystemRandom().uniform


class ListKey(NamedTuple):
    bot: str
    type: str


class _Reading(NamedTuple):
    """Describes one reading of a list by this process, successful or not. ``next_due``: when to read it next."""

    ended_at: int
    next_due: int | None


class Refreshed(msgspec.Struct, frozen=True, rename="camel"):
    """Reports the result of reading a list."""

    type: Annotated[str, Meta(description="The entity type.", examples=["City"])]
    values: Annotated[
        int, Meta(description="Values of the type now, those that stand in `data` included.", examples=[214])
    ]
    changed: Annotated[bool, Meta(description="Whether the list is another than before.", examples=[True])]
    skipped: Annotated[int, Meta(description="Elements that gave no value.", examples=[0])]
    fetched_at: Annotated[str, time_schema("When it was read.")]


class DynamicData:
    """Reads lists and fills versions with them. ``every``: seconds between two readings of a list; 0: only at start, at
    publish and on demand."""

    def __init__(self, store: Store, bots: Bots, outbound_calls: OutboundCalls, clock: Clock, every: float) -> None:
        self._store = store
        self._bots = bots
        self._outbound_calls = outbound_calls
        self._clock = clock
        self._every = every
        self._last: dict[tuple[ListKey, bytes], _Reading] = {}
        self._failures: dict[ListKey, int] = {}
        self._running: dict[tuple[ListKey, bytes], asyncio.Task[Refreshed]] = {}

    # -- when

    async def begin(self, bots: Iterable[str]) -> None:
        """Read the lists of these bots that were never read, at start and at publish, and wait for them within the
        bound. Those that are stored are read again by their scheduled jobs, soon."""
        missing = []
        for deployed in filter(None, map(self._bots.active, bots)):
            kept = await self._kept(deployed)
            missing += [
                self._start(deployed, type) for type in dynamic.dynamic_types(deployed.flow) if type not in kept
            ]
        if missing:
            await self._wait(missing)

    async def _kept(self, deployed: Deployed) -> dict[str, EntityList]:
        """Return the stored lists that come from the sources of this version."""
        kept = await self._bots.lists.of(deployed.bot.id) if deployed.flow.dynamic else {}
        return self._bots.lists.fitting(deployed.bot, kept)

    async def _wait(self, readings: Iterable[asyncio.Task[Refreshed]]) -> None:
        bound = asyncio.ensure_future(self._clock.sleep(MAX_WAIT_SECONDS))
        done = asyncio.ensure_future(asyncio.wait(readings))
        try:
            await asyncio.wait({bound, done}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            bound.cancel()
            done.cancel()

    async def plan(self, deployed: Deployed) -> None:
        kept, bot, now = await self._kept(deployed), deployed.bot.id, self._clock.now()
        for type in dynamic.dynamic_types(deployed.flow):
            key, job = self._key(deployed, type), f"{NAME} {type}"
            if key in self._running:
                due: int | None = now + round(MAX_WAIT_SECONDS * 1000)
            elif key in self._last and now - self._last[key].ended_at < FRESH_MS:
                due = self._last[key].next_due
            elif type in kept and now - kept[type].fetched_at < FRESH_MS:
                due = self._after(True, key[0])
            else:
                await bring_forward(self._store, bot, job, now)
                continue
            if due is not None:
                await self._store.plan(ScheduledJob(bot, job, due))

    async def do(self, bot: str, what: str) -> int | None:
        """Read the list of a type as its scheduled job; return when to read it again."""
        deployed = self._bots.active(bot)
        if deployed is None or what not in deployed.flow.dynamic:
            return None
        with contextlib.suppress(DialoomError):  # told where it is read
            await asyncio.shield(self._start(deployed, what))
        last = self._last.get(self._key(deployed, what))
        return None if last is None else last.next_due

    async def refresh(self, bot: str, type: str) -> Refreshed:
        """Read a list at once. Raises ``RemoteError`` when it cannot be had, ``KeyError`` for an unknown type."""
        deployed = self._bots.active(bot)
        if deployed is None or type not in deployed.flow.dynamic:
            raise KeyError(type)
        # Others may wait for the same reading: who goes away must not end it.
        return await asyncio.shield(self._start(deployed, type))

    async def stop(self) -> None:
        await cancel_all(self._running.values())

    # -- one reading

    def _key(self, deployed: Deployed, type: str) -> tuple[ListKey, bytes]:
        return ListKey(deployed.bot.id, type), self._source_of(deployed, type)

    def _start(self, deployed: Deployed, type: str) -> asyncio.Task[Refreshed]:
        """Begin to read a list and return the task; the running one, where this source is being read."""
        key = self._key(deployed, type)
        task = self._running.get(key)
        if task is None:
            task = self._running[key] = asyncio.create_task(self._reading(key, deployed, type))
            task.add_done_callback(lambda done: self._done(key, done))
        return task

    async def _reading(self, key: tuple[ListKey, bytes], deployed: Deployed, type: str) -> Refreshed:
        """Read a list, and have its job go by what came of it."""
        list_key = key[0]
        try:
            found = await self._read(deployed, type)
        except DialoomError as error:
            log.warning('the values of "%s" of bot %s stay as they are: %s', type, list_key.bot, error)
            self._failures[list_key] = self._failures.get(list_key, 0) + 1
            await self._ended(key, is_read=False)
            raise
        self._failures.pop(list_key, None)
        await self._ended(key, is_read=True)
        return found

    async def _ended(self, key: tuple[ListKey, bytes], *, is_read: bool) -> None:
        list_key = key[0]
        last = self._last[key] = _Reading(self._clock.now(), self._after(is_read, list_key))
        try:
            await self._store.finish_job(list_key.bot, f"{NAME} {list_key.type}", last.next_due)
        except StoreError:
            log.warning('when to read the values of "%s" of bot %s could not be stored', list_key.type, list_key.bot)

    def _done(self, key: tuple[ListKey, bytes], task: asyncio.Task[Refreshed]) -> None:
        self._running.pop(key, None)
        if task.cancelled():
            return
        error = task.exception()
        if error is not None and not isinstance(error, DialoomError):
            log.error('the values of "%s" of bot %s stay as they are', key[0].type, key[0].bot, exc_info=error)

    def _after(self, is_read: bool, list_key: ListKey) -> int | None:
        """Return when to read a list again, after it was read or could not be."""
        if not self._every:
            return None
        seconds = self._every * _between(1 - JITTER, 1 + JITTER)
        if not is_read:
            seconds = min(self._every, RETRY_AFTER_SECONDS * 2 ** min(self._failures[list_key] - 1, 10))
        return self._clock.now() + round(seconds * 1000)

    async def _read(self, deployed: Deployed, type: str) -> Refreshed:
        flow, bot = deployed.flow, deployed.bot.id
        answer = await self._outbound_calls.call(
            deployed.bot, dynamic.request(flow, type), self._outbound_calls.deadline()
        )
        if isinstance(answer, NoResponse):
            raise RemoteError(answer.kind, answer.detail)
        # In a thread, for a large list takes long; the interpreter's lock goes back and forth.
        elements = await asyncio.to_thread(dynamic.elements, flow, type, answer)
        found = await asyncio.to_thread(dynamic.gathered, flow, type, elements)
        if elements and not found.taken:
            raise RemoteError("list", f"{_count(len(elements), 'element')}, and value-template gives a name for none")
        now = self._clock.now()
        listed = EntityList(
            self._source_of(deployed, type), await asyncio.to_thread(msgspec.json.encode, elements), now
        )
        changed = await self._take(deployed, type, listed)
        if changed:
            log.info(
                'the values of "%s" of bot %s are new: %s%s',
                type, bot, _count(len(elements), "element"), _remarks(found),
            )  # fmt: skip
        return Refreshed(type, len(found.definition.data), changed, found.blank, iso(now))

    def _source_of(self, deployed: Deployed, type: str) -> bytes:
        return self._bots.lists.fingerprint(sources(deployed.bot)[type])

    async def _take(self, deployed: Deployed, type: str, listed: EntityList) -> bool:
        """Keep a list and use it, unless it is the one that is in use."""
        bot = deployed.bot.id
        known = (await self._bots.lists.of(bot)).get(type)
        is_same = known is not None and (known.source, known.elements) == (listed.source, listed.elements)
        active = self._bots.active(bot)
        if active is None or type not in active.flow.dynamic or self._source_of(active, type) != listed.source:
            return False  # published again meanwhile, with another source: that one is read on its own
        if not is_same:
            await self._bots.lists.keep(bot, type, listed)
            await self._bots.refill(bot)
        return not is_same


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _remarks(found: dynamic.Gathered) -> str:
    remarks: list[Any] = []
    if found.blank:
        remarks.append(f"{found.blank} without a usable name")
    if found.doubled:
        remarks.append(f"{found.doubled} that stood there before")
    return f" ({', '.join(remarks)})" if remarks else ""
