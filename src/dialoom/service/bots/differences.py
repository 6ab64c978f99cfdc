"""Tells what differs between two versions of a bot: as the lines of a unified diff, and part by part for people."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterator, Mapping
from typing import Any, Literal, NamedTuple

import msgspec

from dialoom.flow.pieces import SECRET_KEYS
from dialoom.flow.schema import FILES

MAX_MATCHED = 1_000_000
"""Pairs of parts of two lists that are searched for what moved: a thousand beside a thousand."""
MAX_PAIRED = 10_000
"""Pairs between two equal parts of which the most similar are searched; more are paired place by place."""
MAX_COMPARED_MEMBERS = 32
"""Of a part, when similar ones are searched."""
_UNREADABLE = object()
"""Stands for what a file says that is no JSON."""
_UNTOLD = frozenset({"conversations", "steps", "settings", "entity-definitions", "data"})
"""Keys that people need not be told of to know the place."""


class Side(NamedTuple):
    name: str
    files: Mapping[str, str]


class Change(msgspec.Struct, frozen=True, omit_defaults=True):
    """A part that another version does not have, or has otherwise. ``path`` in the file, as findings have it.
    ``unreadable``: the whole file, which is no JSON on one of the sides."""

    file: str
    path: str
    kind: Literal["added", "removed", "changed", "unreadable"]
    title: str
    before: Any = None
    after: Any = None


def without_tests(files: Mapping[str, str]) -> dict[str, str]:
    """Return the files that decide what a bot says. A version holds its tests only where it was made by the studio."""
    return {name: text for name, text in files.items() if name in FILES}


def lines(a: Side, b: Side) -> Iterator[str]:
    """Return the lines of a unified diff, file by file."""
    for name in sorted({*a.files, *b.files}):
        texts = [side.files[name] for side in (a, b) if name in side.files]
        # Where one of them is no JSON, as in the middle of editing, it has no layout: both stand as they were written.
        lay_out = str.splitlines if any(_value(text) is _UNREADABLE for text in texts) else _laid_out
        old, new = (lay_out(side.files[name]) if name in side.files else [] for side in (a, b))
        of, to = (f"{side.name}/{name}" if name in side.files else "/dev/null" for side in (a, b))
        yield from difflib.unified_diff(old, new, of, to, lineterm="")


def _laid_out(text: str) -> list[str]:
    """Return the content in one layout: neither white space nor the order of keys makes another version of a bot."""
    return json.dumps(_value(text), indent=2, sort_keys=True, ensure_ascii=False).splitlines()


def changes(a: Mapping[str, str], b: Mapping[str, str]) -> list[Change]:
    """Return the parts that differ. Values of keys that may hold a secret are left out."""
    return [change for name in sorted({*a, *b}) for change in _changes_of(name, a, b)]


def _changes_of(name: str, a: Mapping[str, str], b: Mapping[str, str]) -> list[Change]:
    if name not in a or name not in b:
        return [Change(file=name, path="", kind="removed" if name in a else "added", title=name)]
    if a[name] == b[name]:
        return []
    unreadable = Change(file=name, path="", kind="unreadable", title=name)
    old, new = _value(a[name]), _value(b[name])
    if old is _UNREADABLE or new is _UNREADABLE:
        return [unreadable]
    try:
        return [] if _are_alike(old, new) else list(_parts(_Place(name), old, new))
    except RecursionError:
        return [unreadable]  # nested deeper than any bot is


def _value(text: str) -> Any:
    """Return what a file says; ``_UNREADABLE`` for one that is no JSON."""
    try:
        return json.loads(text.removeprefix("\ufeff"))
    except (ValueError, RecursionError):
        return _UNREADABLE


def _are_alike(old: Any, new: Any) -> bool:
    """Return whether both make the same version. In Python ``True`` equals 1, in JSON it does not."""
    return json.dumps(old, sort_keys=True) == json.dumps(new, sort_keys=True)


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
            if key not in old or key not in new or not _are_alike(old[key], new[key]):
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
    for kind, start, end, at, to in _opcodes(before, after):
        if kind == "equal":
            continue
        pairs = [(start + i, at + j) for i, j in _pairs(old[start:end], new[at:to])]
        for index, other in pairs:
            yield from _parts(place.element(other, new[other]), old[index], new[other])
        gone, come = {index for index, _ in pairs}, {other for _, other in pairs}
        for index in range(start, end):
            if index not in gone:
                yield _change(place.element(index, old[index]), "removed", old[index], None)
        for other in range(at, to):
            if other not in come:
                yield _change(place.element(other, new[other]), "added", None, new[other])


def _pairs(old: list[Any], new: list[Any]) -> list[tuple[int, int]]:
    """Return which parts are the same one that was changed, in order: together the most similar that can be."""
    if len(old) * len(new) > MAX_PAIRED:
        return [(index, index) for index in range(min(len(old), len(new)))]
    old_members, new_members = ([_members(one) for one in side] for side in (old, new))
    similar = [[_similarity(one, other) for other in new_members] for one in old_members]
    best = [[0] * (len(new) + 1) for _ in range(len(old) + 1)]
    for i in reversed(range(len(old))):
        for j in reversed(range(len(new))):
            best[i][j] = max(best[i + 1][j], best[i][j + 1], best[i + 1][j + 1] + similar[i][j])
    pairs, i, j = [], 0, 0
    while i < len(old) and j < len(new):
        if similar[i][j] and best[i][j] == best[i + 1][j + 1] + similar[i][j]:
            pairs.append((i, j))
            i, j = i + 1, j + 1
        elif best[i][j] == best[i + 1][j]:
            i += 1
        else:
            j += 1
    return pairs


def _members(part: dict[str, Any]) -> dict[str, str]:
    return {key: json.dumps(part[key], sort_keys=True) for key in list(part)[:MAX_COMPARED_MEMBERS]}


def _similarity(one: Mapping[str, str], other: Mapping[str, str]) -> int:
    """Return how alike two parts are; 0 for steps of two types, of which one took the other's place."""
    if one.get("type") != other.get("type"):
        return 0
    return sum(4 if value == other[key] else 1 for key, value in one.items() if key in other)


def _opcodes(before: list[str], after: list[str]) -> Iterator[tuple[str, int, int, int, int]]:
    """Yield what turns one list into the other, as ``SequenceMatcher.get_opcodes`` does without what is equal at both
    ends. Its time grows with the square of many equal parts: longer lists are compared place by place."""
    least = min(len(before), len(after))
    first = next((index for index in range(least) if before[index] != after[index]), least)
    last = next((index for index in range(least - first) if before[-1 - index] != after[-1 - index]), least - first)
    old, new = before[first : len(before) - last], after[first : len(after) - last]
    if len(old) * len(new) > MAX_MATCHED:
        yield "replace", first, first + len(old), first, first + len(new)
        return
    for kind, *places in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        start, end, at, to = (first + place for place in places)
        yield kind, start, end, at, to


def _are_parts(values: list[Any]) -> bool:
    return all(isinstance(one, dict) for one in values)


def _change(place: _Place, kind: Literal["added", "removed", "changed"], old: Any, new: Any) -> Change:
    is_secret = not SECRET_KEYS.isdisjoint(place.path) or "headers" in place.path
    shown: dict[str, Any] = {} if is_secret else {"before": old, "after": new}
    title = " › ".join(place.words) or place.file
    return Change(file=place.file, path="/".join(place.path), kind=kind, title=title, **shown)
