"""Shapes of JSON as tables, and the faults of a value against one. Each stand-in words a fault as its platform does."""

from __future__ import annotations

import ipaddress
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal
from urllib.parse import urlsplit

Kind = Literal["missing", "unknown", "type", "short", "long", "few", "many", "value", "url"]
Unit = Literal["characters", "bytes", "utf-16 units"]


@dataclass(frozen=True)
class Fault:
    """What is wrong with a value, and where in the whole."""

    path: tuple[str | int, ...]
    kind: Kind
    detail: str
    limit: int | None = None
    """The number that was passed or not reached."""

    @property
    def place(self) -> str:
        """Return the path as platforms write it: ``message[quick_replies][1][title]``."""
        first, *rest = self.path or ("",)
        return f"{first}" + "".join(f"[{part}]" for part in rest)


@dataclass(frozen=True)
class Text:
    """A string; ``unit`` says what ``shortest`` and ``longest`` count."""

    longest: int | None = None
    shortest: int = 1
    unit: Unit = "characters"


@dataclass(frozen=True)
class Number:
    """A whole number, or any number where ``whole`` is false."""

    smallest: float | None = None
    largest: float | None = None
    whole: bool = True


@dataclass(frozen=True)
class Flag:
    """True or false."""


@dataclass(frozen=True)
class OneOf:
    """One of these strings."""

    values: tuple[str, ...]
    is_any_case: bool = False
    """Large and small letters are the same."""


@dataclass(frozen=True)
class Address:
    """The address of a page or file: https, or plain http to this machine so that a local service can be tried."""

    longest: int = 2000
    schemes: tuple[str, ...] = ("https",)


@dataclass(frozen=True)
class ListOf:
    """An array whose members are all of one shape."""

    of: Shape
    most: int | None = None
    fewest: int = 0


@dataclass(frozen=True)
class Fields:
    """An object with these fields and no others."""

    required: Mapping[str, Shape] = field(default_factory=dict)
    optional: Mapping[str, Shape] = field(default_factory=dict)


@dataclass(frozen=True)
class By:
    """An object whose shape depends on the string in one of its fields."""

    key: str
    shapes: Mapping[str, Fields]


@dataclass(frozen=True)
class Anything:
    """Any value."""


@dataclass(frozen=True)
class Later:
    """A shape that is found when it is needed: for shapes that contain themselves."""

    find: Callable[[], Shape]


Shape = Text | Number | Flag | OneOf | Address | ListOf | Fields | By | Anything | Later


def count(text: str, unit: Unit) -> int:
    """Return the length of a text in a unit."""
    if unit == "bytes":
        return len(text.encode("utf-8", "surrogatepass"))
    if unit == "utf-16 units":
        return len(text.encode("utf-16-le", "surrogatepass")) // 2
    return len(text)


def is_loopback(host: str | None) -> bool:
    """Return whether a host is this machine."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host or "").is_loopback
    except ValueError:
        return False


def is_address(text: str, schemes: tuple[str, ...] = ("https",)) -> bool:
    """Return whether a text is an absolute address of one of the schemes, or of http on this machine."""
    try:
        parts = urlsplit(text)
        host = parts.hostname
    except ValueError:
        return False
    if not host or any(character.isspace() for character in text):
        return False
    if parts.scheme == "http" and is_loopback(host):
        return True
    return parts.scheme in schemes


def faults(value: Any, shape: Shape, path: tuple[str | int, ...] = ()) -> Iterator[Fault]:
    """Yield what is wrong with a value, in the order of its fields."""
    if isinstance(shape, Later):
        shape = shape.find()
    if isinstance(shape, Anything):
        return
    if isinstance(shape, Fields | By):
        yield from _object_faults(value, shape, path)
    elif isinstance(shape, ListOf):
        yield from _list_faults(value, shape, path)
    elif isinstance(shape, Text | OneOf | Address):
        yield from _text_faults(value, shape, path)
    elif isinstance(shape, Flag):
        if not isinstance(value, bool):
            yield Fault(path, "type", "must be true or false")
    elif isinstance(shape, Number):
        yield from _number_faults(value, shape, path)


def _object_faults(value: Any, shape: Fields | By, path: tuple[str | int, ...]) -> Iterator[Fault]:
    if not isinstance(value, dict):
        yield Fault(path, "type", "must be an object")
        return
    if isinstance(shape, By):
        chosen = value.get(shape.key)
        if not isinstance(chosen, str):
            yield Fault((*path, shape.key), "missing", "must be there and a string")
            return
        if chosen not in shape.shapes:
            allowed = ", ".join(shape.shapes)
            yield Fault((*path, shape.key), "value", f"{chosen!r} is none of {allowed}")
            return
        fields = shape.shapes[chosen]
        required: Mapping[str, Shape] = {shape.key: Text(), **fields.required}
        optional = fields.optional
    else:
        required, optional = shape.required, shape.optional
    for name in required:
        if name not in value:
            yield Fault((*path, name), "missing", "must be there")
    for name, part in value.items():
        inner = required.get(name) or optional.get(name)
        if inner is None:
            yield Fault((*path, name), "unknown", "is no field of this object")
        else:
            yield from faults(part, inner, (*path, name))


def _list_faults(value: Any, shape: ListOf, path: tuple[str | int, ...]) -> Iterator[Fault]:
    if not isinstance(value, list):
        yield Fault(path, "type", "must be an array")
        return
    if len(value) < shape.fewest:
        yield Fault(path, "few", f"has {len(value)} members and needs {shape.fewest}", shape.fewest)
    if shape.most is not None and len(value) > shape.most:
        yield Fault(path, "many", f"has {len(value)} members and may have {shape.most}", shape.most)
    for position, member in enumerate(value):
        yield from faults(member, shape.of, (*path, position))


def _text_faults(value: Any, shape: Text | OneOf | Address, path: tuple[str | int, ...]) -> Iterator[Fault]:
    if not isinstance(value, str):
        yield Fault(path, "type", "must be a string")
    elif isinstance(shape, OneOf):
        lowered = [one.lower() for one in shape.values] if shape.is_any_case else shape.values
        if (value.lower() if shape.is_any_case else value) not in lowered:
            yield Fault(path, "value", f"{value!r} is none of {', '.join(shape.values)}")
    elif isinstance(shape, Address):
        if len(value) > shape.longest:
            yield Fault(path, "long", f"has {len(value)} characters", shape.longest)
        if not is_address(value, shape.schemes):
            yield Fault(path, "url", f"must be an address that begins with {' or '.join(shape.schemes)}")
    else:
        length = count(value, shape.unit)
        if length < shape.shortest:
            yield Fault(path, "short", f"has {length} {shape.unit}", shape.shortest)
        if shape.longest is not None and length > shape.longest:
            yield Fault(path, "long", f"has {length} {shape.unit}", shape.longest)


def _number_faults(value: Any, shape: Number, path: tuple[str | int, ...]) -> Iterator[Fault]:
    if isinstance(value, bool) or not isinstance(value, int if shape.whole else int | float):
        yield Fault(path, "type", "must be a number")
        return
    if shape.smallest is not None and value < shape.smallest:
        yield Fault(path, "value", f"must be at least {shape.smallest:g}")
    if shape.largest is not None and value > shape.largest:
        yield Fault(path, "value", f"must be at most {shape.largest:g}")
