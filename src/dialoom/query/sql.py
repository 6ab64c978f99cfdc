"""The SQL of a tree: a condition that is never narrower than the truth, and tells whether it is the truth itself.

Properties with a column of their own are asked there, others in the JSONB copy (``jsonb``). What SQL cannot tell is in
doubt: true, and false under a NOT. Names and values go in as parameters only. How a piece is written is the dialect's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from dialoom.query.dialect import NOWHERE
from dialoom.query.index_keys import flat, keys_by_path
from dialoom.query.jsonb import Question, reached, seen, some_element
from dialoom.query.operators import OPERATORS
from dialoom.query.order import complete
from dialoom.query.paths import index_of, parts_of
from dialoom.query.postgres import Postgres
from dialoom.query.sql_predicates import Certainty
from dialoom.query.sql_text import FALSE, TRUE, UNSURE, Piece, all_of, any_of, choice, none_of
from dialoom.query.sqlite import Sqlite
from dialoom.query.table import Column, DialectName, Order, SqlCondition, Table
from dialoom.query.tree import And, Element, Node, Not, Or, Path, Predicate, Sort

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from dialoom.query.dialect import Dialect, Label, Spot
    from dialoom.query.sql_predicates import Condition, Conditions
    from dialoom.query.values import Kind

DIALECTS: Final[Mapping[DialectName, Dialect]] = {"sqlite": Sqlite(), "postgres": Postgres()}

# An array in the middle of a path is entered if at most so many parts are left; the SQL doubles with each.
_ENTERED: Final = 4
# So many values of a row are looked at; to compile one takes 30 µs. A query beyond that does not enter arrays, and one
# that is beyond it even so (nested $elemMatch multiply) is left to the predicate.
_MAX_SPOTS: Final = 1_000


def compile_sql(node: Node, table: Table, dialect: DialectName = "sqlite") -> SqlCondition:
    """The condition of the tree on the table."""
    return DIALECTS[dialect].finished(compile_piece(node, table, dialect))


def compile_piece(node: Node, table: Table, dialect: DialectName) -> Piece:
    """The same as a piece of a larger condition."""
    writing = DIALECTS[dialect]
    entered = _ENTERED if _spots(node, _ENTERED) <= _MAX_SPOTS else 0
    compiler = _Compiler(table, writing, entered)
    if _spots(node, entered) > _MAX_SPOTS:
        return all_of([*compiler.sieves(flat(node)), UNSURE])
    place = _Place(writing.column(table.binary), record=True)
    return compiler.piece(node, place, UNSURE)


def compile_order(sort: Sort, table: Table, dialect: DialectName = "sqlite") -> Order:
    """The order of the sort where all its properties have columns; null comes first, as in MongoDB."""
    writing = DIALECTS[dialect]
    terms = []
    for name, direction in complete(sort):
        column = table.columns.get(name)
        if column is None:
            identity = table.columns.get("_id")
            return Order(writing.column(identity.sql) if identity else writing.by_id(table), exact=False)
        terms.append(writing.term(column, direction))
        if name == "_id":
            break
    return Order(", ".join(terms), exact=True)


def is_sql_order(sort: Sort, table: Table, dialect: DialectName = "sqlite") -> bool:
    """Whether SQL gives this order, so that a walk in it can go on from any place."""
    return compile_order(sort, table, dialect).exact


def _spots(node: Node, entered: int) -> int:
    """At most so many values of a row does the SQL of the node look at."""
    match node:
        case And(nodes) | Or(nodes):
            return sum(_spots(inner, entered) for inner in nodes)
        case Not(inner):
            return _spots(inner, entered)
        case Predicate(path):
            return _ways(path, entered)
        case Element(path, where):
            return _ways(path, entered) * (1 + 2 * _spots(where, entered))


def _ways(path: Path, entered: int) -> int:
    ways = 1
    for part in path[1:][-entered:] if entered else ():
        ways *= 2 if index_of(part) is None else 3
    return ways + len(path)


class _Place(NamedTuple):
    """Where paths begin: in a record, or in an element of an array."""

    source: str
    record: bool = False
    depth: int = 0
    array: bool = False
    """The value is an array that is looked into as if it were an object with the keys ``0``, ``1`` ..."""


class _Compiler:
    def __init__(self, table: Table, dialect: Dialect, entered: int) -> None:
        self._table = table
        self._dialect = dialect
        self._entered = entered
        above = (parts_of(name)[:-1] for name in table.columns)
        self._objects = frozenset(parts[:length] for parts in above for length in range(1, len(parts) + 1))

    def piece(self, node: Node, place: _Place, doubt: Piece) -> Piece:
        nodes = flat(node)
        pieces = [self._node(one, place, doubt) for one in nodes]
        # Under a NOT an index finds what is not wanted.
        return all_of([*self.sieves(nodes), *pieces] if place.record and doubt == UNSURE else pieces)

    def sieves(self, nodes: Sequence[Node]) -> list[Piece]:
        """What the operator's indexes tell of records of which all these nodes are true."""
        asked = keys_by_path(nodes, self._table.indexes)
        return [self._dialect.has_keys(self._table, path, keys) for path, keys in asked.items()]

    def _node(self, node: Node, place: _Place, doubt: Piece) -> Piece:
        match node:
            case And():
                return self.piece(node, place, doubt)
            case Or(nodes):
                return any_of(self.piece(inner, place, doubt) for inner in nodes)
            case Not(inner):
                return none_of(self.piece(inner, place, none_of(doubt)))
            case Predicate(path, name, operand):
                row = OPERATORS[name]
                assert row.conditions is not None, f"{name} is written with other rows and never stands in a tree"
                conditions = row.conditions(operand)
                is_sieved = place.record and path not in self._table.indexes
                sieve = self._dialect.sieve(place.source, path, conditions) if is_sieved else None
                ask = self._asks(conditions, doubt)
                question = Question(ask, row.spread, doubt, self._entered, self._dialect, self._objects, sieve)
                return self._asked(path, question, place, by_column=not row.tells_missing)
            case Element(path, where, objects):
                ask = self._asks_element(where, objects, doubt)
                question = Question(ask, False, doubt, self._entered, self._dialect, self._objects)
                return self._asked(path, question, place, by_column=True)

    def _asked(self, path: Path, question: Question, place: _Place, by_column: bool) -> Piece:
        if not path:
            return seen(self._dialect.element(place.depth - 1), question, place.depth)
        labels: Sequence[Label] = path
        if place.array:
            index = index_of(path[0])
            if index is None:
                return _missing(question)
            labels = (index, *path[1:])
        for length in range(1, len(path) + 1) if place.record else ():
            column = self._table.columns.get(".".join(path[:length]))
            if column is not None and length < len(path):
                return _missing(question)
            if column is not None and (by_column or not column.nullable):
                return self._of_column(column, question)
        found = reached(place.source, (), labels, question, place.depth)
        return found if question.sieve is None else all_of([question.sieve, found])

    def _of_column(self, column: Column, question: Question) -> Piece:
        answers = question.ask(NOWHERE._replace(column=column), 0)
        answer = answers.get(column.kind, FALSE)
        if not column.nullable:
            return answer
        name = self._dialect.column(column.sql)
        there = all_of([Piece(f"{name} IS NOT NULL"), answer])
        return any_of([there, all_of([Piece(f"{name} IS NULL"), answers.get("null", FALSE)])])

    def _asks(self, conditions: Conditions, doubt: Piece) -> Callable[[Spot, int], Mapping[Kind, Piece]]:
        def ask(spot: Spot, _depth: int) -> Mapping[Kind, Piece]:
            return {kind: self._condition(kind, condition, spot, doubt) for kind, condition in conditions.items()}

        return ask

    def _condition(self, kind: Kind, condition: Condition, spot: Spot, doubt: Piece) -> Piece:
        if isinstance(condition, Certainty):
            return TRUE if condition is Certainty.ALWAYS else doubt
        pieces = [
            None if comparison.word == "doubt" else self._dialect.predicate(kind, comparison, spot)
            for comparison in condition
        ]
        return all_of(doubt if piece is None else piece for piece in pieces)

    def _asks_element(self, where: Node, objects: bool, doubt: Piece) -> Callable[[Spot, int], Mapping[Kind, Piece]]:
        def ask(spot: Spot, depth: int) -> Mapping[Kind, Piece]:
            one = self._dialect.element(depth)
            inside = _Place(one.value.sql, depth=depth + 1)
            condition = self.piece(where, inside, doubt)
            if objects:
                as_array = self.piece(where, inside._replace(array=True), doubt)
                condition = choice(one.type, [("object", condition), ("array", as_array)], FALSE)
            return {"array": some_element(spot.inside, depth, condition, self._dialect)}

        return ask


def _missing(question: Question) -> Piece:
    return question.ask(NOWHERE, 0).get("missing", FALSE)
