"""Writes the SQL of PostgreSQL for the compiler, and makes the text of which a JSONB copy is made.

Texts compare by bytes, so JSONB texts get COLLATE "C" (columns are declared so). Numbers in JSONB are exact decimals.
"""

from __future__ import annotations

import json
import math
import re
from typing import TYPE_CHECKING, Any, Final

from dialoom.query.dialect import Spot
from dialoom.query.paths import index_of
from dialoom.query.postgres_index_keys import as_stored, first_keys, has_keys, key_sql
from dialoom.query.sql_predicates import Certainty
from dialoom.query.sql_text import FALSE, TRUE, Piece, any_of, choice
from dialoom.query.table import SqlCondition

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from dialoom.query.dialect import Label
    from dialoom.query.index_keys import FirstKeys, Keys
    from dialoom.query.sql_predicates import Comparison, Conditions
    from dialoom.query.sql_text import Parameter
    from dialoom.query.table import Column, Table
    from dialoom.query.tree import Path
    from dialoom.query.values import Kind

_KINDS: Final[Mapping[str, Kind]] = {
    "null": "null",
    "number": "number",
    "string": "text",
    "object": "object",
    "array": "array",
}
"""Its words for the types of JSON values, but for ``boolean``, which is of two kinds."""

_BEYOND_DOUBLES: Final = 2**53
"""From here on the shortest text of a double, which the copy holds, can be another whole number than the double is."""
_MAX_BIGINT: Final = 2**63 - 1
_MAX_SIEVED: Final = 16
"""More values of a JSON path are compared one by one, which costs more than it saves."""
_PARAMETER: Final = re.compile(r"\?(::\w+(?:\[\])?)")
_ESCAPE: Final = re.compile(r"\\(?:u000[01]|.)", re.DOTALL)


def jsonb_copy(document: str) -> str:
    """The JSON text to make the copy of a document of.

    JSONB holds no NUL. So U+0000 is written as two U+0001, and U+0001 as U+0001 U+0002: no two texts become one, and
    their order stays. Names and texts of a query are written so as well (``as_stored``).
    """
    if "\\u000" not in document:
        return document
    return _ESCAPE.sub(lambda found: _ESCAPES.get(found[0], found[0]), document)


_ESCAPES: Final[Mapping[str, str]] = {"\\u0000": "\\u0001\\u0001", "\\u0001": "\\u0001\\u0002"}


class Postgres:
    def column(self, name: str) -> str:
        # In quotes: without them "user" would be the database's user.
        return f'"{name}"'

    def spot(self, source: str, labels: Sequence[Label]) -> Spot:
        # Not "#>", which takes a key that looks like a number as a place in an array.
        steps = "".join(" -> ?::int" if isinstance(label, int) else " -> ?::text" for label in labels)
        sql = f"({source}{steps})"
        parameters = tuple(label if isinstance(label, int) else as_stored(label) for label in labels)
        return _spot(Piece(sql, parameters))

    def element(self, depth: int) -> Spot:
        return _spot(Piece(f"e{depth}.value"))

    def elements(self, inside: Piece, depth: int) -> Piece:
        return inside._replace(sql=f"jsonb_array_elements({inside.sql}) AS e{depth}(value)")

    def cases(self, spot: Spot, answers: Mapping[Kind, Piece]) -> list[tuple[str, Piece]]:
        as_text = spot.value._replace(sql=f"{spot.value.sql}::text")
        boolean = choice(as_text, [("true", answers.get("true", FALSE))], answers.get("false", FALSE))
        return [*((word, answers.get(kind, FALSE)) for word, kind in _KINDS.items()), ("boolean", boolean)]

    def predicate(self, kind: Kind, comparison: Comparison, spot: Spot) -> Piece | None:
        word, operand = comparison
        if spot.column is not None:
            name = self.column(spot.column.sql)
            return _number(name, comparison) if kind == "number" else _text(name, (), comparison, stored=False)
        sql, parameters, _ = spot.value
        if word == "size":
            return Piece(f"jsonb_array_length({sql}) = ?::bigint", (*parameters, operand))
        if kind == "number":
            if not all(map(_is_comparable, operand if word == "among" else [operand])):
                return None
            if word == "among":
                return Piece(f"{sql} = ANY(?::jsonb[])", (*parameters, tuple(map(json.dumps, operand))))
            return Piece(f"{sql} {word} ?::jsonb", (*parameters, json.dumps(operand)))
        return _text(f"({sql} #>> '{{}}') COLLATE \"C\"", parameters, comparison, stored=True)

    def sieve(self, source: str, path: Path, conditions: Conditions) -> Piece | None:
        """Equality as a JSON path, for a GIN index on the copy. Without one it is still the cheaper question (over
        100,000 records 72 against 105 ms), so it stands before the exact one."""
        values = _equals(conditions)
        if not values or len(values) > _MAX_SIEVED or any(index_of(part) is not None for part in path):
            return None
        # In its lax mode a JSON path enters each array on its way and one at its end: all that a query's path does.
        steps = "".join(f".{_literal(part)}" for part in path)
        tests = " || ".join(f"@ == {_literal(value)}" for value in values)
        return Piece(f"{source} @? ?::jsonpath", (f"${steps} ? ({tests})",))

    def has_keys(self, table: Table, path: Path, keys: Keys) -> Piece:
        return has_keys(key_sql(self.column(table.binary), path), keys)

    def first_keys(self, asked: FirstKeys) -> Piece:
        return first_keys(asked, key_sql(self.column(asked.table.binary), asked.path))

    def term(self, column: Column, direction: int) -> str:
        # Said only where it matters: else the database thinks that no index of the column has this order.
        nulls = (" NULLS FIRST" if direction > 0 else " NULLS LAST") if column.nullable else ""
        return f"{self.column(column.sql)} {'ASC' if direction > 0 else 'DESC'}{nulls}"

    def by_id(self, table: Table) -> str:
        return f"({self.column(table.binary)} ->> '_id') COLLATE \"C\""

    def finished(self, piece: Piece) -> SqlCondition:
        """Equal parameters are given once: the protocol takes no more than 65,535."""
        numbers: dict[tuple[str, str], int] = {}
        parameters: list[Parameter] = []
        waiting = iter(piece.parameters)

        def numbered(found: re.Match[str]) -> str:
            value = next(waiting)
            number = numbers.setdefault((found[1], repr(value)), len(numbers) + 1)
            if number > len(parameters):
                parameters.append(value)
            return f"${number}{found[1]}"

        sql = _PARAMETER.sub(numbered, piece.sql)
        return SqlCondition(sql, parameters, piece.exact)


