"""Chooses the form of an answer by the header ``Accept`` (RFC 9110 section 12.5.1)."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from dialoom.errors import RequestError

JSON = "application/json"
NDJSON = "application/x-ndjson"

_NAME = r"[!#$%&'*+.^_`|~0-9a-z-]+"
_RANGE = re.compile(rf"({_NAME})/({_NAME})")
_WEIGHT = re.compile(r"0(\.[0-9]{0,3})?|1(\.0{0,3})?")
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"?')
"""The value of a parameter may hold commas and semicolons; no parameter but the weight counts here."""


class _Range(NamedTuple):
    type: str
    subtype: str
    weight: float
    position: int

    def closeness(self, form: str) -> int:
        """Return how closely it names a form: 0 when it does not, 3 when it names it alone."""
        type, _, subtype = form.partition("/")
        if (self.type, self.subtype) == (type, subtype):
            return 3
        if self.subtype == "*" and self.type in (type, "*"):
            return 1 if self.type == "*" else 2
        return 0


def accepted(headers: Iterable[tuple[bytes, bytes]], offered: Sequence[str]) -> str:
    """Return the offered form that the client prefers. Raise ``RequestError`` 406 when it takes none.

    Of several that it likes alike: the one that it names more closely, then the one that it names first, then ours.
    """
    text = b",".join(value for name, value in headers if name == b"accept").decode("latin-1").lower()
    if not text.strip(" ,\t"):
        return offered[0]
    ranges = list(_ranges(text))
    best, chosen = (0.0, 0, -math.inf), None
    for form in offered:
        named = max(ranges, key=lambda one: (one.closeness(form), -one.position), default=None)
        if named is None or not named.closeness(form) or not named.weight:
            continue
        liking = (named.weight, named.closeness(form), -float(named.position))
        if liking > best:
            best, chosen = liking, form
    if chosen is None:
        detail = f"What is here comes as {' or '.join(offered)}. Accept that, or leave the header Accept out."
        raise RequestError("not-acceptable", detail)
    return chosen


def _ranges(text: str) -> Iterable[_Range]:
    """Return the ranges that can be read; others are passed over."""
    for position, part in enumerate(_QUOTED.sub("", text).split(",")):
        name, *parameters = (piece.strip() for piece in part.split(";"))
        found = _RANGE.fullmatch(name)
        weights = [value.strip() for key, _, value in (one.partition("=") for one in parameters) if key.strip() == "q"]
        if found is None or (found[1] == "*" and found[2] != "*") or not all(map(_WEIGHT.fullmatch, weights)):
            continue
        yield _Range(found[1], found[2], float(weights[0]) if weights else 1.0, position)
