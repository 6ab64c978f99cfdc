from __future__ import annotations

from datetime import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dialoom.understanding.values import readers_for
from dialoom.understanding.values.message import message
from dialoom.understanding.values.pieces.time_pieces import BARE_HOUR
from tests.understanding.values.reading import WEDNESDAY, read, values


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("15:00", "en", "15:00"),
        ("make it 16:00", "en", "16:00"),
        ("make it 4pm", "en", "16:00"),
        ("3 p.m.", "en", "15:00"),
        ("3 AM", "en", "03:00"),
        ("12 am", "en", "00:00"),
        ("12:30 pm", "en", "12:30"),
        ("at 4", "en", "16:00"),
        ("at 8", "en", "08:00"),
        ("at 4 in the morning", "en", "04:00"),
        ("at 4:30", "en", "16:30"),
        ("04:30", "en", "04:30"),
        ("4:30", "de", "04:30"),
        ("at four thirty", "en", "16:30"),
        ("half past 11 in the morning", "en", "11:30"),
        ("half past three", "en", "15:30"),
        ("quarter to 8", "en", "07:45"),
        ("ten past four", "en", "16:10"),
        ("20 to 6 pm", "en", "17:40"),
        ("4 o'clock", "en", "16:00"),
        ("9 o’clock", "en", "09:00"),
        ("evening 6:15", "en", "18:15"),
        ("2 in the afternoon", "en", "14:00"),
        ("11 at night", "en", "23:00"),
        ("2 at night", "en", "02:00"),
        ("noon", "en", "12:00"),
        ("midnight", "en", "00:00"),
        ("in two hours", "en", "12:00"),
        ("in 30 minutes", "en", "10:30"),
        ("16", "en", "16:00"),
        ("24:00", "en", "00:00"),
        ("2027-03-03T15:00", "en", "15:00"),
        ("15:00:30", "en", "15:00"),
        ("um 15 Uhr", "de", "15:00"),
        ("15 Uhr 30", "de", "15:30"),
        ("16.30 Uhr", "de", "16:30"),
        ("um 16.30", "de", "16:30"),
        ("halb elf", "de", "10:30"),
        ("viertel nach 3", "de", "15:15"),
        ("zehn vor vier", "de", "15:50"),
        ("heute abend um 8", "de", "20:00"),
        ("à 15h", "fr", "15:00"),
        ("8h30", "fr", "08:30"),
        ("trois heures et demie", "fr", "15:30"),
        ("4 heures moins le quart", "fr", "15:45"),
        ("9 heures du soir", "fr", "21:00"),
        ("midi", "fr", "12:00"),
        ("a las tres y media", "es", "15:30"),
        ("a las cuatro menos diez", "es", "15:50"),
        ("a las 8 de la mañana", "es", "08:00"),
        ("alle tre e mezza", "it", "15:30"),
        ("alle 15", "it", "15:00"),
        ("stasera alle 8", "it", "20:00"),
        ("half elf", "nl", "10:30"),
        ("kwart voor 4", "nl", "15:45"),
        ("'s avonds om 8 uur", "nl", "20:00"),
        ("às 15h30", "pt", "15:30"),
        ("às três e meia", "pt", "15:30"),
        ("às 8 da noite", "pt", "20:00"),
        ("в 15 часа", "bg", "15:00"),
        ("в 4", "bg", "16:00"),
        ("в три и половина", "bg", "15:30"),
        ("довечера в 8", "bg", "20:00"),
        ("15:00", "xx", "15:00"),
    ],
)
def test_hours_are_read_as_people_say_them(text: str, language: str, expected: str) -> None:
    assert values("Time", text, language) == [expected]


@pytest.mark.parametrize(
    "text",
    [
        "25:00",
        "12:75",
        "for about 5 people",
        "3 days",
        "1.5",
        "at 99",
        "version 1:2:3:4",
        "-5",
        "$5",
        "by 4 people",
        "5%",
    ],
)
def test_what_is_no_time_gives_nothing(text: str) -> None:
    assert values("Time", text) == []


def test_two_times_of_a_range_are_two_times() -> None:
    assert values("Time", "from 3 to 5 pm") == ["15:00", "17:00"]
    assert values("Time", "3pm-5pm") == ["15:00", "17:00"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("on 3 March at 15:00", [("15:00", "15:00")]),
        ("see you at 4", [("16:00", "at 4")]),
        ("tonight at 8", [("20:00", "at 8")]),
        ("tomorrow morning at 9", [("09:00", "morning at 9")]),
    ],
)
def test_a_time_leaves_the_words_of_the_day_free(text: str, expected: list[tuple[str, str]]) -> None:
    assert read("Time", text) == expected


def test_a_message_of_one_bare_number_is_an_unsure_time() -> None:
    found = list(readers_for("en")["Time"].find(message("4", WEDNESDAY)))
    assert [(one.value, one.confidence) for one in found] == [("16:00", BARE_HOUR)]


@settings(max_examples=80)
@given(hour=st.times())
def test_every_minute_of_the_day_is_read_back(hour: time) -> None:
    assert values("Time", f"{hour:%H:%M}") == [f"{hour:%H:%M}"]
    assert values("Time", f"{hour:%I:%M %p}") == [f"{hour:%H:%M}"]
    assert values("Time", f"um {hour.hour}:{hour:%M} Uhr", "de") == [f"{hour:%H:%M}"]


def test_a_bare_hour_before_a_name_may_be_a_house_number() -> None:
    unsure = list(readers_for("en")["Time"].find(message("at 1 Embarcadero Center", WEDNESDAY)))
    assert [(one.value, one.confidence) for one in unsure] == [("13:00", BARE_HOUR)]
    assert values("Time", "9 in the evening, at 1 Embarcadero Center") == ["21:00"]


@pytest.mark.parametrize(
    ("text", "language", "said"),
    [
        ("noonish", "en", "noonish"),
        ("at around noon please", "en", "at around noon"),
        ("about midnight", "en", "about midnight"),
        ("gegen Mittag", "de", "gegen Mittag"),
        ("vers midi", "fr", "vers midi"),
        ("hacia el mediodía", "es", "hacia el mediodía"),
        ("verso mezzogiorno", "it", "verso mezzogiorno"),
        ("rond het middaguur", "nl", "rond het middaguur"),
        ("por volta do meio-dia", "pt", "por volta do meio-dia"),
        ("около обяд", "bg", "около обяд"),
    ],
)
def test_noon_and_midnight_may_be_said_loosely(text: str, language: str, said: str) -> None:
    assert read("Time", text, language) == [("00:00" if "midnight" in text else "12:00", said)]


def test_ten_to_twelve_in_digits_is_a_time_only_where_one_is_asked_for() -> None:
    reader = readers_for("en")["Time"]
    for text, confidence in (("10 to 12", BARE_HOUR), ("ten to twelve", 1.0), ("20 to 12", 1.0)):
        (found,) = reader.find(message(text, WEDNESDAY))
        assert found.confidence == confidence, text


def test_too_early_is_no_morning() -> None:
    assert values("Time", "10 Uhr ist zu früh, 12 Uhr bitte", "de") == ["10:00", "12:00"]
    assert values("Time", "früh, 7 Uhr", "de") == ["07:00"]
