"""Looks ahead: whether a yes would reach a step that acts before the user is asked anything else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dialoom.engine.compiled import GoTo, Invalidate, Question, SetEntity, Webhook, is_acting
from dialoom.errors import TemplateError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dialoom.engine.compiled import AskingNode, CompiledConversation, Flow, Node
    from dialoom.engine.memory import Memory
    from dialoom.engine.running_turn import OpenConversation, Stack

MAX_PLACES = 10_000
"""As many as a turn may visit."""


def yes_would_act(memory: Memory, stack: Stack, node: AskingNode) -> bool:
    """Return whether an acting step can come before the next question; true where that cannot be known."""
    with memory.holding(node.step.entity, True, None):
        return _Look(memory, stack.flow, node).reaches(list(stack))


def acts(flow: Flow, script: CompiledConversation) -> bool:
    """Return whether an acting step stands in a conversation, or in one that it goes on to."""
    seen, left = {script.key}, [script]
    while left:
        for node in left.pop().nodes:
            if is_acting(node.step):
                return True
            if isinstance(node.step, GoTo) and node.step.conversation not in seen:
                seen.add(node.step.conversation)
                left += [one for one in (flow.scripts.get(node.step.conversation),) if one is not None]
    return False


class _Look:
    """Goes the way of the walk. From the first step on that gets a value from outside, a condition may hold or not."""

    def __init__(self, memory: Memory, flow: Flow, asked: AskingNode) -> None:
        self._memory = memory
        self._flow = flow
        self._asked = asked
        self._is_certain = True
        self._left = MAX_PLACES
        self._entered: set[str] = set()

    def reaches(self, stack: list[OpenConversation]) -> bool:
        while stack:
            conversation = stack.pop()
            found = self._run(conversation.script.nodes, conversation.ran)
            if found is not None:
                return found
        return False

    def _run(self, nodes: Sequence[Node], ran: set[int]) -> bool | None:
        """Return whether an acting step comes before a question; None where neither comes."""
        index = 0
        while index < len(nodes):
            self._left -= 1
            if self._left < 0:
                return True
            node = nodes[index]
            index += 1
            if node.index in ran or self._has_value(node):
                continue
            holds = self._holds(node)
            if holds is False:
                index = node.after
                continue
            found = self._meet(node)
            if found is True or (found is False and holds is True):
                return found
        return None

    def _meet(self, node: Node) -> bool | None:
        step = node.step
        if is_acting(step):
            return True
        if isinstance(step, GoTo):
            script = self._flow.scripts.get(step.conversation)
            if script is None or step.conversation in self._entered:
                return None
            self._entered.add(step.conversation)
            return self._run(script.nodes, set())
        if node.type.asks:
            return False
        if isinstance(step, Webhook | SetEntity | Invalidate):
            self._is_certain = False
        return None

    def _has_value(self, node: Node) -> bool:
        if node.fills is None or not node.type.is_done_by_value:
            return False
        if node is self._asked or self._memory.has(node.fills):
            return True
        step = node.step
        return isinstance(step, Question) and step.is_optional and self._memory.is_null(node.fills)

    def _holds(self, node: Node) -> bool | None:
        """Return whether the step's conditions hold; None where that is not known yet."""
        if not node.conditions:
            return True
        if not self._is_certain:
            return None
        try:
            scope = self._memory.scope()
            return all(condition.truth(scope) for condition in node.conditions)
        except TemplateError:
            return None
