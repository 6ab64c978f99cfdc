"""The SQL of PostgreSQL: JSON values, comparisons, the keys of an operator's index, and the text of a JSONB copy.

Texts compare by bytes: those in JSONB get COLLATE "C" (columns are declared so). Numbers in JSONB are exact decimals.
The function ``property_key`` of the migrations makes a record's key; here is what it makes of an operand.
"""

from __future__ import annotations

import json
import math
import re
import struct
from collections.abc import Mapping, Sequence
from typing import Any, Final

from dialoom.query.conditions import Certainty, Comparison, Conditions
from dialoom.query.sql.dialect import Label, SqlValue
from dialoom.query.sql.index_keys import ARRAY_KEY, KIND_NUMBERS, FirstByKey, Keys, KeyValues, ValueRange
from dialoom.query.sql.pieces import FALSE, TRUE, Parameter, Piece, all_of, any_of, case
from dialoom.query.sql.table import Column, SqlCondition, Table
from dialoom.query.tree import Path, index_of
from dialoom.query.values import Kind

_KINDS: Final[Mapping[str, Kind]] = {
    "null": "null",
    "number": "number",
    "string": "text",
    "object": "object",
    "array": "array",
}
"""The kinds of values by PostgreSQL's words for their types, without ``boolean``, which is two kinds."""

_BEYOND_DOUBLES: Final = 2**53
"""From here on several whole numbers are one double, and the shortest text of a double, which the copy holds, can be
another whole number than the double is."""
_MAX_BIGINT: Final = 2**63 - 1
_MAX_PREFILTERED: Final = 16
"""More values of a JSON path are compared one by one, which costs more than it saves."""
_PARAMETER: Final = re.compile(r"\?(::\w+(?:\[\])?)")
_ESCAPE: Final = re.compile(r"\\(?:u000[01]|.)", re.DOTALL)
_ESCAPES: Final[Mapping[str, str]] = {"\\u0000": "\\u0001\\u0001", "\\u0001": "\\u0001\\u0002"}

MAX_TEXT_BYTES: Final = 400
"""Bytes of a text that its key keeps; a row of an index must stay below 2.7 kB."""
_MAX_KEY_NUMBER: Final = 1e300
_MIN_KEY_NUMBER: Final = 1e-300
"""Numbers beyond these share a key: what is written in decimals may be no double at all."""
_WITH_VALUES: Final = ("number", "text")


def jsonb_copy(document: str) -> str:
    """Return the JSON text from which the JSONB copy of a document is made.

    JSONB holds no NUL. So U+0000 is written as two U+0001, and U+0001 as U+0001 U+0002: no two texts become one, and
    their order stays. Names and texts of a query are written so as well (``as_stored``).
    """
    if "\\u000" not in document:
        return document
    return _ESCAPE.sub(lambda found: _ESCAPES.get(found[0], found[0]), document)


def as_stored(text: str) -> str:
    """Return a name or text of a query as the JSONB copies hold it. No operand holds NUL: the parser refuses it."""
    return text.replace("\x01", "\x01\x02")


