"""Drawn documents and queries for the properties of this package, crowded with values that are easily confused."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

NAMES = st.sampled_from(["a", "b", "0", "1", 'q"\\', "é"])
TEXTS = st.sampled_from(
    [
        "",
        "0",
        "1",
        "a",
        "[1]",
        "{}",
        "null",
        "true",
        "é",
        "\uffff",
        "\U0001f600",
        "'; --",
        "%",
        "A\n",
        "ba\n\n",
        "\u0130a\u017f",
        "\x01",
        "2026-01-01T00:00:00.000Z",
    ]
)
NUMBERS = st.sampled_from(
    [0, 1, -1, 2, 1.0, 1.5, -0.0, 0.1, 1e300, 5e-324, 2**53, 2**53 + 1, 2.0**53, 2**63 - 1, 2**63, -(2**63), 2**64 + 1]
)
SCALARS = st.one_of(st.none(), st.booleans(), NUMBERS, TEXTS)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(NAMES, inner, max_size=3)),
    max_leaves=6,
)
DOCUMENTS = st.fixed_dictionaries(
    {
        "_id": st.uuids().map(str),
        "text": TEXTS,
        "number": st.sampled_from([0, 1, 2, 7, -1]),
        "maybe": st.one_of(st.none(), TEXTS),
        "in": st.fixed_dictionaries({"side": TEXTS}, optional={"a": VALUES, "b": VALUES}),
    },
    optional={"a": VALUES, "b": VALUES},
)
"""Records: four properties that are always what a column says, and others that are anything."""

PATHS = st.one_of(
    st.sampled_from(["text", "number", "maybe", "in.side", "in", "text.a", "maybe.0", "in.side.a", "in.a", "in.a.b"]),
    st.lists(NAMES, max_size=4).map(lambda parts: ".".join(["a", *parts])),
)


DATES = st.sampled_from(["2026-01-01", "2025-12-31T23:59:59.999Z", 0]).map(lambda when: {"$date": when})
COMPARISONS = st.dictionaries(
    st.sampled_from(["$eq", "$ne", "$gt", "$gte", "$lt", "$lte"]), st.one_of(VALUES, DATES), min_size=1, max_size=2
)
PATTERNS = st.lists(
    st.sampled_from(
        ["a", "b", "0", "é", "\uffff", "^", "$", ".", "|", r"\w", r"\n", "[^a]", "a*", r"\W?", r"\x01", "%", "'"]
    ),
    max_size=3,
).map("".join)
REGEXES = st.fixed_dictionaries({"$regex": PATTERNS}, optional={"$options": st.sampled_from(["i", "m", "s", "ix"])})
LISTS = st.dictionaries(
    st.sampled_from(["$in", "$nin"]), st.lists(st.one_of(VALUES, VALUES, REGEXES), max_size=3), min_size=1
)
EXISTS = st.fixed_dictionaries({"$exists": st.booleans()})
SHAPES = st.one_of(
    st.fixed_dictionaries({"$size": st.integers(0, 3)}),
    st.fixed_dictionaries(
        {"$type": st.sampled_from(["null", "number", "int", "double", "string", "array", "bool", "date"])}
    ),
    st.fixed_dictionaries({"$type": st.lists(st.sampled_from([1, 2, 3, 4, 8, 10, 16, 18]), min_size=1, max_size=3)}),
    st.fixed_dictionaries({"$mod": st.tuples(st.sampled_from([2, -3, 1.5]), st.sampled_from([0, 1, -1])).map(list)}),
    st.fixed_dictionaries({"$all": st.lists(st.one_of(VALUES, VALUES, REGEXES), max_size=2)}),
)
OPERATORS = st.recursive(
    st.one_of(COMPARISONS, LISTS, EXISTS, SHAPES, REGEXES),
    lambda inner: st.dictionaries(st.sampled_from(["$not", "$elemMatch"]), inner, min_size=1, max_size=2),
    max_leaves=2,
)
ELEMENTS = st.fixed_dictionaries({"$elemMatch": st.dictionaries(NAMES, st.one_of(VALUES, OPERATORS), max_size=2)})
CONDITIONS = st.one_of(VALUES, COMPARISONS, LISTS, EXISTS, REGEXES, OPERATORS, ELEMENTS)
"""Crowded with plain comparisons, which are met most often."""


def depth(value: Any) -> int:
    """How deep objects and arrays are nested."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else None
    return 0 if inner is None else 1 + max(map(depth, inner), default=0)


QUERIES = st.recursive(
    st.dictionaries(PATHS, CONDITIONS, max_size=2),
    lambda inner: st.dictionaries(
        st.sampled_from(["$and", "$or", "$nor"]), st.lists(inner, min_size=1, max_size=3), min_size=1, max_size=2
    ),
    max_leaves=4,
).filter(lambda query: depth(query) <= 10)
