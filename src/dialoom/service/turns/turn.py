"""Runs one turn of a chat: loads chat and flow, calls the engine, makes the outside calls that it asks for, stores it.

Which event is next, and what is done when the store is away, belongs in ``runner``.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple, ParamSpec, TypeVar

import msgspec

from dialoom.auth.vault import Vault
from dialoom.engine import State, Turn, restarts_chat, stop, turn
from dialoom.engine.effects import Failed, Fetch, Heard, Refresh, Send
from dialoom.engine.events import Event, Fetched, NoResponse, PersonActed, Response
from dialoom.engine.running_turn import Interrupted
from dialoom.errors import RequestError
from dialoom.messages import BotMessage, Profile
from dialoom.service.bots.bots import Bots, Deployed
from dialoom.service.bots.outbound_calls import OutboundCalls
from dialoom.service.chat import chat_row
from dialoom.service.chat.active_chats import ActiveChat, ActiveChats, QueuedEvent, Stored
from dialoom.service.chat.chat_row import Part
from dialoom.service.chat.hub import Hub, Update
from dialoom.service.chat.inbound import InboundEvent
from dialoom.service.chat.login_values import Login, Renewed
from dialoom.service.chat.signed_links import SignedLinks
from dialoom.service.chat.transcript import Written, said_again, write_down
from dialoom.service.chat.turn_limit import MAX_TURN_SECONDS, TurnLimit, TurnTooLongError, too_long
from dialoom.service.clock import Clock, IdSource
from dialoom.service.hand_off import DONE, judged
from dialoom.service.observe.instruments import Counts
from dialoom.service.outbox.bot_channel import BotChannels
from dialoom.service.outbox.channel_posts import Sender
from dialoom.service.outbox.delivery import TurnDone
from dialoom.service.outbox.outbox import Outbox
from dialoom.service.turns.hand_off_list import list_row
from dialoom.service.turns.turn_pacing import TurnPacing
from dialoom.storage import errors
from dialoom.storage.store import Answered, ChatKey, Notice, Store, StoredMessage, TurnWrite
from dialoom.understanding import prepare

if TYPE_CHECKING:
    from dialoom.engine import Trace
    from dialoom.service.turns.remote_files import RemoteFiles
    from dialoom.service.turns.traces import Traces
    from dialoom.service.turns.turn_hook import TurnHook

P = ParamSpec("P")
R = TypeVar("R")

log = logging.getLogger(__name__)

_TOO_LONG = f"The turn took more than {MAX_TURN_SECONDS} s of processor time and was stopped."
MAX_CARRIED_MESSAGES = 1000
"""Messages that waited and go out with one answer."""


class TurnInput(NamedTuple):
    """Holds what a turn is computed from."""

    loaded: chat_row.Loaded
    deployed: Deployed
    inbound: InboundEvent
    """As the hook changed it: a code that was awaited comes as the login or the refusal that it means."""
    late: Login | None
    """A login by a link that is over, which the engine does not get."""


class _Ready(NamedTuple):
    """Holds a turn before it is stored, and what is needed once it is."""

    written: Written
    answer: bytes
    write: TurnWrite
    parts: Mapping[str, Part] | None
    """Of a large chat: what of it is there encoded as well."""


class Turns:
    """Runs turns. ``senders``: the channels, by type. ``interrupted``: counts interrupted turns."""

    def __init__(
        self,
        store: Store,
        bots: Bots,
        vault: Vault,
        outbound_calls: OutboundCalls,
        hub: Hub,
        clock: Clock,
        senders: Mapping[str, Sender],
        bot_channels: BotChannels,
        addresses: SignedLinks,
        ids: IdSource,
        outbox: Outbox,
        hook: TurnHook,
        limit: TurnLimit,
        interrupted: Counts,
        active_chats: ActiveChats,
        remote_files: RemoteFiles,
        traces: Traces,
    ) -> None:
        self._store = store
        self._bots = bots
        self._vault = vault
        self._outbound_calls = outbound_calls
        self._hub = hub
        self._clock = clock
        self._senders = senders
        self._bot_channels = bot_channels
        self._addresses = addresses
        self._ids = ids
        self._outbox = outbox
        self._hook = hook
        self._limit = limit
        self._pacing = TurnPacing()
        self._prepared: set[tuple[str, bool]] = set()
        """Languages whose readers are made, and whether with the names of towns."""
        self._preparing = asyncio.Lock()
        self._interrupted = interrupted
        self._is_shared = store.is_shared
        self._remote_files = remote_files
        self._traces = traces
        self.active_chats = active_chats

    def fetch_files(self, chat: ActiveChat) -> None:
        """Begin to fetch the files that accepted events of the chat name, before these have their turns."""
        for queued in chat.events():
            if queued.number is not None:
                self._remote_files.begin(chat.key, queued)

    async def stop(self) -> None:
        """Give up the files that are on their way."""
        await self._remote_files.stop()

    async def load(self, chat: ActiveChat, queued: QueuedEvent) -> TurnInput:
        """Return the chat and the flow version for this event: the one that the open record began with. Files that lie
        elsewhere are waited for, for a short time."""
        inbound = await self._remote_files.inbound(chat.key, queued)
        if chat.loaded is None:
            chat.loaded = chat_row.open_chat(self._vault, chat.key, await self._store.chat(chat.key))
        loaded = chat.loaded
        if queued.interrupted is None:  # else nothing is run again that could bring it
            queued.renewed = None
        inbound, late = await self._hook.before(chat.key, loaded.kept, _with_profile(inbound, loaded.kept.profile))
        if isinstance(inbound.event, PersonActed):
            event = judged(loaded.kept.hand_off, loaded.kept.state, inbound.event)
            inbound = msgspec.structs.replace(inbound, event=event)
        active = self._bots.active(chat.key.bot)
        if loaded.kept.record is not None and (active is None or active.version != loaded.kept.version):
            is_over = active is not None and restarts_chat(active.flow, loaded.kept.state, inbound.event)
            pinned = None if is_over else await self._bots.pinned(chat.key.bot, loaded.kept.version)
            active = pinned or active
        if active is None:
            raise RequestError("unknown-bot", f'There is no bot "{chat.key.bot}" here.')
        needs = (active.bot.file.language, active.flow.asks_places)
        if needs not in self._prepared:
            # The engine would make them in its own time, which is limited, and hold the event loop meanwhile.
            async with self._preparing:
                await asyncio.to_thread(prepare, *needs)
            self._prepared.add(needs)
        await self._pacing.wait()
        return TurnInput(loaded, active, inbound, late)

    def is_behind(self) -> bool:
        """Return whether turns wait so long for the processor that further messages are to be put off."""
        return self._pacing.is_behind()

    def begin(self, turn_input: TurnInput, queued: QueuedEvent) -> Turn:
        return self._step(turn_input, queued, turn_input.loaded.kept.state, turn_input.inbound.event)

    def _step(self, turn_input: TurnInput, queued: QueuedEvent, state: State, event: Event | Fetched) -> Turn:
        """Call the engine once. A turn that was interrupted stays so, however often it has to be stored again."""
        flow = turn_input.deployed.flow
        began = perf_counter()
        try:
            if queued.interrupted is None:
                try:
                    return limited(self._limit, turn, flow, state, event, is_traced=flow.bot.file.trace)
                except TurnTooLongError as error:
                    queued.interrupted = error.with_traceback(None)  # which would hold the turn's values
                    self._interrupted.add(flow.bot.id)
            before, original = turn_input.loaded.kept.state, turn_input.inbound.event
            return limited(self._limit, stop, flow, before, original, queued.interrupted.step, _TOO_LONG)
        except Exception:
            # The engine promises never to raise. If it does, the user gets the general failure, the record an error,
            # the log the trace.
            log.exception("fault in a turn of bot %s version %s", flow.bot.id, turn_input.deployed.version)
            return self.fault(turn_input)
        finally:
            self._pacing.add(perf_counter() - began)

    @staticmethod
    def fault(turn_input: TurnInput) -> Turn:
        """Return a turn that says the general failure and changes nothing. A hidden answer stays hidden."""
        flow, state = turn_input.deployed.flow, turn_input.loaded.kept.state
        node = flow.open_node(state)
        heard = Heard({}, None if node is None else node.fills)
        return Turn(state, (heard, Failed("", "internal error"), Send(BotMessage(flow.general_failure()), "")))

    # -- outside calls

    async def make_calls(self, chat: ActiveChat, queued: QueuedEvent, turn_input: TurnInput, outcome: Turn) -> Turn:
        """Make the outside calls of a turn one by one, and return the finished turn.

        Raises ``Overtaken`` before a call when another process may have the chat; that one repeats at most the call
        that was on its way.
        """
        self.tell_typing(chat.key, on=True)
        deadline = self._outbound_calls.deadline()
        while (wanted := outcome.pending) is not None:
            result = await self._call(chat, queued, turn_input, wanted, deadline)
            await self._pacing.wait()
            outcome = self._step(turn_input, queued, outcome.state, result)
        return outcome

    async def _call(
        self, chat: ActiveChat, queued: QueuedEvent, turn_input: TurnInput, wanted: Fetch | Refresh, deadline: float
    ) -> Fetched:
        """Make a call, or read its result from the journal; the result is in the journal before it is used."""
        key = chat.key
        row = chat_row.row_name("journal", key)
        assert queued.number is not None  # only a timer has none, and the turn of a timer calls nobody
        if queued.journal is None:
            queued.journal = await self._store.journaled(key, queued.number)
        if wanted.key not in queued.journal:
            if wanted.key not in queued.made:
                if not chat.is_held:
                    raise errors.not_held(key.bot)
                result = await self._make_call(turn_input, wanted, deadline)
                queued.made[wanted.key] = self._vault.seal(msgspec.json.encode(result), row)
            await self._store.journal(key, queued.number, wanted.key, queued.made[wanted.key])
            queued.journal[wanted.key] = queued.made[wanted.key]
        plain = self._vault.open(queued.journal[wanted.key], row)
        if isinstance(wanted, Refresh):
            renewed = msgspec.json.decode(plain, type=Renewed)
            queued.renewed = renewed.login
            return renewed.fetched
        return msgspec.json.decode(plain, type=Fetched)

    async def _make_call(self, turn_input: TurnInput, wanted: Fetch | Refresh, deadline: float) -> Fetched | Renewed:
        if isinstance(wanted, Refresh):
            return await self._hook.during(
                turn_input.deployed, turn_input.loaded.kept, turn_input.inbound, wanted, deadline
            )
        began = perf_counter()
        answer = await self._outbound_calls.call(turn_input.deployed.bot, wanted.request, deadline)
        return Fetched(
            key=wanted.key,
            response=answer if isinstance(answer, Response) else None,
            failure=answer if isinstance(answer, NoResponse) else None,
            milliseconds=round((perf_counter() - began) * 1000) if turn_input.deployed.bot.file.trace else None,
        )

    def tell_typing(self, key: ChatKey, *, on: bool) -> None:
        self._hub.tell(key, Update(typing=on))
        if self._is_shared:
            self._store.tell(Notice("typing" if on else "quiet", key))

    # -- storing

    async def commit(
        self, chat: ActiveChat, turn_input: TurnInput, queued: QueuedEvent, outcome: Turn
    ) -> Answered | None:
        """Store a turn, then hand out its messages. Return ``Answered`` when its event was done before."""
        ready = await self._ready(chat.key, turn_input, queued, outcome)
        queued.is_committing = True
        seen = await self._store.commit(ready.write)
        if seen is not None:
            return seen
        queued.stored = _stored(chat.key, turn_input, ready.written, outcome)
        if queued.interrupted is not None:
            _tell_interrupted(turn_input.deployed, queued.interrupted)
        self._keep(chat, turn_input, ready)
        self._hand_out(chat.key, queued, ready)
        if outcome.trace is not None:
            self._keep_trace(chat.key, turn_input, ready.written, outcome.trace)
        await self._hook.stored(chat.key, turn_input.loaded.kept, turn_input.inbound, ready.written.kept)
        return None

    async def _ready(self, key: ChatKey, turn_input: TurnInput, queued: QueuedEvent, outcome: Turn) -> _Ready:
        """Return the turn with all its rows, for one transaction."""
        loaded, deployed, inbound, late = turn_input
        now = self._clock.now()
        logins = await self._hook.after(key, deployed, loaded.kept, inbound, outcome, queued.renewed, late, now)
        addresses = (self._bots.active(key.bot) or deployed).bot.file.live_agents
        written = write_down(key, loaded, deployed, inbound, outcome, logins, self._vault, self._ids, now, addresses)
        sender = self._sender(turn_input, key)
        waiting = (
            await self._store.later(key, MAX_CARRIED_MESSAGES) if sender is not None and inbound.takes_waiting else []
        )
        is_answered = inbound.is_answered and not queued.is_given_up
        answer = b""
        if sender is not None and is_answered:
            answer = self._answer(sender, turn_input, key, waiting, written, is_over=outcome.is_over)
        if isinstance(inbound.event, PersonActed):
            answer = (inbound.event.refused or DONE).encode()
        is_later = sender is not None and not is_answered
        done = TurnDone(
            key=key,
            deployed=deployed,
            inbound=inbound,
            turn=outcome,
            written=written,
            is_later=is_later,
            revoked=logins.revoked,
            now=now,
        )
        dedupe = inbound.dedupe
        state, parts = chat_row.seal_again(self._vault, key, written.kept, loaded)
        write = TurnWrite(
            key=key,
            number=queued.number,
            dedupe=dedupe,
            answer=None if dedupe is None else self._vault.seal(answer, chat_row.row_name("answer", key)),
            state=state,
            revision=loaded.revision,
            position=written.position,
            records=written.records,
            messages=written.messages,
            timers=written.timers,
            cancelled=written.cancelled,
            now=inbound.event.now,
            is_later=is_later,
            carried=waiting[-1].position if waiting else 0,
            files=inbound.files if queued.number is None or inbound.remote_files else (),
            outbox=await self._outbox.rows(done),
            studio_row=list_row(self._vault, key, loaded, written, now),
        )
        return _Ready(written, answer, write, parts)

    def _sender(self, turn_input: TurnInput, key: ChatKey) -> Sender | None:
        """Return the chat's channel, where it is sent what the bot says; None where users read it from the store."""
        channel = turn_input.deployed.channel(key.channel)
        return self._senders.get(channel.type) if channel is not None else None

    def _answer(
        self,
        sender: Sender,
        turn_input: TurnInput,
        key: ChatKey,
        waiting: list[StoredMessage],
        written: Written,
        *,
        is_over: bool,
    ) -> bytes:
        """Return the answer of a call that waits for its turn, which is stored for a repeated one."""
        deployed = turn_input.deployed
        channel = deployed.channel(key.channel)
        assert channel is not None  # which has given the sender
        spoken = (*(said_again(self._vault, key, one) for one in waiting), *written.spoken)
        bot_channel = self._bot_channels.of(deployed.bot, channel)
        return sender.answer(tuple(self._addresses.put_in(key, one) for one in spoken), bot_channel, is_over=is_over)

    def _keep(self, chat: ActiveChat, turn_input: TurnInput, ready: _Ready) -> None:
        """Keep the stored chat in memory for its next turn."""
        state, written = ready.write.state, ready.written
        revision = turn_input.loaded.revision + 1
        mark = chat_row.mark_of(state)
        chat.loaded = chat_row.Loaded(written.kept, revision, written.position, mark, written.secrets, ready.parts)
        self.active_chats.keep_opened(chat, len(state) if len(state) > chat_row.LARGE_BYTES else 0)

    def _keep_trace(self, key: ChatKey, turn_input: TurnInput, written: Written, trace: Trace) -> None:
        """Have the trace of a stored turn written, under the conversation that was there last."""
        if not written.records:
            return
        conversation = written.records[-1].id
        messages = [stored.record.id for stored in written.messages]
        before, after = turn_input.loaded.kept.state, written.kept.state
        masking, event = turn_input.deployed.masking, turn_input.inbound.event.id
        self._traces.keep(key, conversation, event, messages, trace, masking, before, after)

    def _hand_out(self, key: ChatKey, queued: QueuedEvent, ready: _Ready) -> None:
        """Tell the caller, the outbox and the listeners of the chat that the turn is stored."""
        queued.set_durable()
        if not queued.answer.done():
            queued.answer.set_result(ready.answer)
        if ready.write.outbox:
            self._outbox.wake()
        self._hub.tell(key, Update(ready.written.messages, typing=False))
        if self._is_shared:
            self._store.tell(Notice("said", key))


