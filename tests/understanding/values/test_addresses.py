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


@pytest.mark.parametrize(
    ("text", "email", "phone"),
    [
        ("ada@example.com555 1234", "ada@example.com", "555 1234"),
        ("ada@example.com555-1234", "ada@example.com", "555-1234"),
        ("ada@example.com+49 30 5550100", "ada@example.com", "+49 30 5550100"),
        ("ada@example.com(555)1234567", "ada@example.com", "(555)1234567"),
        ("ada@example.org,5551234", "ada@example.org", "5551234"),
        ("555 1234 ada@x.org", "ada@x.org", "555 1234"),
    ],
)
def test_an_address_and_a_phone_number_run_together_are_both_found(text: str, email: str, phone: str) -> None:
    assert read("Email", text) == [(email, email)]
    assert read("PhoneNumber", text) == [(phone, phone)]


@pytest.mark.parametrize(
    "text", ["ada@mail2.example.com", "a5551234@b2.example.com", "5551234@example.org", "5551234567jo@example.com"]
)
def test_digits_of_an_address_are_no_phone_number(text: str) -> None:
    assert read("Email", text) == [(text, text)]
    assert read("PhoneNumber", text) == []
