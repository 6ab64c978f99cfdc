"""Drawn schedules of messages, deaths, lost leases, lost notices and absences of the store: nothing lost, nothing twice."""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
from collections import Counter
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.http.support import serving
from tests.postgres import empty
from tests.service.process_stores import CALLING, WORDS, DatabaseTables, ProcessStore

from dialoom.channels import CHANNELS
from dialoom.engine.events import NoResponse, Response, Said
from dialoom.errors import RequestError, StoreError
from dialoom.messages import Profile
from dialoom.service.bots.outbound_calls import OutboundCalls
from dialoom.service.chat import inbound as inbound_events
from dialoom.service.chat.active_chats import ActiveChats
from dialoom.service.chat.hub import Hub
from dialoom.service.chat.inbound import InboundEvent
from dialoom.service.chat.turn_limit import TurnLimit
from dialoom.service.clock import IdSource
from dialoom.service.login.login_hook import LoginHook
from dialoom.service.observe.tracing import Tracing
from dialoom.service.turns.instrumented_turns import InstrumentedTurns
from dialoom.service.turns.remote_files import RemoteFiles
from dialoom.service.turns.runner import Runner
from dialoom.service.turns.turn import Turns
from dialoom.storage.store import ChatKey
from dialoom.testing.clock import MovedClock

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from dialoom.engine.effects import Request
    from dialoom.service.service import Service

USERS = ("ada", "grace")
TICK = 0.25
"""Seconds by which the clocks go on between the looks of the test."""
MAX_IDLE_TICKS = 4000
"""Ticks at which no process waits for the database: how fast that is does not count."""
SAID = """select position, sender, client_id from dialoom.messages where "user" = $1 order by position"""


CALLS = {"call": 1, "trip": 3, "help": 0}
"""Outside calls of a turn, by the message's text."""
ANSWERS = {"call": "Called for {}.", "trip": "Went for {}.", "help": "Say call."}


class Message(msgspec.Struct, frozen=True):
    at: int
    """The tick at which it is sent."""
    process: int
    user: str
    text: str


class Fault(msgspec.Struct, frozen=True):
    """``kill``: the process is gone. ``lose``: it loses its chats and is told. ``stall``: it is not told. ``deaf``: what
    is told does not reach it for a while. ``away``: the store does not answer it for a while."""

    at: int
    process: int
    kind: str
    lasts: int


MESSAGES = st.lists(
    st.builds(
        Message,
        at=st.integers(0, 12),
        process=st.integers(0, 2),
        user=st.sampled_from(USERS),
        text=st.sampled_from(("call", "trip", "help")),
    ),
    min_size=1,
    max_size=14,
)
FAULTS = st.lists(
    st.builds(
        Fault,
        at=st.integers(0, 25),
        process=st.integers(0, 2),
        kind=st.sampled_from(("kill", "lose", "stall", "deaf", "away")),
        lasts=st.integers(1, 20),
    ),
    max_size=4,
)


UNHEARD = [
    Message(0, 0, "ada", "call"),
    Message(3, 0, "ada", "help"),
    Message(5, 1, "ada", "trip"),
    Message(9, 2, "grace", "help"),
    Message(9, 2, "ada", "trip"),
    Message(3, 2, "grace", "trip"),
    Message(2, 0, "grace", "trip"),
    Message(10, 1, "grace", "trip"),
    Message(3, 0, "grace", "call"),
    Message(2, 1, "grace", "trip"),
    Message(2, 1, "grace", "help"),
    Message(9, 2, "grace", "help"),
    Message(4, 1, "grace", "help"),
]
"""What the last process that is left was told of while it was deaf, by two that then died: a message that comes again
must make it look."""


