"""Turns a masked trace into the entries that the studio shows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from dialoom.engine.trace import Entry, Reading, Understood, Visited, path_of

if TYPE_CHECKING:
    from dialoom.engine import Trace


def entries_of(trace: Trace) -> list[dict[str, Any]]:
    """Return an object for each entry: its kind, its fields, and as ``path`` where its step stands in ``flow.json``, ""
    where it has none."""
    return [_entry(entry) for entry in trace.entries]


def _entry(entry: Entry) -> dict[str, Any]:
    shown = {"kind": entry.__struct_config__.tag, **_fields(entry)}
    if isinstance(entry, Understood):
        return shown
    return {**shown, "path": entry.path if isinstance(entry, Visited) else path_of(entry.step)}


def _fields(value: msgspec.Struct) -> dict[str, Any]:
    """Return the fields by their names in the studio. Values that are the user's stay as they are."""
    return {_camel(name): _shown(getattr(value, name)) for name in value.__struct_fields__}


def _shown(value: Any) -> Any:
    if isinstance(value, Reading):
        return _fields(value)
    if isinstance(value, tuple):
        return [_shown(one) for one in value]
    return value


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(part.capitalize() for part in rest)
