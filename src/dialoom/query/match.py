"""The exact predicate: a tree becomes one Python function of a document. It is the truth that SQL is held against."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dialoom.query.operators import OPERATORS
from dialoom.query.paths import some_leaf
from dialoom.query.regex import Expression
from dialoom.query.semantics import is_matched
from dialoom.query.tree import And, Element, Node, Not, Or, Path, Predicate

if TYPE_CHECKING:
    from collections.abc import Callable

    from dialoom.query.paths import Test
    from dialoom.query.semantics import OnSearch


def matcher(node: Node, on_search: OnSearch | None = None) -> Callable[[dict[str, Any]], bool]:
    """A function that tells whether a document matches; ``look`` may end it."""
    return _compiled(node, on_search)


def _compiled(node: Node, on_search: OnSearch | None) -> Test:
    match node:
        case And(nodes):
            tests = tuple(_compiled(one, on_search) for one in nodes)
            return lambda value: all(test(value) for test in tests)
        case Or(nodes):
            tests = tuple(_compiled(one, on_search) for one in nodes)
            return lambda value: any(test(value) for test in tests)
        case Not(inner):
            test = _compiled(inner, on_search)
            return lambda value: not test(value)
        case Predicate(path, name, Expression() as operand):
            return _on(path, is_matched(operand, on_search), OPERATORS[name].spread)
        case Predicate(path, name, operand):
            row = OPERATORS[name]
            assert row.test is not None, f"{name} is written with other rows and never stands in a tree"
            return _on(path, row.test(operand), row.spread)
        case Element(path, where, objects):
            return _on(path, _in_some_element(_compiled(where, on_search), objects), spread=False)


def _on(path: Path, test: Test, spread: bool) -> Test:
    if not path:
        return test
    return lambda value: some_leaf(value, path, test, spread)


def _in_some_element(test: Test, objects: bool) -> Test:
    def holds(value: Any) -> bool:
        if not isinstance(value, list):
            return False
        if not objects:
            return any(map(test, value))
        return any(
            test(element if isinstance(element, dict) else _as_object(element))
            for element in value
            if isinstance(element, dict | list)
        )

    return holds


def _as_object(array: list[Any]) -> dict[str, Any]:
    # MongoDB looks into an array inside of an array as if it were an object with the keys "0", "1" ...
    return {str(place): element for place, element in enumerate(array)}
