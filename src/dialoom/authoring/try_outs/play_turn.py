"""Plays one turn of a try-out on a compiled bot: as the service runs a turn, but nothing of it is stored or counted."""

from __future__ import annotations

import logging
import traceback
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import UNSET

from dialoom.authoring.as_test import expected
from dialoom.authoring.play import event_of, whole_turn
from dialoom.authoring.try_outs import options
from dialoom.authoring.try_outs.kept import Asks, KeptTurn, Picked
from dialoom.authoring.try_outs.trace_entries import entries_of
from dialoom.channels.web.protocol import Links, form
from dialoom.engine import Trace, Turn, begin, stop, turn
from dialoom.engine.effects import Failed, Send
from dialoom.engine.events import Event
from dialoom.engine.events import Picked as PickedEvent
from dialoom.engine.trace import Called, Visited
from dialoom.messages import BotMessage
from dialoom.service.bots.masked_trace import masked_call, masked_trace
from dialoom.service.bots.masking import MASK
from dialoom.service.chat.chat_row import Loaded, StoredChat
from dialoom.service.chat.inbound import InboundEvent
from dialoom.service.chat.login_values import NO_LOGIN
from dialoom.service.chat.transcript import write_down
from dialoom.service.chat.turn_limit import MAX_TURN_SECONDS, TurnLimit, TurnTooLongError
from dialoom.service.chat.whole_messages import whole
from dialoom.service.clock import IdSource
from dialoom.service.turns.turn import limited
from dialoom.storage.store import ChatKey

if TYPE_CHECKING:
    from dialoom.auth.vault import Vault
    from dialoom.authoring.scenarios import UserTurn
    from dialoom.authoring.try_outs.calls import CallsOfTurn
    from dialoom.engine import Flow, State
    from dialoom.flow.channels import Channel
    from dialoom.service.bots.bots import Deployed
    from dialoom.service.bots.masking import Masking

log = logging.getLogger(__name__)

USER = "test-user"
"""The user of every try-out, as of every conversation test."""
_LINKS = Links(file=lambda url: url, login=lambda _: "", place=lambda dialog: dialog)
"""No provider is called, no place is searched for, and files lie where the author says."""


class Act(msgspec.Struct, frozen=True):
    """Says what happens in a turn. ``picked``: what a key of the user's option meant when it was chosen first."""

    index: int
    serial: int
    at: int
    user: UserTurn
    picked: tuple[Picked, ...] | None = None


class TurnPlayer:
    def __init__(self, vault: Vault, limit: TurnLimit) -> None:
        self._vault = vault
        self._limit = limit

    async def play(
        self,
        id: str,
        deployed: Deployed,
        channel: Channel,
        context: dict[str, Any],
        before: Sequence[KeptTurn],
        act: Act,
        calls: CallsOfTurn,
    ) -> tuple[KeptTurn, Asks | None]:
        """Play a turn of the try-out with this id, behind those that were. With it comes the write that it stopped at,
        and then nothing of the turn has happened."""
        last = before[-1] if before else None
        chat = StoredChat(state=begin()) if last is None else msgspec.json.decode(last.chat, type=StoredChat)
        event, picked = _event(id, channel, context, before, act)
        done = await whole_turn(
            deployed.flow, chat.state, event, calls.make, is_traced=True, run=partial(self._run, chat.state, event)
        )
        key = ChatKey(deployed.bot.id, channel.id, USER)
        loaded = Loaded(chat, position=0 if last is None else last.position)
        written = write_down(
            key, loaded, deployed, InboundEvent(event=event), done, NO_LOGIN, self._vault, _TurnIds(id, act.serial),
            act.at,
        )  # fmt: skip
        trace = masked_trace(_trace_of(done), deployed.masking, chat.state, done.state)
        state = written.kept.state
        played = KeptTurn(
            at=act.at,
            serial=act.serial,
            user=act.user,
            picked=picked,
            messages=[form(whole(self._vault, key, stored), _LINKS) for stored in written.messages],
            trace=entries_of(trace),
            calls=tuple(calls.made),
            outside=_outside(trace, calls),
            said=expected(done),
            memory={
                "context": deployed.masking.context(state.context),
                "entities": deployed.masking.memory(state.entities),
            },
            position=written.position,
            chat=msgspec.Raw(msgspec.json.encode(written.kept)),
        )
        masking, before_turn = deployed.masking, chat.state
        return played, calls.asks(lambda call: masked_call(call, _trace_of(done), masking, before_turn, done.state))

    def _run(self, first: State, event: Event, flow: Flow, state: State, now: Any, *, is_traced: bool) -> Turn:
        """Call the engine once, within the time that a turn may take. ``first``: the state before ``event``."""
        try:
            return limited(self._limit, turn, flow, state, now, is_traced=is_traced)
        except TurnTooLongError as error:
            reason = f"The turn took more than {MAX_TURN_SECONDS} s of processor time and was stopped."
            log.warning("a turn of a try-out of bot %s was stopped: %s It was %s", flow.bot.id, reason, error)
            stopped = limited(self._limit, stop, flow, first, event, error.step, reason)
            return msgspec.structs.replace(stopped, trace=_failed(error.step, reason))
        except Exception as error:  # noqa: BLE001  # as in a turn of the service: the engine promises never to raise
            places = [f"{frame.f_code.co_filename}:{line}" for frame, line in traceback.walk_tb(error.__traceback__)]
            where, kind = " > ".join(places), type(error).__name__
            # Without the words of the exception, which may hold what was said.
            log.error("fault in a turn of a try-out of bot %s: %s in %s", flow.bot.id, kind, where)  # noqa: TRY400
            effects = (Failed("", "internal error"), Send(BotMessage(flow.general_failure()), ""))
            return Turn(first, effects, _failed("", "internal error"))


