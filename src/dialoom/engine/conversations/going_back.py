"""Opens answered questions again: the one answered last (BACK), or one that a message names (flow-language.md sections
2 and 5).
"""

from __future__ import annotations

from collections.abc import Iterable

from dialoom.engine.interpret.slots import Slot
from dialoom.engine.memory import Memory
from dialoom.engine.running_turn import OpenConversation, Stack
from dialoom.engine.values import changes


def go_back(memory: Memory, stack: Stack) -> None:
    """Take back the answer that was given last in the open goal; without one nothing changes."""
    goal, ask = stack.goal, stack.ask
    # What was told of later questions is kept: the one before the open question is asked again.
    limit = ask.node if goal is not None and goal is stack.running and ask is not None else None
    while goal is not None and goal.answered:
        index = next((one for one in reversed(goal.answered) if limit is None or one < limit), None)
        if index is None:
            return
        goal.answered.remove(index)
        node = goal.script.nodes[index] if index < len(goal.script.nodes) else None
        if node is None or node.fills is None or node.fills not in memory.entities:
            continue  # taken back already by what was changed since
        above = stack.index(goal) + 1
        stack[above:] = [opened for opened in stack[above:] if opened.script.is_goal]
        reopen_node(memory, stack, goal, index)
        return


def reopen(memory: Memory, stack: Stack, slots: Iterable[Slot]) -> None:
    """Take back the answers to these questions."""
    for slot in slots:
        conversation = stack.find(slot.key)
        if conversation is not None:
            reopen_node(memory, stack, conversation, slot.node.index)


def reopen_node(memory: Memory, stack: Stack, conversation: OpenConversation, index: int) -> None:
    """Take back the answer to one question. Asked again, it has the old value as the first of its options."""
    if not 0 <= index < len(conversation.script.nodes):
        return
    node = conversation.script.nodes[index]
    if node.fills is None:
        return
    old = memory.get(node.fills)
    if old is not None:
        stack.old_value = (index, old)
        changes.lose(memory, stack, node.fills, None)
    else:
        memory.forget(node.fills)
    conversation.answered = [one for one in conversation.answered if one != index]
