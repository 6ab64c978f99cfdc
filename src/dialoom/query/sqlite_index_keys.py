"""How SQLite keeps and asks the keys of an operator's index: a table of its own beside the records, bot first.

An index of SQLite's own on the expression would be made in one go, and all turns would wait for it.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from dialoom.query.index_keys import EVERY, NUMBERS, UNTOLD, Span
from dialoom.query.sql_text import TRUE, Piece

if TYPE_CHECKING:
    from collections.abc import Mapping

    from dialoom.query.index_keys import FirstKeys, Keys
    from dialoom.query.sql_text import Parameter
    from dialoom.query.table import Table
    from dialoom.query.tree import Path
    from dialoom.query.values import Kind

MAX_TEXT_CHARS: Final = 200
"""Characters of a text that its key keeps."""
_MOST: Final = 2**63 - 1
"""Beyond, integers are rounded: all of them have the same key."""
_ALIKE: Final[Mapping[Kind, str]] = {"number": f"abs(value) = {_MOST}", "text": f"length(value) = {MAX_TEXT_CHARS}"}
"""Of a key: whether values that differ may have it."""


def key_sql(source: str, path: Path) -> tuple[str, str]:
    """The two parts of a record's key, number of its kind and value; ``source`` is the JSONB copy.

    The names stand in it as quoted text, for neither an index nor a trigger takes parameters.
    """
    place = literal(step(path))
    above = [literal(step(path[:length])) for length in range(1, len(path))]
    arrays = " or ".join(f"json_type({source}, {prefix}) = 'array'" for prefix in above)
    nowhere = f"iif({arrays}, {UNTOLD}, {NUMBERS['missing']})" if above else str(NUMBERS["missing"])
    found = f"json_extract({source}, {place})"
    # At NUL SQLite's substr ends, and the key would stand elsewhere than the text.
    text = f"iif(instr({found}, char(0)), {UNTOLD}, {NUMBERS['text']})"
    kind = (
        f"case json_type({source}, {place}) when 'text' then {text} "
        f"when 'integer' then {NUMBERS['number']} when 'real' then {NUMBERS['number']} "
        f"when 'null' then {NUMBERS['null']} when 'true' then {NUMBERS['true']} when 'false' then {NUMBERS['false']} "
        f"when 'object' then {NUMBERS['object']} when 'array' then {UNTOLD} else {nowhere} end"
    )
    value = (
        f"case json_type({source}, {place}) when 'text' then substr({found}, 1, {MAX_TEXT_CHARS}) "
        f"when 'integer' then max(min({found}, {_MOST}), -{_MOST}) "
        f"when 'real' then max(min({found}, {_MOST}), -{_MOST}) else 0 end"
    )
    return kind, value


def has_keys(table: Table, name: str, keys: Keys) -> Piece:
    """Whether a record of the bot is among those with such keys, in the table of keys of that name."""
    whole = [UNTOLD, *sorted(NUMBERS[kind] for kind, some in keys.items() if some == EVERY)]
    asked = [f"kind IN ({', '.join(map(str, whole))})"]
    parameters: list[Parameter] = [table.bot]
    for kind, some in keys.items():
        if some == EVERY:
            continue
        told, values = _told(some)
        asked.append(f"kind = {NUMBERS[kind]} AND {told}")
        parameters += [table.bot, *values]
    # The name is a hash that the store has made; nothing of the operator's is in it.
    selects = " UNION ALL ".join(f"SELECT id FROM {name} WHERE bot = ? AND {one}" for one in asked)  # noqa: S608  # names and pieces of ours
    return Piece(f"{table.columns['_id'].sql} IN ({selects})", tuple(parameters))


def first_keys(asked: FirstKeys) -> Piece:
    """Whether a record is one of those. The bot is asked once more inside, for the table of the records."""
    table, keys, where = asked.table, asked.keys, asked.where
    name, id = table.indexes[asked.path], table.columns["_id"].sql
    met = f" AND EXISTS (SELECT 1 FROM {table.name} WHERE bot = ? AND {id} = k.id AND ({where.sql}))"  # noqa: S608  # names and pieces of ours
    extra = ("", ()) if where == TRUE else (met, (table.bot, *where.parameters))
    order = f"value {_way(asked.rises)}, id {_way(asked.id_rises)}"
    whole = [UNTOLD, *([NUMBERS["object"]] if "object" in keys else [])]
    selects = [Piece(f"SELECT id FROM {name} WHERE bot = ? AND kind IN ({', '.join(map(str, whole))})", (table.bot,))]  # noqa: S608  # names and pieces of ours
    for kind, some in keys.items():
        if kind == "object":
            continue
        told, values = ("1", []) if some == EVERY else _told(some)
        rows = f"FROM {name} AS k WHERE bot = ? AND kind = {NUMBERS[kind]} AND {told}{extra[0]} ORDER BY {order}"
        parameters = (table.bot, *values, *extra[1])
        selects.append(Piece(f"SELECT id FROM (SELECT id {rows} LIMIT ?)", (*parameters, asked.wanted)))  # noqa: S608  # names and pieces of ours
        if kind in _ALIKE:
            # The last of them may have its key with others, which come before it in the order of the values.
            last = f"SELECT value {rows} LIMIT 1 OFFSET ?"
            ties = f"value = ({last}) AND {_ALIKE[kind]}"
            sql = f"SELECT id FROM {name} WHERE bot = ? AND kind = {NUMBERS[kind]} AND {ties}"  # noqa: S608  # names and pieces of ours
            selects.append(Piece(sql, (table.bot, *parameters, asked.wanted - 1)))
    found = " UNION ALL ".join(select.sql for select in selects)
    return Piece(f"{id} IN ({found})", tuple(value for select in selects for value in select.parameters))


def _way(rises: bool) -> str:
    return "ASC" if rises else "DESC"


def _told(some: Span | tuple[Any, ...]) -> tuple[str, list[Parameter]]:
    if isinstance(some, Span):
        ends = [(sign, _value(end)) for sign, end in ((">=", some.low), ("<=", some.high)) if end is not None]
        return " AND ".join(f"value {sign} ?" for sign, _ in ends), [end for _, end in ends]
    if len(some) == 1:
        return "value = ?", [_value(some[0])]
    members = json.dumps([_value(one) for one in some], ensure_ascii=False)
    return "value IN (SELECT value FROM json_each(?))", [members]


def _value(value: Any) -> Any:
    return value[:MAX_TEXT_CHARS] if isinstance(value, str) else max(min(value, _MOST), -_MOST)


def step(path: Path) -> str:
    """The path as SQLite's functions of JSON take it: in quotes, so that signs in a name stay part of it."""
    return "$" + "".join("." + json.dumps(part, ensure_ascii=False) for part in path)


def literal(text: str) -> str:
    """As SQL writes a text. NUL, which would end the statement, is in no property name."""
    return "'" + text.replace("'", "''") + "'"
