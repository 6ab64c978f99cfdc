"""Which keys of an operator's index a record can have for which a predicate is true. How a key is written, and asked
for, is the dialect's.

A record's key tells the kind of the value at the property, and of a text or number what stands for it in their order
(perhaps the same for several: what is asked by keys is never narrower than the truth, and never exact). Where an array
is at the property or on the way to it, the key tells only that: of such a record the index tells nothing.
"""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from dialoom.query.operators import OPERATORS
from dialoom.query.sql_predicates import Certainty
from dialoom.query.tree import And, Element, Node, Not, Predicate

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from dialoom.query.sql_predicates import Comparison, Conditions
    from dialoom.query.sql_text import Piece
    from dialoom.query.table import Table
    from dialoom.query.tree import Path
    from dialoom.query.values import Kind

UNTOLD: Final = 0
"""The number of the key of a record with an array there or on the way."""
NUMBERS: Final[Mapping[Kind, int]] = {
    "missing": 1,
    "null": 2,
    "number": 3,
    "text": 4,
    "object": 5,
    "false": 6,
    "true": 7,
}
"""The numbers by which keys tell the kinds. They stand in stored indexes: never change one."""


class Span(NamedTuple):
    """All values of a kind between two, with these; None for no end."""

    low: Any = None
    high: Any = None

    def has(self, value: Any) -> bool:
        return (self.low is None or self.low <= value) and (self.high is None or value <= self.high)


EVERY: Final = Span()
Some: TypeAlias = "Span | tuple[Any, ...]"
"""Of the values of a kind a span, or just these."""
Keys: TypeAlias = "Mapping[Kind, Some]"
"""Beside these, the key that tells nothing is always meant."""
_NOT_ONE: Final[Keys] = {}
_ALL: Final[Keys] = dict.fromkeys(NUMBERS, EVERY)


class FirstKeys(NamedTuple):
    """Asks for the first ``wanted`` records of each kind, in the order of their keys."""

    table: Table
    path: Path
    keys: Keys
    where: Piece
    """What must be true of them besides having such keys."""
    wanted: int
    rises: bool
    id_rises: bool


def keys_of(node: Node) -> tuple[Path, Keys] | None:
    """The path that the node asks and the keys with which it may be true; None for what asks no path of a record."""
    match node:
        case Predicate(path, name, operand):
            conditions = OPERATORS[name].conditions
            return None if conditions is None else (path, _keys(conditions(operand)))
        case Not(Predicate(path, name, operand)):
            conditions = OPERATORS[name].conditions
            return None if conditions is None else (path, _others(conditions(operand)))
        case Element(path):
            return path, _NOT_ONE
        case _:
            return None


def keys_by_path(nodes: Iterable[Node], paths: Iterable[Path]) -> dict[Path, Keys]:
    """What must hold of the keys of these paths where all nodes are true. Nothing of one that is not narrowed."""
    found: dict[Path, Keys] = dict.fromkeys(paths, _ALL)
    for node in nodes:
        asked = keys_of(node)
        if asked is not None and asked[0] in found:
            path, keys = asked
            found[path] = _both(found[path], keys)
    return {path: keys for path, keys in found.items() if keys != _ALL}


def flat(node: Node) -> Sequence[Node]:
    """Nodes of which all must be true, none of them an ``And``."""
    if not isinstance(node, And):
        return (node,)
    return [one for inner in node.nodes for one in flat(inner)]


def _keys(conditions: Conditions) -> Keys:
    keys: dict[Kind, Some] = {}
    for kind in NUMBERS.keys() & conditions.keys():
        condition = conditions[kind]
        every: Some = EVERY
        keys[kind] = every if isinstance(condition, Certainty) else reduce(_shared, map(_some, condition), every)
    return keys


def _others(conditions: Conditions) -> Keys:
    return {kind: EVERY for kind in NUMBERS if conditions.get(kind) is not Certainty.ALWAYS}


def _some(comparison: Comparison) -> Some:
    match comparison.word:
        case "=":
            return (comparison.operand,)
        case "among":
            return tuple(comparison.operand)
        case "<" | "<=":
            return Span(high=comparison.operand)
        case ">" | ">=":
            return Span(low=comparison.operand)
        case _:
            return EVERY


def _both(one: Keys, other: Keys) -> Keys:
    return {kind: _shared(some, other[kind]) for kind, some in one.items() if kind in other}


def _shared(one: Some, other: Some) -> Some:
    if not isinstance(one, Span):
        return tuple(value for value in one if (other.has(value) if isinstance(other, Span) else value in other))
    if not isinstance(other, Span):
        return _shared(other, one)
    lows = [end for end in (one.low, other.low) if end is not None]
    highs = [end for end in (one.high, other.high) if end is not None]
    return Span(max(lows, default=None), min(highs, default=None))
