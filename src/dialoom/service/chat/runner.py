"""The only loop: takes the events of each chat in their order, has their turns run and stored, whatever happens.

What is stored is stored exactly once; outside calls are made at least once with a stable key (service.md, Storage).
A turn without outside calls is one transaction, its inbox row never written. A turn with calls writes its inbox row
first and journals each result before it goes on, so that a rerun after a crash repeats at most the call in flight.

On a store that several processes share a chat is held before any of its events is run (``leases.py``); an event of a
chat that another process holds is accepted here and run there (``remote_events.py``).
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import logging
from typing import TYPE_CHECKING

import msgspec

from dialoom.engine.events import TimedOut
from dialoom.errors import DialoomError, StoreError
from dialoom.service.chat import inbound as arrivals
from dialoom.service.chat.active_chats import ActiveChats, Job, stopping
from dialoom.service.chat.inbox import MAX_WAITING_EVENTS, Inbox, internal, other_body, overloaded, too_many
from dialoom.service.chat.turn import Turns
from dialoom.service.chat.turn_limit import TurnLimit
from dialoom.service.cluster.failing_events import FailingEvents
from dialoom.service.cluster.leases import Leases
from dialoom.service.cluster.peers import Peers
from dialoom.service.cluster.remote_events import RemoteEvents
from dialoom.service.cluster.store_outage import StoreOutage
from dialoom.service.ids import IdSource
from dialoom.service.observe.instrumented_turns import InstrumentedTurns
from dialoom.service.observe.metrics import Metrics
from dialoom.service.observe.tracing import Tracing
from dialoom.storage.store import ChatKey, Notice, Overtaken, Refused

if TYPE_CHECKING:
    from collections.abc import Mapping

    from dialoom.auth.vault import Vault
    from dialoom.service.bots.bots import Bots
    from dialoom.service.chat.active_chats import ActiveChat
    from dialoom.service.chat.chat_row import Loaded
    from dialoom.service.chat.hub import Hub
    from dialoom.service.chat.inbound import InboundEvent
    from dialoom.service.chat.outbound_calls import OutboundCalls
    from dialoom.service.chat.signed_links import SignedLinks
    from dialoom.service.chat.turn import AnswerForm, TurnInput
    from dialoom.service.clock import Clock
    from dialoom.service.login.login_hook import LoginHook
    from dialoom.service.outbox.outbox import Outbox
    from dialoom.storage.store import Answered, Store, TimerRow

log = logging.getLogger(__name__)

RETRY_SECONDS = (0.1, 0.5, 2.0, 5.0)
"""Waits before an accepted event is tried again when the store is away; the last one repeats."""
MAX_ENTERING_EVENTS = 512
"""Events on their way in that are not durable yet, over all chats. Behind so many one more waits about half a second
for its turn; without a bound a rush of twice what can be done makes all wait ever longer, and their connections take
what is left of the processor: it does not end by itself."""
MAX_OVERTAKEN = 3
"""Times that a turn is computed again at once; more of them are no mere race, and get a pause."""


class Ticket(msgspec.Struct, frozen=True):
    """An event that is durable. ``answer`` comes when its turn is; ``is_repeat``: this key was seen before."""

    answer: asyncio.Future[bytes]
    is_repeat: bool = False


class Counts(msgspec.Struct, frozen=True):
    """Chats of this process, and events that wait for their turn. ``failing_events``: by bot those that cannot be run
    here."""

    kept: int
    held: int
    busy: int
    waiting: int
    stuck: dict[str, int]


class Runner:
    """The door into every turn. ``forms``: channel type to the form of its stored answers."""

    def __init__(
        self,
        store: Store,
        bots: Bots,
        vault: Vault,
        outside: OutboundCalls,
        hub: Hub,
        clock: Clock,
        forms: Mapping[str, AnswerForm],
        addresses: SignedLinks,
        outbox: Outbox,
        logins: LoginHook,
        limit: TurnLimit,
        observed: InstrumentedTurns | None = None,
    ) -> None:
        self._store = store
        self._clock = clock
        self._ids = IdSource()
        self._lives = ActiveChats(is_shared=store.is_shared)
        self._inbox = Inbox(store, vault)
        self._stuck = FailingEvents(clock)
        self._elsewhere = RemoteEvents(store, self._inbox, clock, self._try_again)
        self._holding = Leases(store, vault, self._inbox, self._elsewhere, self._lives, self._stuck, clock)
        self._neighbours = Peers(
            store,
            self._lives,
            self._holding,
            self._elsewhere,
            self._stuck,
            hub,
            clock,
            wake=self._wake,
            withdraw=outbox.withdraw,
        )
        self._observed = observed or InstrumentedTurns(Metrics(), Tracing())
        self._turns = Turns(
            store,
            bots,
            vault,
            outside,
            hub,
            clock,
            forms,
            addresses,
            self._ids,
            outbox,
            logins,
            limit,
            self._observed.metrics.interrupted,
            self._lives,
        )
        self._drains: dict[asyncio.Task[None], ActiveChat] = {}
        self._away = StoreOutage(log, "chats")
        self._entering = 0
        self._is_stopping = False

    # -- start and stop

    async def start(self) -> None:
        """Take up what was accepted before the last stop, or by a process that is gone."""
        await self._neighbours.start()

    async def stop(self, seconds: float = 18.0) -> None:
        """Finish the turns that run here, and store them; one that is not done in time is dropped unwritten and runs
        again after the start. Nothing else is waited for: no answer from elsewhere, and no store that is away."""
        self._is_stopping = True
        await self._neighbours.stop()
        await self._elsewhere.stop()
        for task, live in self._drains.items():
            if not live.is_in_turn():
                task.cancel()
        if self._drains:
            _, late = await asyncio.wait(self._drains, timeout=seconds)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)
        for live in self._lives.all():
            live.refuse_all(stopping())
        if self._store.is_shared:
            await self._holding.let_go_all()

    def _try_again(self, key: ChatKey) -> None:
        if not self._stuck.is_resting(key):
            self._wake(self._lives.take(key))

    def _wake(self, live: ActiveChat) -> None:
        """Look into its inbox, and run what is there."""
        live.is_stale = True
        if not live.busy and not self._is_stopping:
            live.used_at = self._clock.now()
            self._drain_soon(live)

    # -- the door

    async def submit(self, key: ChatKey, arrival: InboundEvent) -> Ticket:
        """Take an event; gives back once it is durable. Raises ``RequestError`` (422, 429, 503) and ``StoreError``,
        ``FilesGone`` among them."""
        if self._is_stopping:
            raise stopping()
        self.check_room()
        self._entering += 1
        try:
            return await self._enter(key, arrival)
        finally:
            self._entering -= 1

    async def has_seen(self, key: ChatKey, arrival: InboundEvent) -> bool:
        """Return whether the event's key was seen in this chat, so that ``submit`` would store nothing. Raises
        ``RequestError`` 422 for another body under the same key."""
        if arrival.dedupe is None:
            return False
        live = self._lives.find(key)
        if live is not None and (twin := self._twin(live, Job(arrival))) is not None:
            await asyncio.shield(twin.durable)
            return True
        seen = await self._store.answered(key, arrival.dedupe.key)
        if seen is not None and seen.body != arrival.dedupe.body:
            raise other_body(arrival.dedupe)
        return seen is not None

    def check_room(self) -> None:
        """Raises ``RequestError`` 503 where ``submit`` would. Asked before anything is read of a request: what is put
        off must cost a small part of what is answered."""
        if self._entering >= MAX_ENTERING_EVENTS:
            raise overloaded()

    async def _enter(self, key: ChatKey, arrival: InboundEvent) -> Ticket:
        job = Job(self._stamped(arrival))
        job.origin = self._observed.origin()
        live = self._lives.take(key)
        live.used_at = job.arrival.event.now
        try:
            ticket = await (self._queue(live, job) if live.busy else self._begin(live, job))
        except Refused as error:
            # Sent again it would be refused again.
            log.error("an event of bot %s cannot be stored: %s", key.bot, error)  # noqa: TRY400  # its words do
            raise internal() from None
        if ticket.is_repeat:
            self._observed.repeated(key.bot)
        return ticket

    def submit_timer(self, row: TimerRow, arrival: InboundEvent) -> None:
        """A timer that is due. Its row in the store is its durability: it goes with the turn's commit."""
        live = self._lives.take(row.key)
        events = [job.arrival.event for job in live.jobs()]
        if any(isinstance(event, TimedOut) and event.timer == row.name for event in events):
            return
        job = Job(self._stamped(arrival))
        job.set_durable()
        live.queue.append(job)
        live.used_at = job.arrival.event.now
        if not live.busy:
            self._drain_soon(live)

    def _stamped(self, arrival: InboundEvent) -> InboundEvent:
        now = self._clock.now()
        id = self._ids.make(now)
        event = msgspec.structs.replace(arrival.event, id=id, now=now, seed=arrivals.seed(id))
        return msgspec.structs.replace(arrival, event=event)

    def counts(self) -> Counts:
        """How much is in hand; walks all chats."""
        lives = self._lives.all()
        return Counts(
            kept=len(lives),
            held=sum(live.is_held for live in lives),
            busy=sum(live.busy for live in lives),
            waiting=sum(len(live.queue) for live in lives),
            stuck=self._stuck.counts(),
        )

    def is_typing(self, key: ChatKey) -> bool:
        """Whether the bot is in a turn of this chat now."""
        return self._lives.is_busy(key) or self._elsewhere.is_typing(key)

    def forget(self, key: ChatKey) -> None:
        """All that was stored of a user was erased: here nothing is known of the chat any more, and the others hear of
        it. A turn that runs is refused by the store, whoever waits for it with 410."""
        self._neighbours.forget(key)
        self._store.tell(Notice("erased", key))

    # -- accepting

    async def _queue(self, live: ActiveChat, job: Job) -> Ticket:
        """An event of a chat whose turn is running: durable in the inbox now, its own turn later."""
        if (twin := self._twin(live, job)) is not None:
            await asyncio.shield(twin.durable)
            return Ticket(twin.answer, is_repeat=True)
        # A shared store counts itself: what was accepted here may be done elsewhere by now, and this process, which
        # waits for the store, knows nothing of it.
        if not self._store.is_shared and len(live.queue) >= MAX_WAITING_EVENTS:
            raise too_many()
        last = live.queue[-1] if live.queue else None
        before = [other.durable for other in (live.current, last) if other is not None]
        live.queue.append(job)
        try:
            if before:
                # Numbers are given in the order of the events, also where the one before waits for its chat to load.
                await asyncio.wait(before)
            seen = await self._inbox.accept(live, job)
            if seen is not None:
                self._repeat(live, job, seen)
        except BaseException as error:
            job.refuse(error)
            with contextlib.suppress(ValueError):
                live.queue.remove(job)  # it waits for nothing; sent again, it is asked of the store anew
            raise
        return Ticket(job.answer, job.is_repeat)

    def _twin(self, live: ActiveChat, job: Job) -> Job | None:
        """The job with the same key that is waiting or running now."""
        mine = job.arrival.dedupe
        if mine is None:
            return None
        for other in live.jobs():
            theirs = other.arrival.dedupe
            if theirs is not None and theirs.key == mine.key:
                if theirs.body != mine.body:
                    raise other_body(mine)
                return other
        return None

    def _repeat(self, live: ActiveChat, job: Job, seen: Answered) -> None:
        self._inbox.repeat(live.key, job, seen)
        if seen.answer is None and self._store.is_shared:
            # Whoever accepted it may be gone before it told anybody, or told a process that did not hear it: others, or
            # this one.
            self._store.tell(Notice("inbox", live.key))
            live.is_stale = True

    async def _begin(self, live: ActiveChat, job: Job) -> Ticket:
        """An event of an idle chat: its turn at once. Without outside calls it is durable when the turn is."""
        live.busy = True
        live.current = job
        try:
            with self._observed.turn(live, job):
                seen = await self._at_once(live, job)
            if seen is not None:
                self._repeat(live, job, seen)
            return Ticket(job.answer, job.is_repeat)
        except BaseException as error:
            live.loaded = None
            job.refuse(error)
            raise
        finally:
            live.current = None
            if live.queue or live.is_stale:
                self._drain_soon(live)
            else:
                live.busy = False

    async def _at_once(self, live: ActiveChat, job: Job) -> Answered | None:
        """The whole turn if it can be done now; else the event goes into the inbox, and to the head of the queue."""
        is_ours = live.is_held or await self._holding.take(live)
        if is_ours and not live.has_accepted():
            ground = await self._turns.load(live, job)
            outcome = self._turns.begin(ground, job)
            if outcome.pending is None:
                try:
                    return await self._turns.commit(live, ground, job, outcome)
                except Overtaken:
                    live.doubt()
                except Refused as error:
                    return await self._fail(live, ground, job, error)
        seen = await self._inbox.accept(live, job)
        if seen is None:
            if is_ours:
                self._put_first(live, job)
            else:
                self._elsewhere.leave(live.key, job)
        return seen

    @staticmethod
    def _put_first(live: ActiveChat, job: Job) -> None:
        """Before what was not accepted when it was, behind what waited before it."""
        behind = next((place for place, other in enumerate(live.queue) if other.number is None), len(live.queue))
        live.queue.insert(behind, job)

    # -- turns

    def _drain_soon(self, live: ActiveChat) -> None:
        live.busy = True
        task = asyncio.get_running_loop().create_task(self._drain(live))
        self._drains[task] = live
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        del self._drains[task]
        if not task.cancelled() and (error := task.exception()) is not None:
            level = logging.WARNING if isinstance(error, DialoomError) else logging.ERROR
            log.log(level, "a turn ended early", exc_info=error)

    async def _drain(self, live: ActiveChat) -> None:
        """The events of a chat, one after the other; ``live.busy`` is ours until none is left."""
        try:
            while live.queue or live.is_stale:
                if (live.is_stale or not live.is_held) and not await self._is_ours(live):
                    continue
                if live.queue:
                    live.current = job = live.queue.popleft()
                    await self._in_its_turn(live, job)
                    live.current = None
        except BaseException as error:
            # A stop, or a fault of ours: whoever waits is told. What was accepted stays in the inbox.
            live.refuse_all(error)
            raise
        finally:
            live.current = None
            live.busy = False

    async def _is_ours(self, live: ActiveChat) -> bool:
        """Hold the chat and know what waits in it; if it is another process's, so are its events."""
        for tries in itertools.count():
            if self._is_stopping and not live.is_in_turn():
                self._leave_all(live, stopping())
                return False
            try:
                is_ours = await self._holding.take(live)
            except StoreError as error:
                self._away.note(error)
            except DialoomError as error:
                self._leave_all(live, error)  # ``leases`` has told the operator
                return False
            else:
                self._away.is_over()
                if not is_ours:
                    await self._leave_to_others(live)
                return is_ours
            await self._clock.sleep(_pause(tries))
        raise AssertionError  # a count has no end

    async def _leave_to_others(self, live: ActiveChat) -> None:
        while live.queue:
            live.current = job = live.queue.popleft()
            await asyncio.wait([job.durable])
            # A timer has no number: whoever has the chat finds it due as well.
            if job.durable.exception() is None and not job.is_repeat and job.number is not None:
                # Whoever took the chat while the event ran here has it, and may have done it.
                self._elsewhere.leave(live.key, job, is_done=job.has_run())
        live.current = None

    @staticmethod
    def _leave_all(live: ActiveChat, error: BaseException) -> None:
        """They stay in the inbox."""
        live.is_stale = False
        live.refuse_all(error)

    async def _in_its_turn(self, live: ActiveChat, job: Job) -> None:
        await asyncio.wait([job.durable])
        # A refused one has no turn: whoever sent it was told why.
        if job.durable.exception() is not None or job.is_repeat:
            return
        if live.is_stale or not live.is_held:
            live.queue.appendleft(job)
            return
        try:
            with self._observed.turn(live, job):
                await self._perform(live, job)
        except Exception as error:  # noqa: BLE001  # it is logged with what is kept of such events
            # The outermost loop of a chat: whatever went wrong with one event, the next ones have their turn. The
            # event stays in the inbox and is tried again.
            self._stuck.note(live.key, job.number, error)
            self._turns.tell_typing(live.key, on=False)
            refusal = error if isinstance(error, DialoomError) and not isinstance(error, StoreError) else internal()
            job.refuse(refusal)
            await self._holding.abandon(live)
            if self._store.is_shared:
                # Nothing behind it can be stored before it is: a process that can do it has to take the chat.
                self._leave_all(live, refusal)

    async def _perform(self, live: ActiveChat, job: Job) -> None:
        """Run an accepted event; one that could not be stored is put back, however long the store is away."""
        pause = 0.0
        try:
            await self._try(live, job)
        except Refused:
            raise
        except StoreError as error:
            # Whether it was stored all the same is seen when the chat is taken again: its inbox row is gone then.
            live.doubt()
            job.tries += 1
            live.current = None
            live.queue.appendleft(job)
            if not isinstance(error, Overtaken):
                self._away.note(error)
                pause = _pause(job.tries - 1)
            elif job.tries > MAX_OVERTAKEN:
                log.warning("a turn of bot %s is overtaken again and again", live.key.bot)
                pause = _pause(job.tries - MAX_OVERTAKEN)
            if pause and (not self._is_stopping or job.has_run()):
                await self._clock.sleep(pause)
        else:
            self._stuck.passed(live.key, job.number)

    async def _try(self, live: ActiveChat, job: Job) -> None:
        ground = await self._turns.load(live, job)
        if _is_void(job, ground.loaded):
            return
        try:
            outcome = self._turns.begin(ground, job)
            if outcome.pending is not None:
                outcome = await self._turns.make_calls(live, job, ground, outcome)
            seen = await self._turns.commit(live, ground, job, outcome)
        except Refused as error:
            seen = await self._fail(live, ground, job, error)
        except DialoomError:
            raise
        except Exception:
            # A fault of ours in what belongs to this one event: it must neither stop the chat nor come again for ever.
            deployed = ground.deployed
            log.exception("fault in a turn of bot %s version %s", deployed.bot.id, deployed.version)
            seen = await self._turns.commit(live, ground, job, self._turns.fault(ground))
        if seen is not None:
            # The turn of this inbox row is stored already: a stop came between its commit and our knowing of it, or
            # another process had the chat meanwhile.
            live.doubt()
            self._turns.tell_typing(live.key, on=False)
            if not await self._inbox.answer(live.key, job):
                job.refuse(internal())

    async def _fail(self, live: ActiveChat, ground: TurnInput, job: Job, error: Refused) -> Answered | None:
        """What the store takes for wrong would be so for ever: the event gets the general failure."""
        if not self._stuck.counted(live.key):
            name = f"{ground.deployed.bot.id} version {ground.deployed.version}"
            log.error("a turn of bot %s is refused by the store: %s", name, error)
        return await self._turns.commit(live, ground, job, self._turns.fault(ground))


def _is_void(job: Job, loaded: Loaded) -> bool:
    """A timer that was put off or done since it was found due."""
    event = job.arrival.event
    if not isinstance(event, TimedOut):
        return False
    due = loaded.kept.timers.get(event.timer)
    return due is None or due > event.now


def _pause(tries: int) -> float:
    return RETRY_SECONDS[min(tries, len(RETRY_SECONDS) - 1)]
