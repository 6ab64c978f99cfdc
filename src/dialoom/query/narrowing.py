"""What each operator says in SQL of one value, kind by kind. How rows, arrays and paths are put around it is ``sql``'s.

A saying is one of the words YES and DOUBT, or signs that must all hold of the value. A kind that an operator says
nothing about is a no.
"""

from __future__ import annotations

import json
from enum import Enum
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from dialoom.query.tree import Moment
from dialoom.query.values import FIRST_TIME, LAST_TIME, Kind, kind

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


class Word(Enum):
    YES = "yes"
    DOUBT = "doubt"
    """SQL cannot tell: the exact predicate must."""


YES: Final = Word.YES
DOUBT: Final = Word.DOUBT

Sign: TypeAlias = tuple[str, str | int | float]
"""SQL with ``{}`` for the value, and the value of the question mark behind it."""

Saying: TypeAlias = Word | tuple[Sign, ...]
Sayings: TypeAlias = "Mapping[Kind, Saying]"

_KIND_OF_TYPE: Final[Mapping[str, Kind]] = {
    "null": "null",
    "number": "number",
    "string": "text",
    "object": "object",
    "array": "array",
}
_BOOLEANS: Final[tuple[Kind, Kind]] = ("false", "true")
_BEYOND_INTEGERS = 2**63


def says_equal(operand: Any) -> Sayings:
    return says_one_of((operand,))


def compares_as(sign: str) -> Callable[[Any], Sayings]:
    """``sign`` is SQL's own, and compares texts by bytes and numbers by value as the exact meaning does."""
    equal_too = sign.endswith("=")

    def says(operand: Any) -> Sayings:
        if isinstance(operand, Moment):
            end = ("{} <= ?", LAST_TIME) if sign[0] == ">" else ("{} >= ?", FIRST_TIME)
            return {"text": ((f"{{}} {sign} ?", operand.text), end)}
        its_kind = kind(operand)
        match its_kind:
            case "null":
                return {"null": YES, "missing": YES} if equal_too else {}
            case "true" | "false":
                return {
                    word: YES
                    for word in _BOOLEANS
                    if (equal_too and word == its_kind) or (word != its_kind and (word == "false") == (sign[0] == "<"))
                }
            case "text":
                return {"text": ((f"{{}} {sign} ?", operand),)}
            case "number":
                return {"number": ((f"{{}} {sign} ?", operand),) if _is_comparable(operand) else DOUBT}
            case _:
                return {its_kind: DOUBT}

    return says


def says_there(_operand: Any) -> Sayings:
    return dict.fromkeys(("null", "number", "text", "object", "array", "false", "true"), YES)


def says_type(operand: frozenset[str]) -> Sayings:
    says: dict[Kind, Saying] = {}
    if "bool" in operand:
        says["false"] = says["true"] = YES
    for name, its_kind in _KIND_OF_TYPE.items():
        if name in operand:
            says[its_kind] = YES
    if "number" not in says and not operand.isdisjoint(("int", "long", "double")):
        says["number"] = DOUBT
    return says


def says_size(operand: int) -> Sayings:
    return {"array": (("json_array_length({}) = ?", operand),)} if operand < _BEYOND_INTEGERS else {}


def says_remainder(_operand: tuple[int, int]) -> Sayings:
    # SQLite's % cuts numbers to 64 bits, which is not always the exact meaning; too rare to tell them apart here.
    return {"number": DOUBT}


def says_one_of(operand: tuple[Any, ...]) -> Sayings:
    by_kind: dict[Kind, list[Any]] = {}
    for value in operand:
        by_kind.setdefault(kind(value), []).append(value)
    says: dict[Kind, Saying] = {}
    for its_kind, members in by_kind.items():
        match its_kind:
            case "null":
                says["null"] = says["missing"] = YES
            case "true" | "false":
                says[its_kind] = YES
            case "text":
                says["text"] = _among(members)
            case "number":
                says["number"] = _among(members) if all(map(_is_comparable, members)) else DOUBT
            case _:
                says[its_kind] = DOUBT
    return says


def _among(members: list[Any]) -> Saying:
    if len(members) == 1:
        return (("{} = ?", members[0]),)
    # One parameter however long the list is, so that lists of any length are one statement to the database.
    return (("{} IN (SELECT value FROM json_each(?))", json.dumps(members, ensure_ascii=False)),)


def _is_comparable(number: float) -> bool:
    """Whether SQL compares it exactly: integers in JSON beyond 64 bits are rounded to double precision there."""
    return -_BEYOND_INTEGERS < number < _BEYOND_INTEGERS
