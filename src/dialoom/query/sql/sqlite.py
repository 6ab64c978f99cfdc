"""The SQL of SQLite: JSON values, comparisons, and the keys of an operator's index.

Keys are kept in a table beside the records: an index of SQLite's own on the expression would be made in one go, and
all turns would wait for it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from dialoom.query.conditions import Comparison, Conditions
from dialoom.query.sql.dialect import Label, SqlValue
from dialoom.query.sql.index_keys import ALL_VALUES, ARRAY_KEY, KIND_NUMBERS, FirstByKey, Keys, KeyValues, ValueRange
from dialoom.query.sql.pieces import FALSE, TRUE, Parameter, Piece, any_of
from dialoom.query.sql.table import Column, SqlCondition, Table
from dialoom.query.tree import Path
from dialoom.query.values import Kind

_KINDS: Final[Mapping[str, Kind]] = {
    "null": "null",
    "true": "true",
    "false": "false",
    "integer": "number",
    "real": "number",
    "text": "text",
    "object": "object",
    "array": "array",
}
"""The kinds of values by SQLite's words for their types."""

_BEYOND_INTEGERS: Final = 2**63
_CONSTANTS: Final = re.compile(r"\b(?:TRUE|FALSE)\b")

MAX_TEXT_CHARS: Final = 200
"""Characters of a text that its key keeps."""
_MAX_INTEGER: Final = 2**63 - 1
"""Integers beyond are rounded: all of them have the same key."""
_MAY_SHARE_KEY: Final[Mapping[Kind, str]] = {
    "number": f"abs(value) = {_MAX_INTEGER}",
    "text": f"length(value) = {MAX_TEXT_CHARS}",
}
"""Conditions on a key that different values may have."""


class Sqlite:
    def column(self, name: str) -> str:
        return name

    def value_at(self, source: str, labels: Sequence[Label]) -> SqlValue:
        path = _json_path(labels)
        return SqlValue(
            Piece(f"json_type({source}, ?)", (path,)),
            Piece(f"json_extract({source}, ?)", (path,)),
            Piece(f"{source}, ?", (path,)),
        )

    def element(self, depth: int) -> SqlValue:
        value = Piece(f"e{depth}.value")
        return SqlValue(Piece(f"e{depth}.type"), value, value)

    def elements(self, array: Piece, depth: int) -> Piece:
        return array._replace(sql=f"json_each({array.sql}) AS e{depth}")

    def type_branches(self, _value: SqlValue, conditions: Mapping[Kind, Piece]) -> list[tuple[str, Piece]]:
        return [(word, conditions.get(kind, FALSE)) for word, kind in _KINDS.items()]

    def comparison(self, kind: Kind, comparison: Comparison, value: SqlValue) -> Piece | None:
        word, operand = comparison
        if kind == "number" and not all(map(_is_comparable, operand if word == "among" else [operand])):
            return None
        sql, parameters, _ = value.sql if value.column is None else Piece(value.column.sql)
        if word == "size":
            return Piece(f"json_array_length({sql}) = ?", (*parameters, operand))
        if word == "among":
            # One parameter however long the list is, so that lists of any length are one statement to the database.
            members = json.dumps(operand, ensure_ascii=False)
            one_of = "IN (SELECT value FROM json_each(?))"
            return Piece(f"{sql} {one_of}", (*parameters, members))
        if word in ("contains", "contains any case"):
            text = sql if word == "contains" else f"lower({sql})"
            return any_of(Piece(f"instr({text}, ?) > 0", (*parameters, part)) for part in operand)
        return Piece(f"{sql} {word} ?", (*parameters, operand))

    def prefilter(self, _source: str, _path: Path, _conditions: Conditions) -> None:
        """Return None: SQLite has no index over all paths."""

    def has_keys(self, table: Table, path: Path, keys: Keys) -> Piece:
        # The table's name is a hash that the store has made; nothing of the operator's is in it.
        select = f"SELECT id FROM {table.indexes[path]} WHERE bot = ? AND kind"  # noqa: S608  # see above
        kinds = [ARRAY_KEY, *sorted(KIND_NUMBERS[kind] for kind, values in keys.items() if values == ALL_VALUES)]
        selects = [f"{select} IN ({', '.join(map(str, kinds))})"]
        parameters: list[Parameter] = [table.bot]
        for kind, values in keys.items():
            if values == ALL_VALUES:
                continue
            condition, held = _value_condition(values)
            selects.append(f"{select} = {KIND_NUMBERS[kind]} AND {condition}")
            parameters += [table.bot, *held]
        return Piece(f"{table.columns['_id'].sql} IN ({' UNION ALL '.join(selects)})", tuple(parameters))

    def first_by_key(self, wanted: FirstByKey) -> Piece:
        # Only names of our tables and pieces of the compiler stand in the text; the bot is given to each table.
        table, keys, where = wanted.table, wanted.keys, wanted.where
        name, id = table.indexes[wanted.path], table.columns["_id"].sql
        extra: tuple[str, tuple[Parameter, ...]] = ("", ())
        if where != TRUE:
            exists = f"EXISTS (SELECT 1 FROM {table.name} WHERE bot = ? AND {id} = k.id AND ({where.sql}))"  # noqa: S608  # see above
            extra = (f" AND {exists}", (table.bot, *where.parameters))
        order = f"value {_direction(wanted.is_ascending)}, id {_direction(wanted.is_id_ascending)}"
        kinds = [ARRAY_KEY, *([KIND_NUMBERS["object"]] if "object" in keys else [])]
        select = f"SELECT id FROM {name} WHERE bot = ? AND kind"  # noqa: S608  # see above
        selects = [Piece(f"{select} IN ({', '.join(map(str, kinds))})", (table.bot,))]
        for kind, values in keys.items():
            if kind == "object":
                continue
            condition, held = ("1", []) if values == ALL_VALUES else _value_condition(values)
            number = KIND_NUMBERS[kind]
            rows = f"FROM {name} AS k WHERE bot = ? AND kind = {number} AND {condition}{extra[0]} ORDER BY {order}"
            parameters = (table.bot, *held, *extra[1], wanted.wanted)
            selects.append(Piece(f"SELECT id FROM (SELECT id {rows} LIMIT ?)", parameters))  # noqa: S608  # see above
            if kind in _MAY_SHARE_KEY:
                # Others with the key of the last one may come before it in the order of the values.
                last = f"value = (SELECT value {rows} LIMIT 1 OFFSET ?) AND {_MAY_SHARE_KEY[kind]}"
                ties = (table.bot, *parameters[:-1], wanted.wanted - 1)
                selects.append(Piece(f"{select} = {number} AND {last}", ties))
        found = " UNION ALL ".join(select.sql for select in selects)
        return Piece(f"{id} IN ({found})", tuple(value for select in selects for value in select.parameters))

    def order_term(self, column: Column, direction: int) -> str:
        return f"{column.sql} {_direction(direction > 0)}"

    def finish(self, piece: Piece) -> SqlCondition:
        sql = _CONSTANTS.sub(lambda found: "1" if found[0] == TRUE.sql else "0", piece.sql)
        return SqlCondition(sql, list(piece.parameters), piece.exact)


