from __future__ import annotations

import pytest

from tests.understanding.values.reading import read


@pytest.mark.parametrize(
    ("text", "value", "words"),
    [
        ("mail me at John.Doe@Example.COM.", "John.Doe@example.com", "John.Doe@Example.COM"),
        ("<a.b+c@x-y.org>", "a.b+c@x-y.org", "a.b+c@x-y.org"),
        ("(anna@example.co.uk)", "anna@example.co.uk", "anna@example.co.uk"),
        ("mailto:anna@example.com", "anna@example.com", "anna@example.com"),
        ("is it o'neil@example.com?", "o'neil@example.com", "o'neil@example.com"),
    ],
)
def test_an_address_is_found_without_the_signs_around_it(text: str, value: str, words: str) -> None:
    assert read("Email", text) == [(value, words)]


@pytest.mark.parametrize("text", ["anna@", "@anna", "a@b", "a..b@example.com", "anna at example.com", "x@.com", "@@@"])
def test_what_is_no_address_gives_nothing(text: str) -> None:
    assert read("Email", text) == []


def test_two_addresses_are_both_found() -> None:
    assert [value for value, _ in read("Email", "a@example.com,b@example.com")] == ["a@example.com", "b@example.com"]
