"""Parses the text of the ``query`` parameter into a tree. The rows of ``operators`` read their own operands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dialoom.query.errors import child, invalid
from dialoom.query.json_text import read_object
from dialoom.query.operands import is_operators, with_options
from dialoom.query.operators import LOGICAL, OPERATORS, unknown_operator
from dialoom.query.regex.expression import MAX_COST, Expression, read_expression
from dialoom.query.tree import EVERYTHING, And, Node, Path, check_parts, parts_of

MAX_CLAUSES = 200
MAX_REGEXES = 20


def parse_query(text: str | None) -> Node:
    """Return the tree of the query; without one, that of every record. ``QueryError`` for what is not allowed."""
    if text is None:
        return EVERYTHING
    return _QueryReader().query(read_object(text, "query"), "")


class _QueryReader:
    """Reads one query and counts its conditions."""

    def __init__(self) -> None:
        self._clauses = 0
        self._regexes = 0
        self._left = MAX_COST

    def query(self, value: Mapping[str, Any], pointer: str) -> Node:
        return _joined([self._member(name, operand, child(pointer, name)) for name, operand in value.items()])

    def conditions(self, path: Path, value: Mapping[str, Any], pointer: str) -> Node:
        members = with_options(value, pointer).items()
        return _joined([self._condition(path, name, operand, child(pointer, name)) for name, operand in members])

    def equality(self, path: Path, value: Any, pointer: str) -> Node:
        return self._condition(path, "$eq", value, pointer)

    def regex(self, pattern: str, options: str, pointer: str) -> Expression:
        self._regexes += 1
        if self._regexes > MAX_REGEXES:
            raise invalid("too-many-clauses", f"The query has more than {MAX_REGEXES} regular expressions.", pointer)
        expression = read_expression(pattern, options, pointer, self._left)
        self._left -= expression.cost
        return expression

    def _member(self, name: str, operand: Any, pointer: str) -> Node:
        if name.startswith("$"):
            row = LOGICAL.get(name)
            if row is None:
                raise unknown_operator(name, LOGICAL, pointer)
            return row.read(self, operand, pointer)
        path = parts_of(name)
        check_parts(path, pointer)
        if is_operators(operand):
            return self.conditions(path, operand, pointer)
        return self.equality(path, operand, pointer)

    def _condition(self, path: Path, name: str, operand: Any, pointer: str) -> Node:
        row = OPERATORS.get(name)
        if row is None:
            raise unknown_operator(name, OPERATORS, pointer)
        self._clauses += 1
        if self._clauses > MAX_CLAUSES:
            raise invalid("too-many-clauses", f"The query has more than {MAX_CLAUSES} conditions.", pointer)
        return row.read(self, path, operand, pointer)


def _joined(nodes: list[Node]) -> Node:
    return nodes[0] if len(nodes) == 1 else And(tuple(nodes))
