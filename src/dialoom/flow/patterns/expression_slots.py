"""Slots in expressions: ``{entity-name}`` or ``{EntityType}`` in place of a value ("{service} with {stylist}"). Here is
where they stand and what they are for; what the understanding makes of them is left to ``understanding``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from dialoom.flow.model import (
    BUILT_IN_TYPES,
    Bot,
    EntityDefinition,
    KeywordsType,
    QnAType,
    RegexType,
    TraitType,
)
from dialoom.flow.steps import Question

READ_INSIDE = frozenset({"Number", "Date", "Time", "Datetime", "Duration", "Amount", "Email", "PhoneNumber", "Url"})
"""The built-in types whose values are found among other words. ``Text`` takes any words, so that none can be found."""
STRATEGIES_READ_INSIDE = ("keywords", "regex")
"""The same of custom types, by ``lookup-strategy``."""
MAX_NAME_CHARS = 80

_SLOT = re.compile(rf"(?<!\{{)\{{([^{{}}]{{1,{MAX_NAME_CHARS}}})\}}(?!\}})")
# Braces that are doubled are those of a template, which an expression is not.

SlotTypes = Mapping[str, str]
"""Name of a slot -> its entity type, of all slots that a bot's expressions use and that name something; an empty text
for a type whose values are not found among other words."""
NO_SLOTS: SlotTypes = {}


class Slot(NamedTuple):
    """A slot of an expression, with its braces at ``start`` and behind ``end``."""

    name: str
    start: int
    end: int


def slots_in(expression: str) -> Iterator[Slot]:
    """Yield what has the form of a slot, in order, whether its name means something or not."""
    if "{" in expression:
        for found in _SLOT.finditer(expression):
            yield Slot(found[1].strip(), *found.span())


def is_slotted(expression: str, slots: SlotTypes) -> bool:
    """Return whether an expression has a slot whose name is known."""
    return bool(slots) and any(slot.name in slots for slot in slots_in(expression))


def without_slots(expression: str, slots: SlotTypes) -> str:
    """Return an expression with blanks in the place of its slots: the words outside of its values."""
    for slot in slots_in(expression) if slots else ():
        if slot.name in slots:
            expression = expression[: slot.start] + " " * (slot.end - slot.start) + expression[slot.end :]
    return expression


def said_as_it_is(expressions: Iterable[str]) -> Iterator[str]:
    """Yield the expressions that a user can say, or be offered, as they stand: those without a slot."""
    return (one for one in expressions if not any(slots_in(one)))


def slot_types(bot: Bot) -> dict[str, str]:
    """Return the slots that the expressions of a bot use. Where an entity and a type have one name, the entity is
    meant; an entity that several questions ask for is of the type of the first."""
    definitions = bot.training.entity_definitions
    used = {slot.name: None for expression in _expressions(definitions) for slot in slots_in(expression)}
    if not used:
        return {}
    types = {name: name for name in (*BUILT_IN_TYPES, *(one.name for one in definitions))}
    questions = [step for one in bot.flow.conversations.values() for step in one.steps if isinstance(step, Question)]
    types |= {step.entity: step.entity_type for step in reversed(questions)}
    read = types_read_inside(definitions)
    return {name: types[name] if types[name] in read else "" for name in used if name in types}


def types_read_inside(definitions: Iterable[EntityDefinition]) -> frozenset[str]:
    """Return the types whose values are found among other words, custom ones with them."""
    return READ_INSIDE.union(one.name for one in definitions if isinstance(one, KeywordsType | RegexType))


def _expressions(definitions: Iterable[EntityDefinition]) -> Iterator[str]:
    for one in definitions:
        if isinstance(one, TraitType | QnAType):
            for value in one.data:
                yield from value.expressions
