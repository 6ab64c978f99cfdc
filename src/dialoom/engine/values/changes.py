"""Stores and forgets values, and drops what depended on one that changes (flow-language.md section 5, rule 8).

Values that webhooks and confirmations gave after it are dropped, messages, commands and webhooks after it count as not
run, and answers whose validation or options depend on it are checked again. Walking again is left to the caller.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from typing import Any

from dialoom.engine.compiled import Node
from dialoom.engine.memory import MAX_DEPTH, Memory, is_deeper
from dialoom.engine.running_turn import FlowBroken, OpenConversation, Stack


def store(memory: Memory, stack: Stack, name: str, value: Any, kind: str | None, node: Node | None, step: str) -> bool:
    """Give an entity a value; whether that changed one it had.

    ``node``: the step of the running conversation that does it; None for a correction.
    """
    if value is None:
        return lose(memory, stack, name, node)
    _settle(stack, name)
    old, own = memory.get(name), memory.entities.get(name)
    memory.put(name, value, kind)
    stack.touched.add(name)
    if memory.is_too_much_with(name, own):
        memory.drop(name)
        raise _too_much(step, name)
    if old is None or _same(old, value):
        return False
    _drop_later(memory, stack, {name}, node)
    return True


def renew(memory: Memory, stack: Stack, name: str, value: Any, step: str) -> None:
    """Put a value in the place of one that it only makes good for longer: nothing that came of that is undone."""
    own = memory.entities.get(name)
    memory.put(name, value, None)
    stack.touched.add(name)
    if memory.is_too_much_with(name, own):
        memory.drop(name)
        raise _too_much(step, name)


def lose(memory: Memory, stack: Stack, name: str, node: Node | None, *, is_told: bool = False) -> bool:
    """Take an entity's value away; whether it had one. ``is_told``: see ``_drop_later``."""
    _settle(stack, name)
    if not memory.has(name):
        return False
    memory.drop(name)
    stack.touched.add(name)
    _drop_later(memory, stack, {name}, node, is_told=is_told)
    return True


def tell(memory: Memory, stack: Stack, context: dict[str, Any], step: str = "") -> None:
    """Put context into memory: all of it at once, since there may be tens of thousands of keys."""
    changed = set()
    for name, value in context.items():
        if is_deeper(value, MAX_DEPTH):
            raise FlowBroken(step, f'The context "{name}" is nested deeper than {MAX_DEPTH} levels.')
        old = memory.get(name)
        if old is not None and (value is None or not _same(old, value)):
            changed.add(name)
        _settle(stack, name)
    memory.tell(context)
    stack.touched.update(context)
    if memory.is_too_much():
        memory.untell(context)
        raise _too_much(step, max(context, key=lambda name: _length(context[name])))
    if changed:
        _drop_later(memory, stack, changed, None, is_told=True)


def _settle(stack: Stack, name: str) -> None:
    """Forget the candidates of an ambiguous answer to a question of this entity."""
    for conversation in stack:
        for index in [index for index in conversation.unsure if _fills(conversation, index, name)]:
            del conversation.unsure[index]


def _fills(conversation: OpenConversation, index: int, name: str) -> bool:
    nodes = conversation.script.nodes
    return not index < len(nodes) or nodes[index].fills == name


def _same(old: Any, new: Any) -> bool:
    return bool(old == new) and isinstance(old, bool) == isinstance(new, bool)


def _too_much(step: str, name: str) -> FlowBroken:
    return FlowBroken(step, f'With the entity "{name}" the memory of this user would pass 4 MiB. Keep less of it.')


def _length(value: Any) -> int:
    return len(str(value))


def _drop_later(
    memory: Memory, stack: Stack, names: AbstractSet[str], node: Node | None, *, is_told: bool = False
) -> None:
    """Drop the values that depend on changed ones. ``is_told``: after an invalidation or context, when all of the open
    goal is dropped where no step of it fills the entity; without a goal all of what runs."""
    told = (stack.goal or stack.running) if is_told else None
    for conversation in stack:
        if node is not None and conversation is stack.running:
            _drop_after(memory, stack, conversation, node.index, names)
            continue
        fillers = conversation.script.fillers
        filled = names & fillers.keys()
        if conversation is told and len(filled) < len(names):
            _drop_after(memory, stack, conversation, -1, names)
        elif filled:
            _drop_after(memory, stack, conversation, min(fillers[name] for name in filled), filled)


def _drop_after(
    memory: Memory, stack: Stack, conversation: OpenConversation, index: int, names: AbstractSet[str]
) -> None:
    script = conversation.script
    lost = set(names)
    for node in script.nodes[index + 1 :]:
        conversation.ran.discard(node.index)
        fills = node.fills
        if fills is not None and node.type.has_derived_value and fills not in names and fills in memory.entities:
            memory.forget(fills)
            stack.touched.add(fills)
            lost.add(fills)
    for node in script.questions:
        question = node.step
        if question.entity in lost or not memory.has(question.entity):
            continue
        if question.check_names & lost:
            conversation.recheck.add(node.index)
        if question.offer is not None and question.offer.names & lost:
            conversation.reoffer.add(node.index)
