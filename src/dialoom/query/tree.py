"""The tree of a query, parsed and checked. Knows neither how it was written nor how it is run."""

from __future__ import annotations

from typing import Any, Final, TypeAlias

import msgspec

from dialoom.query.errors import invalid

Path: TypeAlias = tuple[str, ...]
"""The parts of a dotted property name. The empty path is the value itself (an element under ``$elemMatch``)."""

MAX_PARTS: Final = 100


def parts_of(name: str) -> Path:
    """Return the parts of a dotted property name."""
    return tuple(name.split("."))


def check_parts(parts: Path, pointer: str) -> None:
    """Raise ``QueryError`` for a property name of too many parts."""
    if len(parts) > MAX_PARTS:
        raise invalid("path-too-long", f"The property name has {len(parts)} parts; at most {MAX_PARTS}.", pointer)


def index_of(part: str) -> int | None:
    """Return the array index that a part names. ``00`` and ``٣`` name none: the part is compared as text."""
    if part.isascii() and part.isdigit() and (part == "0" or part[0] != "0"):
        return int(part) if len(part) < 10 else None
    return None


class Date(msgspec.Struct, frozen=True):
    """A ``$date`` under a comparison: the stored text of a time, which compares with texts of times only."""

    text: str


class And(msgspec.Struct, frozen=True):
    """True when every node is; the empty one is true of every document."""

    nodes: tuple[Node, ...] = ()


class Or(msgspec.Struct, frozen=True):
    """True when some node is; the empty one is true of none."""

    nodes: tuple[Node, ...] = ()


class Not(msgspec.Struct, frozen=True):
    """The exact complement. ``$ne``, ``$nin``, ``$nor`` and ``$exists: false`` are written with it."""

    node: Node


class Predicate(msgspec.Struct, frozen=True):
    """One row of the operators' table on one path. Only rows with a meaning of their own stand here."""

    path: Path
    operator: str
    operand: Any


class Element(msgspec.Struct, frozen=True):
    """``$elemMatch``: true when the path holds an array with an element for which ``where`` is true.

    ``objects``: ``where`` names properties of the element, so that only objects and arrays can match it.
    """

    path: Path
    where: Node
    objects: bool


Node: TypeAlias = And | Or | Not | Predicate | Element

EVERYTHING: Final = And()

Sort: TypeAlias = tuple[tuple[str, int], ...]
"""Property names with 1 (ascending) or -1 (descending), the most important first."""

Place: TypeAlias = tuple[tuple[int, Any], ...]
"""Where a record stands in an order: the ``comparison_key`` of each property of the sort with its tie breaker, whether
ascending or descending."""


class Selection(msgspec.Struct, frozen=True):
    """Which records a client asks for, in which order, and which page of them."""

    where: Node = EVERYTHING
    sort: Sort = ()
    skip: int = 0
    limit: int | None = None
    after: Place | None = None
    """Only what comes after this place."""
