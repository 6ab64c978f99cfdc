"""How indexes could lead to the records of a query, so that reading along the order of a sort is not the only way."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from dialoom.query.keys import flat, keys_by_path
from dialoom.query.tree import Or, Predicate

if TYPE_CHECKING:
    from dialoom.query.table import Column, Table
    from dialoom.query.tree import Node

COMPARED: Final = ("$in", "$gt", "$gte", "$lt", "$lte")
"""Operators by which an index leads to records, in an order of its own."""


class Finding(NamedTuple):
    few: Column | None = None
    """Its index leads to few records, whatever else is asked."""
    equal: tuple[Column, ...] = ()
    """Their indexes lead to records in the order of ``_id``: perhaps to many."""
    is_some: bool = False
    """Another index leads to records, nobody knows how many, in an order of its own."""
    by_id: bool = False
    """The condition names the records by ``_id``: as indexes of the operator's and the branches of a union do."""


def finding(node: Node, table: Table) -> Finding:
    nodes = flat(node)
    asked = [(one.operator, _column(one, table)) for one in nodes if isinstance(one, Predicate)]
    led = [(operator, column) for operator, column in asked if column is not None]
    few = next((column for operator, column in led if operator in ("$eq", "$in") and column.leads != "many"), None)
    equal = tuple(dict.fromkeys(column for operator, column in led if operator == "$eq" and column.leads == "many"))
    compared = any(operator in COMPARED for operator, _ in led)
    either = any(isinstance(one, Or) and _is_led(one, table) for one in nodes)
    by_id = bool(keys_by_path(nodes, table.indexes))
    return Finding(few, equal, compared or either or by_id, by_id)


def _is_led(node: Or, table: Table) -> bool:
    return all(finding(branch, table) != Finding() for branch in node.nodes)


def _column(node: Predicate, table: Table) -> Column | None:
    """That an index begins with; ``_id`` has the primary key."""
    column = table.columns.get(".".join(node.path))
    return column if column is not None and (column.leads or node.path == ("_id",)) else None
