"""Parses the ``fields`` parameter and projects records to the properties in it, as an inclusion in MongoDB does.

``_id`` is always included. Properties keep their order; a name reaches through arrays, and numbers name no elements.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, TypeAlias

from dialoom.query.errors import invalid
from dialoom.query.json_text import check_length, check_text
from dialoom.query.tree import Path, check_parts, parts_of

Fields: TypeAlias = "Mapping[str, Fields | None]"
"""The properties to keep, by name; None for the whole value."""

MAX_FIELDS: Final = 50


def parse_fields(text: str | None) -> Fields | None:
    """Return the properties that the text names, or None for whole records. ``QueryError`` if it is not allowed."""
    if text is None:
        return None
    check_length(text, "fields parameter")
    names = [name.strip(" ") for name in text.split(",")]
    if len(names) > MAX_FIELDS:
        raise invalid("bad-fields", f"fields names {len(names)} properties; at most {MAX_FIELDS} are allowed.", None)
    wanted: dict[str, Any] = {"_id": None}
    for name in names:
        _add(wanted, _checked(name))
    return wanted


def project(fields: Fields, document: dict[str, Any]) -> dict[str, Any]:
    """Return the document with only the properties that the fields name."""
    kept: dict[str, Any] = {}
    for name, value in document.items():
        if name not in fields:
            continue
        inner = fields[name]
        if inner is None:
            kept[name] = value
        elif isinstance(value, dict):
            kept[name] = project(inner, value)
        elif isinstance(value, list):
            kept[name] = _project_array(inner, value)
    return kept


def _project_array(fields: Fields, array: list[Any]) -> list[Any]:
    """Return the objects and arrays of the array, projected; scalars have no properties and are left out."""
    return [
        project(fields, element) if isinstance(element, dict) else _project_array(fields, element)
        for element in array
        if isinstance(element, dict | list)
    ]


def _checked(name: str) -> Path:
    check_text(name, "")
    parts = parts_of(name)
    if "" in parts or name[0] in "-+":  # a sign leaves out, in other APIs
        detail = f'"{name[:80]}" in fields is no property name. Write names with commas between, as in User,StartedAt.'
        raise invalid("bad-fields", detail, None)
    check_parts(parts, "")
    if any(part.startswith("$") for part in parts):
        raise invalid("bad-fields", f'"{name[:80]}" in fields is no property name: no part may begin with "$".', None)
    return parts


def _add(wanted: dict[str, Any], path: Path) -> None:
    """Add a name; one above another includes all of it."""
    *above, last = path
    for part in above:
        inner = wanted.setdefault(part, {})
        if inner is None:
            return
        wanted = inner
    wanted[last] = None
