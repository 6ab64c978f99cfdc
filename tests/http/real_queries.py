"""Draws queries, sorts and fields that a client could mean: of the operators' table, and of what records hold."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

from dialoom.query.operators import LOGICAL, OPERATORS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    Values = st.SearchStrategy[Any]

_TIMES = st.sampled_from(["2026-11-20", "2026-11-20T08:00:30.030Z", "2026-11-20T09:01:00+01:00"])
_DATES = _TIMES.map(lambda time: {"$date": time})
_TEXTS = st.sampled_from(["", "a", "Ada", "user 3", "gold", "*", "é", "\U0001f600", "%", "'", "success", "web", "rest"])
_NUMBERS = st.sampled_from([0, 1, 2, 3, 7, -1, 0.5, 120, 1e300, 2**53 + 1])
_ANYTHING = st.one_of(st.none(), st.booleans(), _NUMBERS, _TEXTS, st.lists(_NUMBERS, max_size=2), st.just({}))

PROPERTIES: Mapping[str, Mapping[str, Values]] = {
    "conversations": {
        "_id": st.sampled_from(["c000003", "c000010", ""]),
        "Bot": st.just("tea"),
        "User": st.sampled_from(["user 1", "user 2", "nobody"]),
        "Channel": st.sampled_from(["rest", "web"]),
        "Status": st.sampled_from(["success", "failure", "active", "abandoned", "closed"]),
        "StartedAt": st.one_of(_DATES, _TIMES),
        "UpdatedAt": _DATES,
        "EndedAt": st.one_of(st.none(), _DATES),
        "Goal": st.sampled_from([None, "tea", "help"]),
        "Errors": _NUMBERS,
        "Messages.user": _NUMBERS,
        "Data.channel.ProviderName": st.sampled_from(["rest", "web"]),
        "Data.user.FirstName": st.sampled_from([None, "Ada", "Ben"]),
        "Data.user.LastName": st.none(),
        "Data.context.tags": _ANYTHING,
        "Data.context.orders.total": _NUMBERS,
        "Data.context.orders.0.total": _NUMBERS,
        "Data.context.orders": _ANYTHING,
        "Data.entities.kind": _TEXTS,
        "Data.nothing.of.this.name": _ANYTHING,
    },
    "messages": {
        "_id": st.sampled_from(["m-00-0001", ""]),
        "Conversation": st.sampled_from(["c000003", "c000010", "none"]),
        "User": st.sampled_from(["user 1", "user 2"]),
        "From": st.sampled_from(["user", "bot"]),
        "Type": st.sampled_from(["text", "option", "template"]),
        "Text": st.one_of(st.none(), _TEXTS),
        "Payload": _ANYTHING,
        "Payload.replies.title": _TEXTS,
        "Error": st.none(),
        "CreatedAt": _DATES,
        "Sequence": _NUMBERS,
    },
}
"""By collection: each property with values that are met in it, or nearly."""

_PATTERNS = st.sampled_from(["^A", "a$", "o", "(?i)ada", "^user [0-9]+$", "", "[^a-z]", "\\bgold\\b", "é|a"])
OPERANDS: Mapping[str, Callable[[Values], Values]] = {
    **dict.fromkeys(("$eq", "$ne", "$gt", "$gte", "$lt", "$lte"), lambda values: st.one_of(values, _ANYTHING)),
    **dict.fromkeys(("$in", "$nin", "$all"), lambda values: st.lists(values, max_size=4)),
    "$exists": lambda _: st.booleans(),
    "$type": lambda _: st.sampled_from(["null", "bool", "number", "string", "object", "array", 2, ["string", "null"]]),
    "$mod": lambda _: st.tuples(st.sampled_from([2, 3, -2]), st.integers(-1, 2)).map(list),
    "$size": lambda _: st.integers(0, 3),
    "$elemMatch": lambda values: st.one_of(
        st.fixed_dictionaries({}, optional={"total": st.fixed_dictionaries({"$gte": _NUMBERS}), "paid": st.booleans()}),
        values.map(lambda value: {"$gte": value}),
    ),
    "$not": lambda values: values.map(lambda value: {"$gt": value}),
    "$regex": lambda _: _PATTERNS,
    "$options": lambda _: st.sampled_from(["", "i", "m", "s", "x", "im"]),
}
"""Of each operator the operands that it may have, made of values of the property."""


def _conditions(values: Values) -> Values:
    alone = [
        st.fixed_dictionaries({name: OPERANDS[name](values)})
        for name in OPERATORS
        if name != "$options"  # which stands beside a pattern
    ]
    pattern = st.fixed_dictionaries({"$regex": _PATTERNS, "$options": OPERANDS["$options"](values)})
    between = st.fixed_dictionaries({"$gte": values, "$lte": values})
    return st.one_of(values, between, pattern, *alone)


def queries(collection: str) -> Values:
    """Objects that a client could give as ``query``."""
    properties = PROPERTIES[collection]
    one = st.one_of(
        [_conditions(values).map(lambda found, name=name: {name: found}) for name, values in properties.items()]
    )
    several = st.lists(one, min_size=1, max_size=3).map(_merged)
    lists = [name for name in LOGICAL if name != "$comment"]
    logical = st.builds(
        lambda name, inner, beside: {name: inner} | beside,
        st.sampled_from(lists),
        st.lists(several, min_size=1, max_size=3),
        st.one_of(st.just({}), several, st.just({"$comment": "why"})),
    )
    return st.one_of(st.just({}), several, logical)


def _merged(parts: list[dict[str, Any]]) -> dict[str, Any]:
    return {name: value for part in parts for name, value in part.items()}


def sorts(collection: str) -> Values:
    """Both forms, of names that records have."""
    names = st.sampled_from([*PROPERTIES[collection]])
    ways = st.dictionaries(names, st.sampled_from([1, -1]), min_size=1, max_size=3)
    return st.one_of(names, ways.map(json.dumps))


def fields(collection: str) -> Values:
    return st.lists(st.sampled_from([*PROPERTIES[collection]]), min_size=1, max_size=4, unique=True).map(",".join)


def wanted(collection: str) -> Values:
    """All parameters of a list but ``after``, as they stand in an address."""
    return st.fixed_dictionaries(
        {},
        optional={
            "query": queries(collection).map(json.dumps),
            "sort": sorts(collection),
            "limit": st.integers(0, 25).map(str),
            "skip": st.integers(0, 40).map(str),
            "fields": fields(collection),
            "total": st.sampled_from(["true", "false"]),
        },
    )
