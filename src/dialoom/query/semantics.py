"""The exact meaning of each operator on one value, and which values of a document a path reaches."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, Final, TypeAlias

from dialoom.query.regex.expression import Expression
from dialoom.query.tree import Date, Path, index_of
from dialoom.query.values import FIRST_TIME, LAST_TIME, MISSING, TYPE_RANKS, comparison_key

Test: TypeAlias = Callable[[Any], bool]
"""Returns whether a predicate is true of a value (or of ``MISSING``)."""

OnSearch: TypeAlias = Callable[[str | None], None]
"""Called before each search of an expression, which may take half a second: raises when the time is over. Gets a
sentence when the text is too long to be searched in time, and must raise then."""


def equals(operand: Any) -> Test:
    """Return the test of ``$eq``: 3 is 3.0, true is not 1, null equals missing, the keys of objects have an order."""
    if operand is None:
        return lambda value: value is None or value is MISSING
    if isinstance(operand, str):
        return lambda value: bool(value == operand)
    if isinstance(operand, bool):
        return lambda value: value is operand
    rank = TYPE_RANKS[type(operand)]
    wanted = comparison_key(operand)
    return lambda value: TYPE_RANKS[type(value)] == rank and comparison_key(value) == wanted


def compares(compare: Callable[[Any, Any], bool]) -> Callable[[Any], Test]:
    """Return a function from the operand to the test of ``$gt`` and the like, true only of values of its rank."""

    def test_of(operand: Any) -> Test:
        if isinstance(operand, Date):
            text = operand.text
            return lambda value: isinstance(value, str) and FIRST_TIME <= value <= LAST_TIME and compare(value, text)
        rank = TYPE_RANKS[type(operand)]
        limit = comparison_key(operand)
        return lambda value: TYPE_RANKS[type(value)] == rank and compare(comparison_key(value), limit)

    return test_of


def one_of(operand: tuple[Any, ...]) -> Test:
    """Return the test of ``$in``."""
    # Keys hash by value (3 as 3.0), and the rank in front of each keeps true from 1.
    wanted = {comparison_key(value) for value in operand}
    return lambda value: comparison_key(value) in wanted


def is_there(_operand: Any) -> Test:
    """Return the test of ``$exists``: null exists too."""
    return lambda value: value is not MISSING


def has_type(operand: frozenset[str]) -> Test:
    """Return the test of ``$type``; a whole number is an int or a long by its size, and beyond 64 bits a double."""

    def test(value: Any) -> bool:
        names = _TYPE_NAMES.get(type(value)) or _number_types(value)
        return not operand.isdisjoint(names)

    return test


def is_matched(operand: Expression, on_search: OnSearch | None = None) -> Test:
    """Return the test of ``$regex``: a text in which the expression is found."""
    found, longest = operand.found, operand.longest
    if on_search is None:
        return lambda value: isinstance(value, str) and found(value)

    def test(value: Any) -> bool:
        if not isinstance(value, str):
            return False
        on_search(None if longest is None or len(value) <= longest else _too_long(len(value), longest))
        return found(value)

    return test


def _too_long(length: int, longest: int) -> str:
    return (
        f"A text of {length:,} characters stands where a regular expression is searched that can look at {longest:,} "
        "in its time. Narrow the query so that the record is left out, ask for a plain text, or for fewer repetitions."
    )


def has_size(operand: int) -> Test:
    """Return the test of ``$size``."""
    return lambda value: isinstance(value, list) and len(value) == operand


def leaves_remainder(operand: tuple[int, int]) -> Test:
    """Return the test of ``$mod``: decimals are cut off, the remainder has the sign of the number, as in C, and a
    number that does not fit 64 bits leaves none."""
    divisor, remainder = operand

    def test(value: Any) -> bool:
        if TYPE_RANKS[type(value)] != TYPE_RANKS[int]:
            return False
        whole = int(value)
        if not -(2**63) <= whole < 2**63:
            return False
        left = abs(whole) % abs(divisor)
        return (left if whole >= 0 else -left) == remainder

    return test


_TYPE_NAMES: Final[dict[type, tuple[str, ...]]] = {
    type(MISSING): ("missing",),
    type(None): ("null",),
    bool: ("bool",),
    float: ("double", "number"),
    str: ("string",),
    dict: ("object",),
    list: ("array",),
}


def _number_types(value: int) -> tuple[str, ...]:
    for name, bits in (("int", 31), ("long", 63)):
        if -(2**bits) <= value < 2**bits:
            return name, "number"
    return "double", "number"


greater = compares(operator.gt)
greater_or_equal = compares(operator.ge)
less = compares(operator.lt)
less_or_equal = compares(operator.le)


def any_value_at(value: Any, path: Path, test: Test, includes_elements: bool) -> bool:
    """Return whether the test is true of a value that the path reaches in an object.

    An array in the middle of the path is entered: each of its objects is searched, and a numeric part may also name one
    element. An array at the end is tested whole and, if ``includes_elements``, each of its elements as well; but one
    that a numeric part named is tested whole only. Scalars in the middle make the value missing; arrays without objects
    make it nothing at all, so that not even null matches.
    """
    last = len(path) - 1
    for index, part in enumerate(path):
        value = value.get(part, MISSING)
        if index == last:
            break
        if isinstance(value, list):
            return _any_value_in_array(value, path[index + 1 :], test, includes_elements)
        if not isinstance(value, dict):
            return test(MISSING)
    if includes_elements and isinstance(value, list):
        return any(map(test, value)) or test(value)
    return test(value)


def _any_value_in_array(array: list[Any], path: Path, test: Test, includes_elements: bool) -> bool:
    if any(isinstance(element, dict) and any_value_at(element, path, test, includes_elements) for element in array):
        return True
    index = index_of(path[0])
    if index is None or index >= len(array):
        return False
    element = array[index]
    if len(path) == 1:
        return test(element)
    if isinstance(element, dict):
        return any_value_at(element, path[1:], test, includes_elements)
    return isinstance(element, list) and _any_value_in_array(element, path[1:], test, includes_elements)
