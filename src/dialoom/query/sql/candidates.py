"""Which indexes can lead to the records of a query, and conditions that name the candidates by their ``_id``.

So a database need not read along the order of the sort and look at each record.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from dialoom.query.sort import with_tie_breaker
from dialoom.query.sql.compile import DIALECTS, compile_piece
from dialoom.query.sql.index_keys import ALL_VALUES, KIND_NUMBERS, FirstByKey, conjuncts, keys_by_path, keys_of
from dialoom.query.sql.pieces import Piece, all_of
from dialoom.query.sql.table import Column, DialectName, SqlCondition, Table
from dialoom.query.tree import And, Node, Or, Predicate, Selection, parts_of

MAX_SORTED_CANDIDATES: Final = 2_000
"""Records from the start of the order to the end of a page that are found by the keys of an operator's index."""
_COMPARED: Final = ("$in", "$gt", "$gte", "$lt", "$lte")
"""Operators by which an index leads to records, in the order of the index."""


class Candidates(NamedTuple):
    """How indexes lead to the records of a query."""

    selective: Column | None = None
    """Its index leads to few records, whatever else the query asks."""
    equal: tuple[Column, ...] = ()
    """Their indexes lead to records in the order of ``_id``, perhaps to many."""
    is_some: bool = False
    """Other indexes that every store has lead to records, an unknown number, in an order of their own."""
    by_id: bool = False
    """The condition of ``compile_candidates`` names the records by ``_id``: for an operator's index, or an ``$or``."""


def candidates(node: Node, table: Table) -> Candidates:
    """Return how indexes lead to the records of the query."""
    nodes = conjuncts(node)
    predicates = [(one.operator, _indexed_column(one, table)) for one in nodes if isinstance(one, Predicate)]
    indexed = [(operator, column) for operator, column in predicates if column is not None]
    selective = next(
        (column for operator, column in indexed if operator in ("$eq", "$in") and column.index != "then_id"), None
    )
    equal = [column for operator, column in indexed if operator == "$eq" and column.index == "then_id"]
    is_compared = any(operator in _COMPARED for operator, _ in indexed)
    has_branches = _indexed_or(node, table) is not None
    by_id = has_branches or bool(keys_by_path(nodes, table.indexes))
    return Candidates(selective, tuple(dict.fromkeys(equal)), is_compared or has_branches, by_id)


def compile_candidates(node: Node, table: Table) -> SqlCondition:
    """Return the condition of the query for SQLite, with the records of an ``$or`` found branch by branch.

    Without statistics SQLite reads all records of the bot for an OR. PostgreSQL joins the indexes by itself.
    """
    return DIALECTS["sqlite"].finish(_candidates(node, table))


def compile_sorted_candidates(selection: Selection, table: Table, dialect: DialectName) -> SqlCondition | None:
    """Return a condition that is true of all records of a page sorted by a property with an operator's index, and of
    few others.

    None where no such index has the order, or where the query tests another property too: what that leaves may be
    spread over the whole index. Keys do not give the exact order (of long texts they keep the beginning), so the caller
    sorts what the condition finds.
    """
    wanted = 0 if selection.limit is None else selection.skip + selection.limit
    if not 0 < wanted <= MAX_SORTED_CANDIDATES or selection.after is not None or not table.bot:
        return None
    (name, direction), *rest = with_tie_breaker(selection.sort)
    path = parts_of(name)
    if path not in table.indexes or [last for last, _ in rest] != ["_id"]:
        return None
    nodes = conjuncts(selection.where)
    if any(keys is None or keys[0] != path for keys in map(keys_of, nodes)):
        return None
    where = compile_piece(selection.where, table, dialect)
    if not where.exact:
        return None
    keys = keys_by_path(nodes, [path]).get(path, dict.fromkeys(KIND_NUMBERS, ALL_VALUES))
    first = FirstByKey(table, path, keys, where, wanted, direction > 0, rest[0][1] > 0)
    return DIALECTS[dialect].finish(all_of([DIALECTS[dialect].first_by_key(first), where]))


def _candidates(node: Node, table: Table) -> Piece:
    branches = _indexed_or(node, table)
    if branches is None:
        return compile_piece(node, table, "sqlite")
    others = And(tuple(one for one in conjuncts(node) if one is not branches))
    id = table.columns["_id"].sql
    pieces = [_candidates(branch, table) for branch in branches.nodes]
    # Only names of our tables, pieces of the compiler and question marks stand in the text.
    selects = [f"SELECT {id} FROM {table.name} WHERE bot = ? AND ({piece.sql})" for piece in pieces]  # noqa: S608  # see above
    found = Piece(
        f"{id} IN ({' UNION ALL '.join(selects)})",
        tuple(value for piece in pieces for value in (table.bot, *piece.parameters)),
        exact=all(piece.exact for piece in pieces),
    )
    return all_of([found, compile_piece(others, table, "sqlite")])


def _indexed_or(node: Node, table: Table) -> Or | None:
    """Return the first ``$or`` that must be true and to each of whose branches an index leads."""
    for one in conjuncts(node):
        if isinstance(one, Or) and one.nodes and all(candidates(branch, table) != Candidates() for branch in one.nodes):
            return one
    return None


def _indexed_column(node: Predicate, table: Table) -> Column | None:
    """Return the column of the property if an index begins with it; that of ``_id`` is the primary key."""
    column = table.columns.get(".".join(node.path))
    return column if column is not None and (column.index or node.path == ("_id",)) else None
