"""Opens answered questions again: the one answered last (BACK), or one that a message names (flow-language.md sections
2 and 5).
"""

from __future__ import annotations

from collections.abc import Iterable

from dialoom.engine.interpret.slots import Slot
from dialoom.engine.running_turn import OpenConversation, RunningTurn
from dialoom.engine.values import changes


def go_back(turn: RunningTurn) -> None:
    """Take back the answer that was given last in the open goal; without one nothing changes."""
    goal, ask = turn.goal, turn.ask
    # What was told of later questions is kept: the one before the open question is asked again.
    limit = ask.node if goal is not None and goal is turn.running and ask is not None else None
    while goal is not None and goal.answered:
        index = next((one for one in reversed(goal.answered) if limit is None or one < limit), None)
        if index is None:
            return
        goal.answered.remove(index)
        node = goal.script.nodes[index] if index < len(goal.script.nodes) else None
        if node is None or node.fills is None or node.fills not in turn.memory.entities:
            continue  # taken back already by what was changed since
        above = turn.stack.index(goal) + 1
        turn.stack[above:] = [opened for opened in turn.stack[above:] if opened.script.is_goal]
        reopen_node(turn, goal, index)
        return


def reopen(turn: RunningTurn, slots: Iterable[Slot]) -> None:
    """Take back the answers to these questions."""
    for slot in slots:
        conversation = next((opened for opened in turn.stack if opened.script.key == slot.key), None)
        if conversation is not None:
            reopen_node(turn, conversation, slot.node.index)


def reopen_node(turn: RunningTurn, conversation: OpenConversation, index: int) -> None:
    """Take back the answer to one question. Asked again, it has the old value as the first of its options."""
    if not 0 <= index < len(conversation.script.nodes):
        return
    node = conversation.script.nodes[index]
    if node.fills is None:
        return
    old = turn.memory.get(node.fills)
    if old is not None:
        turn.old_value = (index, old)
        changes.lose(turn, node.fills, None)
    else:
        turn.memory.forget(node.fills)
    conversation.answered = [one for one in conversation.answered if one != index]
