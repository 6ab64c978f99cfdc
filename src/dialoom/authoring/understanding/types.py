"""Lists the entity types of a bot with their values and expressions, and the steps that ask for each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from dialoom.flow.model import Bot, EntityDefinition, KeywordsType, KeywordValue, RegexType


class Value(msgspec.Struct, frozen=True):
    """Shows a value. ``expressions``: of a keywords type its synonyms."""

    value: str
    expressions: tuple[str, ...]


class Type(msgspec.Struct, frozen=True, rename="camel"):
    """Shows a type. ``used_by``: paths in ``flow.json`` of the steps that ask for it."""

    name: str
    kind: str
    values: tuple[Value, ...]
    pattern: str | None
    is_dynamic: bool
    used_by: tuple[str, ...]


def types_of(bot: Bot) -> tuple[Type, ...]:
    used: dict[str, list[str]] = {}
    for type_, path in _questions(bot):
        used.setdefault(type_, []).append(path)
    return tuple(_type(one, tuple(used.get(one.name, ()))) for one in bot.training.entity_definitions)


def asked_types(bot: Bot) -> frozenset[str]:
    """Return the types that some question of the flow asks for."""
    return frozenset(type_ for type_, _ in _questions(bot))


def _questions(bot: Bot) -> Iterator[tuple[str, str]]:
    for key, conversation in bot.flow.conversations.items():
        for index, step in enumerate(conversation.steps):
            type_: Any = getattr(step, "entity_type", None)
            if isinstance(type_, str):
                yield type_, f"conversations/{key}/steps/{index}"


def _type(one: EntityDefinition, used_by: tuple[str, ...]) -> Type:
    kind = str(one.__struct_config__.tag)
    if isinstance(one, RegexType):
        return Type(one.name, kind, (), one.data.pattern, False, used_by)
    values = tuple(
        Value(value.value, value.synonyms if isinstance(value, KeywordValue) else value.expressions)
        for value in one.data
    )
    is_dynamic = isinstance(one, KeywordsType) and one.dynamic_data is not None
    return Type(one.name, kind, values, None, is_dynamic, used_by)
