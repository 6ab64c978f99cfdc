"""Sorting: reads the ``sort`` parameter and orders documents exactly as MongoDB does. SQL's ORDER BY is made elsewhere.

A document's key is made as MongoDB makes the keys of an index: an array in the path gives one key for each element, and
the least of them in the sort's own order counts, over all sorted properties together.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from dialoom.query.json_text import check_length, check_text, read_object
from dialoom.query.paths import check_parts, index_of, parts_of
from dialoom.query.refusal import below, refuse
from dialoom.query.values import BELOW_NULL, MISSING, key

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from dialoom.query.tree import Path, Place, Sort

MAX_PROPERTIES = 8


SIGNS = frozenset("-+[\"'")
"""A sort that begins so is meant for another API."""
_MEANT = re.compile(r"[,:]|^\s|\s$|\s(?:asc|desc|ascending|descending)$", re.IGNORECASE)
"""What stands in no property's name as a rule, and in sorts of other APIs; in the JSON form any name can be written."""


def parse_sort(text: str | None) -> Sort:
    """The order that the text asks for. ``QueryError`` if it is not allowed."""
    if text is None:
        return ()
    if not text.lstrip().startswith("{"):
        check_length(text, "sort")
        check_text(text, "")
        if text[:1] in SIGNS or _MEANT.search(text):
            detail = (
                f'"{text[:80]}" is no property name. To sort falling write {{"StartedAt":-1}}, by several '
                f'{{"Errors":-1,"StartedAt":1}}, by any other name {{"the name":1}}.'
            )
            raise refuse("bad-sort", detail)
        _check_property(text, "")
        return ((text, 1),)
    wanted = read_object(text, "sort")
    if len(wanted) > MAX_PROPERTIES:
        detail = f"The sort names {len(wanted)} properties; at most {MAX_PROPERTIES} are allowed."
        raise refuse("too-many-sort-properties", detail)
    for name, direction in wanted.items():
        pointer = below("", name)
        _check_property(name, pointer)
        if type(direction) not in (int, float) or direction not in (1, -1):
            raise refuse("bad-sort", f'The direction of "{name}" must be 1 (ascending) or -1 (descending).', pointer)
    return tuple((name, int(direction)) for name, direction in wanted.items())


def complete(sort: Sort) -> Sort:
    """The sort with ``_id`` last, so that no two documents are equal and pages never overlap. What stands behind an
    ``_id`` decides nothing and goes."""
    names = [name for name, _ in sort]
    return sort[: names.index("_id") + 1] if "_id" in names else (*sort, ("_id", 1))


def order(documents: Iterable[dict[str, Any]], sort: Sort) -> list[dict[str, Any]]:
    """All documents in the order of the sort."""
    return sorted(documents, key=sort_key(sort))


def sort_key(sort: Sort) -> Callable[[dict[str, Any]], Any]:
    """A function from a document to a key that compares as the sort asks; ``QueryError`` for a document without one."""
    place = least_key(sort)
    turned = turner(sort)
    return lambda document: turned(place(document))


def turner(sort: Sort) -> Callable[[Place], Any]:
    """A function from a place to what compares as the sort asks."""
    falling = [direction < 0 for _, direction in complete(sort)]
    if not any(falling):
        return tuple

    def turned(place: Place) -> tuple[Any, ...]:
        return tuple([_Falling(one) if falls else one for one, falls in zip(place, falling, strict=True)])

    return turned


def least_key(sort: Sort) -> Callable[[dict[str, Any]], Place]:
    """A function from a document to its place: of all its keys the one that the sort meets first, not turned around."""
    names = complete(sort)
    paths = [parts_of(name) for name, _ in names]
    turned = turner(sort)

    def place(document: dict[str, Any]) -> Place:
        values = [_plain(document, path) for path in paths]
        if _ARRAY not in values:
            return tuple(map(key, values))
        found: list[list[Any]] = []
        _expand(_Expansion(names, found), document, [*paths], [None] * len(paths), [None] * len(paths))
        return min(map(tuple, found), key=turned)

    return place


