"""What the picture of a flow shows, as values: a box a conversation, a row a step, an arrow where the flow jumps.

Drawing them is left to ``svg`` and ``mermaid``; both read the same rows.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec
from msgspec import UNSET

from dialoom.flow import model

if TYPE_CHECKING:
    from dialoom.flow.model import Bot, Conversation, Step, Texts


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
    """The conversations as the file has them, goals first."""
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


def _note(piece: model.Described) -> str:
    return "" if piece.note is UNSET else piece.note


def _row(step: Step) -> Row:
    kind, text, jump = _said(step)
    conditions = " and ".join(step.conditions)
    return Row(kind, " ".join(text.split()), jump, step.protected, conditions, _note(step))


def _said(step: Step) -> tuple[str, str, str | None]:
    match step:
        case model.Question():
            many = "[]" if step.capture_multiple_values else ""
            return "ask", f"{step.entity}: {step.entity_type}{many}", None
        case model.Message():
            return "say", _first(step.messages), None
        case model.Webhook():
            stored = f" → {step.entity}" if step.entity else ""
            return "call", f"{_address(step.data_source)}{stored}", None
        case model.Confirmation():
            return "confirm", step.entity, None
        case model.EntitiesConfirmation():
            return "confirm", ", ".join(step.entities), None
        case model.RunConversation():
            return "run", step.conversation, step.conversation
        case model.Command():
            words = step.command.split()
            target = words[1] if words[:1] == ["go-to"] and len(words) > 1 else None
            named = step.entity or ", ".join(step.entities or ())
            return "do", f"{step.command} {named}".strip(), target


def _first(texts: Texts) -> str:
    first = texts[0] if texts else ""
    return first if isinstance(first, str) else (first[0] if first else "")


def _address(source: model.DataSource) -> str:
    """Method and address without the query, which may hold what is nobody's business in a picture."""
    if not source.endpoint:
        return source.entity or ""
    place = re.split(r"[?#]", source.endpoint.partition("://")[2] or source.endpoint, maxsplit=1)[0]
    host, slash, path = place.partition("/")
    return f"{source.method or 'GET'} {host.rpartition('@')[2]}{slash}{path}"
