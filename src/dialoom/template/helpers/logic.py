"""Helpers that compare and decide."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from dialoom.errors import TemplateError
from dialoom.template.comparing import equal, order
from dialoom.template.frame import Frame, Read
from dialoom.template.helpers.row import Helper, kind_of, text_argument, weigh
from dialoom.template.kinds import MISSING, is_there, is_true, standing
from dialoom.template.paths import step, walk
from dialoom.template.printing import plain_text


def ne(first: Any, second: Any) -> bool:
    return not equal(first, second)


def _order(frame: Frame, first: Any, second: Any) -> int | None:
    return order(first, second, frame.root.scope.timezone)


def gt(frame: Frame, first: Any, second: Any) -> bool:
    return _order(frame, first, second) == 1


def gte(frame: Frame, first: Any, second: Any) -> bool:
    return _order(frame, first, second) in {0, 1}


def lt(frame: Frame, first: Any, second: Any) -> bool:
    return _order(frame, first, second) == -1


def lte(frame: Frame, first: Any, second: Any) -> bool:
    return _order(frame, first, second) in {0, -1}


def is_in(frame: Frame, value: Any, among: Any) -> bool:
    if among is None or among is MISSING:
        return False
    if isinstance(among, (list, tuple)):
        if isinstance(value, (list, tuple, Mapping)):
            frame.root.spend(len(among) * weigh(value), 0)
        return any(equal(value, element) for element in among)
    if isinstance(among, str):
        return value is not None and value is not MISSING and text_argument(value) in plain_text(among)
    raise TemplateError(f"the second argument is {kind_of(among)}. Give a list or a text.")


def both(*reads: Read) -> Read:
    def read(frame: Frame) -> bool:
        return all(is_true(one(frame)) for one in reads)

    return read


def either(*reads: Read) -> Read:
    def read(frame: Frame) -> bool:
        return any(is_true(one(frame)) for one in reads)

    return read


def negate(value: Any) -> bool:
    return not is_true(value)


def default(*reads: Read) -> Read:
    def read(frame: Frame) -> Any:
        value: Any = MISSING
        for one in reads:
            value = one(frame)
            if is_there(value):
                break
        return value

    return read


def lookup(collection: Any, key: Any) -> Any:
    return step(collection, plain_text(standing(key)))


def log(*_values: Any) -> Any:
    """Prints nothing and writes nothing: a rendering leaves no trace."""
    return MISSING


def has(value: Any) -> bool:
    return is_there(value)


def named_entity(name: str) -> Read:
    """``$has "name"``: the entity of that name, for authors who quote it."""
    parts = tuple(name.split("."))

    def read(frame: Frame) -> Any:
        return walk(frame.root.scope.memory, parts)

    return read


ROWS: Final = (
    Helper("$eq", equal, 2, 2, is_quiet=False, looks_deep=True),
    Helper("$ne", ne, 2, 2, is_quiet=False, looks_deep=True),
    Helper("$gt", gt, 2, 2, is_quiet=False, takes_frame=True, looks_deep=True),
    Helper("$gte", gte, 2, 2, is_quiet=False, takes_frame=True, looks_deep=True),
    Helper("$lt", lt, 2, 2, is_quiet=False, takes_frame=True, looks_deep=True),
    Helper("$lte", lte, 2, 2, is_quiet=False, takes_frame=True, looks_deep=True),
    Helper("$in", is_in, 2, 2, is_quiet=False, takes_frame=True, looks_deep=True),
    Helper("$and", both, 2, None, is_lazy=True),
    Helper("$or", either, 2, None, is_lazy=True),
    Helper("$not", negate, 1, 1, is_quiet=False),
    Helper("$has", has, 1, 1, is_quiet=False),
    Helper("$default", default, 2, None, is_lazy=True, takes_whole=True),
    Helper("lookup", lookup, 2, 2, takes_whole=True),
    Helper("log", log, 0, None, named=("level",), is_quiet=False, takes_whole=True),
)
