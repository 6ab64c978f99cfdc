"""Which keys of an index a query asks for, and how the names of properties go into SQL."""

from __future__ import annotations

import json
from contextlib import closing
from typing import Any

import apsw
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dialoom.query import parse_query, postgres_index_keys, sqlite_index_keys
from dialoom.query.index_keys import EVERY, NUMBERS, Span, flat, keys_by_path

PATH = ("a", "b")
VALUES = {"null", "number", "text", "object", "false", "true"}


@pytest.mark.parametrize(
    ("question", "keys"),
    [
        (5, {"number": (5,)}),
        ("x", {"text": ("x",)}),
        (None, {"null": EVERY, "missing": EVERY}),
        (True, {"true": EVERY}),
        ({"x": 1}, {"object": EVERY}),
        ([1], {}),
        ({"$in": [1, "x", None]}, {"number": (1,), "text": ("x",), "null": EVERY, "missing": EVERY}),
        ({"$gt": 1, "$lte": 7}, {"number": Span(1, 7)}),
        ({"$gt": 1, "$in": [0, 1, 5, "x"]}, {"number": (1, 5)}),
        ({"$gt": 1, "$lt": "x"}, {}),
        ({"$gte": {"$date": "2026-11-20"}}, {"text": Span("2026-11-20T00:00:00.000Z", "9999-12-31T23:59:59.999Z")}),
        ({"$exists": True}, dict.fromkeys(VALUES, EVERY)),
        ({"$exists": False}, {"missing": EVERY}),
        ({"$ne": None}, dict.fromkeys(VALUES - {"null"}, EVERY)),
        ({"$type": "object"}, {"object": EVERY}),
        ({"$mod": [2, 0]}, {"number": EVERY}),
        ({"$size": 2}, {}),
        ({"$elemMatch": {"$gt": 5}}, {}),
        # an index does not help for these: all keys may be meant
        ({"$ne": 5}, None),
        ({"$not": {"$gt": 5}}, None),
        ({"$nin": [5, "x"]}, None),
    ],
)
def test_a_query_asks_for_these_keys_besides_those_that_tell_nothing(question: Any, keys: Any) -> None:
    node = parse_query(json.dumps({"a.b": question, "c": 1}))
    assert keys_by_path(flat(node), [PATH]) == ({} if keys is None else {PATH: keys})


def test_conditions_that_stand_apart_narrow_together() -> None:
    node = parse_query('{"$and": [{"a.b": {"$gt": 1}}, {"$and": [{"a.b": {"$lt": 9}}, {"c": 3}]}]}')
    assert keys_by_path(flat(node), [PATH, ("c",)]) == {PATH: {"number": Span(1, 9)}, ("c",): {"number": (3,)}}


def test_the_numbers_of_the_kinds_are_those_that_stand_in_stored_indexes() -> None:
    assert NUMBERS == {"missing": 1, "null": 2, "number": 3, "text": 4, "object": 5, "false": 6, "true": 7}


@given(st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"])))
@example('it\'s; -- "quoted"\\ ?::text {$name} $1 /*')
def test_sqlite_reads_a_name_as_it_was_written(name: str) -> None:
    with closing(apsw.Connection(":memory:")) as connection:
        connection.config(apsw.SQLITE_DBCONFIG_DQS_DML, 0)
        assert connection.execute(f"select {sqlite_index_keys.literal(name)}").get == name
        kind, value = sqlite_index_keys.key_sql("?1", (name, "b"))
        document = json.dumps({name: {"b": 5}})
        assert connection.execute(f"select {kind}, {value}", (document,)).fetchone() == (NUMBERS["number"], 5)


@given(st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"])))
@example('it\'s; -- "quoted"\\ ?::text {$name} $1 /*')
def test_nothing_of_a_name_means_anything_to_postgresql(name: str) -> None:
    written = postgres_index_keys.literal(name)
    assert written.startswith("E'")
    assert written.endswith("'")
    inside = written[2:-1]
    assert inside.isascii()
    assert not set(inside) & set("'\"?$%{};-/*() ")
    assert inside.encode().decode("unicode_escape") == name
