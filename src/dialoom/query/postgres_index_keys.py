"""How PostgreSQL makes and asks the keys of an operator's index: bytes that sort as the values do.

The function ``property_key`` of the migrations makes them of the JSONB copies; here is what it makes of an operand.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any, Final

from dialoom.query.index_keys import EVERY, NUMBERS, UNTOLD, Span
from dialoom.query.sql_text import Piece, all_of, any_of

if TYPE_CHECKING:
    from dialoom.query.index_keys import FirstKeys, Keys, Some
    from dialoom.query.tree import Path
    from dialoom.query.values import Kind

MAX_TEXT_CHARS: Final = 400
"""Bytes of a text that its key keeps; a row of an index must stay below 2.7 kB."""
_LARGEST: Final = 1e300
_LEAST: Final = 1e-300
"""Numbers beyond these are not told apart: what is written in decimals may be no double at all."""
_WHOLE: Final = 2**53
"""From here on several whole numbers are one double."""
_WITH_VALUES: Final = ("number", "text")


def as_stored(text: str) -> str:
    """A name or text of a query as it stands in the JSONB copies (``jsonb_copy``). No operand holds NUL: the reader of
    queries refuses it."""
    return text.replace("\x01", "\x01\x02")


def key_sql(source: str, path: Path) -> str:
    """A record's key; ``source`` is the JSONB copy."""
    return f"property_key({source}, array[{', '.join(literal(as_stored(part)) for part in path)}]::text[])"


def has_keys(key: str, keys: Keys) -> Piece:
    """Whether the key is one of these."""
    points = [bytes([UNTOLD])]
    spans: list[Piece] = []
    for kind, some in keys.items():
        if kind not in _WITH_VALUES:
            points.append(bytes([NUMBERS[kind]]))
        elif isinstance(some, Span):
            spans.append(_span(key, kind, some))
        else:
            points += [_key(kind, value) for value in some]
    return any_of([Piece(f"{key} = ANY(?::bytea[])", (tuple(points),)), *spans])


def first_keys(asked: FirstKeys, key: str) -> Piece:
    """Whether a record is one of those."""
    table, keys, where = asked.table, asked.keys, asked.where
    rows = f'SELECT "id" FROM {table.name} WHERE bot = ?::text'  # noqa: S608  # names of ours, SQL of the compiler
    whole = [bytes([UNTOLD]), *([bytes([NUMBERS["object"]])] if "object" in keys else [])]
    selects = [Piece(f"{rows} AND {key} = ANY(?::bytea[])", (table.bot, tuple(whole)))]
    order = f'ORDER BY {key} {_way(asked.rises)}, "id" {_way(asked.id_rises)}'
    for kind, some in keys.items():
        if kind == "object":
            continue
        told = all_of([_of_kind(key, kind, some), where])
        found = f"FROM {table.name} WHERE bot = ?::text AND {told.sql} {order}"
        parameters = (table.bot, *told.parameters)
        first = f'SELECT "id" FROM (SELECT "id" {found} LIMIT ?::bigint) AS first_{kind}'  # noqa: S608  # names and pieces of ours
        selects.append(Piece(first, (*parameters, asked.wanted)))
        if kind in _WITH_VALUES:
            # The last of them may have its key with others, which come before it in the order of the values.
            alike = _alike(key, kind)
            last = f"{key} = (SELECT {key} {found} LIMIT 1 OFFSET ?::bigint)"
            ties = f"{rows} AND {last} AND {alike.sql}"
            selects.append(Piece(ties, (table.bot, *parameters, asked.wanted - 1, *alike.parameters)))
    united = " UNION ALL ".join(select.sql for select in selects)
    return Piece(f'"id" IN ({united})', tuple(value for select in selects for value in select.parameters))


def _of_kind(key: str, kind: Kind, some: Some) -> Piece:
    if kind not in _WITH_VALUES:
        return Piece(f"{key} = ?::bytea", (bytes([NUMBERS[kind]]),))
    if isinstance(some, Span):
        return _span(key, kind, some)
    return Piece(f"{key} = ANY(?::bytea[])", (tuple(_key(kind, value) for value in some),))


def _alike(key: str, kind: Kind) -> Piece:
    """Whether values that differ may have the key: a text that is cut off, a number that is perhaps no double."""
    if kind == "text":
        return Piece(f"length({key}) > ?::int", (MAX_TEXT_CHARS,))
    least = (_key(kind, -_LEAST), _key(kind, _LEAST))
    sql = f"({key} >= ?::bytea OR {key} <= ?::bytea OR {key} = ANY(?::bytea[]))"
    return Piece(sql, (_key(kind, _WHOLE), _key(kind, -_WHOLE), least))


def _way(rises: bool) -> str:
    return "ASC" if rises else "DESC"


def _span(key: str, kind: Kind, some: Some) -> Piece:
    low, high = (None, None) if some == EVERY else some
    number = NUMBERS[kind]
    begin = bytes([number]) if low is None else _key(kind, low)
    if high is None:
        return Piece(f"{key} >= ?::bytea AND {key} < ?::bytea", (begin, bytes([number + 1])))
    return Piece(f"{key} >= ?::bytea AND {key} <= ?::bytea", (begin, _key(kind, high)))


def _key(kind: Kind, value: Any) -> bytes:
    rest = as_stored(value).encode()[:MAX_TEXT_CHARS] if kind == "text" else _number(value)
    return bytes([NUMBERS[kind]]) + rest


def _number(value: float) -> bytes:
    """Eight bytes that sort as the numbers do: the bits of the double, the sign turned around, those below zero all."""
    size = float(min(max(abs(value), _LEAST), _LARGEST)) if value else 0.0
    near = -size if value < 0 else size
    bits = int.from_bytes(struct.pack(">d", near), "big")
    turned = bits ^ (2**64 - 1) if near < 0 else bits | 2**63
    return turned.to_bytes(8, "big")


def literal(text: str) -> str:
    """As SQL writes a text, with nothing in it that could end it, or be taken for a parameter of ours. It is read the
    same however the server is set to read backslashes."""
    return "E'" + "".join(map(_sign, text)) + "'"


def _sign(sign: str) -> str:
    if sign.isascii() and (sign.isalnum() or sign == "_"):
        return sign
    return f"\\u{ord(sign):04x}" if ord(sign) < 0x10000 else f"\\U{ord(sign):08x}"
