"""A conversation step: the steps of another conversation run in its place, since they are laid out behind it."""

from __future__ import annotations

from dialoom.engine.compiled import MAX_NESTED_CONVERSATIONS, InPlace, Node, TooDeep
from dialoom.engine.running_turn import FlowBroken, Outcome
from dialoom.engine.steps.parts import Parts
from dialoom.flow.steps import RunConversation


def compile_step(parts: Parts, step: RunConversation) -> InPlace:
    return InPlace(step.conversation)


def run_step(node: Node, step: InPlace | TooDeep) -> Outcome:
    if isinstance(step, InPlace):
        return Outcome.ON
    reason = f"More than {MAX_NESTED_CONVERSATIONS} conversations run in place inside each other."
    raise FlowBroken(node.path, reason, is_endless=True)