def _check_property(name: str, pointer: str) -> None:
    parts = parts_of(name)
    if "" in parts:
        raise refuse("bad-sort", f'"{name}" is no property name: a part of it is empty.', pointer)
    check_parts(parts, pointer)
    if any(part.startswith("$") for part in parts):
        raise refuse("bad-sort", f'"{name}" is no property name: no part may begin with "$".', pointer)


class _Falling:
    """Turns the order of a key around."""

    __slots__ = ("key",)

    def __init__(self, key: Any) -> None:
        self.key = key

    def __lt__(self, other: _Falling) -> bool:
        return bool(other.key < self.key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Falling) and other.key == self.key

    __hash__ = None  # type: ignore[assignment]  # compared only; the keys inside need not be hashable


_ARRAY: Final = object()
"""Stands for: there is an array on the way, and the long way must be taken."""


def _plain(document: dict[str, Any], path: Path) -> Any:
    value, _ = _reach(document, path)
    return _ARRAY if isinstance(value, list) else value


def _reach(value: Mapping[str, Any], path: Path) -> tuple[Any, Path]:
    """The value at the path, or the first array on the way to it with the parts that are left."""
    found: Any = value
    for place, part in enumerate(path):
        if not isinstance(found, dict):
            return MISSING, ()
        found = found.get(part, MISSING)
        if isinstance(found, list):
            return found, path[place + 1 :]
    return found, ()


class _Indexed:
    """What a numeric part names in an array: reached once, seen by every element of it."""

    __slots__ = ("element", "rest", "value")

    def __init__(self, array: list[Any], path: Path) -> None:
        index = index_of(path[0])
        self.value: Any = MISSING
        self.rest: Path = ()
        self.element = array[index] if index is not None and index < len(array) else MISSING
        if self.element is not MISSING:
            self.value, self.rest = _reach({path[0]: self.element}, path)


class _Expansion:
    """The keys of one document so far, and the names for the sentence of a refusal."""

    __slots__ = ("found", "names")

    def __init__(self, names: Sort, found: list[list[Any]]) -> None:
        self.names = names
        self.found = found


def _expand(
    into: _Expansion, holder: dict[str, Any], paths: list[Path], fixed: list[Any], indexed: list[_Indexed | None]
) -> None:
    """Add the keys of ``holder``: every property is fixed at its end, or runs through the one array of this level.

    ``paths`` holds what is left of each path; the empty one is at its end and its key stands in ``fixed``.
    """
    array: list[Any] | None = None
    owner = 0
    through: list[int] = []
    whole = False
    for place, path in enumerate(paths):
        if not path:
            continue
        value, paths[place], nested = _next(into, holder, path, indexed[place])
        if not isinstance(value, list):
            fixed[place] = key(value)
            paths[place] = ()
            continue
        if array is not None and value is not array:
            raise _parallel(into.names, owner, place)
        array, owner = value, place
        through.append(place)
        whole = whole or nested
    if array is None:
        into.found.append(fixed)
        return
    inside = [_Indexed(array, path) if place in through and path else None for place, path in enumerate(paths)]
    ended = [place for place in through if not paths[place]]
    for element in array or [MISSING]:
        mine = [*fixed]
        for place in ended:
            mine[place] = BELOW_NULL if not array else key(array if whole else element)
        below_here = element if isinstance(element, dict) else {}
        _expand(into, below_here, [*paths], mine, inside if array else [None] * len(paths))


def _next(into: _Expansion, holder: dict[str, Any], path: Path, indexed: _Indexed | None) -> tuple[Any, Path, bool]:
    """The next value on a path, what is left of it, and whether it is an array right inside of an array."""
    there = indexed is not None and indexed.element is not MISSING
    if path[0] in holder:
        if there:
            detail = f'"{path[0]}" names both an element of an array and a key inside of one; sort by another property.'
            raise refuse("ambiguous-path", detail)
        return *_reach(holder, path), False
    if indexed is None or not there:
        return MISSING, (), False
    return indexed.value, indexed.rest, isinstance(indexed.element, list)


def _parallel(names: Sort, one: int, other: int) -> Exception:
    detail = (
        f'A record holds arrays in both "{names[one][0]}" and "{names[other][0]}", so that it has no one place in the '
        "order; sort by one of them."
    )
    return refuse("parallel-arrays", detail)