def key_sql(source: str, path: Path) -> tuple[str, str]:
    """Return SQL of the two parts of a record's key, number of its kind and value; ``source`` is the JSONB copy.

    The names stand in it as quoted text, for neither an index nor a trigger takes parameters.
    """
    place = literal(_json_path(path))
    prefixes = [literal(_json_path(path[:length])) for length in range(1, len(path))]
    arrays = " or ".join(f"json_type({source}, {prefix}) = 'array'" for prefix in prefixes)
    missing = f"iif({arrays}, {ARRAY_KEY}, {KIND_NUMBERS['missing']})" if prefixes else str(KIND_NUMBERS["missing"])
    found = f"json_extract({source}, {place})"
    # At NUL SQLite's substr ends, and the key would stand elsewhere than the text.
    numbers = {word: str(KIND_NUMBERS[kind]) for word, kind in _KINDS.items() if kind != "array"}
    numbers["text"] = f"iif(instr({found}, char(0)), {ARRAY_KEY}, {KIND_NUMBERS['text']})"
    numbers["array"] = str(ARRAY_KEY)
    kinds = " ".join(f"when '{word}' then {number}" for word, number in numbers.items())
    within = f"max(min({found}, {_MAX_INTEGER}), -{_MAX_INTEGER})"
    value = (
        f"case json_type({source}, {place}) when 'text' then substr({found}, 1, {MAX_TEXT_CHARS}) "
        f"when 'integer' then {within} when 'real' then {within} else 0 end"
    )
    return f"case json_type({source}, {place}) {kinds} else {missing} end", value


def literal(text: str) -> str:
    """Return the text as SQL writes it. NUL, which would end the statement, is in no property name."""
    return "'" + text.replace("'", "''") + "'"


def _json_path(labels: Sequence[Label]) -> str:
    # In quotes SQLite reads a label as JSON text, so that dots, brackets and quotes in a name stay part of it.
    return "$" + "".join(
        f"[{label}]" if isinstance(label, int) else "." + json.dumps(label, ensure_ascii=False) for label in labels
    )


def _is_comparable(number: float) -> bool:
    """Return whether SQLite compares it exactly: it rounds integers in JSON beyond 64 bits to double precision."""
    return -_BEYOND_INTEGERS < number < _BEYOND_INTEGERS


def _direction(is_ascending: bool) -> str:
    return "ASC" if is_ascending else "DESC"


def _value_condition(values: KeyValues) -> tuple[str, list[Parameter]]:
    if isinstance(values, ValueRange):
        ends = [(sign, _key_value(end)) for sign, end in ((">=", values.low), ("<=", values.high)) if end is not None]
        return " AND ".join(f"value {sign} ?" for sign, _ in ends), [end for _, end in ends]
    if len(values) == 1:
        return "value = ?", [_key_value(values[0])]
    members = json.dumps([_key_value(one) for one in values], ensure_ascii=False)
    return "value IN (SELECT value FROM json_each(?))", [members]


def _key_value(value: Any) -> str | float:
    return value[:MAX_TEXT_CHARS] if isinstance(value, str) else max(min(value, _MAX_INTEGER), -_MAX_INTEGER)