def limited(limit: TurnLimit, function: Callable[P, R], *args: P.args, **named: P.kwargs) -> R:
    """Call a function of the engine. Raises ``TurnTooLongError`` when it takes more processor time than the limit."""
    try:
        try:
            limit.begin()
            return function(*args, **named)
        finally:
            limit.end()
    except Interrupted as interrupted:
        # Also raised in the lines above, before the deadline is forgotten.
        limit.end()
        error = too_long(interrupted)
    raise error


def _tell_interrupted(deployed: Deployed, error: TurnTooLongError) -> None:
    """Log where a turn was interrupted, in the flow and in the code, without a text of the user. Called once the turn
    is stored, so that the line has its conversation."""
    log.error(
        "a turn of bot %s version %s was stopped after %s s of processor time and failed: it was %s, in %s",
        deployed.bot.id,
        deployed.version,
        MAX_TURN_SECONDS,
        f"at the step {error.step}" if error.step else "reading the event, before the first step",
        error.code,
    )


def _stored(key: ChatKey, turn_input: TurnInput, written: Written, outcome: Turn) -> Stored:
    channel = turn_input.deployed.channel(key.channel)
    return Stored(
        channel.type if channel is not None else "",
        written.records[-1].id if written.records else "",
        "failed" if Failed in map(type, outcome.effects) else "done",
    )


def _with_profile(inbound: InboundEvent, known: Profile | None) -> InboundEvent:
    """Return the event with the profile that the platform told last, where it brings no name itself."""
    profile = inbound.event.profile
    if known is None or profile.first_name or profile.last_name:
        return inbound
    return msgspec.structs.replace(inbound, event=msgspec.structs.replace(inbound.event, profile=known))
