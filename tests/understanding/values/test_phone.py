from __future__ import annotations

import pytest

from dialoom.understanding.values.message import message
from dialoom.understanding.values.phone import UNSURE, PhoneReader
from tests.understanding.values.reading import WEDNESDAY, read


@pytest.mark.parametrize(
    "number",
    ["+359 888 123 456", "0888123456", "555-123-4567", "(02) 987 65 43", "+44 20 7946 0958", "00359888123456", "12345"],
)
def test_a_number_is_found_as_the_user_wrote_it(number: str) -> None:
    assert read("PhoneNumber", number) == [(number, number)]


def test_a_number_is_found_inside_a_sentence() -> None:
    assert read("PhoneNumber", "call me on +359 888 123 456, please") == [("+359 888 123 456", "+359 888 123 456")]


@pytest.mark.parametrize(
    "text",
    ["1234", "order 12345 please", "2027-03-03", "03.04.2027", "15:00", "12345678901234567", "AB1234567", "1.200.000"],
)
def test_what_is_no_phone_number_gives_nothing(text: str) -> None:
    assert read("PhoneNumber", text) == []


@pytest.mark.parametrize("text", ["12345", "+1234567"])
def test_digits_that_may_be_anything_are_unsure(text: str) -> None:
    assert [one.confidence for one in PhoneReader().find(message(text, WEDNESDAY))] == [UNSURE]