class Process:
    """Holds a runner with its store, and with calls that take a drawn time."""

    def __init__(self, world: World, service: Service) -> None:
        self.world = world
        self.view = ProcessStore(world.tables, world.pause)
        self.clock = MovedClock()
        self.gone = asyncio.Event()
        self.until: dict[str, int] = {}
        hub, ids, logins = Hub(), IdSource(), service.metrics.logins
        turns = Turns(
            self.view,
            service.bots,
            world.vault,
            OutboundCalls(self, service.bots, 1e6),
            hub,
            self.clock,
            CHANNELS,
            service.bot_channels,
            service.addresses,
            ids,
            service.outbox,
            LoginHook(self.view, world.vault, service.bots, service.providers, logins),
            TurnLimit(),
            service.metrics.interrupted,
            ActiveChats(is_shared=self.view.is_shared),
            RemoteFiles(service.bots, CHANNELS, service.bot_channels, self.clock),
            service.traces,
        )
        observed = InstrumentedTurns(service.metrics, Tracing())
        withdraw = service.outbox.withdraw
        self.runner = Runner(self.view, world.vault, turns, hub, self.clock, ids, observed, withdraw)

    async def fetch(self, request: Request, **_: Any) -> Response | NoResponse:
        if self.gone.is_set():
            await asyncio.Event().wait()  # a dead process calls nobody
        self.world.calls.append((json.loads(request.body)["tap"], request.idempotency_key or ""))
        for _ in range(self.world.random.randrange(30)):
            await asyncio.sleep(0)
        return Response(200, headers={"content-type": ["application/json"]}, body=b"{}")

    async def close(self) -> None:
        """Nothing is open."""

    async def suffer(self, fault: Fault, now: int) -> None:
        match fault.kind:
            case "kill":
                # The last one stays: with nobody left there is nothing to see.
                if sum(not process.gone.is_set() for process in self.world.processes) > 1:
                    await self.view.die()
                    self.gone.set()
            case "lose" if not self.gone.is_set():
                await self.view.lose()
            case "stall":
                await self.view.stall()
            case _:
                self.until[fault.kind] = now + fault.lasts

    def tick(self, now: int) -> None:
        self.view.hears = self.until.get("deaf", 0) <= now
        self.view.is_away = self.until.get("away", 0) > now
        self.clock.move(TICK)


