"""Which keys of an index a query asks for, and how the names of properties go into SQL."""

from __future__ import annotations

import json
from contextlib import closing
from typing import Any

import apsw
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dialoom.query import parse_query
from dialoom.query.sql import postgres, sqlite
from dialoom.query.sql.index_keys import ALL_VALUES, KIND_NUMBERS, ValueRange, conjuncts, keys_by_path

PATH = ("a", "b")
VALUES = {"null", "number", "text", "object", "false", "true"}


@pytest.mark.parametrize(
    ("question", "keys"),
    [
        (5, {"number": (5,)}),
        ("x", {"text": ("x",)}),
        (None, {"null": ALL_VALUES, "missing": ALL_VALUES}),
        (True, {"true": ALL_VALUES}),
        ({"x": 1}, {"object": ALL_VALUES}),
        ([1], {}),
        ({"$in": [1, "x", None]}, {"number": (1,), "text": ("x",), "null": ALL_VALUES, "missing": ALL_VALUES}),
        ({"$gt": 1, "$lte": 7}, {"number": ValueRange(1, 7)}),
        ({"$gt": 1, "$in": [0, 1, 5, "x"]}, {"number": (1, 5)}),
        ({"$gt": 1, "$lt": "x"}, {}),
        (
            {"$gte": {"$date": "2026-11-20"}},
            {"text": ValueRange("2026-11-20T00:00:00.000Z", "9999-12-31T23:59:59.999Z")},
        ),
        ({"$exists": True}, dict.fromkeys(VALUES, ALL_VALUES)),
        ({"$exists": False}, {"missing": ALL_VALUES}),
        ({"$ne": None}, dict.fromkeys(VALUES - {"null"}, ALL_VALUES)),
        ({"$type": "object"}, {"object": ALL_VALUES}),
        ({"$mod": [2, 0]}, {"number": ALL_VALUES}),
        ({"$size": 2}, {}),
        ({"$elemMatch": {"$gt": 5}}, {}),
        # an index does not help for these: all keys may be meant
        ({"$ne": 5}, None),
        ({"$not": {"$gt": 5}}, None),
        ({"$nin": [5, "x"]}, None),
    ],
)
def test_a_query_finds_these_keys_besides_that_of_arrays(question: Any, keys: Any) -> None:
    node = parse_query(json.dumps({"a.b": question, "c": 1}))
    assert keys_by_path(conjuncts(node), [PATH]) == ({} if keys is None else {PATH: keys})


def test_nested_conditions_narrow_the_keys_together() -> None:
    node = parse_query('{"$and": [{"a.b": {"$gt": 1}}, {"$and": [{"a.b": {"$lt": 9}}, {"c": 3}]}]}')
    assert keys_by_path(conjuncts(node), [PATH, ("c",)]) == {
        PATH: {"number": ValueRange(1, 9)},
        ("c",): {"number": (3,)},
    }


def test_the_numbers_of_the_kinds_are_those_in_stored_indexes() -> None:
    assert KIND_NUMBERS == {"missing": 1, "null": 2, "number": 3, "text": 4, "object": 5, "false": 6, "true": 7}


@given(st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"])))
@example('it\'s; -- "quoted"\\ ?::text {$name} $1 /*')
def test_sqlite_reads_a_name_as_it_was_written(name: str) -> None:
    with closing(apsw.Connection(":memory:")) as connection:
        connection.config(apsw.SQLITE_DBCONFIG_DQS_DML, 0)
        assert connection.execute(f"select {sqlite.literal(name)}").get == name
        kind, value = sqlite.key_sql("?1", (name, "b"))
        document = json.dumps({name: {"b": 5}})
        assert connection.execute(f"select {kind}, {value}", (document,)).fetchone() == (KIND_NUMBERS["number"], 5)


@given(st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"])))
@example('it\'s; -- "quoted"\\ ?::text {$name} $1 /*')
def test_nothing_of_a_name_means_anything_to_postgresql(name: str) -> None:
    written = postgres.literal(name)
    assert written.startswith("E'")
    assert written.endswith("'")
    array = written[2:-1]
    assert array.isascii()
    assert not set(array) & set("'\"?$%{};-/*() ")
    assert array.encode().decode("unicode_escape") == name
