"""A webhook: calls its data source, stores the value, sends its texts."""

from __future__ import annotations

from dialoom.engine import compiled, data_sources
from dialoom.engine.compiled import Node
from dialoom.engine.memory import stored
from dialoom.engine.running_turn import OpenConversation, Outcome, RunningTurn
from dialoom.engine.steps.parts import Parts
from dialoom.engine.values import changes
from dialoom.flow.steps import Webhook


def compile_step(parts: Parts, step: Webhook) -> compiled.Webhook:
    return compiled.Webhook(parts.source(step.data_source), step.entity, parts.texts(step.messages))


def run_step(turn: RunningTurn, opened: OpenConversation, node: Node, step: compiled.Webhook) -> Outcome:
    turn.limits.act(node.path)
    got = data_sources.call(turn.calls, step.source, node.path)
    has_changed = False
    if step.entity is not None:
        value = stored(got.value) if step.source.endpoint is None else got.value
        has_changed = changes.store(turn.memory, turn.stack, step.entity, value, None, node, node.path)
    opened.ran.add(node.index)
    turn.output.say(step.texts, node.path)
    return Outcome.AGAIN if has_changed else Outcome.ON
