"""The ``fields`` parameter: which properties of a record are answered, as an inclusion is in MongoDB.

``_id`` always is. What the record holds keeps its order; a name reaches through arrays and numbers name no elements.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from dialoom.query.json_text import check_length, check_text
from dialoom.query.paths import check_parts, parts_of
from dialoom.query.refusal import refuse

if TYPE_CHECKING:
    from dialoom.query.tree import Path

Fields: TypeAlias = "Mapping[str, Fields | None]"
"""What is wanted, by name; None: all that is there."""

MAX_FIELDS: Final = 50


def parse_fields(text: str | None) -> Fields | None:
    """What the text names, or None for whole records. ``QueryError`` if it is not allowed."""
    if text is None:
        return None
    check_length(text, "fields parameter")
    names = [name.strip(" ") for name in text.split(",")]
    if len(names) > MAX_FIELDS:
        raise refuse("bad-fields", f"fields names {len(names)} properties; at most {MAX_FIELDS} are allowed.", None)
    wanted: dict[str, Any] = {"_id": None}
    for name in names:
        _add(wanted, _checked(name))
    return wanted


def project(fields: Fields, document: dict[str, Any]) -> dict[str, Any]:
    """What the fields name of the document."""
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
            kept[name] = _of_array(inner, value)
    return kept


def _of_array(fields: Fields, array: list[Any]) -> list[Any]:
    """Its objects and arrays, each with what is named of it; scalars have no properties and go."""
    return [
        project(fields, element) if isinstance(element, dict) else _of_array(fields, element)
        for element in array
        if isinstance(element, dict | list)
    ]


def _checked(name: str) -> Path:
    check_text(name, "")
    parts = parts_of(name)
    if "" in parts or name[0] in "-+":  # a sign leaves out, in other APIs
        detail = f'"{name[:80]}" in fields is no property name. Write names with commas between, as in User,StartedAt.'
        raise refuse("bad-fields", detail, None)
    check_parts(parts, "")
    if any(part.startswith("$") for part in parts):
        raise refuse("bad-fields", f'"{name[:80]}" in fields is no property name: no part may begin with "$".', None)
    return parts


def _add(wanted: dict[str, Any], path: Path) -> None:
    """A name above another one takes in all of it."""
    *above, last = path
    for part in above:
        inner = wanted.setdefault(part, {})
        if inner is None:
            return
        wanted = inner
    wanted[last] = None
