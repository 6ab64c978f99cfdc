"""Steps: a file for each type that compiles and runs it, the table of them here, and the walk over a conversation.

What a type has in the file, and what it may and does, is in ``flow.steps``.
"""

from __future__ import annotations

from typing import assert_never

from dialoom.engine import compiled
from dialoom.engine.compiled import Node, Step
from dialoom.engine.running_turn import OpenConversation, Outcome, RunningTurn
from dialoom.engine.steps import command, confirmation, conversation, message, question, webhook
from dialoom.engine.steps.parts import Parts
from dialoom.flow import steps as written


def compile_step(parts: Parts, step: written.Step) -> Step:
    """Return the step as it runs. Raises ``FlowError`` and ``TemplateError`` for one that cannot."""
    match step:
        case written.Question():
            return question.compile_step(parts, step)
        case written.Message():
            return message.compile_step(parts, step)
        case written.Webhook():
            return webhook.compile_step(parts, step)
        case written.Confirmation():
            return confirmation.compile_step(parts, step)
        case written.EntitiesConfirmation():
            return confirmation.compile_entities(parts, step)
        case written.RunConversation():
            return conversation.compile_step(parts, step)
        case written.Command():
            return command.compile_step(parts, step)
        case _:
            assert_never(step)


def run_step(turn: RunningTurn, opened: OpenConversation, node: Node) -> Outcome:
    """Run the step and return how the walk goes on."""
    step = node.step
    match step:
        case compiled.Question():
            return question.run_step(turn, opened, node, step)
        case compiled.Message():
            return message.run_step(turn, opened, node, step)
        case compiled.Webhook():
            return webhook.run_step(turn, opened, node, step)
        case compiled.Confirmation() | compiled.EntitiesConfirmation():
            return confirmation.run_step(turn, opened, node, step)
        case compiled.InPlace() | compiled.TooDeep():
            return conversation.run_step(node, step)
        case compiled.GoTo() | compiled.Invalidate() | compiled.SetEntity() | compiled.StaySilent() | compiled.Logout():
            return command.run_step(turn, opened, node, step)
        case _:
            assert_never(step)
