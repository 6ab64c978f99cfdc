"""What each operator says to a database of one value, kind by kind. How rows, arrays and paths are put around it is
``sql``'s; how a sign is written, and whether it can be at all, is the dialect's.

A saying is one of the words YES and DOUBT, or signs that must all hold of the value. A kind that an operator says
nothing about is a no.
"""

from __future__ import annotations

import sys
from enum import Enum
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, TypeAlias

from dialoom.query.tree import Moment
from dialoom.query.values import FIRST_TIME, LAST_TIME, Kind, kind

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from dialoom.query.regex import Expression


class Word(Enum):
    YES = "yes"
    DOUBT = "doubt"
    """SQL cannot tell: the exact predicate must."""


YES: Final = Word.YES
DOUBT: Final = Word.DOUBT

Comparison = Literal["=", "<", "<=", ">", ">="]


class Sign(NamedTuple):
    """What must hold of the value: a comparison, to be among several operands, to contain one of several texts (itself,
    or with its ASCII letters made small), or to have so many elements; or, in doubt, something more that SQL cannot
    tell."""

    word: Literal[Comparison, "among", "contains", "contains any case", "size", "doubt"]
    operand: Any


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


def compares_as(sign: Comparison) -> Callable[[Any], Sayings]:
    """Texts compare by bytes and numbers by value, as the exact meaning does."""
    equal_too = sign.endswith("=")

    def says(operand: Any) -> Sayings:
        if isinstance(operand, Moment):
            end = Sign("<=", LAST_TIME) if sign[0] == ">" else Sign(">=", FIRST_TIME)
            return {"text": (Sign(sign, operand.text), end)}
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
            case "text" | "number":
                return {its_kind: (Sign(sign, operand),)}
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
    return {"array": (Sign("size", operand),)} if operand < _BEYOND_INTEGERS else {}


def says_matched(operand: Expression) -> Sayings:
    """What the expression needs; where that is not enough, the exact predicate has the last word."""
    exact, among, begins, contains, any_case = operand.needs
    signs: list[Sign] = []
    if among:
        signs.append(Sign("=", among[0]) if len(among) == 1 else Sign("among", [*among]))
    if begins:
        signs.append(Sign(">=", begins))
        end = _behind_all(begins)
        if end:
            signs.append(Sign("<", end))
    if contains:
        signs.append(Sign("contains any case" if any_case else "contains", contains))
    if not signs:
        return {"text": YES if exact else DOUBT}
    if not exact:
        signs.append(Sign("doubt", None))
    return {"text": (*signs,)}


def _behind_all(start: str) -> str:
    """The least text that is greater than all that begin so; none if there is no such."""
    kept = start.rstrip(chr(sys.maxunicode))
    if not kept:
        return ""
    following = ord(kept[-1]) + 1
    # Halves of surrogate pairs are no characters.
    return kept[:-1] + chr(0xE000 if following == 0xD800 else following)


def says_remainder(_operand: tuple[int, int]) -> Sayings:
    # SQLite's % cuts numbers to 64 bits, which is not always the exact meaning; too rare to tell them apart.
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
            case "text" | "number":
                says[its_kind] = (Sign("=", members[0]) if len(members) == 1 else Sign("among", members),)
            case _:
                says[its_kind] = DOUBT
    return says
