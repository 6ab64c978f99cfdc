"""What an entities-confirmation offers, and what choosing one of its values sets off (flow-language.md section 4).

Asking it is left to ``steps``, the question that is asked again to the walk.
"""

from __future__ import annotations

from dialoom.engine.compiled import EntitiesConfirmation, InPlace, Question
from dialoom.engine.memory import Memory
from dialoom.engine.options.value_replies import text_of
from dialoom.engine.running_turn import FlowBroken, OpenConversation, Stack
from dialoom.engine.state import Choice
from dialoom.errors import TemplateError
from dialoom.messages.plain import plain_title
from dialoom.template import Scope

ALWAYS_SHOWN = 1
"""Confirm: it stands first on every page and is none of its five."""


def choices(memory: Memory, stack: Stack, path: str, step: EntitiesConfirmation) -> tuple[Choice, ...]:
    """Return Confirm, then each listed entity that has a value and a question to ask for it again."""
    label = stack.flow.system.confirm
    found = [Choice(label, label)]
    try:
        askable = _askable(memory, stack, step)
        view = memory.scope().memory
        for name in step.entities:
            title = text_of(view.get(name)) if name in askable else ""
            if plain_title(title):
                found.append(Choice(title, plain_title(title), element=name))
    except TemplateError as error:
        raise FlowBroken(path, str(error)) from error
    return tuple(found)


def ask_again(
    memory: Memory, stack: Stack, path: str, step: EntitiesConfirmation, choice: Choice, offered: tuple[Choice, ...]
) -> None:
    """Let the question of the value that the user chose come next. Of values that read alike the first listed is meant.

    Where the question is one of the open goal, that runs until it is answered (``answered``).
    """
    first = next(other for other in offered if other.element is not None and other.value == choice.value)
    try:
        found = _askable(memory, stack, step).get(first.element)
    except TemplateError as error:
        raise FlowBroken(path, str(error)) from error
    if found is None:
        return
    conversation, index = found
    conversation.reviewed = index
    if conversation is not stack.running:
        stack.remove(conversation)
        stack.append(conversation)


def answered(stack: Stack, conversation: OpenConversation) -> None:
    """Go back to the conversation that reviews a value, once its question has an answer."""
    conversation.reviewed = -1
    below = stack[-2] if len(stack) > 1 and stack[-1] is conversation else None
    if below is not None and conversation.script.is_goal and not below.script.is_goal:
        stack[-2:] = [conversation, below]


def _askable(memory: Memory, stack: Stack, step: EntitiesConfirmation) -> dict[str, tuple[OpenConversation, int]]:
    """Return the listed entities with a value, each with what would ask for it again: a question or confirmation of the
    running conversation, else of the open goal."""
    listed = {name for name in step.entities if memory.has(name)} - {step.entity}
    found: dict[str, tuple[OpenConversation, int]] = {}
    scope = memory.scope()
    for conversation in (stack.running, stack.goal):
        if conversation is not None and listed - found.keys():
            for name, index in _asking(stack.flow.qna_types, conversation, listed, scope).items():
                found.setdefault(name, (conversation, index))
    return found


def _asking(qna: frozenset[str], conversation: OpenConversation, listed: set[str], scope: Scope) -> dict[str, int]:
    """Return for each entity the first node in step order whose conditions, and those of the steps that it runs inside
    of, hold now."""
    found: dict[str, int] = {}
    nodes = conversation.script.nodes
    index = 0
    while index < len(nodes) and len(found) < len(listed):
        node = nodes[index]
        step = node.step
        asks = node.fills in listed and node.type.asks and not (isinstance(step, Question) and step.type in qna)
        if (asks or isinstance(step, InPlace)) and not all(condition.truth(scope) for condition in node.conditions):
            index = node.after
            continue
        if asks and node.fills is not None:
            found.setdefault(node.fills, node.index)
        index += 1
    return found
