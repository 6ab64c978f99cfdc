"""What JSON from outside may hold."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dialoom import strict_json
from dialoom.strict_json import Unfit

TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"))
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**60), 2**60) | st.floats(allow_nan=False, allow_infinity=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=20,
)


@given(VALUES)
@settings(max_examples=60)
def test_what_is_right_is_read_as_it_is(value: Any) -> None:
    assert strict_json.read(json.dumps(value).encode(), 64) == value


@pytest.mark.parametrize(
    ("text", "fault", "pointer"),
    [
        (b"\xff", "json", ""),
        (b"{", "json", ""),
        (b'{"a": 1, "a": 1}', "json", ""),
        (b"[NaN]", "json", ""),
        (b"-Infinity", "json", ""),
        (b"[" * 100_000, "json", ""),
        (b"9" * 5000, "json", ""),
        (b"[[[1]]]", "nesting", "/0/0"),
        (b'{"a": {"b": {}}}', "nesting", "/a/b"),
        (b'{"a": 1e999}', "number", "/a"),
        (b'{"a": [0.5, -1e999]}', "number", "/a/1"),
        (b'{"a": 1e999, }', "json", ""),
        (b'{"a": ["\\u0000"]}', "text", "/a/0"),
        (b'{"a": "\\ud800"}', "text", "/a"),
        (b'{"\\udfff": 1}', "text", ""),
    ],
)
def test_what_is_wrong_says_what_and_where(text: bytes, fault: str, pointer: str) -> None:
    with pytest.raises(Unfit) as unfit:
        strict_json.read(text, 2)
    assert (unfit.value.fault, unfit.value.pointer) == (fault, pointer)
    assert unfit.value.detail.endswith(".")


def test_a_pair_of_surrogates_is_one_character() -> None:
    assert strict_json.read(b'"\\ud83c\\udf75"', 1) == "\U0001f375"


class CountedName(str):
    """Counts how often it is made a part of another text."""

    __slots__ = ()
    uses = 0

    def __format__(self, form: str) -> str:
        CountedName.uses += 1
        return super().__format__(form)


def test_the_place_of_what_is_right_is_never_written_out() -> None:
    """A name of half a megabyte around 250,000 numbers would be copied as often."""
    value: Any = {CountedName("list"): {CountedName(str(number)): number for number in range(1000)}}
    strict_json.check_value(value, 2)
    assert CountedName.uses == 0
    value["list"]["999"] = float("inf")
    with pytest.raises(Unfit) as unfit:
        strict_json.check_value(value, 2)
    assert (unfit.value.pointer, CountedName.uses) == ("/list/999", 2)
