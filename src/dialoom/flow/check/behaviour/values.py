"""Checks the values of entities: comparisons that never match, two types for one, a login that is overwritten."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from dialoom.flow.check.known import Known
from dialoom.flow.check.whole import literals
from dialoom.flow.finding import Fault
from dialoom.flow.pieces import Piece
from dialoom.template.nodes import Block, Call, Expression, Literal, Node, Output, Path
from dialoom.template.values import equal, read_number

CONFIRMING = ("confirmation", "entities-confirmation")


class Values(NamedTuple):
    """All that an entity's steps can give it, and how that is called."""

    all: Mapping[Any, None]
    of: str


# ---- values that nothing gives -----------------------------------------------------------------------------------


def comparisons(flow: Piece, known: Known) -> Iterator[Fault]:
    """Yield a fault for each ``{{$eq entity 'X'}}`` where no value of the entity's type is X."""
    for written in known.whole.texts:
        if not written.sees_memory or not ("$eq" in written.text or "$ne" in written.text):
            continue
        for path, literal in _compared(written.tree):
            values = _values_of(path.parts[0], known)
            fault = None if values is None else _not_given(literal.value, values)
            if fault is not None and written.piece.file == flow.file:
                message, allowed = fault
                word = literal.value if isinstance(literal.value, str) else None
                yield Fault(path=written.path, message=message, word=word, allowed=allowed, characters=literal.offset)


def match_values(validation: Piece, known: Known) -> Iterator[Fault]:
    """Yield a fault for each value of a ``match`` that the question's type cannot give."""
    parameters, step = validation.value.get("parameters"), validation.step
    if validation.text("type") != "match" or not isinstance(parameters, dict) or step is None:
        return
    values, entity_type = _values_of_type(step.text("entity-type"), known), step.text("entity-type")
    for index, one in enumerate(parameters.get("values") or []):
        if not literals([one]) or not isinstance(one, str | int | float):
            continue
        path = validation.at("parameters", "values", index)
        if values is not None and (fault := _not_given(one, values)) is not None:
            yield Fault(path=path, message=fault[0], word=str(one), allowed=fault[1])
        elif entity_type == "Number" and read_number(one) is None:
            yield Fault(path=path, message=f'"{one}" is no number, and the answers to this question are.')


def _compared(nodes: tuple[Node, ...]) -> Iterator[tuple[Path, Literal]]:
    """Yield each entity with the literal that it is compared with, where a plain name is certainly an entity."""
    for node in nodes:
        if isinstance(node, Output):
            yield from _in_expression(node.call)
        elif isinstance(node, Block):
            yield from _in_expression(node.call)
            if node.call.head.original in ("if", "unless"):
                yield from _compared(node.body)
            yield from _compared(node.inverse)


def _in_expression(expression: Expression) -> Iterator[tuple[Path, Literal]]:
    if not isinstance(expression, Call):
        return
    parameters = expression.parameters
    if expression.head.original in ("$eq", "$ne") and len(parameters) == 2:
        for one, other in (parameters, parameters[::-1]):
            is_entity = isinstance(one, Path) and not one.is_data and one.depth == 0 and len(one.parts) == 1
            if is_entity and isinstance(one, Path) and isinstance(other, Literal):
                yield one, other
    for parameter in (*parameters, *(value for _, value in expression.named)):
        yield from _in_expression(parameter)


def _values_of(entity: str, known: Known) -> Values | None:
    """Return all values that the steps of an entity give; None where they may give any."""
    steps = known.whole.writers.get(entity, [])
    if not steps or entity == known.whole.login_entity:
        return None
    found: dict[str, Mapping[Any, None]] = {}
    for step in steps:
        values = _values_of_step(step, known)
        if values is None:
            return None
        found[values.of] = values.all
    if len(found) == 1:
        ((of, only),) = found.items()
        return Values(only, of)
    return Values({one: None for each in found.values() for one in each}, " or ".join(found))


def _values_of_step(step: Piece, known: Known) -> Values | None:
    if step.text("type") in CONFIRMING:
        return Values({True: None, False: None}, "a confirmation")
    display = step.value.get("display")
    takes_many = step.value.get("capture-multiple-values") is True
    if isinstance(display, dict) and display.get("type") == "multi-select":
        takes_many = True
    if step.text("type") != "question" or takes_many:
        return None
    return _values_of_type(step.text("entity-type"), known)


