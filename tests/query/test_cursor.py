"""Cursors: what is written is read again, and nothing else is (history-api.md, Parameters: ``after``)."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dialoom.errors import QueryError
from dialoom.query import parse_sort, place_key, place_of, read_cursor, sort_documents, sort_key, write_cursor
from dialoom.query.cursor import MAX_CURSOR_CHARS
from dialoom.query.sort import with_tie_breaker
from tests.query.drawn import DOCUMENTS, VALUES

SORT = parse_sort('{"a": 1, "b": -1}')
PLACE = place_of(SORT)({"_id": "1", "a": "x", "b": [1, {"c": None}, ["\0"]]})
SORTS = st.dictionaries(st.sampled_from(["a", "a.b", "b", "_id", "maybe"]), st.sampled_from([1, -1]), max_size=3).map(
    lambda sort: parse_sort(json.dumps(sort))
)


def encode_cursor(held: Any) -> str:
    text = held if isinstance(held, str) else json.dumps(held)
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def decode_cursor(cursor: str) -> Any:
    return json.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))


MARK = decode_cursor(write_cursor(PLACE, SORT, None))[0]


def refused(cursor: str) -> str:
    with pytest.raises(QueryError) as met:
        read_cursor(cursor, SORT, None)
    return met.value.code


@given(document=DOCUMENTS, sort=SORTS, query=st.none() | st.text())
def test_the_place_of_any_document_comes_back_from_its_cursor(
    document: dict[str, Any], sort: Any, query: str | None
) -> None:
    try:
        place = place_of(sort)(document)
    except QueryError:
        return
    cursor = write_cursor(place, sort, query)
    assert cursor.isascii()
    assert not set(cursor) & set("+/=&?#% ")
    assert read_cursor(cursor, sort, query) == place
    assert len(place) == len(with_tie_breaker(sort))


@given(documents=st.lists(DOCUMENTS, min_size=1, max_size=6, unique_by=lambda one: one["_id"]), sort=SORTS)
def test_places_compare_as_their_documents_do(documents: list[dict[str, Any]], sort: Any) -> None:
    try:
        ordered = sort_documents(documents, sort)
    except QueryError:
        return
    assert [place_key(sort)(place_of(sort)(one)) for one in ordered] == [sort_key(sort)(one) for one in ordered]


def test_a_cursor_belongs_to_its_sort_and_query() -> None:
    cursor = write_cursor(PLACE, SORT, '{"a": 1}')
    for sort, query in (
        (SORT, None),
        (SORT, '{"a":1}'),
        (parse_sort('{"a": 1, "b": 1}'), '{"a": 1}'),
        ((), '{"a": 1}'),
    ):
        with pytest.raises(QueryError, match="another sort or query") as met:
            read_cursor(cursor, sort, query)
        assert met.value.code == "bad-cursor"
    assert read_cursor(cursor, (*SORT, ("_id", 1)), '{"a": 1}') == PLACE


GOOD: list[Any] = [[2, 1], [3, "x"], [3, "1"]]


@pytest.mark.parametrize(
    "held",
    [
        [],
        {},
        None,
        "[" * 10_000,
        [MARK],
        [MARK, *GOOD[:2]],
        [MARK, *GOOD, [2, 1]],
        [None, *GOOD],
        [MARK, 1, *GOOD[1:]],
        [MARK, [2], *GOOD[1:]],
        [MARK, [2, 1, 1], *GOOD[1:]],
        [MARK, [True, 0], *GOOD[1:]],
        [MARK, [1.0, 0], *GOOD[1:]],
        [MARK, [1, False], *GOOD[1:]],
        [MARK, [1, 1], *GOOD[1:]],
        [MARK, [0, 1], *GOOD[1:]],
        [MARK, [1, None], *GOOD[1:]],
        [MARK, [7, 1], *GOOD[1:]],
        [MARK, [-1, 0], *GOOD[1:]],
        [MARK, [10**400, 0], *GOOD[1:]],
        [MARK, [2, "1"], *GOOD[1:]],
        [MARK, [2, True], *GOOD[1:]],
        [MARK, [3, 1], *GOOD[1:]],
        [MARK, [3, "\ud800"], *GOOD[1:]],
        [MARK, [4, {}], *GOOD[1:]],
        [MARK, [4, [[2, "a"]]], *GOOD[1:]],
        [MARK, [4, [[2, 1, 1]]], *GOOD[1:]],
        [MARK, [4, [["2", "a", 1]]], *GOOD[1:]],
        [MARK, [4, [[2, "\ud800", 1]]], *GOOD[1:]],
        [MARK, [5, [1]], *GOOD[1:]],
        [MARK, [5, [[2, "x"]]], *GOOD[1:]],
        [MARK, [6, 1], *GOOD[1:]],
        f'["{MARK}",[2,1e999],[3,"x"],[3,"1"]]',
        f'["{MARK}",[2,NaN],[3,"x"],[3,"1"]]',
        f'["{MARK}",[2,-Infinity],[3,"x"],[3,"1"]]',
        f'["{MARK}",[2,{"9" * 309}],[3,"x"],[3,"1"]]',
        f'["{MARK}",[2,{"9" * 5000}],[3,"x"],[3,"1"]]',
        f'["{MARK}",{"[5,[" * 150}{"]]" * 150},[3,"x"],[3,"1"]]',
        f'["{MARK}",[2,1],[3,"x"],[3,"1"]] ]',
    ],
)
def test_a_cursor_with_an_impossible_place_is_refused(held: Any) -> None:
    assert refused(encode_cursor(held)) == "bad-cursor"


@pytest.mark.parametrize(
    "cursor",
    [
        "",
        "a",
        "é",
        "\ud800",
        "!!!!",
        "AAAA",
        "====",
        write_cursor(PLACE, SORT, None)[:-1],
        "A" * (MAX_CURSOR_CHARS + 4),
    ],
)
def test_a_damaged_cursor_is_refused(cursor: str) -> None:
    assert refused(cursor) == "bad-cursor"


@given(st.text() | st.binary().map(lambda raw: base64.urlsafe_b64encode(raw).decode()))
def test_any_text_is_a_place_or_refused(cursor: str) -> None:
    assert refused(cursor) == "bad-cursor"


KEYS = st.recursive(
    st.tuples(st.integers(-1, 8), VALUES).map(list),
    lambda inner: st.tuples(st.integers(3, 6), st.lists(inner)).map(list),
)


@given(entries=st.lists(KEYS, min_size=3, max_size=3), document=DOCUMENTS)
def test_every_place_that_is_read_can_be_compared(entries: list[Any], document: dict[str, Any]) -> None:
    try:
        place = read_cursor(encode_cursor([MARK, *entries]), SORT, None)
        other = sort_key(SORT)(document)
    except QueryError:
        return
    turned = place_key(SORT)(place)
    assert (turned < other) + (other < turned) + (other == turned) == 1


@pytest.mark.parametrize("value", ["x" * MAX_CURSOR_CHARS, json.loads("[" * 150 + "]" * 150)])
def test_a_value_that_is_too_long_for_a_cursor_is_an_error(value: Any) -> None:
    place = place_of(SORT)({"_id": "1", "a": [value], "b": 1})
    with pytest.raises(QueryError, match="Sort by another property") as met:
        write_cursor(place, SORT, None)
    assert met.value.code == "place-too-long"