def _failed(step: str, reason: str) -> Trace:
    return Trace((Visited(step=step, outcome="failed", reason=reason),))


def _trace_of(done: Turn) -> Trace:
    return done.trace or Trace(())


def masked_user(user: UserTurn, messages: Sequence[dict[str, Any]], masking: Masking) -> dict[str, Any]:
    """Return what the user did, masked as its message among these is."""
    done: dict[str, Any] = masking.value(msgspec.to_builtins(user))
    said = next((message for message in messages if message["from"] == "user"), None)
    if said is not None and "text" in done:
        done["text"] = said.get("text", "")
    elif said is not None and said.get("text") == MASK and "option" in done and options.keys_of(done["option"]) is None:
        done["option"] = MASK
    return done


def _outside(trace: Trace, calls: CallsOfTurn) -> list[dict[str, Any]]:
    """Return the calls as they are shown. The renewal of a login, which has no method, is not one of them."""
    called = [entry for entry in trace.entries if isinstance(entry, Called) and entry.method]
    return [
        {
            "method": entry.method,
            "url": entry.url,
            "status": entry.status,
            "failure": entry.failure,
            "milliseconds": made.milliseconds,
            "source": made.source,
        }
        for entry, made in zip(called, calls.made, strict=False)
    ]


def _event(
    id: str, channel: Channel, context: dict[str, Any], before: Sequence[KeptTurn], act: Act
) -> tuple[Event, tuple[Picked, ...]]:
    """Return the event of a turn, and what keys of its option stand for."""
    event = event_of(act.user, channel, context, act.index, act.at, f"{id}-{act.serial}")
    keys = () if act.user.option is UNSET else options.keys_of(act.user.option)
    if keys is None or not isinstance(event, PickedEvent):
        return event, ()
    if not keys:
        return _with_value(event, act), ()
    picked = options.picked(before, keys) if act.picked is None else act.picked
    if act.picked:  # played again: the same option may have another key
        same = options.keys_for(before, act.picked)
        if same is None:
            values = [one.value for one in act.picked]
            return msgspec.structs.replace(event, value=values[0] if len(keys) == 1 else values), picked
        keys = same
    named: dict[str, Any] = {"key": keys[0]} if len(keys) == 1 else {"keys": keys}
    return msgspec.structs.replace(event, value=None, **named), picked


def _with_value(event: PickedEvent, act: Act) -> PickedEvent:
    option: Any = act.user.option
    return msgspec.structs.replace(event, value=option["value"])


class _TurnIds(IdSource):
    """Makes ids that are the same whenever a turn is played again."""

    def __init__(self, id: str, serial: int) -> None:
        super().__init__()
        self._prefix = f"{id}.{serial}"
        self._made = 0

    def make(self, now: int) -> str:
        self._made += 1
        return f"{self._prefix}.{self._made}"
