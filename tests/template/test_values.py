"""Printing, comparing and the truth of values."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from dialoom.errors import TemplateError
from dialoom.template import MISSING, is_true
from dialoom.template.values import (
    CustomValue,
    DateText,
    DatetimeText,
    DisplayedValue,
    TimeText,
    equal,
    json_text,
    json_value,
    number_text,
    order,
    payload_value,
    plain_text,
    print_value,
)

ROME = CustomValue({"value": "Rome", "country": "Italy"}, bare="Rome", display="**Rome**")


@pytest.mark.parametrize(
    ("number", "expected"),
    [
        (1.0, "1"),
        (-0.0, "0"),
        (0.1, "0.1"),
        (100.5, "100.5"),
        (1e16, "10000000000000000"),
        (123456789012345680000.0, "123456789012345680000"),
        (1e21, "1e+21"),
        (1.5e300, "1.5e+300"),
        (0.000001, "0.000001"),
        (0.00001234, "0.00001234"),
        (1e-7, "1e-7"),
        (1.25e-9, "1.25e-9"),
        (9007199254740993, "9007199254740993"),
        (10**25, "1e+25"),
        (10**400, "Infinity"),
        (float("nan"), "NaN"),
        (float("-inf"), "-Infinity"),
    ],
)
def test_numbers_print_as_javascript_prints_them(number: float, expected: str) -> None:
    assert number_text(number) == expected


@given(some.floats(allow_nan=False, allow_infinity=False))
@settings(deadline=None)
def test_a_printed_number_reads_back_as_the_same(number: float) -> None:
    assert float(number_text(number)) == number


def test_lists_join_and_objects_print_as_json() -> None:
    assert print_value([1, "a", None, True, [2.0, 3]]) == "1, a, , true, 2, 3"
    assert print_value({"a": [1.0, None], "b": "ü\n"}) == '{"a":[1,null],"b":"ü\\n"}'


def test_a_custom_value_prints_its_display_in_messages_only() -> None:
    assert print_value(ROME) == "**Rome**"
    assert plain_text(ROME) == "Rome"
    assert print_value([ROME, ROME]) == "**Rome**, **Rome**"
    assert json_text(ROME) == '{"value":"Rome","country":"Italy"}'


def test_any_value_may_have_a_display() -> None:
    shown = DisplayedValue(DateText("2017-08-07"), "next Monday")
    assert print_value(shown) == "next Monday"
    assert plain_text(shown) == "2017.08.07"
    assert equal(shown, "2017-08-07")
    assert json_value({"date": shown}) == {"date": "2017.08.07"}


def test_dates_print_with_points_and_times_as_they_are() -> None:
    assert plain_text(DateText("2017-08-07")) == "2017.08.07"
    assert plain_text(TimeText("09:05")) == "09:05"
    assert json_text([DateText("2017-08-07")]) == '["2017.08.07"]'


def test_an_object_of_python_has_no_text() -> None:
    with pytest.raises(TemplateError, match="Python type object"):
        print_value(object())


def test_a_value_nested_without_end_is_an_error_and_no_crash() -> None:
    deep: object = "x"
    for _ in range(5000):
        deep = [deep]
    for function in (print_value, plain_text, json_text, payload_value, json_value):
        with pytest.raises(TemplateError, match="deeper than 100"):
            function(deep)
    with pytest.raises(TemplateError, match="deeper than 100"):
        equal(deep, [deep][0])


JSON = some.recursive(
    some.none() | some.booleans() | some.integers(-(2**53), 2**53) | some.text(some.characters(codec="utf-8")),
    lambda inner: some.lists(inner, max_size=4) | some.dictionaries(some.text(max_size=4), inner, max_size=4),
    max_leaves=12,
)


@given(JSON)
@settings(deadline=None)
def test_json_text_is_what_any_reader_of_json_takes(value: object) -> None:
    assert json.loads(json_text(value)) == value


def test_lone_surrogates_are_escaped_in_json() -> None:
    assert json_text("a\ud800b") == '"a\\ud800b"'


def test_numbers_that_json_lacks_are_null() -> None:
    assert json_text([float("nan"), float("inf"), -float("inf")]) == "[null,null,null]"


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (200, "200"),
        ("200", 200.0),
        (" 7 ", 7),
        (None, MISSING),
        (1, 1.0),
        ([1, {"a": "2"}], [1, {"a": 2}]),
        (ROME, "Rome"),
        (DateText("2017-08-07"), "2017.8.7"),
        ("2017/08/07", DateText("2017-08-07")),
        (TimeText("09:30"), "9:30"),
        (DatetimeText("2017-08-07T10:00:00+02:00"), "2017-08-07T08:00:00Z"),
    ],
)
def test_values_that_equal_each_other(first: object, second: object) -> None:
    assert equal(first, second)
    assert equal(second, first)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (1, True),
        (0, False),
        ("true", True),
        (0, None),
        ("", None),
        (False, None),
        (0, ""),
        (1, "1x"),
        (float("nan"), float("nan")),
        ("9:30", "09:30"),
        ([1], 1),
        ([1, 2], [1]),
        ({"a": 1}, {"b": 1}),
        (DateText("2017-08-07"), "2017-08-08"),
        ("9" * 5000, 9),
    ],
)
def test_values_that_do_not_equal_each_other(first: object, second: object) -> None:
    assert not equal(first, second)
    assert not equal(second, first)


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        (2, 10, -1),
        ("2", "10", -1),
        ("2", 10, -1),
        ("b", "a", 1),
        ("10", "9a", -1),
        (DateText("2017-08-07"), DateText("2017-10-01"), -1),
        (DateText("2017-08-07"), "2017.8.7", 0),
        (TimeText("09:30"), "9:31", -1),
        (DatetimeText("2017-08-07T23:00:00Z"), DateText("2017-08-08"), 1),
        (None, 1, None),
        (1, MISSING, None),
        (float("nan"), 1, None),
    ],
)
def test_values_have_an_order(first: object, second: object, expected: int | None) -> None:
    assert order(first, second, "Europe/Berlin") == expected


def test_lists_and_objects_have_no_order() -> None:
    with pytest.raises(TemplateError, match="A list has no order"):
        order([1], 2)
    with pytest.raises(TemplateError, match="An object has no order"):
        order(2, {"a": 1})


@pytest.mark.parametrize(
    "value", [False, None, MISSING, 0, 0.0, float("nan"), "", [], "false", "0", "null", "undefined"]
)
def test_values_that_count_as_false(value: object) -> None:
    assert not is_true(value)
    assert not is_true(CustomValue({"value": value}, bare=value))


@pytest.mark.parametrize("value", [True, 1, -1, "no", " ", "False", {}, [None], 10**400, DateText("2017-08-07")])
def test_values_that_count_as_true(value: object) -> None:
    assert is_true(value)
