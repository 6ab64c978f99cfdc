from __future__ import annotations

import pytest

from dialoom.understanding.values import readers_for
from dialoom.understanding.values.message import message
from dialoom.understanding.values.number import ONLY_ASKED
from tests.understanding.values.reading import WEDNESDAY, read, values


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("5", "en", [5]),
        ("for 4 people", "en", [4]),
        ("$1,200", "en", [1200]),
        ("1,200.50", "en", [1200.5]),
        ("1.200,50", "de", [1200.5]),
        ("1.500", "de", [1500]),
        ("1.500", "en", [1.5]),
        ("1 200,5", "fr", [1200.5]),
        ("1\u202f200,5", "fr", [1200.5]),
        ("12'500.75", "de-CH", [12500.75]),
        ("1,00,000", "en-IN", [100000]),
        ("-5", "en", [-5]),
        ("25%", "en", [25]),
        ("2.0", "en", [2]),
        ("4, 5", "en", [4, 5]),
        ("twenty-five", "en", [25]),
        ("Twenty Five", "en", [25]),
        ("two hundred and six", "en", [206]),
        ("a hundred", "en", [100]),
        ("three thousand four hundred", "en", [3400]),
        ("five six", "en", [5, 6]),
        ("one and two", "en", [1, 2]),
        ("for one person", "en", [1]),
        ("fünfundzwanzig", "de", [25]),
        ("siebzig", "de", [70]),
        ("quatre-vingt-dix-sept", "fr", [97]),
        ("soixante et onze", "fr", [71]),
        ("vingt et un", "fr", [21]),
        ("treinta y cinco", "es", [35]),
        ("veintidós", "es", [22]),
        ("ventotto", "it", [28]),
        ("trentatré", "it", [33]),
        ("tweeëntwintig", "nl", [22]),
        ("trinta e cinco", "pt", [35]),
        ("двадесет и пет", "bg", [25]),
        ("единайсет", "bg", [11]),
        ("一 3", "zh", [1, 3]),
        ("٣", "ar", [3]),
    ],
)
def test_numbers_are_read_in_digits_and_words(text: str, language: str, expected: list[float]) -> None:
    assert values("Number", text, language) == expected


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("the first one", "en"),
        ("that one", "en"),
        ("the blue one please", "en"),
        ("A123", "en"),
        ("3rd", "en"),
        ("15:00", "en"),
        ("3/4/2027", "en"),
        ("2027-03-03", "en"),
        ("room_5", "en"),
        ("twenty-first of June", "en"),
        ("un café", "fr"),
        ("ein Termin", "de"),
        ("una cita", "es"),
        ("1234567890123456", "en"),
        ("5.6.7", "en"),
    ],
)
def test_what_only_looks_like_a_number_is_none(text: str, language: str) -> None:
    assert values("Number", text, language) == []


def test_zeros_before_a_number_are_digits_of_it_where_it_is_asked_for() -> None:
    said = message("0888123456", WEDNESDAY)
    assert [(one.value, one.confidence) for one in readers_for("en")["Number"].find(said)] == [(888123456, ONLY_ASKED)]
    assert values("Number", "03890", "de") == [3890]
    assert values("Number", "007") == [7]


@pytest.mark.parametrize(
    ("word", "language"), [("un", "fr"), ("una", "es"), ("een", "nl"), ("ein", "de"), ("една", "bg")]
)
def test_an_article_alone_is_the_number_one(word: str, language: str) -> None:
    assert values("Number", word, language) == [1]


def test_places_are_those_of_the_words() -> None:
    assert read("Number", "about two hundred and six or -7") == [(206, "two hundred and six"), (-7, "-7")]
