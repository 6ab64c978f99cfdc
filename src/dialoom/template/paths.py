"""Compiled paths: how a template gets from its context to a value. Only maps and lists are ever looked into.

An attribute of a Python object is never read: ``__class__`` or ``constructor`` is a key like any other.
"""

from __future__ import annotations

from collections.abc import Mapping

from dialoom.template.frame import Frame, Read
from dialoom.template.values.types import MISSING, DisplayedValue

MAX_INDEX_DIGITS = 15


def step(value: object, key: str) -> object:
    """Return the element of ``value`` under ``key``, or ``MISSING``."""
    if isinstance(value, Mapping):
        return value.get(key, MISSING)
    if isinstance(value, (list, tuple, str)):
        if key.isascii() and key.isdigit() and len(key) <= MAX_INDEX_DIGITS and (key[0] != "0" or key == "0"):
            index = int(key)
            return value[index] if index < len(value) else MISSING
        return len(value) if key == "length" else MISSING
    if isinstance(value, DisplayedValue):
        return step(value.value, key)
    return MISSING


def walk(value: object, parts: tuple[str, ...]) -> object:
    """Return the value at the end of a path."""
    before: object = None
    for part in parts:
        found = value.get(part, MISSING) if type(value) is dict else step(value, part)
        if found is MISSING:
            found = _header(before, value, part)
        before, value = value, found
        if value is MISSING or value is None:
            return value if part is parts[-1] else MISSING
    return value


_RESPONSE_KEYS = {"status", "statusText", "headers", "body"}


def _header(response: object, headers: object, name: str) -> object:
    """Return a header of a stored ``full`` response, whose names are in small letters (RFC 9110 section 5.1: they are
    the same in any case); ``MISSING`` where these are no headers of one."""
    if not (type(response) is dict and type(headers) is dict and response.keys() == _RESPONSE_KEYS):
        return MISSING
    return headers.get(name.lower(), MISSING) if response["headers"] is headers else MISSING


def read_field(name: str) -> Read:
    """Read one name in the present context: by far the most frequent path."""

    def read(frame: Frame) -> object:
        context = frame.context
        return context.get(name, MISSING) if type(context) is dict else step(context, name)

    return read


def read_path(parts: tuple[str, ...], depth: int) -> Read:
    """Return a path in the context ``depth`` levels up."""
    if depth == 0:
        if not parts:
            return read_context
        if len(parts) == 1:
            return read_field(parts[0])

        def read_here(frame: Frame) -> object:
            return walk(frame.context, parts)

        return read_here

    def read(frame: Frame) -> object:
        level: Frame | None = frame
        for _ in range(depth):
            level = level.parent if level is not None else None
        return MISSING if level is None else walk(level.context, parts)

    return read


def read_context(frame: Frame) -> object:
    return frame.context


def read_local(level: int, index: int, parts: tuple[str, ...]) -> Read:
    """Return a block parameter, ``level`` blocks with parameters up, and a path in it."""

    def read(frame: Frame) -> object:
        values = frame.locals
        for _ in range(level):
            values = values[-1] if values is not None else None
        return MISSING if values is None else walk(values[index], parts)

    return read


def read_data(parts: tuple[str, ...], depth: int) -> Read:
    """Return a name with ``@``."""
    if not parts:
        return read_nothing
    if parts[0] == "root" and depth == 0:
        rest = parts[1:]

        def read_root(frame: Frame) -> object:
            return walk(frame.root.scope.memory, rest)

        return read_root
    if parts == ("partial-block",):
        return read_block
    if depth == 0 and len(parts) == 1:
        name = parts[0]

        def read_name(frame: Frame) -> object:
            return frame.data.get(name, MISSING)

        return read_name

    def read(frame: Frame) -> object:
        data: object = frame.data
        for _ in range(depth):
            data = data.get("_parent", MISSING) if isinstance(data, Mapping) else MISSING
        return walk(data, parts)

    return read


def read_block(frame: Frame) -> object:
    return frame.block is not None or MISSING


def read_nothing(_frame: Frame) -> object:
    return MISSING


def read_constant(value: object) -> Read:
    def read(_frame: Frame) -> object:
        return value

    return read
