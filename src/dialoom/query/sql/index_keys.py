"""Which keys of an operator's index a record can have for which a predicate is true.

A key tells the kind of the value at the property, and of a text or number what sorts as it does. Different values may
share a key, so a condition on keys is never narrower than the predicate, and never exact. If an array is at the
property or on the way to it, the key tells only that (``ARRAY_KEY``): such records are always among those found. How
keys are stored and searched is the dialect's.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from typing import Any, Final, NamedTuple, TypeAlias

from dialoom.query.conditions import Certainty, Comparison, Conditions
from dialoom.query.operators import OPERATORS
from dialoom.query.sql.pieces import Piece
from dialoom.query.sql.table import Table
from dialoom.query.tree import And, Element, Node, Not, Path, Predicate
from dialoom.query.values import Kind

ARRAY_KEY: Final = 0
"""The key of a record with an array at the property or on the way to it."""
KIND_NUMBERS: Final[Mapping[Kind, int]] = {
    "missing": 1,
    "null": 2,
    "number": 3,
    "text": 4,
    "object": 5,
    "false": 6,
    "true": 7,
}
"""The numbers of the kinds in keys. They stand in stored indexes: never change one."""


class ValueRange(NamedTuple):
    """The values of a kind from one to another, both included; None for no end."""

    low: Any = None
    high: Any = None

    def has(self, value: Any) -> bool:
        return (self.low is None or self.low <= value) and (self.high is None or value <= self.high)


ALL_VALUES: Final = ValueRange()
KeyValues: TypeAlias = "ValueRange | tuple[Any, ...]"
"""A range of the values of a kind, or a list of them."""
Keys: TypeAlias = "Mapping[Kind, KeyValues]"
"""Keys of records that may match, besides ``ARRAY_KEY``."""
_NO_KEYS: Final[Keys] = {}
_ALL_KEYS: Final[Keys] = dict.fromkeys(KIND_NUMBERS, ALL_VALUES)


class FirstByKey(NamedTuple):
    """The first ``wanted`` records of each kind, in the order of their keys."""

    table: Table
    path: Path
    keys: Keys
    where: Piece
    """What else must be true of the records."""
    wanted: int
    is_ascending: bool
    is_id_ascending: bool


def keys_of(node: Node) -> tuple[Path, Keys] | None:
    """Return the path that the node tests and the keys with which it may be true; None for a node without a path."""
    match node:
        case Predicate(path, name, operand) | Not(Predicate(path, name, operand)):
            conditions = OPERATORS[name].conditions
            if conditions is None:
                return None
            return path, (_keys_of_negation if isinstance(node, Not) else _keys)(conditions(operand))
        case Element(path):
            return path, _NO_KEYS
        case _:
            return None


def keys_by_path(nodes: Iterable[Node], paths: Iterable[Path]) -> dict[Path, Keys]:
    """Return the keys of these paths with which all nodes may be true, without the paths for which any key may be."""
    found: dict[Path, Keys] = dict.fromkeys(paths, _ALL_KEYS)
    for node in nodes:
        wanted = keys_of(node)
        if wanted is not None and wanted[0] in found:
            path, keys = wanted
            found[path] = {kind: _intersect(one, keys[kind]) for kind, one in found[path].items() if kind in keys}
    return {path: keys for path, keys in found.items() if keys != _ALL_KEYS}


def conjuncts(node: Node) -> Sequence[Node]:
    """Return the nodes of which all must be true, none of them an ``And``."""
    if not isinstance(node, And):
        return (node,)
    return [one for inner in node.nodes for one in conjuncts(inner)]


def _keys(conditions: Conditions) -> Keys:
    keys: dict[Kind, KeyValues] = {}
    for kind in KIND_NUMBERS:
        condition = conditions.get(kind, ())
        all_values: KeyValues = ALL_VALUES
        if isinstance(condition, Certainty):
            keys[kind] = all_values
        elif condition:
            keys[kind] = reduce(_intersect, map(_values_of, condition), all_values)
    return keys


def _keys_of_negation(conditions: Conditions) -> Keys:
    return {kind: ALL_VALUES for kind in KIND_NUMBERS if conditions.get(kind) is not Certainty.ALWAYS}


def _values_of(comparison: Comparison) -> KeyValues:
    match comparison.word:
        case "=":
            return (comparison.operand,)
        case "among":
            return tuple(comparison.operand)
        case "<" | "<=":
            return ValueRange(high=comparison.operand)
        case ">" | ">=":
            return ValueRange(low=comparison.operand)
        case _:
            return ALL_VALUES


def _intersect(one: KeyValues, other: KeyValues) -> KeyValues:
    if not isinstance(one, ValueRange):
        return tuple(value for value in one if (other.has(value) if isinstance(other, ValueRange) else value in other))
    if not isinstance(other, ValueRange):
        return _intersect(other, one)
    lows = [end for end in (one.low, other.low) if end is not None]
    highs = [end for end in (one.high, other.high) if end is not None]
    return ValueRange(max(lows, default=None), min(highs, default=None))
