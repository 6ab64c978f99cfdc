"""Parses the ``sort`` parameter and sorts documents exactly as MongoDB does. ORDER BY is compiled in ``sql``.

A document's key is made as MongoDB makes the keys of an index: an array in the path gives one key for each element, and
the least of them in the sort's own order counts, over all sorted properties together.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from dialoom.errors import QueryError
from dialoom.query.errors import child, invalid
from dialoom.query.json_text import check_length, check_text, read_object
from dialoom.query.tree import Path, Place, Sort, check_parts, index_of, parts_of
from dialoom.query.values import EMPTY_ARRAY_KEY, MISSING, comparison_key

MAX_PROPERTIES = 8


_OTHER_SIGNS = frozenset("-+[\"'")
"""A sort that begins with one is meant for another API."""
_OTHER_SYNTAX = re.compile(r"[,:]|^\s|\s$|\s(?:asc|desc|ascending|descending)$", re.IGNORECASE)
"""What stands in no property's name as a rule, and in sorts of other APIs; in the JSON form any name can be written."""


def parse_sort(text: str | None) -> Sort:
    """Return the order that the text names. ``QueryError`` if it is not allowed."""
    if text is None:
        return ()
    if not text.lstrip().startswith("{"):
        check_length(text, "sort")
        check_text(text, "")
        if text[:1] in _OTHER_SIGNS or _OTHER_SYNTAX.search(text):
            detail = (
                f'"{text[:80]}" is no property name. To sort falling write {{"StartedAt":-1}}, by several '
                f'{{"Errors":-1,"StartedAt":1}}, by any other name {{"the name":1}}.'
            )
            raise invalid("bad-sort", detail)
        _check_property(text, "")
        return ((text, 1),)
    wanted = read_object(text, "sort")
    if len(wanted) > MAX_PROPERTIES:
        detail = f"The sort names {len(wanted)} properties; at most {MAX_PROPERTIES} are allowed."
        raise invalid("too-many-sort-properties", detail)
    for name, direction in wanted.items():
        pointer = child("", name)
        _check_property(name, pointer)
        if type(direction) not in (int, float) or direction not in (1, -1):
            raise invalid("bad-sort", f'The direction of "{name}" must be 1 (ascending) or -1 (descending).', pointer)
    return tuple((name, int(direction)) for name, direction in wanted.items())


def with_tie_breaker(sort: Sort) -> Sort:
    """Return the sort with ``_id`` last, so that no two documents are equal and pages never overlap. What stands behind
    an ``_id`` decides nothing and is left out."""
    names = [name for name, _ in sort]
    return sort[: names.index("_id") + 1] if "_id" in names else (*sort, ("_id", 1))


def sort_documents(documents: Iterable[dict[str, Any]], sort: Sort) -> list[dict[str, Any]]:
    """Return all documents in the order of the sort."""
    return sorted(documents, key=sort_key(sort))


def sort_key(sort: Sort) -> Callable[[dict[str, Any]], Any]:
    """Return a key function for documents; it raises ``QueryError`` for a document without one place in the order."""
    place, compared = place_of(sort), place_key(sort)
    return lambda document: compared(place(document))


def place_key(sort: Sort) -> Callable[[Place], Any]:
    """Return a key function for places."""
    descending = [direction < 0 for _, direction in with_tie_breaker(sort)]
    if not any(descending):
        return tuple

    def key(place: Place) -> tuple[Any, ...]:
        return tuple([_Descending(one) if turns else one for one, turns in zip(place, descending, strict=True)])

    return key


def place_of(sort: Sort) -> Callable[[dict[str, Any]], Place]:
    """Return a function from a document to its place in the order; it raises ``QueryError`` where there is none."""
    names = with_tie_breaker(sort)
    paths = [parts_of(name) for name, _ in names]
    least = place_key(sort)

    def place(document: dict[str, Any]) -> Place:
        values = [_value_or_array(document, path)[0] for path in paths]
        if not any(isinstance(value, list) for value in values):
            return tuple(map(comparison_key, values))
        nothing: list[Any] = [None] * len(paths)
        return min(_places(names, document, paths, nothing, nothing), key=least)

    return place


