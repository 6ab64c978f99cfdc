"""training.json: values and expressions that stand in each other's way."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dialoom.flow.report import Fault

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dialoom.flow.check.known import Known
    from dialoom.flow.pieces import Piece


def blank_values(value: Piece, _: Known) -> Iterator[Fault]:
    """A value without a text has no name to be told by."""
    text = value.text("value")
    if text is not None and not text.strip():
        yield Fault(path=value.at("value"), message='"value" is empty. Give it a text.')


def doubled_values(definition: Piece, _: Known) -> Iterator[Fault]:
    """One value twice in a definition."""
    seen = set()
    for index, item in enumerate(definition.list("data")):
        value = item.get("value") if isinstance(item, dict) else None
        if isinstance(value, str):
            if value in seen:
                message = f'"{value[:80]}" stands in this definition twice. Put both together.'
                yield Fault(path=definition.at("data", index, "value"), message=message)
            seen.add(value)


def shared_expressions(definition: Piece, _: Known) -> Iterator[Fault]:
    """Two values with one expression: which of them is meant cannot be told (understanding.md)."""
    if definition.text("lookup-strategy") not in ("trait", "QnA"):
        return
    first: dict[str, object] = {}
    for index, item in enumerate(definition.list("data")):
        if not isinstance(item, dict) or not isinstance(item.get("expressions"), list):
            continue
        for number, expression in enumerate(item["expressions"]):
            if not isinstance(expression, str):
                continue
            plain = " ".join(expression.casefold().split())
            other = first.setdefault(plain, item.get("value"))
            if other != item.get("value"):
                message = f'"{expression[:80]}" is an expression of "{other}" too. Keep it with one of them.'
                yield Fault(path=definition.at("data", index, "expressions", number), message=message)
