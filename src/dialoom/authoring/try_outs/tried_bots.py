"""Compiles the bots of try-outs, each set of texts once, and fills them with their dynamic data.

A bot whose training changed is trained first, which may take minutes for the largest: whoever waits longer than
``MAX_WAIT_SECONDS`` is told to ask again, and the training goes on. At most ``MAX_AT_ONCE`` bots are compiled at a
time; what waits its turn is left out when all who asked for it have gone, as an author's next change sends them away.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections import Counter, OrderedDict
from collections.abc import Callable, Coroutine, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import msgspec

from dialoom.authoring.mock_fetcher import MockFetcher
from dialoom.engine import dynamic
from dialoom.engine.dynamic import filled
from dialoom.engine.events import Response
from dialoom.errors import FlowError, RemoteError, RequestError
from dialoom.flow import Finding, check_files
from dialoom.flow.patterns.expression_slots import slot_types
from dialoom.flow.schema import FILES
from dialoom.service.tasks import cancel_all
from dialoom.template import prepare as prepare_formats
from dialoom.template.values.moments import find_zone
from dialoom.understanding import prepare
from dialoom.understanding.intents.report import Report, report

if TYPE_CHECKING:
    from dialoom.authoring.try_outs.kept import Mocks
    from dialoom.service.bots.bots import Bots, Deployed

MAX_BOTS = 8
"""Compiled bots that are kept; of a large one each takes some tens of megabytes."""
MAX_AT_ONCE = 2
"""Bots that are compiled or measured at the same time: each takes a processor."""
MAX_WAIT_SECONDS = 40.0
"""Seconds that a request waits for a bot: proxies give a request up after a minute."""

T = TypeVar("T")
Lists = dict[str, list[Any]]
_encode = msgspec.json.Encoder(order="sorted").encode


class NotLoadable(FlowError):
    """Says why the texts of a bot cannot be loaded. ``found``: the findings that are known by more than their
    sentence, by that."""

    def __init__(self, findings: Sequence[str], found: Mapping[str, Finding]) -> None:
        super().__init__(findings)
        self.found = found


def files_id(files: Mapping[str, str]) -> str:
    """Return the hash of the texts that make a bot. Conversation tests are no part of it."""
    texts = {name: files[name] for name in FILES if name in files}
    return hashlib.sha256(_encode(texts)).hexdigest()


class Tried(NamedTuple):
    """Holds a compiled bot with the lists that it is filled with, by entity type."""

    deployed: Deployed
    lists: Lists


class TriedBots:
    def __init__(self, bots: Bots, max_wait_seconds: float = MAX_WAIT_SECONDS) -> None:
        self._bots = bots
        self._max_wait_seconds = max_wait_seconds
        self._compiled: OrderedDict[bytes, asyncio.Task[Deployed]] = OrderedDict()
        self._filled: OrderedDict[bytes, asyncio.Task[Tried]] = OrderedDict()
        self._reports: OrderedDict[bytes, asyncio.Task[Report]] = OrderedDict()
        self._turns = asyncio.Semaphore(MAX_AT_ONCE)
        self._wanted: Counter[asyncio.Task[Any] | None] = Counter()
        """Of work that is not done: how many asked for it and have not gone, and one more when it has begun."""

    async def stop(self) -> None:
        await cancel_all([*self._compiled.values(), *self._filled.values(), *self._reports.values()])

    async def report(self, bot: str, files: Mapping[str, str]) -> Report:
        """Return what the expressions of these texts are worth, as ``dialoom train`` tells it. Raises as ``by_id``."""
        found = (await self.of(bot, files, {})).deployed.bot
        settings = found.flow.settings.understanding

        async def make() -> Report:
            definitions, language, slots = found.training.entity_definitions, found.file.language, slot_types(found)
            return await asyncio.to_thread(report, definitions, language, settings.threshold, None, slots)

        key = f"{bot}\0{files_id(files)}".encode()
        return await self._soon(self._reports, key, make)

    async def of(self, bot: str, files: Mapping[str, str], mocks: Mocks, timezone: str | None = None) -> Tried:
        """Return the bot of these texts. Raises as ``by_id``, and ``FlowError`` for texts of another bot."""

        async def given() -> Mapping[str, str]:
            return files

        return await self.by_id(bot, files_id(files), given, mocks, timezone)

    async def by_id(
        self,
        bot: str,
        id: str,
        read: Callable[[], Coroutine[Any, Any, Mapping[str, str]]],
        mocks: Mocks,
        timezone: str | None = None,
    ) -> Tried:
        """Return the bot of the texts with this id, which ``read`` returns where it is not compiled yet. Lists are
        those that the service has, or that ``mocks`` give. ``timezone`` takes the place of the bot's. Raises
        ``FlowError``, and ``RequestError`` 503 while a training goes on."""
        key = f"{bot}\0{id}".encode()
        deployed = await self._soon(self._compiled, key, lambda: self._compile(bot, read))
        lists = await self._lists(deployed, mocks)
        if not lists and timezone is None:
            return Tried(deployed, lists)
        whole = await asyncio.to_thread(lambda: key + hashlib.sha256(_encode([lists, timezone])).digest())
        return await self._soon(self._filled, whole, lambda: _fill(deployed, lists, timezone))

    async def _compile(self, bot: str, read: Callable[[], Coroutine[Any, Any, Mapping[str, str]]]) -> Deployed:
        files = await read()
        try:
            deployed = await self._bots.tried(files)
        except FlowError as error:
            found = await asyncio.to_thread(check_files, files)
            raise NotLoadable(error.findings, {str(finding): finding for finding in found}) from error
        if deployed.bot.id != bot:
            own = deployed.bot.id
            detail = (
                f'bot.json: The id is "{own}", and this is the bot "{bot}". A bot keeps its id; make a new bot for it.'
            )
            raise FlowError([detail])
        await asyncio.to_thread(prepare, deployed.bot.file.language, deployed.flow.asks_places)
        return deployed

    async def _lists(self, deployed: Deployed, mocks: Mocks) -> Lists:
        lists = {
            type: msgspec.json.decode(one.elements) for type, one in (await self._bots.lists_for(deployed)).items()
        }
        for type in dynamic.dynamic_types(deployed.flow) if mocks else ():
            try:
                answer = await MockFetcher(mocks).fetch(dynamic.request(deployed.flow, type))
                if isinstance(answer, Response):
                    lists[type] = dynamic.elements(deployed.flow, type, answer)
            except RemoteError:
                continue  # a mock that is no list gives none, as in conversation tests
        return lists

    async def _soon(
        self, kept: OrderedDict[bytes, asyncio.Task[T]], key: bytes, make: Callable[[], Coroutine[Any, Any, T]]
    ) -> T:
        """Return what is kept under a key, or is being made, or is made now. A failure is not kept."""
        task = kept.get(key)
        if task is None or task.cancelling():
            task = kept[key] = asyncio.create_task(self._in_turn(make))
            task.add_done_callback(lambda done: self._end(kept, key, done))
            while len(kept) > MAX_BOTS:
                kept.popitem(last=False)
        kept.move_to_end(key)
        if not task.done():
            self._wanted[task] += 1
        try:
            done, _ = await asyncio.wait([task], timeout=self._max_wait_seconds)
        except asyncio.CancelledError:
            if not task.done():
                self._wanted[task] -= 1
                if self._wanted[task] <= 0:
                    task.cancel()
            raise
        if not done:
            raise RequestError(
                "try-out-training",
                "The bot is still being trained, which takes a while for a large one. Ask again in some seconds; the "
                "training goes on meanwhile.",
                headers={"Retry-After": "5"},
            )
        return task.result()

    async def _in_turn(self, make: Callable[[], Coroutine[Any, Any, T]]) -> T:
        async with self._turns:
            # What has begun is carried through: its thread or process would go on in any case.
            self._wanted[asyncio.current_task()] += 1
            return await make()

    def _end(self, kept: OrderedDict[bytes, asyncio.Task[T]], key: bytes, done: asyncio.Task[T]) -> None:
        del self._wanted[done]
        if (done.cancelled() or done.exception() is not None) and kept.get(key) is done:
            del kept[key]


async def _fill(deployed: Deployed, lists: Lists, timezone: str | None) -> Tried:
    return await asyncio.to_thread(_filled, deployed, lists, timezone)


def _filled(deployed: Deployed, lists: Lists, timezone: str | None) -> Tried:
    flow = filled(deployed.flow, lists)
    if timezone is not None and (zone := find_zone(timezone)) is not None:
        prepare_formats(flow.language, timezone)
        flow = msgspec.structs.replace(flow, timezone=timezone, zones={timezone: zone}, uses_user_timezone=False)
    return Tried(msgspec.structs.replace(deployed, flow=flow), lists)
