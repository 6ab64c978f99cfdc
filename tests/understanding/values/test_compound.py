"""Datetime, Duration, Amount and Url: what is put together from other readings."""

from __future__ import annotations

import pytest

from tests.understanding.values.reading import read, values


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("3rd March 2027 at 15:00", "2027-03-03T15:00:00+02:00"),
        ("3rd July 2027 15:00", "2027-07-03T15:00:00+03:00"),
        ("tomorrow at 4", "2027-02-25T16:00:00+02:00"),
        ("at noon on friday", "2027-02-26T12:00:00+02:00"),
        ("2027-03-03T15:00", "2027-03-03T15:00:00+02:00"),
        ("2027-03-03T15:00:00Z", "2027-03-03T15:00:00+00:00"),
        ("28 March 2027 at 03:30", "2027-03-28T04:30:00+03:00"),
    ],
)
def test_a_date_and_a_time_beside_it_are_a_datetime(text: str, expected: str) -> None:
    assert values("Datetime", text) == [expected]


@pytest.mark.parametrize("text", ["tomorrow", "at 4", "tomorrow I shall call you at 4"])
def test_a_date_and_a_time_apart_are_none(text: str) -> None:
    assert values("Datetime", text) == []


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("two hours and 30 minutes", "en", "PT2H30M"),
        ("a week", "en", "P7D"),
        ("1 year 2 months", "en", "P1Y2M"),
        ("PT90M", "en", "PT90M"),
        ("drei Tage", "de", "P3D"),
        ("une heure et 15 minutes", "fr", "PT1H15M"),
        ("два часа", "bg", "PT2H"),
    ],
)
def test_lengths_of_time_are_iso_durations(text: str, language: str, expected: str) -> None:
    assert values("Duration", text, language) == [expected]


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("$1,200", "en", ({"value": 1200, "currency": "USD"}, "$1,200")),
        ("for 20 euros please", "en", ({"value": 20, "currency": "EUR"}, "20 euros")),
        ("1.200,50 €", "de", ({"value": 1200.5, "currency": "EUR"}, "1.200,50 €")),
        ("USD 5", "en", ({"value": 5, "currency": "USD"}, "USD 5")),
        ("20 лв", "bg", ({"value": 20, "currency": "BGN"}, "20 лв")),
        ("twenty dollars", "en", ({"value": 20, "currency": "USD"}, "twenty dollars")),
    ],
)
def test_an_amount_is_a_number_with_its_currency(text: str, language: str, expected: tuple[object, str]) -> None:
    assert read("Amount", text, language) == [expected]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("see https://example.com/a?b=c.", ["https://example.com/a?b=c"]),
        ("(www.example.org/x_(y))", ["www.example.org/x_(y)"]),
        ("example.com is it", ["example.com"]),
        ("a@example.com", []),
        ("e.g. this", []),
        ("http://", []),
    ],
)
def test_web_addresses_are_found_as_written(text: str, expected: list[str]) -> None:
    assert values("Url", text) == expected
