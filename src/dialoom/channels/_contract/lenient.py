"""Reads what a platform sends leniently: a field that it may leave out and fills with a value of another type is left
out, so that no change on its side costs a message. What cannot do without stays needed."""

from __future__ import annotations

from inspect import isclass
from typing import Any, TypeVar, get_args, get_origin

import msgspec

T = TypeVar("T")


def converted(value: Any, type: type[T]) -> T:
    """Return a JSON value as this type, without optional fields of a wrong type and wrong items of lists, at any depth.
    Raises ``msgspec.ValidationError`` where a needed field is wrong or missing."""
    try:
        return msgspec.convert(value, type)
    except msgspec.ValidationError:
        found: T = _lenient(value, type)
        return found


def _lenient(value: Any, type: Any) -> Any:
    """Return a value that does not fit as a whole; raise the error again where nothing of it can be left out."""
    for one in (type,) if get_origin(type) is tuple else get_args(type) or (type,):
        if get_origin(one) is tuple and isinstance(value, list):
            items = (_or_unset(item, get_args(one)[0]) for item in value)
            return tuple(item for item in items if item is not msgspec.UNSET)
        if isclass(one) and issubclass(one, msgspec.Struct) and isinstance(value, dict):
            return _struct(value, one)
    return msgspec.convert(value, type)


def _struct(value: dict[str, Any], type: type[msgspec.Struct]) -> msgspec.Struct:
    fields = {}
    for field in msgspec.structs.fields(type):
        given = value.get(field.encode_name, msgspec.UNSET)
        if given is msgspec.UNSET:
            if field.required:
                raise msgspec.ValidationError(f"Object missing required field `{field.encode_name}`")
            continue
        fitting = converted(given, field.type) if field.required else _or_unset(given, field.type)
        if fitting is not msgspec.UNSET:
            fields[field.name] = fitting
    return type(**fields)


def _or_unset(value: Any, type: Any) -> Any:
    try:
        return converted(value, type)
    except msgspec.ValidationError:
        return msgspec.UNSET
