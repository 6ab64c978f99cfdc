"""Edits of a JSON document and the text that comes of them: every byte that an edit does not name stays as it is."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, Literal, NamedTuple

import msgspec

from dialoom.flow.positions import Document, Path, after_space, scan

Op = Literal["replace", "rename-key", "remove", "add"]


class Edit(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One change of the value at ``path``, a JSON pointer (RFC 6901).

    ``replace`` and ``add`` put ``value`` there, ``rename-key`` gives the member the key ``value``, ``remove`` takes the
    member of an object away.
    """

    file: str
    path: str
    op: Op
    value: Any = None


class Fix(msgspec.Struct, frozen=True, kw_only=True):
    """The one plain mending of a finding; ``title`` says in a few words what it does."""

    title: str
    edits: tuple[Edit, ...]


class TextEdit(NamedTuple):
    """The characters from ``start`` to ``end`` of a text, without its byte order mark, become ``new``."""

    start: int
    end: int
    new: str


class NotApplicable(Exception):
    """The edit's path leads nowhere in the text, or its key is taken."""


def pointer(path: Path) -> str:
    """Return the JSON pointer of a path."""
    return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in path)


def applied(text: str, edit: Edit) -> str:
    """Return the text after the edit. Raises ``NotApplicable``."""
    return spliced(text, [text_edit(scan(text), edit)])


def spliced(text: str, edits: Iterable[TextEdit]) -> str:
    """Return the text after edits whose offsets are those of the text before. Raises ``NotApplicable`` where two
    overlap."""
    plain = text.removeprefix("\ufeff")
    parts, at = [text[: len(text) - len(plain)]], 0
    for start, end, new in sorted(edits):
        if start < at:
            raise NotApplicable
        parts += (plain[at:start], new)
        at = end
    return "".join((*parts, plain[at:]))


def text_edit(document: Document, edit: Edit) -> TextEdit:
    """Return the change of the characters that makes the edit. Raises ``NotApplicable``."""
    text = document.text
    parts = [part.replace("~1", "/").replace("~0", "~") for part in edit.path.split("/")[1:]]
    path: list[str | int] = []
    value, owner = document.value, None
    for number, part in enumerate(parts):
        owner = value
        if isinstance(value, list) and part.isdecimal() and int(part) < len(value):
            path.append(int(part))
            value = value[int(part)]
        elif isinstance(value, dict) and part in value:
            path.append(part)
            value = value[part]
        elif isinstance(value, dict) and edit.op == "add" and number == len(parts) - 1:
            return _added(text, document.offset(path), part, edit.value)
        else:
            raise NotApplicable
    if document.is_broken or edit.op == "add":
        raise NotApplicable
    start = document.offset(path)
    if edit.op == "replace":
        return TextEdit(start, document.end(start), _written(edit.value))
    if not isinstance(owner, dict):
        raise NotApplicable
    key = document.offset(path, key=True)
    if edit.op == "rename-key":
        if edit.value in owner:
            raise NotApplicable
        return TextEdit(key, document.end(key), _written(edit.value))
    return _removed(text, key, document.end(start))


def _removed(text: str, key: int, end: int) -> TextEdit:
    """Remove a member with one of the commas beside it, so that the others keep their lines."""
    after = after_space(text, end)
    if text.startswith(",", after):
        return TextEdit(key, after_space(text, after + 1), "")
    before = len(text[:key].rstrip(" \t\r\n"))
    return TextEdit(before - 1 if text[before - 1] == "," else key, end, "")


def _added(text: str, at: int, key: str, value: Any) -> TextEdit:
    """Put a member before the first of the object at offset ``at``, with the same space between them as is before the
    first one."""
    first = after_space(text, at + 1)
    member = f"{_written(key)}: {_written(value)}"
    if text.startswith("}", first):
        return TextEdit(at + 1, at + 1, member)
    return TextEdit(first, first, f"{member},{text[at + 1 : first] or ' '}")


def _written(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
