"""One turn of a chat: loads what it stands on, asks the engine, makes the outside calls it asks for, stores the result.

Which event is next, and what is done when the store is away, is the runner's.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from dialoom.engine import Turn, begins_anew, stop, turn
from dialoom.engine.effects import Failed, Heard, Refresh, Send
from dialoom.engine.events import Fetched, NoResponse, Response
from dialoom.errors import RequestError
from dialoom.messages import BotMessage
from dialoom.service.chat import chat_row
from dialoom.service.chat.active_chats import Stored
from dialoom.service.chat.hub import Update
from dialoom.service.chat.transcript import said_again, write_down
from dialoom.service.chat.turn_limit import MAX_TURN_SECONDS, TurnTooLongError
from dialoom.service.login.login_hook import Renewed
from dialoom.service.outbox.delivery import TurnDone
from dialoom.storage import refusals
from dialoom.storage.store import Notice, TurnWrite

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from dialoom.auth.vault import Vault
    from dialoom.engine import State
    from dialoom.engine.effects import Fetch
    from dialoom.engine.events import Event
    from dialoom.service.bots.bots import Bots, Deployed
    from dialoom.service.chat.active_chats import ActiveChat, ActiveChats, Job
    from dialoom.service.chat.encoding import Part
    from dialoom.service.chat.hub import Hub
    from dialoom.service.chat.inbound import InboundEvent
    from dialoom.service.chat.outbound_calls import OutboundCalls
    from dialoom.service.chat.signed_links import SignedLinks
    from dialoom.service.chat.transcript import Spoken, Written
    from dialoom.service.chat.turn_limit import TurnLimit
    from dialoom.service.clock import Clock
    from dialoom.service.ids import IdSource
    from dialoom.service.login.login_hook import LoginHook
    from dialoom.service.login.login_values import Login
    from dialoom.service.observe.instruments import Counts
    from dialoom.service.outbox.outbox import Outbox
    from dialoom.storage.store import Answered, ChatKey, Store, StoredMessage

    AnswerForm = Callable[[tuple[Spoken, ...]], bytes]
    """How a channel writes the answer that is stored for a repeated message."""

log = logging.getLogger(__name__)

_TOO_LONG = f"The turn took more than {MAX_TURN_SECONDS} s of processor time and was stopped."
MAX_CARRIED_MESSAGES = 1000
"""Messages that waited and go out with one answer."""


class TurnInput(NamedTuple):
    """What a turn stands on."""

    loaded: chat_row.Loaded
    deployed: Deployed
    arrival: InboundEvent
    """As the engine gets it: a code that was awaited comes as what it means."""
    late: Login | None
    """What it brought by a login link that counts no more, and the engine does not get."""


class _Ready(NamedTuple):
    """A turn before it is stored, with what is done once it is."""

    written: Written
    answer: bytes
    write: TurnWrite
    parts: Mapping[str, Part] | None
    """Of a large chat: what of it is there encoded as well."""


class Turns:
    """``forms``: channel type to the form of its stored answers. ``interrupted``: counts interrupted turns by bot."""

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
        ids: IdSource,
        outbox: Outbox,
        logins: LoginHook,
        limit: TurnLimit,
        interrupted: Counts,
        lives: ActiveChats,
    ) -> None:
        self._store = store
        self._bots = bots
        self._vault = vault
        self._outside = outside
        self._hub = hub
        self._clock = clock
        self._forms = forms
        self._addresses = addresses
        self._ids = ids
        self._outbox = outbox
        self._logins = logins
        self._limit = limit
        self._interrupted = interrupted
        self._is_shared = store.is_shared
        self._lives = lives

    async def load(self, live: ActiveChat, job: Job) -> TurnInput:
        """The chat, and the version that this event runs on: the one its record began with, while that goes on."""
        if live.loaded is None:
            live.loaded = chat_row.open_chat(self._vault, live.key, await self._store.chat(live.key))
        loaded = live.loaded
        if job.interrupted is None:  # else nothing is run again that could bring it
            job.renewed = None
        arrival, late = await self._logins.heard(live.key, loaded.kept, job.arrival)
        active = self._bots.active(live.key.bot)
        if loaded.kept.record is not None and (active is None or active.version != loaded.kept.version):
            is_over = active is not None and begins_anew(active.flow, loaded.kept.state, arrival.event)
            pinned = None if is_over else await self._bots.pinned(live.key.bot, loaded.kept.version)
            if pinned is not None:
                return TurnInput(loaded, pinned, arrival, late)
        if active is None:
            raise RequestError(404, "unknown-bot", f'There is no bot "{live.key.bot}" here.')
        return TurnInput(loaded, active, arrival, late)

    def begin(self, ground: TurnInput, job: Job) -> Turn:
        return self._step(ground, job, ground.loaded.kept.state, ground.arrival.event)

    def _step(self, ground: TurnInput, job: Job, state: State, event: Event | Fetched) -> Turn:
        """One call of the engine. A turn that was interrupted stays so, however often it has to be stored anew."""
        flow = ground.deployed.flow
        try:
            if job.interrupted is None:
                try:
                    return self._limit.call(turn, flow, state, event)
                except TurnTooLongError as error:
                    job.interrupted = error.with_traceback(None)  # which would hold the turn's values
                    self._interrupted.add(flow.bot.id)
            before, original = ground.loaded.kept.state, ground.arrival.event
            return self._limit.call(stop, flow, before, original, job.interrupted.step, _TOO_LONG)
        except Exception:
            # The engine promises never to raise. If it does, the user gets the general failure, the record an error,
            # the log the trace.
            log.exception("fault in a turn of bot %s version %s", flow.bot.id, ground.deployed.version)
            return self.fault(ground)

    @staticmethod
    def fault(ground: TurnInput) -> Turn:
        """The general failure, with everything as it was. What answers a hidden question stays hidden."""
        flow, state = ground.deployed.flow, ground.loaded.kept.state
        place = flow.open_place(state)
        heard = Heard({}, None if place is None else place.fills)
        return Turn(state, (heard, Failed("", "internal error"), Send(BotMessage(flow.general_failure()), "")))

    # -- outside calls

    async def make_calls(self, live: ActiveChat, job: Job, ground: TurnInput, outcome: Turn) -> Turn:
        """The turn that stopped at an outside call, with all its calls, made one by one.

        ``Overtaken`` when the chat is not this process's any more: it makes no call then, and whoever has the chat
        repeats at most the one that was on its way.
        """
        self.tell_typing(live.key, on=True)
        deadline = self._outside.deadline()
        while (wanted := outcome.pending) is not None:
            result = await self._call(live, job, ground, wanted, deadline)
            outcome = self._step(ground, job, outcome.state, result)
        return outcome

    async def _call(
        self, live: ActiveChat, job: Job, ground: TurnInput, wanted: Fetch | Refresh, deadline: float
    ) -> Fetched:
        """Its result, which is in the journal before anything is done with it."""
        key = live.key
        row = chat_row.row_name("journal", key)
        assert job.number is not None  # only a timer has none, and the turn of a timer calls nobody
        if job.journal is None:
            job.journal = await self._store.journaled(key, job.number)
        if wanted.key not in job.journal:
            if wanted.key not in job.made:
                if not live.is_held:
                    raise refusals.not_held(key.bot)
                result = await self._outside_call(ground, wanted, deadline)
                job.made[wanted.key] = self._vault.seal(msgspec.json.encode(result), row)
            await self._store.journal(key, job.number, wanted.key, job.made[wanted.key])
            job.journal[wanted.key] = job.made[wanted.key]
        plain = self._vault.open(job.journal[wanted.key], row)
        if isinstance(wanted, Refresh):
            renewed = msgspec.json.decode(plain, type=Renewed)
            job.renewed = renewed.login
            return renewed.fetched
        return msgspec.json.decode(plain, type=Fetched)

    async def _outside_call(self, ground: TurnInput, wanted: Fetch | Refresh, deadline: float) -> Fetched | Renewed:
        if isinstance(wanted, Refresh):
            return await self._logins.renew(ground.deployed, ground.loaded.kept, ground.arrival, wanted, deadline)
        answer = await self._outside.call(ground.deployed.bot, wanted.request, deadline)
        return Fetched(
            key=wanted.key,
            response=answer if isinstance(answer, Response) else None,
            failure=answer if isinstance(answer, NoResponse) else None,
        )

    def tell_typing(self, key: ChatKey, *, on: bool) -> None:
        self._hub.tell(key, Update(typing=on))
        if self._is_shared:
            self._store.tell(Notice("typing" if on else "quiet", key))

    # -- storing

    async def commit(self, live: ActiveChat, ground: TurnInput, job: Job, outcome: Turn) -> Answered | None:
        """Store a turn, then hand out what it says. ``Answered`` when its event was done before."""
        ready = await self._ready(live.key, ground, job, outcome)
        job.is_committing = True
        seen = await self._store.commit(ready.write)
        if seen is not None:
            return seen
        job.stored = _stored(live.key, ground, ready.written, outcome)
        if job.interrupted is not None:
            _tell_interrupted(ground.deployed, job.interrupted)
        self._keep(live, ground, ready)
        self._hand_out(live.key, job, ready)
        await self._logins.settle(live.key, ground.loaded.kept, ground.arrival, ready.written.kept)
        return None

    async def _ready(self, key: ChatKey, ground: TurnInput, job: Job, outcome: Turn) -> _Ready:
        """The turn as it goes into the store, in one transaction."""
        loaded, deployed, arrival, late = ground
        now = self._clock.now()
        logins = await self._logins.conclude(key, deployed, loaded.kept, arrival, outcome, job.renewed, late, now)
        written = write_down(key, loaded, deployed, arrival, outcome, logins, self._ids, now)
        form = self._form(ground, key)
        waiting = (
            await self._store.later(key, MAX_CARRIED_MESSAGES) if form is not None and arrival.takes_waiting else []
        )
        answer = self._answer(form, key, waiting, written)
        is_later = form is not None and not arrival.is_answered
        done = TurnDone(
            key=key,
            deployed=deployed,
            arrival=arrival,
            turn=outcome,
            written=written,
            is_later=is_later,
            taken_back=logins.taken_back,
            now=now,
        )
        dedupe = arrival.dedupe
        state, parts = chat_row.seal_again(self._vault, key, written.kept, loaded)
        write = TurnWrite(
            key=key,
            number=job.number,
            dedupe=dedupe,
            answer=None if dedupe is None else self._vault.seal(answer, chat_row.row_name("answer", key)),
            state=state,
            revision=loaded.revision,
            position=written.position,
            records=written.records,
            messages=written.messages,
            timers=written.timers,
            cancelled=written.cancelled,
            now=arrival.event.now,
            is_later=is_later,
            carried=waiting[-1].position if waiting else 0,
            files=arrival.files if job.number is None else (),
            outbox=await self._outbox.rows(done),
        )
        return _Ready(written, answer, write, parts)

    def _form(self, ground: TurnInput, key: ChatKey) -> AnswerForm | None:
        """How the chat's channel writes its answers, where it has them stored."""
        channel = ground.deployed.channel(key.channel)
        return self._forms.get(channel.type) if channel is not None else None

    def _answer(self, form: AnswerForm | None, key: ChatKey, waiting: list[StoredMessage], written: Written) -> bytes:
        if form is None:
            return b""
        spoken = (*map(said_again, waiting), *written.spoken)
        return form(tuple(self._addresses.put_in(key, one) for one in spoken))

    def _keep(self, live: ActiveChat, ground: TurnInput, ready: _Ready) -> None:
        """The chat as it is stored now, for its next turn."""
        state, written = ready.write.state, ready.written
        revision = ground.loaded.revision + 1
        mark = chat_row.mark_of(state)
        live.loaded = chat_row.Loaded(written.kept, revision, written.position, mark, written.secrets, ready.parts)
        self._lives.keep_opened(live, len(state) if len(state) > chat_row.LARGE_BYTES else 0)

    def _hand_out(self, key: ChatKey, job: Job, ready: _Ready) -> None:
        """Whoever waits for it learns of it: the caller, the outbox, those who listen to the chat."""
        job.set_durable()
        if not job.answer.done():
            job.answer.set_result(ready.answer)
        if ready.write.outbox:
            self._outbox.wake()
        self._hub.tell(key, Update(ready.written.messages, typing=False))
        if self._is_shared:
            self._store.tell(Notice("said", key))


def _tell_interrupted(deployed: Deployed, error: TurnTooLongError) -> None:
    """Log where it was, in the flow and in the code, without a text of the user. Once the turn is stored, the line has
    its conversation as well."""
    log.error(
        "a turn of bot %s version %s was stopped after %s s of processor time and failed: it was %s, in %s",
        deployed.bot.id,
        deployed.version,
        MAX_TURN_SECONDS,
        f"at the step {error.step}" if error.step else "reading the event, before the first step",
        error.code,
    )


def _stored(key: ChatKey, ground: TurnInput, written: Written, outcome: Turn) -> Stored:
    channel = ground.deployed.channel(key.channel)
    return Stored(
        channel.type if channel is not None else "",
        written.records[-1].id if written.records else "",
        "failed" if any(isinstance(effect, Failed) for effect in outcome.effects) else "done",
    )
