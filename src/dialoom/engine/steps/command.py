"""The commands: go-to, invalidate-entity, set-entity, stay-silent, logout."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dialoom.engine import stack
from dialoom.engine.compiled import GoTo, Invalidate, Logout, SetEntity, StaySilent
from dialoom.engine.memory import kind_of, stored
from dialoom.engine.running_turn import FlowBroken, Outcome
from dialoom.engine.steps import protected
from dialoom.engine.values import changes
from dialoom.errors import TemplateError
from dialoom.template import Template
from dialoom.template.values import Bare

if TYPE_CHECKING:
    from dialoom.engine.compiled import Command, Place
    from dialoom.engine.running_turn import Open, RunningTurn

ALL_CONVERSATIONS = "conversation"


def run_command(p: RunningTurn, conversation: Open, place: Place) -> Outcome:
    command: Command = place.step
    p.act(place.path)
    conversation.ran.add(place.index)
    match command:
        case GoTo():
            return Outcome.LEFT if stack.go_to(p, command.conversation) else Outcome.ON
        case Invalidate():
            return _invalidate(p, command)
        case SetEntity():
            conversation.ran.discard(place.index)  # until it is done: a step that failed is tried again
            outcome = _set(p, place, command)
            conversation.ran.add(place.index)
            return outcome
        case StaySilent():
            minutes = command.minutes or p.flow.silence_minutes
            p.silent_until = p.event.now + round(minutes * 60_000)
            if command.agent is not None:
                p.hand_over(command.agent, place.path)
            return Outcome.WAIT
        case Logout():
            protected.log_out(p, place)
            return Outcome.ON


def _invalidate(p: RunningTurn, command: Invalidate) -> Outcome:
    if ALL_CONVERSATIONS in command.entities:
        stack.end_all(p)
        return Outcome.LEFT
    has_changed = False
    for name in command.entities:
        has_changed |= changes.lose(p, name, None, is_told=True)
    return Outcome.AGAIN if has_changed else Outcome.ON


def _set(p: RunningTurn, place: Place, command: SetEntity) -> Outcome:
    kind = None
    try:
        scope = p.memory.scope()
        if not isinstance(command.data, Template):
            value = command.data.render(scope)
        else:
            value = command.data.value(scope)
            kind = kind_of(value)
            names = command.data.names
            if isinstance(value, Bare) and len(names) == 1:
                kind = p.memory.kinds.get(next(iter(names)))
    except TemplateError as error:
        raise FlowBroken(place.path, str(error)) from error
    has_changed = changes.store(p, command.entity, stored(value), kind, place, place.path)
    return Outcome.AGAIN if has_changed else Outcome.ON
