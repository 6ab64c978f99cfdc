"""A message: sends its texts once; its replies are suggestions."""

from __future__ import annotations

from dialoom.engine import compiled
from dialoom.engine.compiled import Node
from dialoom.engine.options import asking, offered
from dialoom.engine.running_turn import OpenConversation, Outcome, RunningTurn
from dialoom.engine.steps.parts import Parts
from dialoom.flow.steps import Message


def compile_step(parts: Parts, step: Message) -> compiled.Message:
    offer = None if step.display is None else parts.offer(step.display, None)
    return compiled.Message(parts.texts(step.messages), offer)


def run_step(turn: RunningTurn, opened: OpenConversation, node: Node, step: compiled.Message) -> Outcome:
    turn.limits.act(node.path)
    texts = turn.output.render(step.texts, node.path)
    choices = offered.offered(turn.stack, turn.calls, node)
    asking.suggest(turn.flow.commands, turn.output, node.path, texts, choices)
    opened.ran.add(node.index)
    return Outcome.ON
