"""Takes the events of each chat in their order and has their turns run and stored, whatever happens: the only loop.

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
from collections.abc import Callable

import msgspec

from dialoom.auth.vault import Vault
from dialoom.engine.events import TimedOut
from dialoom.errors import DialoomError, StoreError
from dialoom.service.chat import inbound as inbound_events
from dialoom.service.chat.active_chats import ActiveChat, QueuedEvent, stopping
from dialoom.service.chat.chat_row import Loaded
from dialoom.service.chat.hub import Hub
from dialoom.service.chat.inbound import InboundEvent
from dialoom.service.chat.inbox import MAX_WAITING_EVENTS, Inbox, internal, other_body, overloaded, too_many
from dialoom.service.clock import Clock, IdSource
from dialoom.service.cluster.failing_events import FailingEvents
from dialoom.service.cluster.leases import Leases
from dialoom.service.cluster.peers import Peers
from dialoom.service.cluster.remote_events import RemoteEvents
from dialoom.service.observe import logs
from dialoom.service.observe.metrics import ChatCounts
from dialoom.service.turns.instrumented_turns import InstrumentedTurns
from dialoom.service.turns.turn import TurnInput, Turns
from dialoom.storage.store import Answered, ChatKey, Notice, Overtaken, Refused, Store, TimerRow

log = logging.getLogger(__name__)

RETRY_SECONDS = (0.1, 0.5, 2.0, 5.0)
"""Waits before an accepted event is tried again when the store is away; the last one repeats."""
MAX_ENTERING_EVENTS = 512
"""Events on their way in that are not durable yet, over all chats. Behind so many one more waits about half a second
for its turn; without a bound a rush of twice what can be done makes all wait ever longer, and their connections take
what is left of the processor: it does not end by itself."""
MAX_OVERTAKEN = 3
"""Times that a turn is computed again at once; more of them are no mere race, and get a pause."""


class Submitted(msgspec.Struct, frozen=True):
    """Stands for a durable event. ``answer`` is set when its turn is stored; ``is_repeat``: its key was seen before."""

    answer: asyncio.Future[bytes]
    is_repeat: bool = False
    queued: QueuedEvent | None = None

    def give_up(self) -> bool:
        """Wait no longer: what the bot says waits for the next event that takes what waits. Return False where the turn
        is being stored with its answer, which comes at once. A turn that another process runs is stored with its
        answer too, which only the same event sees again."""
        if self.queued is None:
            return True
        if self.queued.is_committing:
            return False
        self.queued.is_given_up = True
        return True


class Runner:
    """Takes events of all chats and runs their turns. ``withdraw``: gives up the deliveries of an erased chat."""

    def __init__(
        self,
        store: Store,
        vault: Vault,
        turns: Turns,
        hub: Hub,
        clock: Clock,
        ids: IdSource,
        observed: InstrumentedTurns,
        withdraw: Callable[[ChatKey], None],
    ) -> None:
        self._store = store
        self._turns = turns
        self._clock = clock
        self._ids = ids
        self._observed = observed
        self.active_chats = turns.active_chats
        """The chats that are in memory; changed here and in ``cluster`` alone."""
        self._inbox = Inbox(store, vault)
        self._failing_events = FailingEvents(clock)
        self._remote_events = RemoteEvents(store, self._inbox, clock, self._try_again)
        self._leases = Leases(
            store, vault, self._inbox, self._remote_events, self.active_chats, self._failing_events, clock
        )
        self._peers = Peers(
            store,
            self.active_chats,
            self._leases,
            self._remote_events,
            self._failing_events,
            hub,
            clock,
            wake=self._wake,
            withdraw=withdraw,
        )
        self._drains: dict[asyncio.Task[None], ActiveChat] = {}
        self._entering = 0
        self._is_stopping = False

    # -- start and stop

    async def start(self) -> None:
        """Run the events that were accepted before the last stop, or by a process that is gone."""
        await self._peers.start()

    async def stop(self, seconds: float = 18.0) -> None:
        """Finish the turns that run here, and store them; one that is not done in time is dropped unwritten and runs
        again after the start. No answer of another process is waited for, and no store that is away."""
        self._is_stopping = True
        await self._peers.stop()
        await self._remote_events.stop()
        for task, chat in self._drains.items():
            if not chat.is_in_turn():
                task.cancel()
        if self._drains:
            _, late = await asyncio.wait(self._drains, timeout=seconds)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)
        await self._turns.stop()
        for chat in self.active_chats.all():
            chat.refuse_all(stopping())
        if self._store.is_shared:
            await self._leases.let_go_all()

    def _try_again(self, key: ChatKey) -> None:
        if not self._failing_events.is_resting(key):
            self._wake(self.active_chats.take(key))

    def _wake(self, chat: ActiveChat) -> None:
        """Read the inbox of the chat and run its events."""
        chat.is_stale = True
        if not chat.busy and not self._is_stopping:
            chat.used_at = self._clock.now()
            self._drain_soon(chat)

    # -- submitting

    async def submit(self, key: ChatKey, inbound: InboundEvent) -> Submitted:
        """Accept an event; return once it is durable. Raises ``RequestError`` (422, 429, 503) and ``StoreError``,
        ``FilesGone`` among them."""
        if self._is_stopping:
            raise stopping()
        self.check_room()
        self._entering += 1
        try:
            return await self._enter(key, inbound)
        finally:
            self._entering -= 1

    async def has_seen(self, key: ChatKey, inbound: InboundEvent) -> bool:
        """Return whether the event's key was seen in this chat, so that ``submit`` would store nothing. Raises
        ``RequestError`` (``key-reused``) for another body under the same key."""
        if inbound.dedupe is None:
            return False
        chat = self.active_chats.find(key)
        if chat is not None and (duplicate := self._duplicate(chat, QueuedEvent(inbound))) is not None:
            await asyncio.shield(duplicate.durable)
            return True
        seen = await self._store.answered(key, inbound.dedupe.key)
        if seen is not None and seen.body != inbound.dedupe.body:
            raise other_body(inbound.dedupe)
        return seen is not None

    def check_room(self) -> None:
        """Raise ``RequestError`` 503 where ``submit`` would, before anything is read of a request: a refusal must cost
        much less than an answer."""
        if self._entering >= MAX_ENTERING_EVENTS or self._turns.is_behind():
            raise overloaded()

    async def _enter(self, key: ChatKey, inbound: InboundEvent) -> Submitted:
        queued = QueuedEvent(self._with_id_and_time(inbound))
        queued.origin = self._observed.origin()
        queued.request = logs.request_here()
        chat = self.active_chats.take(key)
        chat.used_at = queued.inbound.event.now
        try:
            submitted = await (self._queue(chat, queued) if chat.busy else self._begin(chat, queued))
        except Refused as error:
            # Sent again it would be refused again.
            log.error("an event of bot %s cannot be stored: %s", key.bot, error)  # noqa: TRY400  # its words do
            raise internal() from None
        if submitted.is_repeat:
            self._observed.repeated(key.bot)
        return submitted

    def submit_timer(self, row: TimerRow, inbound: InboundEvent) -> None:
        """Accept a timer that is due. It is durable already: its row is deleted by the turn's commit."""
        chat = self.active_chats.take(row.key)
        events = [queued.inbound.event for queued in chat.events()]
        if any(isinstance(event, TimedOut) and event.timer == row.name for event in events):
            return
        queued = QueuedEvent(self._with_id_and_time(inbound))
        queued.set_durable()
        chat.queue.append(queued)
        chat.used_at = queued.inbound.event.now
        if not chat.busy:
            self._drain_soon(chat)

    def _with_id_and_time(self, inbound: InboundEvent) -> InboundEvent:
        now = self._clock.now()
        id = self._ids.make(now)
        event = msgspec.structs.replace(inbound.event, id=id, now=now, seed=inbound_events.seed(id))
        return msgspec.structs.replace(inbound, event=event)

    def counts(self) -> ChatCounts:
        """Count chats and waiting events; walks all chats in memory."""
        active_chats = self.active_chats.all()
        return ChatCounts(
            kept=len(active_chats),
            held=sum(chat.is_held for chat in active_chats),
            busy=sum(chat.busy for chat in active_chats),
            waiting=sum(len(chat.queue) for chat in active_chats),
            failing=self._failing_events.counts(),
        )

    def is_typing(self, key: ChatKey) -> bool:
        """Return whether a turn of this chat is running."""
        return self.active_chats.is_busy(key) or self._remote_events.is_typing(key)

    def forget(self, key: ChatKey) -> None:
        """Forget a chat whose user was erased, and tell the other processes. The store refuses a turn that runs; its
        caller gets 410."""
        self._peers.forget(key)
        self._store.tell(Notice("erased", key))

    # -- accepting

    async def _queue(self, chat: ActiveChat, queued: QueuedEvent) -> Submitted:
        """Store an event of a busy chat in the inbox; its turn comes later."""
        if (duplicate := self._duplicate(chat, queued)) is not None:
            await asyncio.shield(duplicate.durable)
            return Submitted(duplicate.answer, is_repeat=True)
        # A shared store counts itself: what was accepted here may be done elsewhere by now, and this process, which
        # waits for the store, knows nothing of it.
        if not self._store.is_shared and len(chat.queue) >= MAX_WAITING_EVENTS:
            raise too_many()
        last = chat.queue[-1] if chat.queue else None
        before = [other.durable for other in (chat.current, last) if other is not None]
        chat.queue.append(queued)
        try:
            if before:
                # Numbers are given in the order of the events, also where the one before waits for its chat to load.
                await asyncio.wait(before)
            seen = await self._inbox.accept(chat, queued)
            if seen is not None:
                self._repeat(chat, queued, seen)
            elif chat.is_held:
                self._turns.fetch_files(chat)
        except BaseException as error:
            queued.refuse(error)
            with contextlib.suppress(ValueError):
                chat.queue.remove(queued)  # it waits for nothing; sent again, it is asked of the store again
            raise
        return Submitted(queued.answer, queued.is_repeat, queued)

    def _duplicate(self, chat: ActiveChat, queued: QueuedEvent) -> QueuedEvent | None:
        """Return the queued event with the same key that waits or runs."""
        mine = queued.inbound.dedupe
        if mine is None:
            return None
        for other in chat.events():
            theirs = other.inbound.dedupe
            if theirs is not None and theirs.key == mine.key:
                if theirs.body != mine.body:
                    raise other_body(mine)
                return other
        return None

    def _repeat(self, chat: ActiveChat, queued: QueuedEvent, seen: Answered) -> None:
        self._inbox.repeat(chat.key, queued, seen)
        if seen.answer is None and self._store.is_shared:
            # Whoever accepted it may be gone before it told anybody, or told a process that did not hear it: others, or
            # this one.
            self._store.tell(Notice("inbox", chat.key))
            chat.is_stale = True

    async def _begin(self, chat: ActiveChat, queued: QueuedEvent) -> Submitted:
        """Run an event of an idle chat at once. Without outside calls it is durable when its turn is stored."""
        chat.busy = True
        chat.current = queued
        try:
            with self._observed.turn(chat, queued):
                seen = await self._run_now(chat, queued)
            if seen is not None:
                self._repeat(chat, queued, seen)
            return Submitted(queued.answer, queued.is_repeat, queued)
        except BaseException as error:
            chat.loaded = None
            queued.refuse(error)
            raise
        finally:
            chat.current = None
            if chat.queue or chat.is_stale:
                self._drain_soon(chat)
            else:
                chat.busy = False

    async def _run_now(self, chat: ActiveChat, queued: QueuedEvent) -> Answered | None:
        """Run the whole turn at once if possible; else store the event in the inbox, at the head of the queue."""
        is_ours = chat.is_held or await self._leases.take(chat)
        # What comes with files that are yet to be fetched is accepted first: whoever sent it waits for that alone.
        if is_ours and not chat.has_accepted() and not queued.inbound.remote_files:
            turn_input = await self._turns.load(chat, queued)
            outcome = self._turns.begin(turn_input, queued)
            if outcome.pending is None:
                try:
                    return await self._turns.commit(chat, turn_input, queued, outcome)
                except Overtaken:
                    chat.doubt()
                except Refused as error:
                    return await self._fail(chat, turn_input, queued, error)
        seen = await self._inbox.accept(chat, queued)
        if seen is None:
            if is_ours:
                self._put_first(chat, queued)
            else:
                self._remote_events.leave(chat.key, queued)
        return seen

    @staticmethod
    def _put_first(chat: ActiveChat, queued: QueuedEvent) -> None:
        """Put an accepted event before those that are not accepted yet, behind those that were before it."""
        behind = next((index for index, other in enumerate(chat.queue) if other.number is None), len(chat.queue))
        chat.queue.insert(behind, queued)

    # -- turns

    def _drain_soon(self, chat: ActiveChat) -> None:
        chat.busy = True
        task = asyncio.get_running_loop().create_task(self._drain(chat))
        self._drains[task] = chat
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        del self._drains[task]
        if not task.cancelled() and (error := task.exception()) is not None:
            level = logging.WARNING if isinstance(error, DialoomError) else logging.ERROR
            log.log(level, "a turn ended early", exc_info=error)

    async def _drain(self, chat: ActiveChat) -> None:
        """Run the events of a chat, one after the other; ``chat.busy`` stays set until none is left."""
        # Of many requests, and not of the one that happened to begin it.
        logs.enter(dict)
        try:
            while chat.queue or chat.is_stale:
                if (chat.is_stale or not chat.is_held) and not await self._is_ours(chat):
                    continue
                if chat.queue:
                    self._turns.fetch_files(chat)
                    chat.current = queued = chat.queue.popleft()
                    await self._in_its_turn(chat, queued)
                    chat.current = None
        except BaseException as error:
            # A stop, or a fault of ours: whoever waits is told. What was accepted stays in the inbox.
            chat.refuse_all(error)
            raise
        finally:
            chat.current = None
            chat.busy = False

    async def _is_ours(self, chat: ActiveChat) -> bool:
        """Take the lease of the chat and read its waiting events; leave them to another process that has it."""
        for tries in itertools.count():
            if self._is_stopping and not chat.is_in_turn():
                self._leave_all(chat, stopping())
                return False
            try:
                is_ours = await self._leases.take(chat)
            except StoreError:
                pass  # ``store_outage`` has told the operator
            except DialoomError as error:
                self._leave_all(chat, error)  # ``leases`` has told the operator
                return False
            else:
                if not is_ours:
                    await self._leave_to_others(chat)
                return is_ours
            await self._clock.sleep(_pause(tries))
        raise AssertionError  # a count has no end

    async def _leave_to_others(self, chat: ActiveChat) -> None:
        while chat.queue:
            chat.current = queued = chat.queue.popleft()
            await asyncio.wait([queued.durable])
            # A timer has no number: whoever has the chat finds it due as well.
            if queued.durable.exception() is None and not queued.is_repeat and queued.number is not None:
                # Whoever took the chat while the event ran here has it, and may have done it.
                self._remote_events.leave(chat.key, queued, is_done=queued.has_run())
        chat.current = None

    @staticmethod
    def _leave_all(chat: ActiveChat, error: BaseException) -> None:
        """Refuse all events in memory; accepted ones stay in the inbox."""
        chat.is_stale = False
        chat.refuse_all(error)

    async def _in_its_turn(self, chat: ActiveChat, queued: QueuedEvent) -> None:
        await asyncio.wait([queued.durable])
        # A refused one has no turn: whoever sent it was told why.
        if queued.durable.exception() is not None or queued.is_repeat:
            return
        if chat.is_stale or not chat.is_held:
            chat.queue.appendleft(queued)
            return
        try:
            with self._observed.turn(chat, queued):
                await self._perform(chat, queued)
        except Exception as error:  # noqa: BLE001  # it is logged with what is kept of such events
            # The outermost loop of a chat: whatever went wrong with one event, the next ones have their turn. The
            # event stays in the inbox and is tried again.
            self._failing_events.note(chat.key, queued.number, error)
            self._turns.tell_typing(chat.key, on=False)
            refusal = error if isinstance(error, DialoomError) and not isinstance(error, StoreError) else internal()
            queued.refuse(refusal)
            await self._leases.abandon(chat)
            if self._store.is_shared:
                # Nothing behind it can be stored before it is: a process that can do it has to take the chat.
                self._leave_all(chat, refusal)

    async def _perform(self, chat: ActiveChat, queued: QueuedEvent) -> None:
        """Run an accepted event; put it back if its turn could not be stored, however long the store is away."""
        pause = 0.0
        try:
            await self._try(chat, queued)
        except Refused:
            raise
        except StoreError as error:
            # Whether it was stored all the same is seen when the chat is taken again: its inbox row is gone then.
            chat.doubt()
            queued.tries += 1
            chat.current = None
            chat.queue.appendleft(queued)
            if not isinstance(error, Overtaken):
                pause = _pause(queued.tries - 1)
            elif queued.tries > MAX_OVERTAKEN:
                log.warning("a turn of bot %s is overtaken again and again", chat.key.bot)
                pause = _pause(queued.tries - MAX_OVERTAKEN)
            if pause and (not self._is_stopping or queued.has_run()):
                await self._clock.sleep(pause)
        else:
            self._failing_events.passed(chat.key, queued.number)

    async def _try(self, chat: ActiveChat, queued: QueuedEvent) -> None:
        turn_input = await self._turns.load(chat, queued)
        if _is_void(queued, turn_input.loaded):
            return
        try:
            outcome = self._turns.begin(turn_input, queued)
            if outcome.pending is not None:
                outcome = await self._turns.make_calls(chat, queued, turn_input, outcome)
            seen = await self._turns.commit(chat, turn_input, queued, outcome)
        except Refused as error:
            seen = await self._fail(chat, turn_input, queued, error)
        except DialoomError:
            raise
        except Exception:
            # A fault of ours in what belongs to this one event: it must neither stop the chat nor come again for ever.
            deployed = turn_input.deployed
            log.exception("fault in a turn of bot %s version %s", deployed.bot.id, deployed.version)
            seen = await self._turns.commit(chat, turn_input, queued, self._turns.fault(turn_input))
        if seen is not None:
            # The turn of this inbox row is stored already: a stop came between its commit and our knowing of it, or
            # another process had the chat meanwhile.
            chat.doubt()
            self._turns.tell_typing(chat.key, on=False)
            if not await self._inbox.answer(chat.key, queued):
                queued.refuse(internal())

    async def _fail(
        self, chat: ActiveChat, turn_input: TurnInput, queued: QueuedEvent, error: Refused
    ) -> Answered | None:
        """Store the general failure as the turn of an event whose own turn the store refuses for good."""
        if not self._failing_events.counted(chat.key):
            name = f"{turn_input.deployed.bot.id} version {turn_input.deployed.version}"
            log.error("a turn of bot %s is refused by the store: %s", name, error)
        return await self._turns.commit(chat, turn_input, queued, self._turns.fault(turn_input))


def _is_void(queued: QueuedEvent, loaded: Loaded) -> bool:
    """Return whether the event is a timer that was postponed or done since it was found due."""
    event = queued.inbound.event
    if not isinstance(event, TimedOut):
        return False
    due = loaded.kept.timers.get(event.timer)
    return due is None or due > event.now


def _pause(tries: int) -> float:
    return RETRY_SECONDS[min(tries, len(RETRY_SECONDS) - 1)]
