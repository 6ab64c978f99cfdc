"""Questions that a message may answer (slots), and the stretches of its text that may be their values."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from dialoom.engine.compiled import AskingNode, CompiledConversation, QuestionNode
from dialoom.engine.memory import Memory

CONVERSATION = "Conversation"
"""What a sentence says of this trait is what it wants."""
ONLY_ASKED = frozenset({"Text", "Confirmation", CONVERSATION})
"""Types of which a question takes a value only where it is asked: any text, a yes and a wish may mean much else."""


GUESS = 0.5
"""The confidence of a reading that only its question makes likely ("23" as an hour): none where another is open."""


class Limits(msgspec.Struct, frozen=True):
    """What the values of a Date or Time question lean on, as they are stored."""

    least: str | None = None
    most: str | None = None
    """Of the question's ``range``."""
    today: str = ""
    offered: tuple[Any, ...] = ()
    """Times among the options."""


NO_LIMITS = Limits()


class Slot(msgspec.Struct, frozen=True):
    """A question that may take a value. ``current``: the value it has, None without one."""

    key: str
    """Of the conversation."""
    node: QuestionNode
    type: str
    entity: str
    is_open: bool
    takes_many: bool
    current: Any
    is_passed: bool = False
    """The user left an optional question without a value."""
    limits: Limits = NO_LIMITS

    @property
    def is_answered(self) -> bool:
        return self.current is not None or self.is_passed


class Stretch(msgspec.Struct, frozen=True):
    """A part of the text and what it may mean: values of one type, several when they fit equally."""

    type: str
    start: int
    end: int
    values: tuple[Any, ...]
    sureness: float = 1.0
    """The confidence of the surest reading."""
    others: tuple[tuple[Any, ...], ...] = ()
    """Of each value what else its words may mean; empty where none may mean anything else."""


def answered_slots(scripts: Iterable[CompiledConversation], memory: Memory, opened: AskingNode | None) -> list[Slot]:
    """Return the questions with an answer, and the open one: those that a message may name to be asked again."""
    slots: dict[str, Slot] = {}
    for script in scripts:
        for node in script.fillable:
            step = node.step
            if step.entity in slots or (step.entity not in memory.entities and node is not opened):
                continue
            current, is_open = memory.get(step.entity), node is opened
            slots[step.entity] = Slot(
                script.key, node, step.type, step.entity, is_open, step.takes_many, current, current is None
            )
    return list(slots.values())


def slots_of(
    scripts: Iterable[CompiledConversation], memory: Memory, opened: tuple[str, AskingNode] | None
) -> list[Slot]:
    """Return the questions that a message may answer, in step order, one for each entity. ``opened``: the open
    question, which stands for its entity wherever else in the flow that is asked."""
    slots: list[Slot] = []
    seen = {opened[1].step.entity} if opened is not None else set[str]()
    for script in scripts:
        for node in script.fillable:
            question = node.step
            is_open = opened is not None and node is opened[1] and script.key == opened[0]
            if not is_open and (question.is_explicit or question.entity in seen or question.type in ONLY_ASKED):
                continue
            seen.add(question.entity)
            current = memory.get(question.entity)
            is_passed = question.is_optional and memory.is_null(question.entity)
            slots.append(
                Slot(
                    script.key,
                    node,
                    question.type,
                    question.entity,
                    is_open,
                    question.takes_many,
                    current,
                    is_passed,
                )
            )
    return slots
