"""Which indexes can lead to the records of a query, and conditions that name the candidates by their ``_id``.

A database then has another way than to read along the order of the sort and to look at each record.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from dialoom.query.index_keys import EVERY, NUMBERS, FirstKeys, flat, keys_by_path, keys_of
from dialoom.query.order import complete
from dialoom.query.paths import parts_of
from dialoom.query.sql import DIALECTS, compile_piece
from dialoom.query.sql_text import Piece, all_of
from dialoom.query.tree import And, Or, Predicate

if TYPE_CHECKING:
    from dialoom.query.table import Column, DialectName, SqlCondition, Table
    from dialoom.query.tree import Node, Selection

MAX_SORTED_CANDIDATES: Final = 2_000
"""Records from the start of the order to the end of a page that the keys of an operator's index give."""
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
    """Tell how indexes lead to the records of the query."""
    nodes = flat(node)
    asked = [(one.operator, _column(one, table)) for one in nodes if isinstance(one, Predicate)]
    indexed = [(operator, column) for operator, column in asked if column is not None]
    selective = next(
        (column for operator, column in indexed if operator in ("$eq", "$in") and column.index != "then_id"), None
    )
    equal = [column for operator, column in indexed if operator == "$eq" and column.index == "then_id"]
    compared = any(operator in _COMPARED for operator, _ in indexed)
    has_branches = _indexed_or(node, table) is not None
    by_id = has_branches or bool(keys_by_path(nodes, table.indexes))
    return Candidates(selective, tuple(dict.fromkeys(equal)), compared or has_branches, by_id)


def compile_candidates(node: Node, table: Table) -> SqlCondition:
    """The condition of the query for SQLite, with the records of an ``$or`` found branch by branch.

    Without statistics SQLite reads all records of the bot for an OR. PostgreSQL joins the indexes by itself.
    """
    return DIALECTS["sqlite"].finished(_candidates(node, table))


def compile_sorted_candidates(selection: Selection, table: Table, dialect: DialectName) -> SqlCondition | None:
    """A condition that holds all records of a page sorted by a property with an operator's index, and few others.

    None where no such index has the order, or where the query asks for another property too: what that leaves may be
    spread over the whole index. Keys do not give the exact order (of long texts they keep the beginning), so the caller
    sorts what the condition finds.
    """
    wanted = 0 if selection.limit is None else selection.skip + selection.limit
    if not 0 < wanted <= MAX_SORTED_CANDIDATES or selection.after is not None or not table.bot:
        return None
    (name, direction), *rest = complete(selection.sort)
    path = parts_of(name)
    if path not in table.indexes or [last for last, _ in rest] != ["_id"]:
        return None
    nodes = flat(selection.where)
    if any(asked is None or asked[0] != path for asked in map(keys_of, nodes)):
        return None
    where = compile_piece(selection.where, table, dialect)
    if not where.exact:
        return None
    keys = keys_by_path(nodes, [path]).get(path, dict.fromkeys(NUMBERS, EVERY))
    first = FirstKeys(table, path, keys, where, wanted, rises=direction > 0, id_rises=rest[0][1] > 0)
    return DIALECTS[dialect].finished(all_of([DIALECTS[dialect].first_keys(first), where]))


def _candidates(node: Node, table: Table) -> Piece:
    branches = _indexed_or(node, table)
    if branches is None:
        return compile_piece(node, table, "sqlite")
    beside = And(tuple(one for one in flat(node) if one is not branches))
    id = table.columns["_id"].sql
    pieces = [_candidates(branch, table) for branch in branches.nodes]
    # Only names of our tables, pieces of the compiler and question marks stand in the text.
    selects = [f"SELECT {id} FROM {table.name} WHERE bot = ? AND ({piece.sql})" for piece in pieces]  # noqa: S608  # see above
    found = Piece(
        f"{id} IN ({' UNION ALL '.join(selects)})",
        tuple(value for piece in pieces for value in (table.bot, *piece.parameters)),
        exact=all(piece.exact for piece in pieces),
    )
    return all_of([found, compile_piece(beside, table, "sqlite")])


def _indexed_or(node: Node, table: Table) -> Or | None:
    """The first ``$or`` that must be true and whose branches are each led to by an index."""
    ors = (one for one in flat(node) if isinstance(one, Or))
    return next(
        (one for one in ors if one.nodes and all(candidates(branch, table) != Candidates() for branch in one.nodes)),
        None,
    )


def _column(node: Predicate, table: Table) -> Column | None:
    """The column of the property if an index begins with it; that of ``_id`` is the primary key's."""
    column = table.columns.get(".".join(node.path))
    return column if column is not None and (column.index or node.path == ("_id",)) else None
