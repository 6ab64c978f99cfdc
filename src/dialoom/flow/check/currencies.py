"""Checks codes of currencies. What is none is told here: ``$currency`` would show the bare number, and a question store
a code that nobody knows."""

from __future__ import annotations

import re
from collections.abc import Iterator

from dialoom.flow.check.known import Known
from dialoom.flow.check.whole import Written
from dialoom.flow.finding import Fault
from dialoom.flow.pieces import Piece
from dialoom.template.formats.numbers import is_currency
from dialoom.template.nodes import Block, Call, Expression, Literal, Node, Output, Path


def currencies(flow: Piece, known: Known) -> Iterator[Fault]:
    """Yield a fault for each code of ``$currency`` that is no ISO 4217 code, or that is one without quotes."""
    for written in known.whole.texts:
        if "$currency" not in written.text or written.piece.file != flow.file:
            continue
        for call in _calls(written.tree):
            if call.head.original == "$currency" and len(call.parameters) == 2:
                yield from _currency(written, call.parameters[1], known)


def of_questions(step: Piece, _: Known) -> Iterator[Fault]:
    """Yield a fault for a ``currency`` that is no ISO 4217 code, or of a question that asks for no amount."""
    code, type = step.text("currency"), step.text("entity-type")
    if code is None or step.text("type") != "question":
        return
    if type is not None and type != "Amount":
        message = f'"currency" is for questions of the type Amount, not for {type[:80]}.'
        yield Fault(path=step.at("currency"), message=message, at_key=True)
    elif not re.fullmatch("[A-Z]{3}", code) or not is_currency(code):
        message = f'"{code[:80]}" is no code of a currency (ISO 4217), such as "USD".'
        yield Fault(path=step.at("currency"), message=message)


def _currency(written: Written, code: Expression, known: Known) -> Iterator[Fault]:
    if isinstance(code, Literal):
        is_code = isinstance(code.value, str) and is_currency(code.value)
        message = None if is_code else f"{_written(code)} is no code of a currency (ISO 4217), such as 'USD'."
    elif isinstance(code, Path) and len(code.parts) == 1 and is_currency(code.original):
        is_entity, right = code.original in known.whole.writers, code.original.upper()
        message = None if is_entity else f"{code.original} without quotes is a name in memory. Write '{right}'."
    else:
        message = None
    if message is not None:
        yield Fault(path=written.path, message=message, characters=code.offset)


def _written(code: Literal) -> str:
    return f'"{code.value}"' if isinstance(code.value, str) else code.original


def _calls(nodes: tuple[Node, ...]) -> Iterator[Call]:
    for node in nodes:
        if isinstance(node, Output | Block):
            yield from _calls_of(node.call)
        if isinstance(node, Block):
            yield from _calls(node.body)
            yield from _calls(node.inverse)


def _calls_of(expression: Expression) -> Iterator[Call]:
    if isinstance(expression, Call):
        yield expression
        for parameter in (*expression.parameters, *(value for _, value in expression.named)):
            yield from _calls_of(parameter)
