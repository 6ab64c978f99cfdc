"""Records what a store's writer tells its database, as ``replay.c`` and ``replay_postgres.c`` read it."""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from dialoom.storage.postgres import turns

Encode = Callable[[Any], bytes]


def _long(value: int) -> bytes:
    return struct.pack("<q", value)


def _number(value: int) -> bytes:
    return struct.pack("<I", value)


def _text(value: str | bytes) -> bytes:
    raw = value.encode() if isinstance(value, str) else value
    return _number(len(raw)) + raw + b"\0"


class Statements:
    """What one connection of SQLite runs, transactions included; ``note`` is its execution tracer."""

    def __init__(self) -> None:
        self._texts: dict[str, int] = {}
        self._calls: list[tuple[int, Sequence[Any]]] = []

    def note(self, _: Any, sql: str, bindings: Any) -> bool:
        self._calls.append((self._texts.setdefault(sql, len(self._texts)), bindings or ()))
        return True

    def commits(self) -> int:
        place = self._texts["commit"]
        return sum(which == place for which, _ in self._calls)

    def log(self) -> bytes:
        parts = [_number(len(self._texts)), *map(_text, self._texts)]
        for which, values in self._calls:
            parts += [_number(which), _number(len(values)), *map(_value, values)]
        return b"".join(parts)


def _value(value: object) -> bytes:
    match value:
        case None:
            return b"\0"
        case int():
            return b"\1" + _long(value)
        case str():
            return b"\2" + _text(value)
        case bytes():
            return b"\3" + _text(value)
    raise TypeError(f"a statement of the writer has a value of type {type(value).__name__}")


class Calls:
    """The calls of PostgreSQL's writers, with the times at which they began and ended in one order."""

    def __init__(self) -> None:
        self.count = 0
        self._sql = ""
        self._connections: dict[Any, int] = {}
        self._encoders: list[Encode] = []
        self._parts: list[bytes] = []

    async def write_turns(self, connection: Any, bot: str, payloads: Sequence[Any]) -> list[Any]:
        """In place of the writer's own group of the same name."""
        return await turns.write_turns(_Recording(connection, self), bot, payloads)

    async def fetch(self, connection: Any, sql: str, values: Sequence[Any], how: dict[str, Any]) -> list[Any]:
        if not self._encoders:
            self._sql = sql
            found = (await connection.prepare(sql)).get_parameters()
            self._encoders = [partial(_SCALARS.get(one.oid) or _array, one.oid) for one in found]
        place = _number(self._connections.setdefault(connection, len(self._connections)))
        self._parts += [b"\1", place, _number(len(values))]
        for encode, value in zip(self._encoders, values, strict=True):
            self._parts.append(b"\0" if value is None else b"\1" + _text(encode(value)))
        self.count += 1
        rows = list(await connection.fetch(sql, *values, **how))
        self._parts += [b"\2", place]
        return rows

    def connections(self) -> int:
        return len(self._connections)

    def log(self) -> bytes:
        return b"".join([_text(self._sql), *self._parts])


class _Recording:
    """A connection as the group sees it."""

    def __init__(self, connection: Any, calls: Calls) -> None:
        self._connection = connection
        self._calls = calls

    async def fetch(self, sql: str, *values: Any, **how: Any) -> list[Any]:
        return await self._calls.fetch(self._connection, sql, values, how)


# ---- values as PostgreSQL's wire has them (its protocol's binary format) --------------------------------------------

_BYTEA, _INT8, _INT2, _INT4, _TEXT = 17, 20, 21, 23, 25
_ELEMENTS: dict[int, tuple[int, Encode]] = {
    1001: (_BYTEA, bytes),
    1016: (_INT8, struct.Struct(">q").pack),
    1005: (_INT2, struct.Struct(">h").pack),
    1007: (_INT4, struct.Struct(">i").pack),
    1009: (_TEXT, str.encode),
}
"""Type of an array to that of its elements, by their numbers in every PostgreSQL."""
_SCALARS: dict[int, Callable[[int, Any], bytes]] = {_TEXT: lambda _, value: str(value).encode()}


def _array(type: int, values: Sequence[Any]) -> bytes:
    element, encode = _ELEMENTS[type]
    if not values:
        return struct.pack(">iiI", 0, 0, element)
    parts = [struct.pack(">iiIii", 1, int(None in values), element, len(values), 1)]
    for value in values:
        raw = None if value is None else encode(value)
        parts.append(struct.pack(">i", -1) if raw is None else struct.pack(">i", len(raw)) + raw)
    return b"".join(parts)