def _check_property(name: str, pointer: str) -> None:
    parts = parts_of(name)
    if "" in parts:
        raise invalid("bad-sort", f'"{name}" is no property name: a part of it is empty.', pointer)
    check_parts(parts, pointer)
    if any(part.startswith("$") for part in parts):
        raise invalid("bad-sort", f'"{name}" is no property name: no part may begin with "$".', pointer)


class _Descending:
    """Inverts the order of a key."""

    __slots__ = ("key",)

    def __init__(self, key: tuple[int, Any]) -> None:
        self.key = key

    def __lt__(self, other: _Descending) -> bool:
        return other.key < self.key

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Descending) and self.key == other.key

    __hash__ = None  # type: ignore[assignment]  # a key may hold what cannot be hashed


def _value_or_array(value: Mapping[str, Any], path: Path) -> tuple[Any, Path]:
    """Return the value at the path, or the first array on the way to it with the parts that are left."""
    found: Any = value
    for index, part in enumerate(path):
        if not isinstance(found, dict):
            return MISSING, ()
        found = found.get(part, MISSING)
        if isinstance(found, list):
            return found, path[index + 1 :]
    return found, ()


class _NamedElement:
    """The element of an array that a numeric part names, and the value behind it: the same for each element."""

    __slots__ = ("element", "rest", "value")

    def __init__(self, array: list[Any], path: Path) -> None:
        index = index_of(path[0])
        self.value: Any = MISSING
        self.rest: Path = ()
        self.element = array[index] if index is not None and index < len(array) else MISSING
        if self.element is not MISSING:
            self.value, self.rest = _value_or_array({path[0]: self.element}, path)


def _places(
    names: Sort,
    holder: dict[str, Any],
    paths: Sequence[Path],
    keys: Sequence[Any],
    named: Sequence[_NamedElement | None],
) -> Iterator[Place]:
    """Yield the places of ``holder``, one for each element of the one array through which paths go on.

    ``paths`` holds what is left of each path; the key of one that is at its end stands in ``keys``.
    """
    left, keys = [*paths], [*keys]
    array: list[Any] | None = None
    through: list[int] = []
    is_nested = False
    for number, path in enumerate(paths):
        if not path:
            continue
        value, left[number], is_element = _next(holder, path, named[number])
        if not isinstance(value, list):
            keys[number], left[number] = comparison_key(value), ()
            continue
        if array is not None and value is not array:
            raise _parallel(names[through[-1]][0], names[number][0])
        array = value
        through.append(number)
        is_nested = is_nested or is_element
    if array is None:
        yield tuple(keys)
        return
    inside = [_NamedElement(array, path) if n in through and path and array else None for n, path in enumerate(left)]
    for element in array or [MISSING]:
        for number in through:
            if not left[number]:
                keys[number] = comparison_key(array if is_nested else element) if array else EMPTY_ARRAY_KEY
        yield from _places(names, element if isinstance(element, dict) else {}, left, keys, inside)


def _next(holder: dict[str, Any], path: Path, named: _NamedElement | None) -> tuple[Any, Path, bool]:
    """Return the next value on a path, what is left of it, and whether it is an array right inside of an array."""
    is_there = named is not None and named.element is not MISSING
    if path[0] in holder:
        if is_there:
            detail = f'"{path[0]}" names both an element of an array and a key inside of one; sort by another property.'
            raise invalid("ambiguous-path", detail)
        return *_value_or_array(holder, path), False
    if named is None or not is_there:
        return MISSING, (), False
    return named.value, named.rest, isinstance(named.element, list)


def _parallel(one: str, other: str) -> QueryError:
    detail = (
        f'A record holds arrays in both "{one}" and "{other}", so that it has no one place in the order; sort by one '
        "of them."
    )
    return invalid("parallel-arrays", detail)
