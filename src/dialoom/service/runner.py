"""The only loop: takes the events of each chat in their order, runs turns, does what they ask, stores the result.

What is stored is stored exactly once; outside calls are made at least once with a stable key (service.md, Storage).
A turn without outside calls is one transaction, its inbox row never written. A turn with calls writes its inbox row
first and journals each result before it goes on, so that a rerun after a crash repeats at most the call in flight.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

import msgspec

from dialoom.engine import Turn, begins_anew, turn
from dialoom.engine.effects import Failed, Fetch, Send
from dialoom.engine.events import Fetched, NoResponse, Response, TimedOut
from dialoom.errors import DialoomError, RequestError, StoreError, VaultError
from dialoom.messages import BotMessage
from dialoom.service import arrival as arrivals
from dialoom.service import chats
from dialoom.service.hub import News
from dialoom.service.ids import IdSource
from dialoom.service.lives import Job, Live, Lives, stopping
from dialoom.service.outside import Outside
from dialoom.service.transcript import said_again, write_down
from dialoom.storage.store import Answered, ChatKey, Inbound, TimerRow, TurnWrite

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Mapping
    from typing import Any

    from dialoom.auth.vault import Vault
    from dialoom.service.addresses import Addresses
    from dialoom.service.arrival import Arrival
    from dialoom.service.bots import Bots, Deployed
    from dialoom.service.clock import Clock
    from dialoom.service.hub import Hub
    from dialoom.service.transcript import Spoken, Written
    from dialoom.storage.store import Store, StoredMessage

    AnswerForm = Callable[[tuple[Spoken, ...]], bytes]
    """How a channel writes the answer that is stored for a repeated message."""

log = logging.getLogger(__name__)

MOST_WAITING = 20
"""Waiting events of one chat; one more is refused with 429 (service.md, Limits)."""
MOST_CARRIED = 1000
"""Messages that waited and go out with one answer."""
LARGEST_CACHED = 65_536
"""Bytes of sealed memory above which a chat is read from the store each time."""
RETRY_SECONDS = (0.1, 0.5, 2.0, 5.0)
"""Waits before an accepted event is tried again when the store is away; the last one repeats."""


class Ticket(msgspec.Struct, frozen=True):
    """An event that is durable. ``answer`` comes when its turn is; ``is_repeat``: this key was seen before."""

    answer: asyncio.Future[bytes]
    is_repeat: bool = False


class Runner:
    """The door into every turn. ``forms``: channel type to the form of its stored answers."""

    def __init__(
        self,
        store: Store,
        bots: Bots,
        vault: Vault,
        outside: Outside,
        hub: Hub,
        clock: Clock,
        forms: Mapping[str, AnswerForm],
        addresses: Addresses,
    ) -> None:
        self._store = store
        self._bots = bots
        self._vault = vault
        self._outside = outside
        self._hub = hub
        self._clock = clock
        self._forms = forms
        self._addresses = addresses
        self._ids = IdSource()
        self._lives = Lives()
        self._tasks: set[asyncio.Task[None]] = set()
        self._is_stopping = False

    # -- start and stop

    async def start(self) -> None:
        """Take up what was accepted before the last stop."""
        for row in await self._store.waiting():
            try:
                self._lives.take(row.key).queue.append(self._recovered(row))
            except VaultError:
                # It stays in the inbox for the key or the release that can read it; the other chats go on.
                log.exception("an event of bot %s cannot be taken up", row.key.bot)
        for live in self._lives.all():
            if live.queue and not live.busy:
                live.busy = True
                self._spawn(self._drain(live))

    def _recovered(self, row: Inbound) -> Job:
        plain = self._vault.open(row.event, chats.row_name("inbox", row.key))
        arrival = arrivals.decode(plain)
        # Whoever waited for the answer is gone; with a key it can be asked for again.
        is_answered = arrival.is_answered and arrival.dedupe is not None
        job = Job(msgspec.structs.replace(arrival, is_answered=is_answered), row.number)
        job.set_durable()
        return job

    async def stop(self, seconds: float = 18.0) -> None:
        """Finish running turns; one that is not done in time is dropped unwritten and runs again after the start."""
        self._is_stopping = True
        if self._tasks:
            _, late = await asyncio.wait(self._tasks, timeout=seconds)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)
        for live in self._lives.all():
            for job in (live.current, *live.queue):
                if job is not None:
                    job.refuse(stopping())

    # -- the door

    async def submit(self, key: ChatKey, arrival: Arrival) -> Ticket:
        """Take an event; gives back once it is durable. Raises ``RequestError`` (422, 429, 503) and ``StoreError``,
        ``FilesGone`` among them."""
        if self._is_stopping:
            raise stopping()
        job = Job(self._stamped(arrival))
        live = self._lives.take(key)
        if live.busy:
            return await self._queue(live, job)
        return await self._begin(live, job)

    def submit_timer(self, row: TimerRow, arrival: Arrival) -> None:
        """A timer that is due. Its row in the store is its durability: it goes with the turn's commit."""
        live = self._lives.take(row.key)
        waiting = (*live.queue, *((live.current,) if live.current else ()))
        if any(isinstance(job.arrival.event, TimedOut) and job.arrival.event.timer == row.name for job in waiting):
            return
        job = Job(self._stamped(arrival))
        job.set_durable()
        live.queue.append(job)
        if not live.busy:
            live.busy = True
            self._spawn(self._drain(live))

    def _stamped(self, arrival: Arrival) -> Arrival:
        now = self._clock.now()
        id = self._ids.make(now)
        event = msgspec.structs.replace(arrival.event, id=id, now=now, seed=arrivals.seed(id))
        return msgspec.structs.replace(arrival, event=event)

    def is_typing(self, key: ChatKey) -> bool:
        """Whether the bot is in a turn of this chat now."""
        return self._lives.is_busy(key)

    # -- accepting

    async def _queue(self, live: Live, job: Job) -> Ticket:
        """An event of a chat whose turn is running: durable in the inbox now, its own turn later."""
        if (twin := self._twin(live, job)) is not None:
            await asyncio.shield(twin.durable)
            return Ticket(twin.answer, is_repeat=True)
        if len(live.queue) >= MOST_WAITING:
            raise RequestError(
                429,
                "too-many-waiting",
                f"{MOST_WAITING} messages of this user wait for their turn already. Wait for an answer, then go on.",
                headers={"Retry-After": "5"},
            )
        before = live.queue[-1] if live.queue else live.current
        live.queue.append(job)
        try:
            if before is not None:
                # Numbers are given in the order of the events, also where the one before waits for its chat to load.
                await asyncio.wait([before.durable])
            seen = await self._accept(live.key, job)
            if seen is not None:
                self._repeat(live.key, job, seen)
        except BaseException as error:
            job.refuse(error)
            raise
        return Ticket(job.answer, job.is_repeat)

    def _twin(self, live: Live, job: Job) -> Job | None:
        """The job with the same key that is waiting or running now."""
        mine = job.arrival.dedupe
        if mine is None:
            return None
        for other in (live.current, *live.queue):
            theirs = other.arrival.dedupe if other is not None else None
            if theirs is not None and theirs.key == mine.key:
                if theirs.body != mine.body:
                    raise _other_body(mine.key)
                return other
        return None

    async def _accept(self, key: ChatKey, job: Job) -> Answered | None:
        arrival = job.arrival
        sealed = self._vault.seal(arrivals.encode(arrival), chats.row_name("inbox", key))
        event = arrival.event
        row = await self._store.accept(key, event.id, sealed, arrival.dedupe, event.now, arrival.files)
        if isinstance(row, Answered):
            return row
        job.number = row.number
        job.set_durable()
        return None

    def _repeat(self, key: ChatKey, job: Job, seen: Answered) -> None:
        """The key of this event was seen before: it gets that answer (once it is there) and no turn."""
        dedupe = job.arrival.dedupe
        assert dedupe is not None
        if seen.body != dedupe.body:
            raise _other_body(dedupe.key)
        job.is_repeat = True
        job.set_durable()
        if seen.answer is not None and not job.answer.done():
            job.answer.set_result(self._vault.open(seen.answer, chats.row_name("answer", key)))

    async def _begin(self, live: Live, job: Job) -> Ticket:
        """An event of an idle chat: its turn at once. Without outside calls it is durable when the turn is."""
        live.busy = True
        live.current = job
        is_handed_on = False
        try:
            loaded, deployed = await self._load(live, job)
            outcome = self._step(deployed, loaded, loaded.kept.state, job.arrival.event)
            if outcome.pending is None:
                seen = await self._commit(live, loaded, deployed, job, outcome)
            else:
                seen = await self._accept(live.key, job)
                if seen is None:
                    is_handed_on = True
                    self._spawn(self._drain(live, job))
            if seen is not None:
                self._repeat(live.key, job, seen)
            return Ticket(job.answer, job.is_repeat)
        except BaseException as error:
            live.loaded = None
            job.refuse(error)
            raise
        finally:
            if not is_handed_on:
                live.current = None
                if live.queue:
                    self._spawn(self._drain(live))
                else:
                    live.busy = False

    # -- turns

    async def _drain(self, live: Live, first: Job | None = None) -> None:
        """The events of a chat, one after the other; ``live.busy`` is ours until none is left."""
        try:
            while first is not None or live.queue:
                live.current = job = first or live.queue.popleft()
                first = None
                await self._in_its_turn(live, job)
        finally:
            live.current = None
            live.busy = False

    async def _in_its_turn(self, live: Live, job: Job) -> None:
        await asyncio.wait([job.durable])
        # A refused one has no turn: whoever sent it was told why.
        if job.durable.exception() is not None or job.is_repeat:
            return
        try:
            await self._perform(live, job)
        except asyncio.CancelledError as stop:
            job.refuse(stop)
            raise
        except Exception as error:
            # The outermost loop of a chat: whatever went wrong with one event, the next ones have their turn. The
            # event stays in the inbox for the next start.
            log.exception("an event of bot %s is left in its inbox", live.key.bot)
            live.loaded = None
            self._hub.tell(live.key, News(typing=False))
            job.refuse(error if isinstance(error, DialoomError) else _internal())

    async def _perform(self, live: Live, job: Job) -> None:
        """Run an accepted event until its turn is stored, however long the store is away."""
        waits = [*RETRY_SECONDS]
        while True:
            try:
                return await self._try(live, job)
            except StoreError:
                log.exception("a turn of bot %s could not be stored; it is tried again", live.key.bot)
                live.loaded = None
            await self._clock.sleep(waits.pop(0) if len(waits) > 1 else waits[0])

    async def _try(self, live: Live, job: Job) -> None:
        loaded, deployed = await self._load(live, job)
        if self._is_void(job, loaded):
            return
        if job.journal is None:
            assert job.number is not None
            job.journal = await self._store.journaled(live.key, job.number)
        try:
            outcome = await self._finish(live, job, loaded, deployed)
            seen = await self._commit(live, loaded, deployed, job, outcome)
        except DialoomError:
            raise
        except Exception:
            # A fault of ours in what belongs to this one event: it must neither stop the chat nor come again for ever.
            log.exception("fault in a turn of bot %s version %s", deployed.bot.id, deployed.version)
            seen = await self._commit(live, loaded, deployed, job, self._fault(deployed, loaded))
        if seen is not None:
            # The turn of this inbox row is stored already: a stop came between its commit and our knowing of it.
            live.loaded = None
            self._hub.tell(live.key, News(typing=False))
            await self._tell_stored(live, job)

    async def _tell_stored(self, live: Live, job: Job) -> None:
        dedupe = job.arrival.dedupe
        known = None if dedupe is None else await self._store.answered(live.key, dedupe.key)
        if known is None or known.answer is None:
            job.refuse(_internal())
        elif not job.answer.done():
            job.answer.set_result(self._vault.open(known.answer, chats.row_name("answer", live.key)))

    @staticmethod
    def _is_void(job: Job, loaded: chats.Loaded) -> bool:
        """A timer that a later message has put off or cancelled since it was found due."""
        event = job.arrival.event
        due = loaded.kept.timers.get(event.timer) if isinstance(event, TimedOut) else None
        return due is not None and due > event.now

    async def _load(self, live: Live, job: Job) -> tuple[chats.Loaded, Deployed]:
        """The chat, and the version that this event runs on: the one its record began with, while that goes on."""
        if live.loaded is None:
            live.loaded = chats.open_chat(self._vault, live.key, await self._store.chat(live.key))
        loaded = live.loaded
        active = self._bots.active(live.key.bot)
        if loaded.kept.record is not None and (active is None or active.version != loaded.kept.version):
            is_over = active is not None and begins_anew(active.flow, loaded.kept.state, job.arrival.event)
            pinned = None if is_over else await self._bots.pinned(live.key.bot, loaded.kept.version)
            if pinned is not None:
                return loaded, pinned
        if active is None:
            raise RequestError(404, "unknown-bot", f'There is no bot "{live.key.bot}" here.')
        return loaded, active

    def _step(self, deployed: Deployed, loaded: chats.Loaded, state: Any, event: Any) -> Turn:
        try:
            return turn(deployed.flow, state, event)
        except Exception:
            # The engine promises never to raise. If it does, the user gets the general failure, the record an error,
            # the log the trace.
            log.exception("fault in a turn of bot %s version %s", deployed.bot.id, deployed.version)
            return self._fault(deployed, loaded)

    @staticmethod
    def _fault(deployed: Deployed, loaded: chats.Loaded) -> Turn:
        text = deployed.flow.general_failure()
        return Turn(loaded.kept.state, (Failed("", "internal error"), Send(BotMessage(text), "")))

    async def _finish(self, live: Live, job: Job, loaded: chats.Loaded, deployed: Deployed) -> Turn:
        """The turn with its outside calls, made one by one."""
        outcome = self._step(deployed, loaded, loaded.kept.state, job.arrival.event)
        if outcome.pending is not None:
            self._hub.tell(live.key, News(typing=True))
            deadline = self._outside.deadline()
            while (fetch := outcome.pending) is not None:
                result = await self._call(live.key, job, deployed, fetch, deadline)
                outcome = self._step(deployed, loaded, outcome.state, result)
        return outcome

    async def _call(self, key: ChatKey, job: Job, deployed: Deployed, fetch: Fetch, deadline: float) -> Fetched:
        row = chats.row_name("journal", key)
        assert job.journal is not None
        known = job.journal.get(fetch.key)
        if known is not None:
            return msgspec.json.decode(self._vault.open(known, row), type=Fetched)
        answer = await self._outside.call(deployed.bot, fetch.request, deadline)
        result = Fetched(
            key=fetch.key,
            response=answer if isinstance(answer, Response) else None,
            failure=answer if isinstance(answer, NoResponse) else None,
        )
        sealed = self._vault.seal(msgspec.json.encode(result), row)
        if job.number is not None:
            await self._store.journal(key, job.number, fetch.key, sealed)
        job.journal[fetch.key] = sealed
        return result

    async def _commit(
        self, live: Live, loaded: chats.Loaded, deployed: Deployed, job: Job, outcome: Turn
    ) -> Answered | None:
        key, arrival = live.key, job.arrival
        written = write_down(key, loaded, deployed, arrival, outcome, self._ids, self._clock.now())
        channel = deployed.channel(key.channel)
        form = self._forms.get(channel.type) if channel is not None else None
        takes_waiting = form is not None and arrival.takes_waiting
        waiting = await self._store.later(key, MOST_CARRIED) if takes_waiting else []
        answer = self._answer(form, key, waiting, written)
        dedupe = arrival.dedupe
        state = chats.seal(self._vault, key, written.kept)
        seen = await self._store.commit(
            TurnWrite(
                key=key,
                number=job.number,
                dedupe=dedupe,
                answer=None if dedupe is None else self._vault.seal(answer, chats.row_name("answer", key)),
                state=state,
                revision=loaded.revision,
                position=written.position,
                records=written.records,
                messages=written.messages,
                timers=written.timers,
                cancelled=written.cancelled,
                now=arrival.event.now,
                is_later=form is not None and not arrival.is_answered,
                carried=waiting[-1].position if waiting else 0,
                files=arrival.files if job.number is None else (),
            )
        )
        if seen is not None:
            return seen
        live.loaded = None
        if len(state) <= LARGEST_CACHED:
            live.loaded = chats.Loaded(written.kept, loaded.revision + 1, written.position)
        job.set_durable()
        if not job.answer.done():
            job.answer.set_result(answer)
        self._hub.tell(key, News(written.messages, typing=False))
        return None

    def _answer(self, form: AnswerForm | None, key: ChatKey, waiting: list[StoredMessage], written: Written) -> bytes:
        if form is None:
            return b""
        spoken = (*map(said_again, waiting), *written.spoken)
        return form(tuple(self._addresses.put_in(key, one) for one in spoken))

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            level = logging.WARNING if isinstance(error, DialoomError) else logging.ERROR
            log.log(level, "a turn ended early", exc_info=error)


def _internal() -> RequestError:
    return RequestError(500, "internal", "Something went wrong here. The operator finds the reason in the log.")


def _other_body(key: str) -> RequestError:
    return RequestError(
        422,
        "key-reused",
        f'The message id "{key}" was used for another message within 24 hours. Give each message its own id.',
    )
