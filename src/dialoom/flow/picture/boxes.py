"""What the picture of a flow shows, as values: a box a conversation, a row a step, an arrow where the flow jumps.

Drawing them is left to ``svg`` and ``mermaid``; both read the same rows.
"""

from __future__ import annotations

import msgspec
from msgspec import UNSET

from dialoom.flow.model import Bot, Conversation
from dialoom.flow.parts import Described
from dialoom.flow.steps import Step, in_picture, type_of


class Row(msgspec.Struct, frozen=True):
    """A step. ``kind``: the word before it; ``jump``: the key of the conversation that it leads to."""

    kind: str
    text: str
    jump: str | None = None
    is_protected: bool = False
    condition: str = ""
    note: str = ""


class Box(msgspec.Struct, frozen=True):
    key: str
    title: str
    is_goal: bool
    rows: tuple[Row, ...]
    note: str = ""


def boxes(bot: Bot) -> tuple[Box, ...]:
    """Return the conversations in the order of the file, goals first."""
    drawn = [_box(key, conversation) for key, conversation in bot.flow.conversations.items()]
    return tuple(sorted(drawn, key=lambda box: not box.is_goal))


def _box(key: str, conversation: Conversation) -> Box:
    return Box(
        key=key,
        title=conversation.display_name or key,
        is_goal=conversation.type == "goal",
        rows=tuple(_row(step) for step in conversation.steps),
        note=_note(conversation),
    )


def _note(piece: Described) -> str:
    return "" if piece.note is UNSET else piece.note


def _row(step: Step) -> Row:
    text, jump = in_picture(step)
    conditions = " and ".join(step.conditions)
    return Row(type_of(step).verb, " ".join(text.split()), jump, step.protected, conditions, _note(step))
