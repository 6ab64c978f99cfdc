"""The tree of a query: what was asked, checked and frozen. Knows neither how it was written nor how it is run."""

from __future__ import annotations

from typing import Any, TypeAlias

import msgspec

JSON: TypeAlias = Any
Path: TypeAlias = tuple[str, ...]
"""The parts of a dotted property name. The empty path is the value itself (an element under ``$elemMatch``)."""

Sort: TypeAlias = tuple[tuple[str, int], ...]
"""Property names with 1 (ascending) or -1 (descending), the most important first."""


Place: TypeAlias = tuple[JSON, ...]
"""Where a record stands in an order: the key of each property of the completed sort, as ``sort_key`` compares them but
not turned around."""


class Moment(msgspec.Struct, frozen=True):
    """A ``$date`` under a comparison: the stored text of a time, that compares with texts of times only."""

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
    operand: JSON


class Element(msgspec.Struct, frozen=True):
    """True when the path holds an array with an element for which ``where`` is true.

    ``objects`` tells that ``where`` asks for properties of the element, so that only objects and arrays can meet it.
    """

    path: Path
    where: Node
    objects: bool


Node: TypeAlias = And | Or | Not | Predicate | Element

EVERYTHING = And()


class Selection(msgspec.Struct, frozen=True):
    """What a client asks of a collection: which records, in which order, and which stretch of them."""

    where: Node = EVERYTHING
    sort: Sort = ()
    skip: int = 0
    limit: int | None = None
    after: Place | None = None
    """Only what stands behind this place."""