def _values_of_type(entity_type: str | None, known: Known) -> Values | None:
    if entity_type == "Confirmation":
        return Values({True: None, False: None}, "a confirmation")
    values = known.whole.closed_types.get(entity_type or "")
    return None if values is None else Values(values, f'"{entity_type}"')


def _not_given(literal: Any, values: Values) -> tuple[str, tuple[str, ...]] | None:
    if not isinstance(literal, str | int | float) or (isinstance(literal, str) and literal in values.all):
        return None
    if any(equal(value, literal) for value in values.all):
        return None
    shown = f'"{literal[:80]}"' if isinstance(literal, str) else str(literal).lower()
    if True in values.all:
        if isinstance(literal, str) and literal in ("true", "false"):
            return f"The text {shown} is never the answer of a confirmation. Write {literal} without quotes.", ()
        return f"{shown} is never the answer of a confirmation, which is true or false.", ()
    return f"{shown} is no value of {values.of}, so that nothing is ever equal to it.", tuple(map(str, values.all))


# ---- one entity, two meanings ------------------------------------------------------------------------------------


def mixed_types(conversation: Piece, known: Known) -> Iterator[Fault]:
    """Yield a fault for a question whose entity an earlier question of the conversation asks for with another type: it
    is never asked."""
    first: dict[str, Piece] = {}
    for step in known.whole.steps_of(str(conversation.path[-1])):
        name, entity_type = step.text("entity"), step.text("entity-type")
        if step.text("type") != "question" or name is None or step.list("conditions"):
            continue
        before = first.setdefault(name, step)
        if before.text("entity-type") != entity_type:
            message = (
                f'"{name}" is asked for above already, as {before.text("entity-type")}: this question is never asked. '
                "Give it an entity of its own, or both conditions."
            )
            yield Fault(path=step.at("entity-type"), message=message)


def shared_confirmations(_: Piece, known: Known) -> Iterator[Fault]:
    """Yield a fault for each confirmation of a goal whose entity a confirmation of a goal above has as well. One that
    both run in place is one step, and no fault."""
    first: dict[str, Piece] = {}
    for step in known.whole.of_kind("step"):
        entity, goal = step.text("entity"), str(step.path[1])
        if not entity or step.text("type") not in CONFIRMING or goal not in known.whole.goals:
            continue
        other = str(first.setdefault(entity, step).path[1])
        if other != goal:
            message = (
                f'"{entity}" holds the answer to a confirmation of the goal "{other}" too: a yes to one could be taken '
                f'for the other\'s. Give this one an entity of its own, such as "{goal}-{entity}".'
            )
            yield Fault(path=step.at("entity"), message=message)


def unasked(step: Piece, known: Known) -> Iterator[Fault]:
    """Yield a fault for each entity to review that no question asks for: choosing it cannot ask again."""
    if step.text("type") != "entities-confirmation":
        return
    for index, name in enumerate(step.list("entities")):
        writers = known.whole.writers.get(name, [])
        if writers and not any(writer.text("type") == "question" for writer in writers):
            message = (
                f'No question asks for "{name}", so that the user cannot mend it here. Leave it out, or ask for it.'
            )
            yield Fault(path=step.at("entities", index), message=message)


def overwritten_login(step: Piece, known: Known) -> Iterator[Fault]:
    """Yield a fault for a step that writes the entity of the login: whatever it stores counts as a login."""
    name = step.text("entity")
    if name is not None and name == known.whole.login_entity:
        message = (
            f'"{name}" holds the login, and whatever stands there counts as one: after this step the user is logged in '
            "without a provider. Choose another entity."
        )
        yield Fault(path=step.at("entity"), message=message)


def lost_responses(flow: Piece, known: Known) -> Iterator[Fault]:
    """Yield a fault for each ``_response`` outside of a custom validation that has a data-source."""
    for written in known.whole.texts:
        if "_response" not in written.names or written.piece.file != flow.file:
            continue
        validation: Piece | None = written.piece
        while validation is not None and validation.kind != "validation":
            validation = validation.owner
        parameters = validation.value.get("parameters") if validation is not None else None
        if not isinstance(parameters, dict) or parameters.get("data-source") is None:
            message = (
                "_response is what the data-source of a custom validation answered, and nothing here. Give the "
                "validation a data-source, or read the entity of a webhook."
            )
            yield Fault(path=written.path, message=message, characters=written.sure.get("_response"))
