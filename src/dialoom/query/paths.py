"""How a path reaches into a document: which values a predicate gets to see on its way through objects and arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from dialoom.query.refusal import refuse
from dialoom.query.tree import Path
from dialoom.query.values import MISSING

MAX_PARTS = 100

Test: TypeAlias = Callable[[Any], bool]
"""The meaning of a predicate on one value (or ``MISSING``)."""


def parts_of(name: str) -> Path:
    """The parts of a dotted property name."""
    return tuple(name.split("."))


def check_parts(parts: Path, pointer: str) -> None:
    if len(parts) > MAX_PARTS:
        raise refuse("path-too-long", f"The property name has {len(parts)} parts; at most {MAX_PARTS}.", pointer)


def index_of(part: str) -> int | None:
    """The place in an array that a part names. ``00`` and ``٣`` name none: the part is compared as text."""
    if part.isascii() and part.isdigit() and (part == "0" or part[0] != "0"):
        return int(part) if len(part) < 10 else None
    return None


def some_leaf(value: Any, path: Path, test: Test, spread: bool) -> bool:
    """Whether the test is true of a value that the path reaches in an object.

    An array in the middle of the path is entered: each of its objects is searched, and a numeric part may also name one
    element. An array at the end is seen whole and, if ``spread``, each of its elements as well; but one that a
    numeric part named is seen whole only. Scalars in the middle make the value missing; arrays without objects make it
    nothing at all, so that not even null matches.
    """
    last = len(path) - 1
    for place, part in enumerate(path):
        value = value.get(part, MISSING)
        if place == last:
            break
        if isinstance(value, list):
            return _some_in_array(value, path[place + 1 :], test, spread)
        if not isinstance(value, dict):
            return test(MISSING)
    if spread and isinstance(value, list):
        return any(map(test, value)) or test(value)
    return test(value)


def _some_in_array(array: list[Any], path: Path, test: Test, spread: bool) -> bool:
    if any(isinstance(element, dict) and some_leaf(element, path, test, spread) for element in array):
        return True
    index = index_of(path[0])
    if index is None or index >= len(array):
        return False
    element = array[index]
    if len(path) == 1:
        return test(element)
    if isinstance(element, dict):
        return some_leaf(element, path[1:], test, spread)
    return isinstance(element, list) and _some_in_array(element, path[1:], test, spread)
