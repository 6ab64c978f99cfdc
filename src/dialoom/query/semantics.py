"""The exact meaning of each operator on one value. Which values of a document it gets to see is ``paths``' business."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from dialoom.query.tree import Moment
from dialoom.query.values import FIRST_TIME, LAST_TIME, MISSING, RANKS, key

if TYPE_CHECKING:
    from dialoom.query.paths import Test
    from dialoom.query.regex import Expression

OnSearch: TypeAlias = Callable[[str | None], None]
"""Called before each search of an expression, which may take half a second: raises when the time is over. It is given
a sentence when the text is too long to be searched in time, and must raise then."""


def equals(operand: Any) -> Test:
    """Equal by value: 3 is 3.0, true is not 1, null is also what is missing, objects count the order of their keys."""
    if operand is None:
        return lambda value: value is None or value is MISSING
    if isinstance(operand, str):
        return lambda value: bool(value == operand)
    if isinstance(operand, bool):
        return lambda value: value is operand
    rank = RANKS[type(operand)]
    wanted = key(operand)
    return lambda value: RANKS[type(value)] == rank and key(value) == wanted


def compares(holds: Callable[[Any, Any], bool]) -> Callable[[Any], Test]:
    """Less, greater and so on among values of the operand's rank only."""

    def meaning(operand: Any) -> Test:
        if isinstance(operand, Moment):
            text = operand.text
            return lambda value: isinstance(value, str) and FIRST_TIME <= value <= LAST_TIME and holds(value, text)
        rank = RANKS[type(operand)]
        limit = key(operand)
        return lambda value: RANKS[type(value)] == rank and holds(key(value), limit)

    return meaning


def one_of(operand: tuple[Any, ...]) -> Test:
    """Equal to one of the values."""
    # Keys hash by value (3 as 3.0), and the rank in front of each keeps true from 1.
    wanted = {key(value) for value in operand}
    return lambda value: key(value) in wanted


def is_there(_operand: Any) -> Test:
    """Anything but missing: null is there."""
    return lambda value: value is not MISSING


def has_type(operand: frozenset[str]) -> Test:
    """Of one of the types; a whole number is an int or a long by its size, and beyond 64 bits a double."""

    def meaning(value: Any) -> bool:
        names = _TYPE_NAMES.get(type(value)) or _number_types(value)
        return not operand.isdisjoint(names)

    return meaning


def is_matched(operand: Expression, on_search: OnSearch | None = None) -> Test:
    """A text in which the expression is found."""
    found, longest = operand.found, operand.longest
    if on_search is None:
        return lambda value: isinstance(value, str) and found(value)

    def meaning(value: Any) -> bool:
        if not isinstance(value, str):
            return False
        on_search(None if longest is None or len(value) <= longest else _too_long(len(value), longest))
        return found(value)

    return meaning


def _too_long(length: int, longest: int) -> str:
    return (
        f"A text of {length:,} characters stands where a regular expression is searched that can look at {longest:,} "
        "in its time. Narrow the query so that the record is left out, ask for a plain text, or for fewer repetitions."
    )


def has_size(operand: int) -> Test:
    """An array of so many elements."""
    return lambda value: isinstance(value, list) and len(value) == operand


def leaves_remainder(operand: tuple[int, int]) -> Test:
    """A number that, without what is behind its point, leaves the remainder; it has the sign of the number, as in C.
    One that does not fit 64 bits leaves none."""
    divisor, remainder = operand

    def meaning(value: Any) -> bool:
        if RANKS[type(value)] != RANKS[int]:
            return False
        whole = int(value)
        if not -(2**63) <= whole < 2**63:
            return False
        left = abs(whole) % abs(divisor)
        return (left if whole >= 0 else -left) == remainder

    return meaning


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
