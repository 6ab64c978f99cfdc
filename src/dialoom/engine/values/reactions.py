"""Validates, stores and acknowledges a value that was found for a question (section 5, rule 4)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from dialoom.engine.compiled import AskingNode, Check, EntitiesConfirmation, Node, Question
from dialoom.engine.memory import Memory, worded
from dialoom.engine.options import offered, review
from dialoom.engine.running_turn import Calls, FlowBroken, OpenConversation, Output, Stack
from dialoom.engine.state import Choice
from dialoom.engine.values import changes, validations
from dialoom.errors import TemplateError
from dialoom.template.values import equal


class Found(msgspec.Struct, frozen=True):
    """A value for a question; of an ambiguity, the list of those that fit."""

    key: str
    """Of the conversation."""
    node: AskingNode
    value: Any
    is_asked: bool
    is_ambiguous: bool = False


def react(stack: Stack, calls: Calls, output: Output, found: Sequence[Found]) -> None:
    """Validate and store the values of one message, in step order."""
    memory = calls.memory
    for one in found:
        conversation = stack.find(one.key)
        if conversation is None:
            continue
        node, step = one.node, one.node.step
        if one.is_ambiguous:
            # Of a correction: which is meant is asked only where none is there.
            changes.lose(memory, stack, step.entity, None)
            conversation.unsure[node.index] = one.value
            continue
        if not one.is_asked and memory.get(step.entity) == one.value:
            continue  # the user only said again what is known
        if conversation.reviewed >= 0 and one.is_asked and node.index == conversation.reviewed:
            review.answered(stack, conversation)
        if isinstance(step, EntitiesConfirmation) and not one.value:
            continue  # a no only asks again
        is_new = not memory.has(step.entity)
        if not isinstance(step, Question):
            changes.store(memory, stack, step.entity, one.value, None, None, node.path)
            conversation.take(step.entity, node.index, is_new=is_new)
            continue
        if step.suggestions:
            conversation.declined.add(node.index)
        is_right = _passes(calls, output, conversation, node, step, one.value)
        conversation.reoffer.discard(node.index)
        if not is_right:
            changes.lose(memory, stack, step.entity, None)
            continue
        changes.store(memory, stack, step.entity, one.value, step.type, None, node.path)
        conversation.take(step.entity, node.index, is_new=is_new)
        if not one.is_asked:
            output.say(step.acknowledgements, node.path)


def still_holds(
    stack: Stack, calls: Calls, output: Output, conversation: OpenConversation, node: Node, question: Question
) -> tuple[bool, tuple[Choice, ...] | None]:
    """Check an answer again whose validation or options depend on what has changed.

    Where it no longer holds the value is gone, and its validation's text is said; options have none to say. With it
    come the options, if they were looked up.
    """
    memory = calls.memory
    value = memory.get(question.entity)
    if node.index in conversation.recheck and not _passes(calls, output, conversation, node, question, value):
        conversation.reoffer.discard(node.index)
        changes.lose(memory, stack, question.entity, node)
        return False, None
    if node.index in conversation.reoffer:
        choices = offered.offered(stack, calls, node)
        conversation.reoffer.discard(node.index)  # only now: options that cannot be had are looked for again
        if choices and not _is_offered(question, value, choices):
            changes.lose(memory, stack, question.entity, node)
            return False, choices
    return True, None


def _passes(
    calls: Calls, output: Output, conversation: OpenConversation, node: Node, question: Question, value: Any
) -> bool:
    """Return whether every validation holds; say the text of the first that does not."""
    if not question.checks:
        conversation.recheck.discard(node.index)
        return True
    waits = False
    with calls.memory.holding(question.entity, value, question.type):
        for check in question.checks:
            if _waits(calls.memory, conversation, question, check):
                waits = True
                continue
            try:
                is_right, scope = validations.outcome(calls, check, question, value, node.path)
            except TemplateError as error:
                raise FlowBroken(node.path, str(error)) from error
            if not is_right:
                output.say(check.errors, node.path, scope)
                conversation.recheck.discard(node.index)
                return False
    # Only now: a check whose data source fails is made again when the step is tried again.
    conversation.recheck.discard(node.index)
    if waits:
        conversation.recheck.add(node.index)
    return True


def _waits(memory: Memory, conversation: OpenConversation, question: Question, check: Check) -> bool:
    """Return whether a custom validation names an entity that a question of this conversation still has to fill."""
    if check.kind != "custom":
        return False
    awaited = check.names & conversation.script.question_entities
    return any(not memory.has(name) and not memory.is_null(name) for name in awaited if name != question.entity)


def _is_offered(question: Question, value: Any, choices: tuple[Choice, ...]) -> bool:
    values = value if isinstance(value, list) else [value]
    return all(any(_is_same(question, one, choice.value) for choice in choices) for one in values)


def _is_same(question: Question, value: Any, offered: Any) -> bool:
    try:
        return equal(worded(value, question.type), offered)
    except TemplateError:
        return False