def _spot(value: Piece) -> Spot:
    return Spot(value._replace(sql=f"jsonb_typeof({value.sql})"), value, value)


def _equals(conditions: Conditions) -> list[Any]:
    """The texts and numbers that the value must be one of; none when it may be anything else."""
    values: list[Any] = []
    for kind, condition in conditions.items():
        if (
            kind not in ("text", "number")
            or isinstance(condition, Certainty)
            or condition[0].word not in ("=", "among")
        ):
            return []
        (comparison,) = condition
        values += comparison.operand if comparison.word == "among" else [comparison.operand]
    return [] if any(not isinstance(value, str) and not _is_comparable(value) for value in values) else values


def _literal(value: Any) -> str:
    return json.dumps(as_stored(value) if isinstance(value, str) else value, ensure_ascii=False)


def _text(sql: str, parameters: tuple[Parameter, ...], comparison: Comparison, *, stored: bool) -> Piece:
    word, operand = comparison
    if word == "among":
        members = tuple(map(as_stored, operand) if stored else operand)
        return Piece(f"{sql} = ANY(?::text[])", (*parameters, members))
    if word in ("contains", "contains any case"):
        # Under "C", as columns are and copies are asked, only ASCII letters have another case.
        text = sql if word == "contains" else f"lower({sql})"
        parts = map(as_stored, operand) if stored else operand
        return any_of(Piece(f"strpos({text}, ?::text) > 0", (*parameters, part)) for part in parts)
    if isinstance(operand, str) and "\0" in operand:
        # Only a cursor can hold it, and no column. What begins like this text up to there and goes on is above it.
        before = operand.partition("\0")[0]
        return (
            FALSE if word == "=" else Piece(f"{sql} {'<=' if word[0] == '<' else '>'} ?::text", (*parameters, before))
        )
    return Piece(f"{sql} {word} ?::text", (*parameters, as_stored(operand) if stored else operand))


def _number(name: str, comparison: Comparison) -> Piece:
    """On a column of whole numbers, asked with whole numbers of 64 bits: a decimal would keep an index from serving."""
    word, operand = comparison
    if word == "among":
        members = tuple(
            int(member) for member in operand if member == int(member) and -_MAX_BIGINT <= member <= _MAX_BIGINT
        )
        return Piece(f"{name} = ANY(?::bigint[])", (members,)) if members else FALSE
    whole = math.floor(operand) if word in ("<", "<=") else math.ceil(operand)
    if whole != operand:
        if word == "=":
            return FALSE
        word = "<=" if word in ("<", "<=") else ">="
    if not -_MAX_BIGINT <= whole <= _MAX_BIGINT:
        return TRUE if word != "=" and (whole > 0) == (word in ("<", "<=")) else FALSE
    return Piece(f"{name} {word} ?::bigint", (whole,))


def _is_comparable(number: Any) -> bool:
    """Whether JSONB compares it exactly. Smaller doubles keep their order when written in their shortest decimals."""
    return bool(-_BEYOND_DOUBLES < number < _BEYOND_DOUBLES)