class Postgres:
    def column(self, name: str) -> str:
        # In quotes: without them "user" would be the database's user.
        return f'"{name}"'

    def value_at(self, source: str, labels: Sequence[Label]) -> SqlValue:
        # Not "#>", which takes a key that looks like a number as a place in an array.
        steps = "".join(" -> ?::int" if isinstance(label, int) else " -> ?::text" for label in labels)
        parameters = tuple(label if isinstance(label, int) else as_stored(label) for label in labels)
        return _sql_value(Piece(f"({source}{steps})", parameters))

    def element(self, depth: int) -> SqlValue:
        return _sql_value(Piece(f"e{depth}.value"))

    def elements(self, array: Piece, depth: int) -> Piece:
        return array._replace(sql=f"jsonb_array_elements({array.sql}) AS e{depth}(value)")

    def type_branches(self, value: SqlValue, conditions: Mapping[Kind, Piece]) -> list[tuple[str, Piece]]:
        as_text = value.sql._replace(sql=f"{value.sql.sql}::text")
        boolean = case(as_text, [("true", conditions.get("true", FALSE))], conditions.get("false", FALSE))
        return [*((word, conditions.get(kind, FALSE)) for word, kind in _KINDS.items()), ("boolean", boolean)]

    def comparison(self, kind: Kind, comparison: Comparison, value: SqlValue) -> Piece | None:
        word, operand = comparison
        if value.column is not None:
            name = self.column(value.column.sql)
            return _on_integer(name, comparison) if kind == "number" else _on_text(name, (), comparison)
        sql, parameters, _ = value.sql
        if word == "size":
            return Piece(f"jsonb_array_length({sql}) = ?::bigint", (*parameters, operand))
        if kind == "number":
            if not all(map(_is_comparable, operand if word == "among" else [operand])):
                return None
            if word == "among":
                return Piece(f"{sql} = ANY(?::jsonb[])", (*parameters, tuple(map(json.dumps, operand))))
            return Piece(f"{sql} {word} ?::jsonb", (*parameters, json.dumps(operand)))
        return _on_text(f"({sql} #>> '{{}}') COLLATE \"C\"", parameters, comparison, is_jsonb=True)

    def prefilter(self, source: str, path: Path, conditions: Conditions) -> Piece | None:
        """Return equality as a JSON path, for a GIN index on the copy. Without one it is still the cheaper test (over
        100,000 records 72 against 105 ms), so it stands before the exact one."""
        values = _equal_to(conditions)
        if not values or len(values) > _MAX_PREFILTERED or any(index_of(part) is not None for part in path):
            return None
        # In its lax mode a JSON path enters each array on its way and one at its end: all that a query's path does.
        steps = "".join(f".{_json(part)}" for part in path)
        tests = " || ".join(f"@ == {_json(value)}" for value in values)
        return Piece(f"{source} @? ?::jsonpath", (f"${steps} ? ({tests})",))

    def has_keys(self, table: Table, path: Path, keys: Keys) -> Piece:
        key = key_sql(self.column(table.binary), path)
        single = [bytes([ARRAY_KEY])]
        ranges: list[Piece] = []
        for kind, values in keys.items():
            if kind not in _WITH_VALUES:
                single.append(bytes([KIND_NUMBERS[kind]]))
            elif isinstance(values, ValueRange):
                ranges.append(_in_range(key, kind, values))
            else:
                single += [_key(kind, value) for value in values]
        return any_of([Piece(f"{key} = ANY(?::bytea[])", (tuple(single),)), *ranges])

    def first_by_key(self, wanted: FirstByKey) -> Piece:
        # Only names of our tables and pieces of the compiler stand in the text.
        table, keys, where = wanted.table, wanted.keys, wanted.where
        key = key_sql(self.column(table.binary), wanted.path)
        rows = f'SELECT "id" FROM {table.name} WHERE bot = ?::text'  # noqa: S608  # see above
        single = (bytes([ARRAY_KEY]), *([bytes([KIND_NUMBERS["object"]])] if "object" in keys else []))
        selects = [Piece(f"{rows} AND {key} = ANY(?::bytea[])", (table.bot, single))]
        order = f'ORDER BY {key} {_direction(wanted.is_ascending)}, "id" {_direction(wanted.is_id_ascending)}'
        for kind, values in keys.items():
            if kind == "object":
                continue
            condition = all_of([_of_kind(key, kind, values), where])
            found = f"FROM {table.name} WHERE bot = ?::text AND {condition.sql} {order}"
            parameters = (table.bot, *condition.parameters)
            first = f'SELECT "id" FROM (SELECT "id" {found} LIMIT ?::bigint) AS first_{kind}'  # noqa: S608  # see above
            selects.append(Piece(first, (*parameters, wanted.wanted)))
            if kind in _WITH_VALUES:
                # Others with the key of the last one may come before it in the order of the values.
                shared = _may_share_key(key, kind)
                last = f"{key} = (SELECT {key} {found} LIMIT 1 OFFSET ?::bigint)"
                ties = f"{rows} AND {last} AND {shared.sql}"
                selects.append(Piece(ties, (table.bot, *parameters, wanted.wanted - 1, *shared.parameters)))
        united = " UNION ALL ".join(select.sql for select in selects)
        return Piece(f'"id" IN ({united})', tuple(value for select in selects for value in select.parameters))

    def order_term(self, column: Column, direction: int) -> str:
        # Said only where it matters: else the database thinks that no index of the column has this order.
        nulls = (" NULLS FIRST" if direction > 0 else " NULLS LAST") if column.nullable else ""
        return f"{self.column(column.sql)} {_direction(direction > 0)}{nulls}"

    def finish(self, piece: Piece) -> SqlCondition:
        """Number the parameters, equal ones once: the protocol takes no more than 65,535."""
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


# -- values


def _sql_value(value: Piece) -> SqlValue:
    return SqlValue(value._replace(sql=f"jsonb_typeof({value.sql})"), value, value)


def _equal_to(conditions: Conditions) -> list[Any]:
    """Return the texts and numbers of which the value must be one; empty if it may be anything else."""
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


def _json(value: str | float) -> str:
    return json.dumps(as_stored(value) if isinstance(value, str) else value, ensure_ascii=False)


