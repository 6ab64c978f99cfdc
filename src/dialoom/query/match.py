"""Matches documents in Python: a query becomes one function of a document. SQL is tested against it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dialoom.query.operators import OPERATORS
from dialoom.query.regex.expression import Expression
from dialoom.query.semantics import OnSearch, Test, any_value_at, is_matched
from dialoom.query.tree import And, Element, Node, Not, Or, Path, Predicate


def matcher(node: Node, on_search: OnSearch | None = None) -> Callable[[dict[str, Any]], bool]:
    """Return a function that tells whether a document matches; ``on_search`` may raise to end it."""
    return _test(node, on_search)


def _test(node: Node, on_search: OnSearch | None) -> Test:
    match node:
        case And(nodes):
            tests = tuple(_test(one, on_search) for one in nodes)
            return lambda value: all(test(value) for test in tests)
        case Or(nodes):
            tests = tuple(_test(one, on_search) for one in nodes)
            return lambda value: any(test(value) for test in tests)
        case Not(inner):
            test = _test(inner, on_search)
            return lambda value: not test(value)
        case Predicate(path, name, Expression() as operand):
            return _at_path(path, is_matched(operand, on_search), OPERATORS[name].includes_elements)
        case Predicate(path, name, operand):
            row = OPERATORS[name]
            assert row.test is not None, f"{name} is read into other rows and is never in a tree"
            return _at_path(path, row.test(operand), row.includes_elements)
        case Element(path, where, objects):
            return _at_path(path, _any_element(_test(where, on_search), objects), includes_elements=False)


def _at_path(path: Path, test: Test, includes_elements: bool) -> Test:
    return (lambda value: any_value_at(value, path, test, includes_elements)) if path else test


def _any_element(test: Test, objects: bool) -> Test:
    if not objects:
        return lambda value: isinstance(value, list) and any(map(test, value))
    return lambda value: (
        isinstance(value, list)
        and any(
            # MongoDB looks into an array inside of an array as if it were an object with the keys "0", "1" ...
            test(element if isinstance(element, dict) else {str(index): one for index, one in enumerate(element)})
            for element in value
            if isinstance(element, dict | list)
        )
    )
