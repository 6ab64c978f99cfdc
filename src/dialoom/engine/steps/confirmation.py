"""A confirmation asks with Yes and No, an entities-confirmation with Confirm and the values that it reviews."""

from __future__ import annotations

from dialoom.engine import compiled
from dialoom.engine.compiled import Node
from dialoom.engine.options import asking
from dialoom.engine.running_turn import OpenConversation, Outcome, RunningTurn
from dialoom.engine.steps.parts import Parts
from dialoom.flow.steps import Confirmation, EntitiesConfirmation


def compile_step(parts: Parts, step: Confirmation) -> compiled.Confirmation:
    style = "" if step.display is None else step.display.style
    return compiled.Confirmation(step.entity, parts.texts(step.messages), style)


def compile_entities(parts: Parts, step: EntitiesConfirmation) -> compiled.EntitiesConfirmation:
    return compiled.EntitiesConfirmation(step.entity, tuple(dict.fromkeys(step.entities)), parts.texts(step.messages))


def run_step(
    turn: RunningTurn, opened: OpenConversation, node: Node, step: compiled.Confirmation | compiled.EntitiesConfirmation
) -> Outcome:
    if turn.rules.is_passing_by:
        return Outcome.WAIT
    turn.limits.act(node.path)
    asking.put(turn, opened, node, turn.output.render(step.texts, node.path), None)
    return Outcome.WAIT
