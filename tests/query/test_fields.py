"""``fields``: what is answered of a record (history-api.md, Parameters), as an inclusion of MongoDB's is."""

from __future__ import annotations

from typing import Any

import pytest

from dialoom.errors import QueryError
from dialoom.query import parse_fields, project

RECORD: dict[str, Any] = {
    "_id": "1",
    "User": "ann",
    "Data": {"user": {"FirstName": "Ann", "LastName": None}, "channel": {"Id": "web"}},
    "a": [{"b": 1, "c": 2}, 5, [{"b": 3}, "x", [4, {"c": 1}]], {"c": 1}],
    "0": {"1": 2},
}


def of(text: str) -> dict[str, Any]:
    fields = parse_fields(text)
    assert fields is not None
    return project(fields, RECORD)


def test_without_fields_records_are_whole() -> None:
    assert parse_fields(None) is None


def test_the_id_is_always_there_and_the_order_is_the_records() -> None:
    assert list(of("0,User")) == ["_id", "User", "0"]
    assert of("Data.user.FirstName,User") == {"_id": "1", "User": "ann", "Data": {"user": {"FirstName": "Ann"}}}
    assert of("_id") == of("nothing") == of("_id.x") == {"_id": "1"}


def test_blanks_around_names_do_not_matter() -> None:
    assert of(" User , Data.channel ") == {"_id": "1", "User": "ann", "Data": {"channel": {"Id": "web"}}}


def test_a_name_reaches_into_every_object_of_an_array_and_leaves_scalars_out() -> None:
    assert of("a.b")["a"] == [{"b": 1}, [{"b": 3}, [{}]], {}]


def test_an_object_without_the_property_stays_empty_and_a_scalar_in_the_middle_is_left_out() -> None:
    assert of("Data.user.Nothing,User.x") == {"_id": "1", "Data": {"user": {}}}


def test_a_number_names_a_key_and_no_element() -> None:
    assert of("a.0,0.1") == {"_id": "1", "a": [{}, [{}, [{}]], {}], "0": {"1": 2}}


@pytest.mark.parametrize("text", ["Data,Data.user.FirstName", "Data.user.FirstName,Data"])
def test_a_name_above_another_includes_all_of_it(text: str) -> None:
    assert of(text) == {"_id": "1", "Data": RECORD["Data"]}


def test_selecting_fields_does_not_change_the_record() -> None:
    before = repr(RECORD)
    of("a.b,Data.user")
    assert repr(RECORD) == before


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "bad-fields"),
        ("User,", "bad-fields"),
        ("User,,Goal", "bad-fields"),
        ("a..b", "bad-fields"),
        (".a", "bad-fields"),
        ("$where", "bad-fields"),
        ("a.$b", "bad-fields"),
        (",".join(["a"] * 51), "bad-fields"),
        ("a\0", "bad-text"),
        ("\ud800", "bad-text"),
        (".".join("a" * 101), "path-too-long"),
        ("x" * 20_000, "too-long"),
    ],
)
def test_what_names_no_properties_is_refused(text: str, code: str) -> None:
    with pytest.raises(QueryError) as met:
        parse_fields(text)
    assert met.value.code == code
