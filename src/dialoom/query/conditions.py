"""What each operator demands of a value, for each kind of value: the part of its meaning that SQL can tell.

A condition is ``ALWAYS``, ``UNKNOWN``, or comparisons of which all must hold. A kind without one never matches. Rows,
arrays and paths are put around it in ``sql.compile``; a dialect writes each comparison, or tells that it cannot.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from enum import Enum
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from dialoom.query.regex.expression import Expression
from dialoom.query.tree import Date
from dialoom.query.values import FIRST_TIME, LAST_TIME, Kind, kind_of


class Certainty(Enum):
    ALWAYS = "always"
    UNKNOWN = "unknown_operator"
    """SQL cannot tell, only ``match``."""


ALWAYS: Final = Certainty.ALWAYS
UNKNOWN: Final = Certainty.UNKNOWN

ComparisonOperator = Literal["=", "<", "<=", ">", ">="]


class Comparison(NamedTuple):
    """A demand on the value, with its operand.

    ``among``: to equal one of the operands; ``contains``: one of these texts, or (``any case``) with the ASCII letters
    of the value in lower case; ``size``: to have so many elements; ``undecided``: something more that SQL cannot tell.
    """

    word: Literal[ComparisonOperator, "among", "contains", "contains any case", "size", "undecided"]
    operand: Any


Condition: TypeAlias = Certainty | tuple[Comparison, ...]
Conditions: TypeAlias = "Mapping[Kind, Condition]"

_KIND_OF_TYPE: Final[Mapping[str, Kind]] = {
    "null": "null",
    "number": "number",
    "string": "text",
    "object": "object",
    "array": "array",
}
_BOOLEANS: Final[tuple[Kind, Kind]] = ("false", "true")
_BEYOND_INTEGERS = 2**63


def equal_to(operand: Any) -> Conditions:
    """Return the conditions of ``$eq``."""
    return one_of((operand,))


def compared_with(operator: ComparisonOperator) -> Callable[[Any], Conditions]:
    """Return a function from the operand to the conditions; texts compare by bytes and numbers by value."""
    equal_too = operator.endswith("=")

    def conditions_of(operand: Any) -> Conditions:
        if isinstance(operand, Date):
            end = Comparison("<=", LAST_TIME) if operator[0] == ">" else Comparison(">=", FIRST_TIME)
            return {"text": (Comparison(operator, operand.text), end)}
        its_kind = kind_of(operand)
        match its_kind:
            case "null":
                return {"null": ALWAYS, "missing": ALWAYS} if equal_too else {}
            case "true" | "false":
                return {
                    word: ALWAYS
                    for word in _BOOLEANS
                    if (equal_too and word == its_kind)
                    or (word != its_kind and (word == "false") == (operator[0] == "<"))
                }
            case "text" | "number":
                return {its_kind: (Comparison(operator, operand),)}
            case _:
                return {its_kind: UNKNOWN}

    return conditions_of


def existing(_operand: Any) -> Conditions:
    """Return the conditions of ``$exists``: null exists too."""
    return dict.fromkeys(("null", "number", "text", "object", "array", "false", "true"), ALWAYS)


def of_type(operand: frozenset[str]) -> Conditions:
    """Return the conditions of ``$type``."""
    conditions: dict[Kind, Condition] = {}
    if "bool" in operand:
        conditions["false"] = conditions["true"] = ALWAYS
    for name, its_kind in _KIND_OF_TYPE.items():
        if name in operand:
            conditions[its_kind] = ALWAYS
    if "number" not in conditions and not operand.isdisjoint(("int", "long", "double")):
        conditions["number"] = UNKNOWN
    return conditions


def of_size(operand: int) -> Conditions:
    """Return the conditions of ``$size``."""
    return {"array": (Comparison("size", operand),)} if operand < _BEYOND_INTEGERS else {}


def matching_expression(operand: Expression) -> Conditions:
    """Return the conditions of ``$regex``: what each text that matches holds."""
    exact, among, begins, contains, any_case = operand.needs
    comparisons: list[Comparison] = []
    if among:
        comparisons.append(Comparison("=", among[0]) if len(among) == 1 else Comparison("among", [*among]))
    if begins:
        comparisons.append(Comparison(">=", begins))
        end = _first_after_prefix(begins)
        if end:
            comparisons.append(Comparison("<", end))
    if contains:
        comparisons.append(Comparison("contains any case" if any_case else "contains", contains))
    if not comparisons:
        return {"text": ALWAYS if exact else UNKNOWN}
    if not exact:
        comparisons.append(Comparison("undecided", None))
    return {"text": (*comparisons,)}


def _first_after_prefix(start: str) -> str:
    """Return the least text that is greater than all texts with this prefix; empty if there is none."""
    kept = start.rstrip(chr(sys.maxunicode))
    if not kept:
        return ""
    following = ord(kept[-1]) + 1
    # Halves of surrogate pairs are no characters.
    return kept[:-1] + chr(0xE000 if following == 0xD800 else following)


def with_remainder(_operand: tuple[int, int]) -> Conditions:
    """Return the conditions of ``$mod``."""
    # SQLite's % cuts numbers to 64 bits, which is not always the exact meaning; too rare to tell them apart.
    return {"number": UNKNOWN}


def one_of(operand: tuple[Any, ...]) -> Conditions:
    """Return the conditions of ``$in``."""
    by_kind: dict[Kind, list[Any]] = {}
    for value in operand:
        by_kind.setdefault(kind_of(value), []).append(value)
    conditions: dict[Kind, Condition] = {}
    for its_kind, members in by_kind.items():
        match its_kind:
            case "null":
                conditions["null"] = conditions["missing"] = ALWAYS
            case "true" | "false":
                conditions[its_kind] = ALWAYS
            case "text" | "number":
                conditions[its_kind] = (
                    Comparison("=", members[0]) if len(members) == 1 else Comparison("among", members),
                )
            case _:
                conditions[its_kind] = UNKNOWN
    return conditions