def _on_text(sql: str, parameters: tuple[Parameter, ...], comparison: Comparison, *, is_jsonb: bool = False) -> Piece:
    word, operand = comparison
    if word == "among":
        members = tuple(map(as_stored, operand) if is_jsonb else operand)
        return Piece(f"{sql} = ANY(?::text[])", (*parameters, members))
    if word in ("contains", "contains any case"):
        # Under "C", as columns are and copies are read, only ASCII letters have another case.
        text = sql if word == "contains" else f"lower({sql})"
        parts = map(as_stored, operand) if is_jsonb else operand
        return any_of(Piece(f"strpos({text}, ?::text) > 0", (*parameters, part)) for part in parts)
    if isinstance(operand, str) and "\0" in operand:
        # Only a cursor can hold it, and no column. What begins like this text up to there and goes on is above it.
        before = operand.partition("\0")[0]
        if word == "=":
            return FALSE
        return Piece(f"{sql} {'<=' if word[0] == '<' else '>'} ?::text", (*parameters, before))
    return Piece(f"{sql} {word} ?::text", (*parameters, as_stored(operand) if is_jsonb else operand))


def _on_integer(name: str, comparison: Comparison) -> Piece:
    """Compare a column of integers with integers of 64 bits: a decimal would keep an index from serving."""
    word, operand = comparison
    if word == "among":
        members = tuple(int(one) for one in operand if one == int(one) and -_MAX_BIGINT <= one <= _MAX_BIGINT)
        return Piece(f"{name} = ANY(?::bigint[])", (members,)) if members else FALSE
    whole = math.floor(operand) if word in ("<", "<=") else math.ceil(operand)
    if whole != operand:
        if word == "=":
            return FALSE
        word = "<=" if word in ("<", "<=") else ">="
    if not -_MAX_BIGINT <= whole <= _MAX_BIGINT:
        return TRUE if word != "=" and (whole > 0) == (word in ("<", "<=")) else FALSE
    return Piece(f"{name} {word} ?::bigint", (whole,))


def _is_comparable(number: float) -> bool:
    """Return whether JSONB compares it exactly. Doubles below keep their order when written in shortest decimals."""
    return -_BEYOND_DOUBLES < number < _BEYOND_DOUBLES


# -- keys of an operator's index: bytes that sort as the values do


def key_sql(source: str, path: Path) -> str:
    """Return SQL of a record's key; ``source`` is the JSONB copy."""
    return f"property_key({source}, array[{', '.join(literal(as_stored(part)) for part in path)}]::text[])"


def literal(text: str) -> str:
    """Return the text as SQL writes it, with nothing in it that could end it or be taken for a parameter of ours. It is
    read the same however the server is set to read backslashes."""
    return "E'" + "".join(map(_escaped, text)) + "'"


def _escaped(character: str) -> str:
    if character.isascii() and (character.isalnum() or character == "_"):
        return character
    return f"\\u{ord(character):04x}" if ord(character) < 0x10000 else f"\\U{ord(character):08x}"


def _of_kind(key: str, kind: Kind, values: KeyValues) -> Piece:
    if kind not in _WITH_VALUES:
        return Piece(f"{key} = ?::bytea", (bytes([KIND_NUMBERS[kind]]),))
    if isinstance(values, ValueRange):
        return _in_range(key, kind, values)
    return Piece(f"{key} = ANY(?::bytea[])", (tuple(_key(kind, value) for value in values),))


def _in_range(key: str, kind: Kind, values: ValueRange) -> Piece:
    number = KIND_NUMBERS[kind]
    low = bytes([number]) if values.low is None else _key(kind, values.low)
    if values.high is None:
        return Piece(f"{key} >= ?::bytea AND {key} < ?::bytea", (low, bytes([number + 1])))
    return Piece(f"{key} >= ?::bytea AND {key} <= ?::bytea", (low, _key(kind, values.high)))


def _may_share_key(key: str, kind: Kind) -> Piece:
    """Return whether different values may have the key: a text that is cut off, a number that is perhaps no double."""
    if kind == "text":
        return Piece(f"length({key}) > ?::int", (MAX_TEXT_BYTES,))
    least = (_key(kind, -_MIN_KEY_NUMBER), _key(kind, _MIN_KEY_NUMBER))
    sql = f"({key} >= ?::bytea OR {key} <= ?::bytea OR {key} = ANY(?::bytea[]))"
    return Piece(sql, (_key(kind, _BEYOND_DOUBLES), _key(kind, -_BEYOND_DOUBLES), least))


def _key(kind: Kind, value: Any) -> bytes:
    rest = as_stored(value).encode()[:MAX_TEXT_BYTES] if kind == "text" else _sortable_bytes(value)
    return bytes([KIND_NUMBERS[kind]]) + rest


def _sortable_bytes(value: float) -> bytes:
    """Return eight bytes that sort as numbers do: the double's bits with the sign inverted, below zero all inverted."""
    size = float(min(max(abs(value), _MIN_KEY_NUMBER), _MAX_KEY_NUMBER)) if value else 0.0
    near = -size if value < 0 else size
    bits = int.from_bytes(struct.pack(">d", near), "big")
    return (bits ^ (2**64 - 1) if near < 0 else bits | 2**63).to_bytes(8, "big")


def _direction(is_ascending: bool) -> str:
    return "ASC" if is_ascending else "DESC"
