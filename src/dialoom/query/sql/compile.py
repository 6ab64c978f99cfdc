"""Compiles a query to an SQL condition that is true of every record that matches, and tells whether of no other.

Properties with a column are tested there, others in the JSONB copy, by the rules of ``semantics.any_value_at``. What
SQL cannot decide is ``undecided``: TRUE, and FALSE under a NOT. Names and values go in as parameters only.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final, NamedTuple, TypeAlias

from dialoom.query.conditions import Certainty, Condition, Conditions
from dialoom.query.operators import OPERATORS
from dialoom.query.sql.dialect import NO_VALUE, Dialect, Label, SqlValue
from dialoom.query.sql.index_keys import conjuncts, keys_by_path
from dialoom.query.sql.pieces import FALSE, INEXACT_TRUE, TRUE, Piece, all_of, any_of, case, negation
from dialoom.query.sql.postgres import Postgres
from dialoom.query.sql.sqlite import Sqlite
from dialoom.query.sql.table import Column, DialectName, SqlCondition, Table
from dialoom.query.tree import And, Element, Node, Not, Or, Path, Predicate, index_of, parts_of
from dialoom.query.values import Kind

DIALECTS: Final[Mapping[DialectName, Dialect]] = {"sqlite": Sqlite(), "postgres": Postgres()}

_MAX_PARTS_AFTER_ARRAY: Final = 4
"""Parts that may be left of a path for an array in its middle to be entered; the SQL doubles with each."""
_MAX_TESTED_VALUES: Final = 1_000
"""Values of a row that a condition tests; compiling one takes 30 µs. A query beyond that does not enter arrays, and one
that is beyond it even so (nested ``$elemMatch`` multiply) is left to ``match``."""


def compile_sql(node: Node, table: Table, dialect: DialectName = "sqlite") -> SqlCondition:
    """Return the condition of the query on the table."""
    return DIALECTS[dialect].finish(compile_piece(node, table, dialect))


def compile_piece(node: Node, table: Table, dialect: DialectName) -> Piece:
    """Return the condition of the query as a piece of a larger condition."""
    max_entered = 0
    if _tested_values(node, _MAX_PARTS_AFTER_ARRAY) <= _MAX_TESTED_VALUES:
        max_entered = _MAX_PARTS_AFTER_ARRAY
    compiler = _Compiler(table, DIALECTS[dialect], max_entered)
    if _tested_values(node, max_entered) > _MAX_TESTED_VALUES:
        return all_of([*compiler.index_conditions(conjuncts(node)), INEXACT_TRUE])
    return compiler.piece(node, _Scope(DIALECTS[dialect].column(table.binary)), INEXACT_TRUE)


def _tested_values(node: Node, max_entered: int) -> int:
    """Return an upper bound of the values of a row that the SQL of the node tests."""
    match node:
        case And(nodes) | Or(nodes):
            return sum(_tested_values(inner, max_entered) for inner in nodes)
        case Not(inner):
            return _tested_values(inner, max_entered)
        case Predicate(path):
            return _tested_values_of_path(path, max_entered)
        case Element(path, where):
            return _tested_values_of_path(path, max_entered) * (1 + 2 * _tested_values(where, max_entered))


def _tested_values_of_path(path: Path, max_entered: int) -> int:
    ways = 1
    for part in path[1:][-max_entered:] if max_entered else ():
        ways *= 2 if index_of(part) is None else 3
    return ways + len(path)


class _Scope(NamedTuple):
    """The value at which paths begin: a record (depth 0), or an element of an array."""

    source: str
    depth: int = 0
    is_array: bool = False
    """True if the element is an array, whose indexes are tested as if they were the keys of an object."""


_ByKind: TypeAlias = Mapping[Kind, Piece]
"""The condition on a value of each kind; a kind without one never matches."""


class _ValueTest(NamedTuple):
    """A condition on the values that a path reaches."""

    conditions: Callable[[SqlValue, int], _ByKind]
    """Returns the conditions on a value. The number is the depth of new aliases."""
    undecided: Piece
    includes_elements: bool = False


class _Compiler:
    """Compiles a query for a table. ``max_entered``: parts that may be left of a path for an array to be entered."""

    def __init__(self, table: Table, dialect: Dialect, max_entered: int) -> None:
        self._table = table
        self._dialect = dialect
        self._max_entered = max_entered
        parents = (parts_of(name)[:-1] for name in table.columns)
        self._never_arrays = frozenset(parts[:length] for parts in parents for length in range(1, len(parts) + 1))

    def piece(self, node: Node, scope: _Scope, undecided: Piece) -> Piece:
        nodes = conjuncts(node)
        pieces = [self._node(one, scope, undecided) for one in nodes]
        # Under a NOT an index finds what is not wanted.
        is_indexed = scope.depth == 0 and undecided == INEXACT_TRUE
        return all_of([*self.index_conditions(nodes), *pieces] if is_indexed else pieces)

    def index_conditions(self, nodes: Sequence[Node]) -> list[Piece]:
        """Return conditions for the operator's indexes that are true where all these nodes are."""
        wanted = keys_by_path(nodes, self._table.indexes)
        return [self._dialect.has_keys(self._table, path, keys) for path, keys in wanted.items()]

    def _node(self, node: Node, scope: _Scope, undecided: Piece) -> Piece:
        match node:
            case And():
                return self.piece(node, scope, undecided)
            case Or(nodes):
                return any_of(self.piece(inner, scope, undecided) for inner in nodes)
            case Not(inner):
                return negation(self.piece(inner, scope, negation(undecided)))
            case Predicate():
                return self._predicate(node, scope, undecided)
            case Element(path, where, objects):
                test = _ValueTest(partial(self._has_element, where, objects, undecided), undecided)
                column_test = self._column_test(path, test, scope, tells_null_from_missing=False)
                return self._path_test(path, test, scope) if column_test is None else column_test

    def _predicate(self, node: Predicate, scope: _Scope, undecided: Piece) -> Piece:
        row = OPERATORS[node.operator]
        assert row.conditions is not None, f"{node.operator} is read into other rows and is never in a tree"
        conditions = row.conditions(node.operand)
        test = _ValueTest(partial(self._has_conditions, conditions, undecided), undecided, row.includes_elements)
        column_test = self._column_test(node.path, test, scope, row.tells_null_from_missing)
        if column_test is not None:
            return column_test
        found = self._path_test(node.path, test, scope)
        if scope.depth or node.path in self._table.indexes:
            return found
        prefilter = self._dialect.prefilter(scope.source, node.path, conditions)
        return found if prefilter is None else all_of([prefilter, found])

    def _column_test(self, path: Path, test: _ValueTest, scope: _Scope, tells_null_from_missing: bool) -> Piece | None:
        """Return the condition on the column of the property or of one that holds it; None without one."""
        for length in range(1, len(path) + 1) if scope.depth == 0 else ():
            column = self._table.columns.get(".".join(path[:length]))
            if column is not None and length < len(path):
                return _missing(test)
            if column is not None and not (tells_null_from_missing and column.nullable):
                return self._in_column(column, test)
        return None

    def _in_column(self, column: Column, test: _ValueTest) -> Piece:
        conditions = test.conditions(NO_VALUE._replace(column=column), 0)
        condition = conditions.get(column.kind, FALSE)
        if not column.nullable:
            return condition
        name = self._dialect.column(column.sql)
        value = all_of([Piece(f"{name} IS NOT NULL"), condition])
        return any_of([value, all_of([Piece(f"{name} IS NULL"), conditions.get("null", FALSE)])])

    # -- conditions on one value

    def _has_conditions(self, conditions: Conditions, undecided: Piece, value: SqlValue, _depth: int) -> _ByKind:
        return {kind: self._condition(kind, condition, value, undecided) for kind, condition in conditions.items()}

    def _condition(self, kind: Kind, condition: Condition, value: SqlValue, undecided: Piece) -> Piece:
        if isinstance(condition, Certainty):
            return TRUE if condition is Certainty.ALWAYS else undecided
        pieces = [
            None if comparison.word == "undecided" else self._dialect.comparison(kind, comparison, value)
            for comparison in condition
        ]
        return all_of(undecided if piece is None else piece for piece in pieces)

    def _has_element(self, where: Node, objects: bool, undecided: Piece, value: SqlValue, depth: int) -> _ByKind:
        element = self._dialect.element(depth)
        scope = _Scope(element.sql.sql, depth + 1)
        condition = self.piece(where, scope, undecided)
        if objects:
            in_array = self.piece(where, scope._replace(is_array=True), undecided)
            condition = case(element.type, [("object", condition), ("array", in_array)], FALSE)
        return {"array": self._any_element(value.elements, depth, condition)}

    # -- the values that a path reaches

    def _path_test(self, path: Path, test: _ValueTest, scope: _Scope) -> Piece:
        if not path:
            return self._test_value(self._dialect.element(scope.depth - 1), test, scope.depth)
        if not scope.is_array:
            return self._any_value_at(scope.source, (), path, test, scope.depth)
        index = index_of(path[0])
        if index is None:
            return _missing(test)
        return self._any_value_at(scope.source, (), (index, *path[1:]), test, scope.depth)

    def _any_value_at(
        self, source: str, base: Sequence[Label], labels: Sequence[Label], test: _ValueTest, depth: int
    ) -> Piece:
        """Return whether the test is true of a value that the labels reach from ``base`` in ``source``."""
        value = self._dialect.value_at(source, (*base, *labels))
        conditions = test.conditions(value, depth)
        missing = conditions.get("missing", FALSE)
        # SQL finds nothing behind an array in the middle. At most one of these prefixes is such an array.
        for length in range(1, len(labels)):
            prefix = (*base, *labels[:length])
            if depth == 0 and prefix in self._never_arrays:
                continue
            entered = self._any_value_in_array(source, prefix, labels[length:], test, depth)
            missing = case(self._dialect.value_at(source, prefix).type, [("array", entered)], missing)
        if test.includes_elements:
            element = self._test_value(self._dialect.element(depth), test, depth + 1)
            whole = conditions.get("array", FALSE)
            conditions = {**conditions, "array": any_of([whole, self._any_element(value.elements, depth, element)])}
        return self._by_type(value, conditions, missing)

    def _any_value_in_array(
        self, source: str, prefix: Sequence[Label], labels: Sequence[Label], test: _ValueTest, depth: int
    ) -> Piece:
        """Return the condition for an array at ``prefix``: in each of its objects and in the element that the first
        label names."""
        if len(labels) > self._max_entered:
            return test.undecided
        element = self._dialect.element(depth)
        in_object = self._any_value_at(element.sql.sql, (), labels, test, depth + 1)
        in_element = case(element.type, [("object", in_object)], FALSE)
        in_any = self._any_element(self._dialect.value_at(source, prefix).elements, depth, in_element)
        index = index_of(str(labels[0]))
        if index is None:
            return in_any
        place, rest = (*prefix, index), labels[1:]
        value = self._dialect.value_at(source, place)
        if not rest:
            return any_of([in_any, self._test_value(value, test, depth)])
        inside = [
            ("object", self._any_value_at(source, place, rest, test, depth)),
            ("array", self._any_value_in_array(source, place, rest, test, depth)),
        ]
        return any_of([in_any, case(value.type, inside, FALSE)])

    def _any_element(self, array: Piece, depth: int, condition: Piece) -> Piece:
        """Return whether the condition holds of an element, which it names by the alias of this depth."""
        if condition.sql == FALSE.sql:
            return condition
        elements = self._dialect.elements(array, depth)
        # Only fixed words, aliases and question marks stand in a piece.
        sql = f"EXISTS (SELECT 1 FROM {elements.sql} WHERE {condition.sql})"  # noqa: S608  # made of pieces of ours
        return Piece(sql, elements.parameters + condition.parameters, condition.exact)

    def _test_value(self, value: SqlValue, test: _ValueTest, depth: int) -> Piece:
        return self._by_type(value, test.conditions(value, depth), FALSE)

    def _by_type(self, value: SqlValue, conditions: _ByKind, missing: Piece) -> Piece:
        branches = self._dialect.type_branches(value, conditions)
        usual, _ = Counter(piece for _, piece in branches).most_common(1)[0]
        type_of = value.type
        if missing != usual:
            type_of = type_of._replace(sql=f"coalesce({type_of.sql}, 'missing')")
        return case(type_of, [*branches, ("missing", missing)], usual)


def _missing(test: _ValueTest) -> Piece:
    return test.conditions(NO_VALUE, 0).get("missing", FALSE)
