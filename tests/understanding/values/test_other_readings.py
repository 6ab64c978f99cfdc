"""What else the same words may mean, and what is seen and cannot be read as one value."""

from __future__ import annotations

from datetime import datetime

import pytest

from dialoom.understanding import Recogniser
from dialoom.understanding.values import readers_for
from dialoom.understanding.values.message import message
from tests.understanding.values.reading import WEDNESDAY


def others(type_: str, text: str, language: str = "en", now: datetime = WEDNESDAY) -> list[tuple[str, ...]]:
    return [one.others for one in readers_for(language)[type_].find(message(text, now))]


@pytest.mark.parametrize(
    ("text", "language", "other"),
    [
        ("at eight", "en", "20:00"),
        ("half past three", "en", "03:30"),
        ("8:30", "en", "20:30"),
        ("twelve o'clock", "en", "00:00"),
        ("um acht", "de", "20:00"),
        ("halb neun", "de", "20:30"),
        ("à 8h", "fr", "20:00"),
        ("a las ocho y media", "es", "20:30"),
        ("alle tre", "it", "03:00"),
        ("om acht uur", "nl", "20:00"),
        ("às oito", "pt", "20:00"),
    ],
)
def test_a_time_without_its_half_of_the_day_may_be_in_the_other(text: str, language: str, other: str) -> None:
    assert others("Time", text, language) == [(other,)]


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("8 am", "en"),
        ("8 in the morning", "en"),
        ("at 8 tomorrow evening", "en"),
        ("20:00", "en"),
        ("08:00", "en"),
        ("noon", "en"),
        ("in two hours", "en"),
        ("um 8:00", "de"),
        ("um acht Uhr morgens", "de"),
        ("à 8h30", "fr"),
        ("a las 8 de la tarde", "es"),
    ],
)
def test_a_time_with_its_half_of_the_day_is_no_other(text: str, language: str) -> None:
    assert others("Time", text, language) == [()]


@pytest.mark.parametrize(
    ("text", "last"),
    [
        ("28 February", "2026-02-28"),
        ("29 February", "2024-02-29"),
        ("31 December", "2026-12-31"),
        ("the 25th", "2027-01-25"),
        ("the 31st", "2027-01-31"),
        ("Friday", "2027-02-19"),
        ("Wednesday", "2027-02-17"),
        ("Friday the 12th", "2027-02-12"),
        ("Christmas", "2026-12-25"),
        ("end of March", "2026-03-31"),
        ("first Monday in December", "2026-12-07"),
        ("the day after Christmas", "2026-12-26"),
    ],
)
def test_a_date_without_its_year_may_be_the_last_one(text: str, last: str) -> None:
    assert others("Date", text) == [(last,)]


@pytest.mark.parametrize(
    "text", ["24 February", "3 March 2027", "tomorrow", "next Friday", "last Friday", "two weeks ago", "2026-03-03"]
)
def test_a_date_that_says_which_is_no_other(text: str) -> None:
    assert others("Date", text) == [()]


@pytest.mark.parametrize(
    ("type_", "text", "unread"),
    [
        ("Date", "31 February", "31 February"),
        ("Date", "march, the 32 and 5", None),
        ("Date", "on every Monday", "Monday"),
        ("Time", "at the latest 9", "at the latest 9"),
        ("Time", "9 at the latest", "9 at the latest"),
        ("Time", "not before 10 o'clock", "not before 10"),
        ("Date", "on 5 March", None),
        ("Time", "at 9", None),
    ],
)
def test_what_tells_no_one_day_or_hour_is_told(type_: str, text: str, unread: str | None) -> None:
    found = [text[start:end] for start, end in Recogniser((), "en").unread(text, type_, WEDNESDAY)]
    assert unread in found if unread is not None else not found


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("50", 50),
        ("about 20", 20),
        ("2k", 2000),
        ("1.5k", 1500),
        ("two hundred", 200),
        ("-5", -5),
        ("1,200.50", 1200.5),
    ],
)
def test_a_bare_number_is_an_amount(text: str, value: float) -> None:
    found = Recogniser((), "en").bare_amounts(text, "EUR", WEDNESDAY)
    assert [one.value for one in found] == [{"value": value, "currency": "EUR"}]


@pytest.mark.parametrize("text", ["3 days", "5 people", "10 %", "half", "1.2m", "5 March", "5 pm", "a5b", "the 5th"])
def test_a_number_of_something_is_no_amount(text: str) -> None:
    assert Recogniser((), "en").bare_amounts(text, "EUR", WEDNESDAY) == []


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("sei libero sabato?", []),
        ("tu sei gentile", []),
        ("sei un bot?", []),
        ("sei", [6]),
        ("siamo sei", [6]),
        ("sei persone", [6]),
        ("sei euro", [6]),
        ("cinque o sei", [5, 6]),
        ("grazie mille, siamo 4", [4]),
        ("mille", [1000]),
    ],
)
def test_an_italian_six_is_not_you_are(text: str, values: list[int]) -> None:
    found = readers_for("it")["Number"].find(message(text, WEDNESDAY))
    assert [one.value for one in found] == values
