"""Slots in the expressions of training.json: that they name what a question asks for or a type, and can be read."""

from __future__ import annotations

import re
from collections.abc import Iterator

from dialoom.flow.check.known import Known
from dialoom.flow.finding import Fault
from dialoom.flow.patterns.expression_slots import MAX_NAME_CHARS, READ_INSIDE, STRATEGIES_READ_INSIDE, slots_in
from dialoom.flow.pieces import Piece

_TEMPLATE = re.compile(rf"\{{\{{\s{{0,8}}([^{{}}\s]{{1,{MAX_NAME_CHARS}}})\s{{0,8}}\}}\}}")
"""An entity as a template writes it."""


def unknown_slots(value: Piece, known: Known) -> Iterator[Fault]:
    """Yield a fault for each slot that names neither an entity that a question asks for nor an entity type."""
    if known.conversations is None or known.entity_types is None:
        return
    names = (*known.whole.asked_types, *known.entity_types)
    for path, expression in _expressions(value):
        for slot in slots_in(expression):
            if slot.name not in names:
                message = (
                    f'"{{{slot.name}}}" names no entity that a question asks for, and no entity type: '
                    "it is trained as a word."
                )
                yield Fault(
                    path=path,
                    message=message,
                    word=slot.name,
                    allowed=names,
                    characters=_name_at(expression, slot.start),
                )
        for found in _TEMPLATE.finditer(expression):
            if found[1] in names:
                message = f'"{found[0]}" is a template, and expressions are none. Write "{{{found[1]}}}".'
                slip = (found[0], f"{{{found[1]}}}")
                yield Fault(path=path, message=message, characters=found.start(), slip=slip)


def unread_slots(value: Piece, known: Known) -> Iterator[Fault]:
    """Yield a fault for each slot whose type is not read inside a sentence."""
    for path, expression in _expressions(value):
        for slot in slots_in(expression):
            type_ = known.whole.asked_types.get(slot.name, slot.name)
            is_own = type_ in (known.definitions or {})
            if type_ not in READ_INSIDE and (not is_own or known.strategy(type_) not in STRATEGIES_READ_INSIDE):
                message = (
                    f'"{{{slot.name}}}" is of the type "{type_}", whose values are not found among other words: the '
                    "expression is trained without it. Leave the slot out, or use a type that is found."
                )
                if is_own or type_ in (known.entity_types or ()):
                    yield Fault(path=path, message=message, characters=_name_at(expression, slot.start))


def _expressions(value: Piece) -> Iterator[tuple[tuple[str | int, ...], str]]:
    if value.owner is None or value.owner.text("lookup-strategy") not in ("trait", "QnA"):
        return
    for index, expression in enumerate(value.list("expressions")):
        if isinstance(expression, str) and "{" in expression:
            yield value.at("expressions", index), expression


def _name_at(expression: str, start: int) -> int:
    """Return where the name in a slot begins."""
    return start + 1 + len(expression[start + 1 :]) - len(expression[start + 1 :].lstrip())
