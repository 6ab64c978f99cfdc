"""Keeps the values of dynamic entity types fresh: at start and publish, on a schedule, on demand (understanding.md).

A list that cannot be had changes nothing: the last good one stays, and before the first one ``data`` as it is written.
What a list means is left to ``engine.dynamic``, putting it into versions to ``bots``.
"""

from __future__ import annotations

import asyncio
import logging
from secrets import SystemRandom
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec

from dialoom.engine import dynamic
from dialoom.engine.events import NoResponse
from dialoom.errors import DialoomError, RemoteError
from dialoom.service.clock import iso
from dialoom.service.lists import Listed, sources

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from dialoom.service.bots import Bots, Deployed
    from dialoom.service.clock import Clock
    from dialoom.service.outside import Outside

log = logging.getLogger(__name__)

LONGEST_WAIT: Final = 5.0
"""Seconds that a start or a publish waits for lists that it has none of yet; they are read on behind it."""
RETRY_AFTER: Final = 60.0
"""Seconds after a failure until the next try; twice as many after each further one, up to the schedule's own."""
JITTER: Final = 0.1
"""Share of the time between two readings by which it varies, so that many types do not call all at once."""
LONGEST_SLEEP: Final = 5.0

_between: Callable[[float, float], float] = SystemRandom().uniform


class Place(NamedTuple):
    bot: str
    type: str


class Refreshed(msgspec.Struct, frozen=True, rename="camel"):
    """What came of reading a list."""

    type: str
    values: int
    """Values of the type now, those that stand in ``data`` included."""
    changed: bool
    skipped: int
    """Elements that gave no value."""
    fetched_at: str


class Dynamic:
    """``every``: seconds between two readings of a list; 0 for none but at start, at publish and on demand."""

    def __init__(self, bots: Bots, outside: Outside, clock: Clock, every: float) -> None:
        self._bots = bots
        self._outside = outside
        self._clock = clock
        self._every = every
        self._due: dict[Place, int] = {}
        self._failures: dict[Place, int] = {}
        self._running: dict[tuple[Place, bytes], asyncio.Task[Refreshed]] = {}

    # -- when

    async def begin(self, bots: Iterable[str]) -> None:
        """At start and publish: read all lists of these bots. Waits only for those of which there is none yet, and no
        longer than the bound."""
        missing = []
        for deployed in filter(None, map(self._bots.active, bots)):
            kept = await self._bots.lists.of(deployed.bot.id) if deployed.flow.dynamic else {}
            for type in dynamic.dynamic_types(deployed.flow):
                task = self._start(deployed, type)
                known = kept.get(type)
                if known is None or known.source != self._source_of(deployed, type):
                    missing.append(task)
        if missing:
            await self._wait(missing)

    async def _wait(self, readings: Iterable[asyncio.Task[Refreshed]]) -> None:
        bound = asyncio.ensure_future(self._clock.sleep(LONGEST_WAIT))
        done = asyncio.ensure_future(asyncio.wait(readings))
        try:
            await asyncio.wait({bound, done}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            bound.cancel()
            done.cancel()

    async def run(self) -> None:
        """Until cancelled."""
        while self._every:
            self.start_due()
            await self._clock.sleep(min(LONGEST_SLEEP, self._every))

    def start_due(self) -> None:
        """Begin to read every list whose time has come. Nobody waits: one that is slow holds up no other."""
        now = self._clock.now()
        places: set[Place] = set()
        for deployed in self._bots.all():
            for type in dynamic.dynamic_types(deployed.flow):
                place = Place(deployed.bot.id, type)
                places.add(place)
                if self._due.get(place, 0) <= now:
                    self._start(deployed, type)
        self._due = {place: due for place, due in self._due.items() if place in places}

    async def refresh(self, bot: str, type: str) -> Refreshed:
        """Read a list now. Raises ``RemoteError`` when it cannot be had, ``KeyError`` when there is no such type."""
        deployed = self._bots.active(bot)
        if deployed is None or type not in deployed.flow.dynamic:
            raise KeyError(type)
        # Others may wait for the same reading: who goes away must not end it.
        return await asyncio.shield(self._start(deployed, type))

    async def stop(self) -> None:
        tasks = list(self._running.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    # -- one reading

    def _start(self, deployed: Deployed, type: str) -> asyncio.Task[Refreshed]:
        """The reading of a list; the one that goes on already, when there is one of this source."""
        key = (Place(deployed.bot.id, type), self._source_of(deployed, type))
        task = self._running.get(key)
        if task is None:
            self._schedule(key[0], LONGEST_SLEEP + deployed.flow.dynamic[type].source.timeout)
            task = self._running[key] = asyncio.create_task(self._read(deployed, type))
            task.add_done_callback(lambda done: self._done(key, done))
        return task

    def _done(self, key: tuple[Place, bytes], task: asyncio.Task[Refreshed]) -> None:
        self._running.pop(key, None)
        if task.cancelled():
            return
        place, error = key[0], task.exception()
        if error is None:
            self._failures.pop(place, None)
            self._schedule(place, self._every * _between(1 - JITTER, 1 + JITTER))
            return
        failures = self._failures[place] = self._failures.get(place, 0) + 1
        self._schedule(place, min(self._every, RETRY_AFTER * 2 ** min(failures - 1, 10)))
        if isinstance(error, DialoomError):
            log.warning('the values of "%s" of bot %s stay as they are: %s', place.type, place.bot, error)
        else:
            log.error('the values of "%s" of bot %s stay as they are', place.type, place.bot, exc_info=error)

    def _schedule(self, place: Place, seconds: float) -> None:
        self._due[place] = self._clock.now() + round(seconds * 1000)

    async def _read(self, deployed: Deployed, type: str) -> Refreshed:
        flow, bot = deployed.flow, deployed.bot.id
        answer = await self._outside.call(deployed.bot, dynamic.request(flow, type), self._outside.deadline())
        if isinstance(answer, NoResponse):
            raise RemoteError(answer.kind, answer.detail)
        # In a thread, for a large list takes long; the interpreter's lock goes back and forth.
        elements = await asyncio.to_thread(dynamic.elements, flow, type, answer)
        found = await asyncio.to_thread(dynamic.gathered, flow, type, elements)
        if elements and not found.taken:
            raise RemoteError("list", f"{_count(len(elements), 'element')}, and value-template gives a name for none")
        now = self._clock.now()
        listed = Listed(self._source_of(deployed, type), await asyncio.to_thread(msgspec.json.encode, elements), now)
        changed = await self._take(deployed, type, listed)
        if changed:
            log.info(
                'the values of "%s" of bot %s are new: %s%s',
                type, bot, _count(len(elements), "element"), _remarks(found),
            )  # fmt: skip
        return Refreshed(type, len(found.definition.data), changed, found.blank, iso(now))

    def _source_of(self, deployed: Deployed, type: str) -> bytes:
        return self._bots.lists.fingerprint(sources(deployed.bot)[type])

    async def _take(self, deployed: Deployed, type: str, listed: Listed) -> bool:
        """Keep a list and use it, unless it is the one that is in use."""
        bot = deployed.bot.id
        known = (await self._bots.lists.of(bot)).get(type)
        is_same = known is not None and (known.source, known.elements) == (listed.source, listed.elements)
        active = self._bots.active(bot)
        if active is None or type not in active.flow.dynamic or self._source_of(active, type) != listed.source:
            return False  # published anew meanwhile, with another source: that one is read on its own
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
