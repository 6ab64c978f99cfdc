"""Names the intents of the interaction model that a bot's conversations have; model and requests read the same."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from dialoom.flow.model import TraitType
from dialoom.flow.patterns.expression_slots import said_as_it_is

if TYPE_CHECKING:
    from collections.abc import Mapping

    from dialoom.flow import Bot

CATCH_ALL: Final = "CatchAllIntent"
"""The intent of sentences that begin with a carrier phrase; its slot holds the rest of them."""
ANSWER: Final = "AnswerIntent"
"""The intent of short answers, which have no carrier phrase."""
_NO_LETTER = re.compile(r"[^A-Za-z]+")
_NUMBERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def goal_intents(bot: Bot) -> Mapping[str, str]:
    """Return the key of each goal by the name of its intent, which is made of letters alone
    (developer.amazon.com/en-US/docs/alexa/custom-skills/create-intents-utterances-and-slots.html)."""
    names: dict[str, str] = {}
    for key, conversation in bot.flow.conversations.items():
        if conversation.type != "goal":
            continue
        base = "".join(part[:1].upper() + part[1:] for part in _NO_LETTER.split(key)) or "Unnamed"
        free = (f"Goal{base}{letter}Intent" for letter in ("", *_NUMBERS))
        name = next((name for name in free if name not in names), None)
        if name is not None:
            names[name] = key
    return names


def expressions_of(bot: Bot, key: str) -> tuple[str, ...]:
    """Return what users say to start a conversation, by the training."""
    return tuple(
        expression
        for definition in bot.training.entity_definitions
        if isinstance(definition, TraitType) and definition.name == "Conversation"
        for value in definition.data
        if value.value == key
        for expression in value.expressions
    )


def said_for(bot: Bot, key: str) -> str:
    """Return a text that starts a conversation: its first expression without a slot, else its name."""
    conversation = bot.flow.conversations.get(key)
    name = conversation.display_name if conversation is not None else None
    return next(said_as_it_is(expressions_of(bot, key)), name or key)
