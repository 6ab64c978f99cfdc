"""Helpers that compare and decide."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from dialoom.errors import TemplateError
from dialoom.template.frame import Frame, Read
from dialoom.template.helpers.row import Helper, kind_of, text_argument, weigh
from dialoom.template.paths import step, walk
from dialoom.template.values.comparing import equal, order
from dialoom.template.values.printing import plain_text
from dialoom.template.values.types import MISSING, is_there, is_true, single_value


def ne(first: object, second: object) -> bool:
    return not equal(first, second)


def _order(frame: Frame, first: object, second: object) -> int | None:
    return order(first, second, frame.root.scope.timezone)


def gt(frame: Frame, first: object, second: object) -> bool:
    return _order(frame, first, second) == 1


def gte(frame: Frame, first: object, second: object) -> bool:
    return _order(frame, first, second) in {0, 1}


def lt(frame: Frame, first: object, second: object) -> bool:
    return _order(frame, first, second) == -1


def lte(frame: Frame, first: object, second: object) -> bool:
    return _order(frame, first, second) in {0, -1}


def is_in(frame: Frame, value: object, among: object) -> bool:
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


def negate(value: object) -> bool:
    return not is_true(value)


def default(*reads: Read) -> Read:
    def read(frame: Frame) -> object:
        value: object = MISSING
        for one in reads:
            value = one(frame)
            if is_there(value):
                break
        return value

    return read


def lookup(collection: object, key: object) -> object:
    return step(collection, plain_text(single_value(key)))


def log(*_values: object) -> object:
    """Prints nothing and writes nothing: a rendering leaves no trace."""
    return MISSING


def has(value: object) -> bool:
    return is_there(value)


def entity_by_name(name: str) -> Read:
    """``$has "name"``: the entity of that name, for authors who quote it."""
    parts = tuple(name.split("."))

    def read(frame: Frame) -> object:
        return walk(frame.root.scope.memory, parts)

    return read


ROWS: Final = (
    Helper("$eq", equal, 2, 2, is_quiet=False, reads_all=True),
    Helper("$ne", ne, 2, 2, is_quiet=False, reads_all=True),
    Helper("$gt", gt, 2, 2, is_quiet=False, takes_frame=True, reads_all=True),
    Helper("$gte", gte, 2, 2, is_quiet=False, takes_frame=True, reads_all=True),
    Helper("$lt", lt, 2, 2, is_quiet=False, takes_frame=True, reads_all=True),
    Helper("$lte", lte, 2, 2, is_quiet=False, takes_frame=True, reads_all=True),
    Helper("$in", is_in, 2, 2, is_quiet=False, takes_frame=True, reads_all=True),
    Helper("$and", both, 2, None, is_lazy=True),
    Helper("$or", either, 2, None, is_lazy=True),
    Helper("$not", negate, 1, 1, is_quiet=False),
    Helper("$has", has, 1, 1, is_quiet=False),
    Helper("$default", default, 2, None, is_lazy=True, keeps_metadata=True),
    Helper("lookup", lookup, 2, 2, keeps_metadata=True),
    Helper("log", log, 0, None, named=("level",), is_quiet=False, keeps_metadata=True),
)
