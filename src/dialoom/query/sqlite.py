"""Writes the SQL of SQLite for the compiler."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Final

from dialoom.query.dialect import Spot
from dialoom.query.sql_text import FALSE, TRUE, Piece, any_of
from dialoom.query.sqlite_index_keys import first_keys, has_keys
from dialoom.query.table import SqlCondition

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from dialoom.query.dialect import Label
    from dialoom.query.index_keys import FirstKeys, Keys
    from dialoom.query.sql_predicates import Comparison, Conditions
    from dialoom.query.table import Column, Table
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
"""Its words for the types of JSON values."""

_BEYOND_INTEGERS: Final = 2**63
_CONSTANTS: Final = re.compile(r"\b(?:TRUE|FALSE)\b")


class Sqlite:
    def column(self, name: str) -> str:
        return name

    def spot(self, source: str, labels: Sequence[Label]) -> Spot:
        place = "$" + "".join(map(_step, labels))
        return Spot(
            Piece(f"json_type({source}, ?)", (place,)),
            Piece(f"json_extract({source}, ?)", (place,)),
            Piece(f"{source}, ?", (place,)),
        )

    def element(self, depth: int) -> Spot:
        value = Piece(f"e{depth}.value")
        return Spot(Piece(f"e{depth}.type"), value, value)

    def elements(self, inside: Piece, depth: int) -> Piece:
        return inside._replace(sql=f"json_each({inside.sql}) AS e{depth}")

    def cases(self, _spot: Spot, answers: Mapping[Kind, Piece]) -> list[tuple[str, Piece]]:
        return [(word, answers.get(kind, FALSE)) for word, kind in _KINDS.items()]

    def predicate(self, kind: Kind, comparison: Comparison, spot: Spot) -> Piece | None:
        word, operand = comparison
        value = spot.value if spot.column is None else Piece(spot.column.sql)
        if kind == "number" and not all(map(_is_comparable, operand if word == "among" else [operand])):
            return None
        if word == "size":
            return Piece(f"json_array_length({value.sql}) = ?", (*value.parameters, operand))
        if word == "among":
            # One parameter however long the list is, so that lists of any length are one statement to the database.
            members = json.dumps(operand, ensure_ascii=False)
            one_of = "IN (SELECT value FROM json_each(?))"
            return Piece(f"{value.sql} {one_of}", (*value.parameters, members))
        if word in ("contains", "contains any case"):
            text = value.sql if word == "contains" else f"lower({value.sql})"
            return any_of(Piece(f"instr({text}, ?) > 0", (*value.parameters, part)) for part in operand)
        return Piece(f"{value.sql} {word} ?", (*value.parameters, operand))

    def sieve(self, _source: str, _path: Path, _says: Conditions) -> None:
        """It has no index over all paths."""

    def has_keys(self, table: Table, path: Path, keys: Keys) -> Piece:
        return has_keys(table, table.indexes[path], keys)

    def first_keys(self, asked: FirstKeys) -> Piece:
        return first_keys(asked)

    def term(self, column: Column, direction: int) -> str:
        return f"{column.sql} {'ASC' if direction > 0 else 'DESC'}"

    def by_id(self, table: Table) -> str:
        return f"json_extract({table.binary}, '$._id')"

    def finished(self, piece: Piece) -> SqlCondition:
        sql = _CONSTANTS.sub(lambda found: "1" if found[0] == TRUE.sql else "0", piece.sql)
        return SqlCondition(sql, list(piece.parameters), piece.exact)


def _step(label: Label) -> str:
    # In quotes SQLite reads a label as JSON text, so that dots, brackets and quotes in a name stay part of it.
    return f"[{label}]" if isinstance(label, int) else "." + json.dumps(label, ensure_ascii=False)


def _is_comparable(number: Any) -> bool:
    """Whether SQLite compares it exactly: integers in JSON beyond 64 bits are rounded to double precision there."""
    return bool(-_BEYOND_INTEGERS < number < _BEYOND_INTEGERS)
