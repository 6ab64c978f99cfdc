"""The SQL of a tree: a condition that is never narrower than the truth, and tells whether it is the truth itself.

Properties with a column of their own are asked there, others in the JSONB copy (``jsonb``). What SQL cannot tell is in
doubt: true, and false under a NOT. Names and values go in as parameters only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from dialoom.query.jsonb import Question, Spot, Step, element, path_to, reached, seen, some_element, steps_of
from dialoom.query.narrowing import Saying, Sayings, Word
from dialoom.query.operators import OPERATORS
from dialoom.query.order import complete
from dialoom.query.paths import index_of, parts_of
from dialoom.query.pieces import FALSE, TRUE, Piece, all_of, any_of, choice, none_of
from dialoom.query.table import Column, Condition, Dialect, Order, Table
from dialoom.query.tree import And, Element, Node, Not, Or, Path, Predicate, Sort

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from dialoom.query.values import Kind

# An array in the middle of a path is entered if at most so many parts are left; the SQL doubles with each.
_ENTERED: Final = 4
# So many values of a row are looked at; to compile one takes 30 µs. A query beyond that does not enter arrays, and one
# that is beyond it even so (nested $elemMatch multiply) is left to the predicate.
_MAX_SPOTS: Final = 1_000

_TYPE_KINDS: Final[Mapping[str, Kind]] = {
    "missing": "missing",
    "null": "null",
    "integer": "number",
    "real": "number",
    "text": "text",
    "object": "object",
    "array": "array",
    "false": "false",
    "true": "true",
}


def compile_sql(node: Node, table: Table, dialect: Dialect = "sqlite") -> Condition:
    """The condition of the tree on the table."""
    assert dialect == "sqlite"
    entered = _ENTERED if _spots(node, _ENTERED) <= _MAX_SPOTS else 0
    if _spots(node, entered) > _MAX_SPOTS:
        return Condition("1", [], exact=False)
    piece = _Compiler(table, entered).piece(node, _Place(table.binary, record=True), Piece("1", exact=False))
    return Condition(piece.sql, list(piece.parameters), piece.exact)


def compile_order(sort: Sort, table: Table, dialect: Dialect = "sqlite") -> Order:
    """The order of the sort where all its properties have columns; SQLite puts its null first, as MongoDB does."""
    assert dialect == "sqlite"
    terms = []
    for name, direction in complete(sort):
        column = table.columns.get(name)
        if column is None:
            identity = table.columns.get("_id")
            return Order(identity.sql if identity else f"json_extract({table.binary}, '$._id')", exact=False)
        terms.append(f"{column.sql} {'ASC' if direction > 0 else 'DESC'}")
        if name == "_id":
            break
    return Order(", ".join(terms), exact=True)


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
    def __init__(self, table: Table, entered: int) -> None:
        self._table = table
        self._entered = entered
        above = (parts_of(name)[:-1] for name in table.columns)
        self._objects = frozenset(path_to(parts[:length]) for parts in above for length in range(1, len(parts) + 1))

    def piece(self, node: Node, place: _Place, doubt: Piece) -> Piece:
        match node:
            case And(nodes):
                return all_of(self.piece(inner, place, doubt) for inner in nodes)
            case Or(nodes):
                return any_of(self.piece(inner, place, doubt) for inner in nodes)
            case Not(inner):
                return none_of(self.piece(inner, place, none_of(doubt)))
            case Predicate(path, name, operand):
                row = OPERATORS[name]
                assert row.says is not None, f"{name} is written with other rows and never stands in a tree"
                ask = _asks(row.says(operand), doubt)
                question = Question(ask, row.spread, doubt, self._entered, self._objects)
                return self._asked(path, question, place, by_column=not row.tells_missing)
            case Element(path, where, objects):
                ask = self._asks_element(where, objects, doubt)
                question = Question(ask, False, doubt, self._entered, self._objects)
                return self._asked(path, question, place, by_column=True)

    def _asked(self, path: Path, question: Question, place: _Place, by_column: bool) -> Piece:
        if not path:
            return seen(element(place.depth - 1), question, place.depth)
        steps = steps_of(path)
        if place.array:
            index = index_of(path[0])
            if index is None:
                return _missing(question)
            steps = (Step(path[0], f"[{index}]"), *steps[1:])
        for length in range(1, len(path) + 1) if place.record else ():
            column = self._table.columns.get(".".join(path[:length]))
            if column is not None and length < len(path):
                return _missing(question)
            if column is not None and (by_column or not column.nullable):
                return _of_column(column, question)
        return reached(place.source, "$", steps, question, place.depth)

    def _asks_element(self, where: Node, objects: bool, doubt: Piece) -> Callable[[Spot, int], Mapping[str, Piece]]:
        def ask(spot: Spot, depth: int) -> Mapping[str, Piece]:
            one = element(depth)
            inside = _Place(one.value.sql, depth=depth + 1)
            condition = self.piece(where, inside, doubt)
            if objects:
                as_array = self.piece(where, inside._replace(array=True), doubt)
                condition = choice(one.type, [("object", condition), ("array", as_array)], FALSE)
            return {"array": some_element(spot.inside, depth, condition)}

        return ask


def _asks(says: Sayings, doubt: Piece) -> Callable[[Spot, int], Mapping[str, Piece]]:
    def ask(spot: Spot, _depth: int) -> Mapping[str, Piece]:
        return {word: _said(says[kind], spot.value, doubt) for word, kind in _TYPE_KINDS.items() if kind in says}

    return ask


def _said(saying: Saying, value: Piece, doubt: Piece) -> Piece:
    if isinstance(saying, Word):
        return TRUE if saying is Word.YES else doubt
    return all_of(Piece(sign.format(value.sql), (*value.parameters, parameter)) for sign, parameter in saying)


_NOWHERE: Final = Spot(Piece("NULL"), Piece("NULL"), Piece("NULL"))


def _missing(question: Question) -> Piece:
    return question.ask(_NOWHERE, 0).get("missing", FALSE)


def _of_column(column: Column, question: Question) -> Piece:
    spot = _NOWHERE._replace(value=Piece(column.sql))
    answers = question.ask(spot, 0)
    answer = answers.get("text" if column.kind == "text" else "integer", FALSE)
    if not column.nullable:
        return answer
    there = all_of([Piece(f"{column.sql} IS NOT NULL"), answer])
    return any_of([there, all_of([Piece(f"{column.sql} IS NULL"), answers.get("null", FALSE)])])
