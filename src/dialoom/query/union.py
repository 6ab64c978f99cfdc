"""``$or`` with a limit, by ``_id``: the first records of each branch, as an index gives them, hold the page.

A database by itself reads along the order and looks at each record, or finds all records of all branches and sorts
them.
"""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from dialoom.query.finding import COMPARED
from dialoom.query.keys import flat, keys_by_path
from dialoom.query.order import complete
from dialoom.query.pieces import Piece, all_of
from dialoom.query.runs import piece_behind
from dialoom.query.sql import DIALECTS, compile_order, compile_piece
from dialoom.query.tree import And, Or, Predicate

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from dialoom.query.table import Condition, DialectName, Table
    from dialoom.query.tree import Node, Selection

MOST_WANTED: Final = 2_000
"""Records of a page with those skipped before it: each branch of a union gives so many, and so does each kind of a
leading index."""
MOST_BRANCHES: Final = 16
_Lead = Literal["in order", "few", "somehow"]


class _Parameters(NamedTuple):
    """How the question marks of the two values are written that the union itself takes."""

    bot: str
    wanted: str


_PARAMETERS: Final = {"sqlite": _Parameters("?", "?"), "postgres": _Parameters("?::text", "?::bigint")}


def compile_union(selection: Selection, table: Table, dialect: DialectName = "sqlite") -> Condition | None:
    """A condition that is true of the first records of the selection, up to the end of its page, and of no others.
    None where it is no union, or would not be the faster way, or the table does not name its bot."""
    wanted = None if selection.limit is None else selection.skip + selection.limit
    if wanted is None or wanted > MOST_WANTED or not table.bot:
        return None
    branches = _branches(selection.where)
    lead = [_lead(branch, table) for branch in branches]
    if not 1 < len(branches) <= MOST_BRANCHES or None in lead:
        return None
    by_id = complete(selection.sort)[0][0] == "_id"
    # SQLite might read along the order for a few that it has to sort; PostgreSQL knows how few they are.
    orderly = ("in order",) if dialect == "sqlite" else ("in order", "few")
    in_order = [by_id and one in orderly for one in lead]
    if dialect == "postgres" and not all(in_order):
        return None  # its planner knows better which way to go
    behind = piece_behind(selection.sort, selection.after, table, dialect)
    pieces = [compile_piece(branch, table, dialect) for branch in branches]
    if behind is None or not all(piece.exact for piece in pieces):
        return None
    order = compile_order(selection.sort, table, dialect).sql
    writing = _Writing(table, dialect, ", ".join(_columns(selection, table, dialect)), order, wanted)
    parts = [_branch(piece, behind, writing, orderly) for piece, orderly in zip(pieces, in_order, strict=True)]
    return DIALECTS[dialect].finished(_united(parts, writing))


def _branches(where: Node) -> Sequence[Node]:
    """Conditions of which one must be true; what stands beside the ``$or`` goes with each."""
    nodes = flat(where)
    one = next((node for node in nodes if isinstance(node, Or)), None)
    if one is None:
        return ()
    beside = tuple(node for node in nodes if node is not one)
    return [And((*beside, branch)) for branch in _alternatives(one)]


def _alternatives(node: Node) -> Sequence[Node]:
    if isinstance(node, Or):
        return [inner for branch in node.nodes for inner in _alternatives(branch)]
    nodes = flat(node)
    return _alternatives(nodes[0]) if len(nodes) == 1 and isinstance(nodes[0], Or) else (node,)


def _lead(branch: Node, table: Table) -> _Lead | None:
    """Whether an index leads to its records: in the order of ``_id``, or to few. What has to be looked for among all
    records is better found together with the other branches."""
    nodes = flat(branch)
    found: _Lead | None = "somehow" if keys_by_path(nodes, table.indexes) else None
    for node in nodes:
        column = table.columns.get(".".join(node.path)) if isinstance(node, Predicate) else None
        if column is None or not (column.leads or column == table.columns["_id"]):
            continue
        assert isinstance(node, Predicate)
        if node.operator == "$eq" and isinstance(node.operand, str | int | float):
            return "few" if column.leads == "few" else "in order"
        found = "somehow" if node.operator in COMPARED else found
    return found


class _Writing(NamedTuple):
    table: Table
    dialect: DialectName
    columns: str
    order: str
    wanted: int


def _columns(selection: Selection, table: Table, dialect: DialectName) -> Iterable[str]:
    """Those of the order, and ``_id``. What stands behind ``_id`` in a sort never decides, and may have no column."""
    names = ["_id", *takewhile("_id".__ne__, (name for name, _ in complete(selection.sort)))]
    return [DIALECTS[dialect].column(table.columns[name].sql) for name in names]


def _branch(piece: Piece, behind: Piece, writing: _Writing, in_order: bool) -> Piece:
    """Its first records. Only names of our tables, SQL of the compiler and question marks stand in it."""
    table, dialect, columns, order, wanted = writing
    bot, count = _PARAMETERS[dialect]
    head = f"SELECT {columns} FROM {table.name} WHERE bot = {bot}"  # noqa: S608  # see above
    if in_order:
        both = all_of([behind, piece])
        sql = f"{head} AND ({both.sql}) ORDER BY {order} LIMIT {count}"
        return Piece(sql, (table.bot, *both.parameters, wanted))
    # The inner limit keeps the order from having a say in which index is taken.
    sql = (
        f"SELECT {columns} FROM ({head} AND ({piece.sql}) LIMIT -1) "  # noqa: S608  # see above
        f"WHERE {behind.sql} ORDER BY {order} LIMIT {count}"
    )
    return Piece(sql, (table.bot, *piece.parameters, *behind.parameters, wanted))


def _united(parts: Sequence[Piece], writing: _Writing) -> Piece:
    table, dialect, columns, order, wanted = writing
    id = DIALECTS[dialect].column(table.columns["_id"].sql)
    selects = [
        f"SELECT {columns} FROM ({part.sql}) AS branch{number}"  # noqa: S608  # see _branch
        for number, part in enumerate(parts)
    ]
    first = f"ORDER BY {order} LIMIT {_PARAMETERS[dialect].wanted}"
    sql = f"{id} IN (SELECT {id} FROM ({' UNION '.join(selects)}) AS united {first})"  # noqa: S608  # see _branch
    return Piece(sql, (*(value for part in parts for value in part.parameters), wanted))
