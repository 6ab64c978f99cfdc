"""A command: runs go-to, invalidate-entity, set-entity, stay-silent or logout."""

from __future__ import annotations

from msgspec import UNSET

from dialoom.engine import compiled
from dialoom.engine.compiled import GoTo, Invalidate, Logout, Node, SetEntity, StaySilent
from dialoom.engine.conversations import opening
from dialoom.engine.effects import HandOver
from dialoom.engine.memory import Memory, kind_of, stored
from dialoom.engine.running_turn import FlowBroken, OpenConversation, Outcome, Output, RunningTurn, Stack
from dialoom.engine.steps import protected
from dialoom.engine.steps.parts import Parts
from dialoom.engine.values import changes
from dialoom.errors import FlowError, TemplateError
from dialoom.flow.steps import Command
from dialoom.template import Template, compile, compile_payload
from dialoom.template.values import CustomValue

ALL_CONVERSATIONS = "conversation"


def compile_step(parts: Parts, step: Command) -> compiled.Command:
    name, *rests = step.command.split(maxsplit=1)
    rest = rests[0].strip() if rests else ""
    if name == "go-to":
        return GoTo(rest)
    if name == "invalidate-entity":
        return Invalidate((rest,) if rest else step.entities or ((step.entity,) if step.entity else ()))
    if name == "set-entity" and step.entity is not None:
        data = None if step.data is UNSET else step.data
        return SetEntity(step.entity, compile(data) if isinstance(data, str) else compile_payload(data))
    if name == "stay-silent":
        return StaySilent(float(rest) if rest else 0.0, step.live_agent or None)
    if name == "logout":
        return Logout()
    raise FlowError([f'The command "{step.command}" is not complete.'])


def run_step(turn: RunningTurn, opened: OpenConversation, node: Node, step: compiled.Command) -> Outcome:
    turn.limits.act(node.path)
    opened.ran.add(node.index)
    match step:
        case GoTo():
            has_left = opening.go_to(turn.memory, turn.stack, turn.record, step.conversation)
            return Outcome.LEFT if has_left else Outcome.ON
        case Invalidate():
            return _invalidate(turn.memory, turn.stack, turn.output, step)
        case SetEntity():
            opened.ran.discard(node.index)  # until it is done: a step that failed is tried again
            outcome = _set(turn.memory, turn.stack, node, step)
            opened.ran.add(node.index)
            return outcome
        case StaySilent():
            minutes = step.minutes or turn.flow.silence_minutes
            turn.session.silent_until = turn.event.now + round(minutes * 60_000)
            if step.agent is not None:
                turn.record.add(HandOver(step.agent, node.path))
            return Outcome.WAIT
        case Logout():
            protected.log_out(turn, node)
            return Outcome.ON


def _invalidate(memory: Memory, stack: Stack, output: Output, step: Invalidate) -> Outcome:
    if ALL_CONVERSATIONS in step.entities:
        opening.end_all(memory, stack, output)
        return Outcome.LEFT
    has_changed = False
    for name in step.entities:
        has_changed |= changes.lose(memory, stack, name, None, is_told=True)
    return Outcome.AGAIN if has_changed else Outcome.ON


def _set(memory: Memory, stack: Stack, node: Node, step: SetEntity) -> Outcome:
    kind = None
    try:
        scope = memory.scope()
        if not isinstance(step.data, Template):
            value = step.data.render(scope)
        else:
            value = step.data.value(scope)
            kind = kind_of(value)
            names = step.data.names
            if isinstance(value, CustomValue) and len(names) == 1:
                kind = memory.kinds.get(next(iter(names)))
    except TemplateError as error:
        raise FlowBroken(node.path, str(error)) from error
    has_changed = changes.store(memory, stack, step.entity, stored(value), kind, node, node.path)
    return Outcome.AGAIN if has_changed else Outcome.ON
