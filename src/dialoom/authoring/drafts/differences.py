"""Tells what differs between two versions of a bot: as the lines of a unified diff, and part by part for people."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterator, Mapping
from typing import Any, Literal, NamedTuple

import msgspec

from dialoom.flow.pieces import SECRET_KEYS

MAX_CHANGES = 500
_UNTOLD = frozenset({"conversations", "steps", "settings", "entity-definitions", "data"})
"""Keys that people need not be told of to know the place."""


class Side(NamedTuple):
    name: str
    files: Mapping[str, str]


class Change(msgspec.Struct, frozen=True, omit_defaults=True):
    """A part that another version does not have, or has otherwise. ``path`` in the file, as findings have it."""

    file: str
    path: str
    kind: Literal["added", "removed", "changed"]
    title: str
    before: Any = None
    after: Any = None


def lines(a: Side, b: Side) -> Iterator[str]:
    """Return the lines of a unified diff, file by file."""
    for name in sorted({*a.files, *b.files}):
        old, new = (laid_out(side.files[name]) if name in side.files else [] for side in (a, b))
        of, to = (f"{side.name}/{name}" if name in side.files else "/dev/null" for side in (a, b))
        yield from difflib.unified_diff(old, new, of, to, lineterm="")


def laid_out(text: str) -> list[str]:
    """Return the content in one layout: neither white space nor the order of keys makes another version of a bot."""
    try:
        value = json.loads(text.removeprefix("\ufeff"))
    except ValueError:
        return text.splitlines()  # a folder in the middle of being edited
    return json.dumps(value, indent=2, sort_keys=True, ensure_ascii=False).splitlines()


def changes(a: Mapping[str, str], b: Mapping[str, str]) -> list[Change]:
    """Return the parts that differ, at most ``MAX_CHANGES``. Values of keys that may hold a secret are left out."""
    found: list[Change] = []
    for name in sorted({*a, *b}):
        old, new = (_value(files[name]) if name in files else None for files in (a, b))
        if name not in a or name not in b:
            found.append(Change(file=name, path="", kind="removed" if name in a else "added", title=name))
        elif old != new:
            found += _parts(_Place(name), old, new)
    return found[:MAX_CHANGES]


def _value(text: str) -> Any:
    try:
        return json.loads(text.removeprefix("\ufeff"))
    except ValueError:
        return text


class _Place(NamedTuple):
    """Says where a part stands: its path in the file, and how people are told of it."""

    file: str
    path: tuple[str, ...] = ()
    words: tuple[str, ...] = ()

    def member(self, key: str) -> _Place:
        return _Place(self.file, (*self.path, key), self.words if key in _UNTOLD else (*self.words, key))

    def element(self, index: int, value: Any) -> _Place:
        names = (value.get(key) for key in ("name", "value", "id")) if isinstance(value, dict) else ()
        word = next((name for name in names if isinstance(name, str) and name), str(index + 1))
        return _Place(self.file, (*self.path, str(index)), (*self.words, word))


def _parts(place: _Place, old: Any, new: Any) -> Iterator[Change]:
    if isinstance(old, dict) and isinstance(new, dict):
        for key in [*old, *(key for key in new if key not in old)]:
            if old.get(key) != new.get(key) or (key in old) != (key in new):
                yield from _member(place.member(key), old, new, key)
    elif isinstance(old, list) and isinstance(new, list) and _are_parts(old) and _are_parts(new):
        yield from _elements(place, old, new)
    else:
        yield _change(place, "changed", old, new)


def _member(place: _Place, old: dict[str, Any], new: dict[str, Any], key: str) -> Iterator[Change]:
    if key not in new:
        yield _change(place, "removed", old[key], None)
    elif key not in old:
        yield _change(place, "added", None, new[key])
    else:
        yield from _parts(place, old[key], new[key])


def _elements(place: _Place, old: list[Any], new: list[Any]) -> Iterator[Change]:
    """Compare lists of parts such as steps: what moved along with an insertion counts as the same."""
    before, after = ([json.dumps(one, sort_keys=True) for one in side] for side in (old, new))
    for kind, start, end, at, to in difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        both = min(end - start, to - at) if kind == "replace" else 0
        for offset in range(both):
            yield from _parts(place.element(at + offset, new[at + offset]), old[start + offset], new[at + offset])
        if kind != "equal":
            for index in range(start + both, end):
                yield _change(place.element(index, old[index]), "removed", old[index], None)
            for index in range(at + both, to):
                yield _change(place.element(index, new[index]), "added", None, new[index])


def _are_parts(values: list[Any]) -> bool:
    return all(isinstance(one, dict) for one in values)


def _change(place: _Place, kind: Literal["added", "removed", "changed"], old: Any, new: Any) -> Change:
    is_secret = not SECRET_KEYS.isdisjoint(place.path) or "headers" in place.path
    shown: dict[str, Any] = {} if is_secret else {"before": old, "after": new}
    title = " › ".join(place.words) or place.file
    return Change(file=place.file, path="/".join(place.path), kind=kind, title=title, **shown)
