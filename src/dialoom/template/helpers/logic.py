"""Helpers that compare and decide."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from dialoom.errors import TemplateError
from dialoom.template.frame import Frame, Read
from dialoom.template.helpers.row import Helper, kind_of, text_argument, weigh
from dialoom.template.paths import step, walk
from dialoom.template.values.comparing import equal, order
from dialoom.template.values.printing import plain_text
from dialoom.template.values.types import MISSING, is_there, is_true, single_value


def ordered(*wanted: int) -> Callable[[Frame, object, object], bool]:
    """Return a helper that holds when the order of its two arguments is one of those wanted."""
    return lambda frame, first, second: order(first, second, frame.root.scope.timezone) in wanted


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
    """Return the element under the key; false, 0 and an empty text are given back, as by handlebars.js."""
    if isinstance(collection, (bool, int, float, str)) and not collection:
        return collection
    return step(collection, plain_text(single_value(key)))


def entity_by_name(name: str) -> Read:
    """Read ``$has "name"`` as the entity of that name, for authors who quote it."""
    parts = tuple(name.split("."))

    def read(frame: Frame) -> object:
        return walk(frame.root.scope.memory, parts)

    return read


ROWS: Final = (
    Helper("$eq", equal, 2, 2, is_quiet=False, reads_all=True),
    Helper("$ne", lambda first, second: not equal(first, second), 2, 2, is_quiet=False, reads_all=True),
    Helper("$gt", ordered(1), 2, 2, is_quiet=False, takes_frame=True, reads_all=True),
    Helper("$gte", ordered(0, 1), 2, 2, is_quiet=False, takes_frame=True, reads_all=True),
    Helper("$lt", ordered(-1), 2, 2, is_quiet=False, takes_frame=True, reads_all=True),
    Helper("$lte", ordered(-1, 0), 2, 2, is_quiet=False, takes_frame=True, reads_all=True),
    Helper("$in", is_in, 2, 2, is_quiet=False, takes_frame=True, reads_all=True),
    Helper("$and", both, 2, None, is_lazy=True),
    Helper("$or", either, 2, None, is_lazy=True),
    Helper("$not", lambda value: not is_true(value), 1, 1, is_quiet=False),
    Helper("$has", is_there, 1, 1, is_quiet=False),
    Helper("$default", default, 2, None, is_lazy=True, keeps_metadata=True),
    Helper("lookup", lookup, 2, 2, keeps_metadata=True),
    # Prints nothing and writes nothing: a rendering leaves no trace.
    Helper("log", lambda *_values: MISSING, 0, None, named=("level",), is_quiet=False, keeps_metadata=True),
)