class World:
    def __init__(self, service: Service, tables: DatabaseTables, seed: int) -> None:
        self.random = random.Random(seed)
        self.tables = tables
        self.vault = service.vault
        self.calls: list[tuple[str, str]] = []
        self.now = 0
        self.clock = MovedClock()
        """Of the clients and the test: a second is a tick."""
        self.processes: list[Process] = []
        self.processes += [Process(self, service) for _ in range(3)]

    async def pause(self) -> None:
        for _ in range(self.random.randrange(4)):
            await asyncio.sleep(0)

    async def send(self, number: int, message: Message) -> bytes:
        """Send as a client does that wants its answer: the same message again, to any process."""
        await self.clock.sleep(message.at)
        place = message.process
        while True:
            process = self.processes[place % len(self.processes)]
            if not process.gone.is_set():
                asked = asyncio.ensure_future(self.ask(process, number, message))
                gone = asyncio.ensure_future(process.gone.wait())
                await asyncio.wait({asked, gone}, return_when=asyncio.FIRST_COMPLETED)
                for task in (asked, gone):
                    if not task.done():
                        task.cancel()
                if asked.done() and not asked.cancelled() and (answer := asked.result()) is not None:
                    return answer
            place += 1
            await self.clock.sleep(1)

    @staticmethod
    async def ask(process: Process, number: int, message: Message) -> bytes | None:
        profile = Profile(id=message.user, channel="rest", provider="rest")
        event = Said(id="", now=0, seed=0, profile=profile, text=message.text, context={"tap": f"{number}"})
        dedupe = inbound_events.dedupe(f"{number}", message.text)
        arrival = InboundEvent(event=event, client_id=f"{number}", dedupe=dedupe, is_answered=True, takes_waiting=True)
        try:
            ticket = await process.runner.submit(ChatKey("tea", "rest", message.user), arrival)
            if ticket.is_repeat and not ticket.answer.done():
                return None
            return await asyncio.shield(ticket.answer)
        except StoreError:
            return None
        except RequestError as error:
            if error.code in {"still-running", "too-many-waiting", "overloaded", "stopping", "store-away"}:
                return None
            raise

    async def play(self, messages: list[Message], faults: list[Fault]) -> list[bytes]:
        for process in self.processes:
            await process.view.open()
            await process.runner.start()
        idle_ticks = 0
        sent = [asyncio.ensure_future(self.send(number, message)) for number, message in enumerate(messages)]
        try:
            while not all(task.done() for task in sent) or self.tables.inbox:
                idle_ticks += not any(process.view.under_way for process in self.processes)
                assert idle_ticks < MAX_IDLE_TICKS, "an answer never came"
                for fault in faults:
                    if fault.at == self.now:
                        await self.processes[fault.process].suffer(fault, self.now)
                self.now += 1
                self.clock.move(1)
                for process in self.processes:
                    process.tick(self.now)
                # About as long as some statements take: so much happens between two moves of the clocks.
                await asyncio.sleep(0.001 * self.random.randrange(1, 4))
            return [task.result() for task in sent]
        finally:
            for task in sent:
                task.cancel()
            for process in self.processes:
                await process.runner.stop(0.0 if process.gone.is_set() else 0.2)
                await process.view.close()

    def check(self, messages: list[Message], faults: list[Fault], answers: list[bytes]) -> None:
        takings = sum(fault.kind in {"kill", "lose", "stall"} for fault in faults)
        accepted = sorted(row for process in self.processes for row in process.view.accepted)
        for user in USERS:
            said = self.tables.rows(SAID, user)
            assert [position for position, *_ in said] == list(range(1, len(said) + 1))
            order = [id for _, sender, id in said if sender == "user"]
            mine = [f"{number}" for number, message in enumerate(messages) if message.user == user]
            assert Counter(order) == Counter(mine), "a message was lost or had two turns"
            in_order = [id for _, id in accepted if id in mine]
            assert [id for id in order if id in in_order] == in_order
            if not takings:
                calling = [id for id in order for _ in range(CALLS[messages[int(id or 0)].text])]
                assert [tap for tap, _ in self.calls if tap in mine] == calling
        for number, (message, answer) in enumerate(zip(messages, answers, strict=True)):
            assert [said["text"] for said in json.loads(answer)] == [ANSWERS[message.text].format(number)]
        made = Counter(self.calls)
        of_turns = {f"{number}": CALLS[message.text] for number, message in enumerate(messages)}
        assert Counter(tap for tap, _ in made) == +Counter(of_turns)
        # Whoever dies or loses its chats leaves in each at most the one call that was on its way.
        assert sum(made.values()) - len(made) <= takings * len(USERS)
        assert not self.tables.journal
        assert not self.tables.inbox


@pytest.fixture(scope="module")
def played(
    tmp_path_factory: pytest.TempPathFactory, shared_database: str
) -> Iterator[tuple[asyncio.Runner, Service, DatabaseTables]]:
    """Return what all schedules share: a loop, a service whose bot they use, and the database of their processes."""
    folder: Path = tmp_path_factory.mktemp("schedules")
    with asyncio.Runner() as loop, contextlib.ExitStack() as stack:
        context = serving(folder, flow=CALLING, training=WORDS)
        client = loop.run(context.__aenter__())
        stack.callback(lambda: loop.run(context.__aexit__(None, None, None)))
        tables = DatabaseTables(shared_database)
        stack.callback(tables.close)
        yield loop, client.service, tables


@example(
    messages=UNHEARD,
    faults=[Fault(1, 0, "deaf", 14), Fault(11, 2, "kill", 10), Fault(12, 1, "kill", 12), Fault(2, 1, "lose", 17)],
    seed=6459564,
)
@settings(max_examples=25, deadline=None)
@given(messages=MESSAGES, faults=FAULTS, seed=st.integers(0, 2**32))
def test_whatever_happens_each_message_has_one_turn_in_its_order_and_gets_its_answer(
    played: tuple[asyncio.Runner, Service, DatabaseTables], messages: list[Message], faults: list[Fault], seed: int
) -> None:
    loop, service, tables = played

    async def run() -> None:
        world = World(service, tables, seed)
        world.check(messages, faults, await world.play(messages, faults))

    try:
        loop.run(run())
    finally:
        empty(tables.url)
