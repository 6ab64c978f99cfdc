from __future__ import annotations

from datetime import date, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dialoom.understanding.values import READ_TYPES, readers_for
from dialoom.understanding.values.message import message
from tests.understanding.values.reading import WEDNESDAY, read, values


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("3rd March 2027", "en", "2027-03-03"),
        ("the 3rd of March", "en", "2027-03-03"),
        ("March 3, 2027", "en", "2027-03-03"),
        ("march the third", "en", "2027-03-03"),
        ("twenty-first of June", "en", "2027-06-21"),
        ("5th may '28", "en", "2028-05-05"),
        ("Mon 5 Jan", "en", "2028-01-05"),
        ("24 February", "en", "2027-02-24"),
        ("23 February", "en", "2028-02-23"),
        ("29 February", "en", "2028-02-29"),
        ("2027-03-03", "en", "2027-03-03"),
        ("2027.08.07", "en", "2027-08-07"),
        ("2027-03-03T15:00", "en", "2027-03-03"),
        ("3/4/2027", "en", "2027-03-04"),
        ("3/4/2027", "en-GB", "2027-04-03"),
        ("3/4/27", "en-US", "2027-03-04"),
        ("25/12", "en", "2027-12-25"),
        ("03.04.2027", "en", "2027-04-03"),
        ("3.4.", "de", "2027-04-03"),
        ("today", "en", "2027-02-24"),
        ("tonight", "en", "2027-02-24"),
        ("Tomorrow", "en", "2027-02-25"),
        ("the day after tomorrow", "en", "2027-02-26"),
        ("yesterday", "en", "2027-02-23"),
        ("friday", "en", "2027-02-26"),
        ("on Wednesday", "en", "2027-03-03"),
        ("this wednesday", "en", "2027-02-24"),
        ("next Friday", "en", "2027-03-05"),
        ("next Monday", "en", "2027-03-01"),
        ("the 12th", "en", "2027-03-12"),
        ("the 24th", "en", "2027-02-24"),
        ("the 31st", "en", "2027-03-31"),
        ("Friday the 12th", "en", "2027-03-12"),
        ("Tuesday the 12th", "en", "2027-10-12"),
        ("the twelfth", "en", "2027-03-12"),
        ("in three days", "en", "2027-02-27"),
        ("in a week", "en", "2027-03-03"),
        ("two weeks from now", "en", "2027-03-10"),
        ("in one month", "en", "2027-03-24"),
        ("3 days ago", "en", "2027-02-21"),
        ("am 3. März 2027", "de", "2027-03-03"),
        ("Dienstag, den 9. März", "de", "2027-03-09"),
        ("einundzwanzigster Juni", "de", "2027-06-21"),
        ("übermorgen", "de", "2027-02-26"),
        ("nächsten Freitag", "de", "2027-03-05"),
        ("kommenden Freitag", "de", "2027-02-26"),
        ("am 12.", "de", "2027-03-12"),
        ("vor einer Woche", "de", "2027-02-17"),
        ("le 3 mars 2027", "fr", "2027-03-03"),
        ("le 1er mai", "fr", "2027-05-01"),
        ("vendredi prochain", "fr", "2027-02-26"),
        ("le 12", "fr", "2027-03-12"),
        ("après-demain", "fr", "2027-02-26"),
        ("aujourd’hui", "fr", "2027-02-24"),
        ("il y a 3 jours", "fr", "2027-02-21"),
        ("el 3 de marzo de 2027", "es", "2027-03-03"),
        ("pasado mañana", "es", "2027-02-26"),
        ("el próximo viernes", "es", "2027-02-26"),
        ("el día 12", "es", "2027-03-12"),
        ("il 3 marzo 2027", "it", "2027-03-03"),
        ("l'8 marzo", "it", "2027-03-08"),
        ("dopodomani", "it", "2027-02-26"),
        ("3 maart 2027", "nl", "2027-03-03"),
        ("de 12e", "nl", "2027-03-12"),
        ("overmorgen", "nl", "2027-02-26"),
        ("3 de março de 2027", "pt", "2027-03-03"),
        ("próxima sexta-feira", "pt", "2027-02-26"),
        ("dia 12", "pt", "2027-03-12"),
        ("3 март 2027", "bg", "2027-03-03"),
        ("трети март", "bg", "2027-03-03"),
        ("вдругиден", "bg", "2027-02-26"),
        ("на 12-ти", "bg", "2027-03-12"),
        ("следващия петък", "bg", "2027-03-05"),
        ("3. maaliskuuta 2027", "fi", "2027-03-03"),
        ("2027年3月3日", "zh", "2027-03-03"),
        ("3 марта", "ru", "2027-03-03"),
        ("2027-03-03", "xx", "2027-03-03"),
    ],
)
def test_days_are_read_as_people_say_them(text: str, language: str, expected: str) -> None:
    assert values("Date", text, language) == [expected]


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("31 February", "en"),
        ("on the 31 February", "en"),
        ("30/02/2027", "en"),
        ("2027-13-01", "en"),
        ("32nd of March", "en"),
        ("the 3rd floor", "en"),
        ("the second time", "en"),
        ("march", "en"),
        ("I may", "en"),
        ("3.5", "en"),
        ("15:00", "en"),
        ("12", "en"),
        ("call 1-2-3-4", "en"),
        ("Guten Morgen", "de"),
        ("por la mañana", "es"),
        ("31 февруари", "bg"),
    ],
)
def test_what_is_no_date_gives_nothing(text: str, language: str) -> None:
    assert values("Date", text, language) == []


def test_places_are_those_of_the_words() -> None:
    assert read("Date", "see you on 3rd March 2027, or tomorrow") == [
        ("2027-03-03", "3rd March 2027"),
        ("2027-02-25", "tomorrow"),
    ]


def test_today_is_a_day_of_the_zone_that_now_is_in() -> None:
    late = datetime(2027, 2, 24, 23, 30, tzinfo=ZoneInfo("UTC"))
    assert values("Date", "today", now=late) == ["2027-02-24"]
    assert values("Date", "today", now=late.astimezone(ZoneInfo("Asia/Tokyo"))) == ["2027-02-25"]


@settings(max_examples=80)
@given(day=st.dates(date(1950, 1, 1), date(2150, 12, 31)))
def test_every_date_is_read_back_from_its_usual_writings(day: date) -> None:
    iso = day.isoformat()
    assert values("Date", iso) == [iso]
    assert values("Date", f"{day.day} {day:%B} {day.year}") == [iso]
    assert values("Date", f"{day:%m/%d/%Y}") == [iso]
    assert values("Date", f"{day:%d.%m.%Y}", "de") == [iso]


@given(
    text=st.sampled_from(["monday", "next sunday", "this tuesday", "the 29th", "30 june", "tomorrow"]), day=st.dates()
)
def test_a_date_without_a_year_is_never_past(text: str, day: date) -> None:
    now = WEDNESDAY.replace(year=min(max(day.year, 2), 9000), month=day.month, day=min(day.day, 28))
    assert all(value >= now.date().isoformat() for value in values("Date", text, now=now))


@pytest.mark.parametrize("text", ["wendesday", "on Satuday", "3 septmber"])
def test_a_name_with_a_slip_is_a_little_less_sure_and_keeps_its_place(text: str) -> None:
    [found] = readers_for("en")["Date"].find(message(text, WEDNESDAY))
    assert found.confidence < 1
    assert text[found.start : found.end] == text.removeprefix("on ")


def test_places_after_a_slip_are_those_of_the_message() -> None:
    assert read("Date", "é wendesday or the 12th") == [("2027-03-03", "wendesday"), ("2027-03-12", "the 12th")]


@pytest.mark.parametrize("language", ["en", "de", "fr", "bg", "zh", "th", "fi"])
@pytest.mark.parametrize("piece", ["2 hours ", "周二", "3 am to ", "in an hour ", "1, ", "the 3rd "])
def test_a_long_message_of_one_phrase_is_read_all_the_same(piece: str, language: str) -> None:
    said = message((piece * 2_000)[:2_000], WEDNESDAY)
    for type_ in READ_TYPES:
        assert all(0 <= one.start < one.end <= 2_000 for one in readers_for(language)[type_].find(said))


@pytest.mark.parametrize(
    ("text", "language"),
    [
        *((text, "en") for text in ("mourning", "good mornings", "several tours", "merch", "on Mondays", "moaning")),
        *((text, "de") for text in ("nichts", "was mögen Sie", "Herr Morgan", "ein Jaguar", "die Abende", "dienstags")),
        *((text, "fr") for text in ("les mardis", "avec dédain", "Javier", "les samedis")),
        *((text, "es") for text in ("una manzana", "abrir la puerta", "Mario", "el dominio", "los domingos", "junto")),
        *((text, "it") for text in ("maggior parte", "Martina", "aprire", "un marmo", "domini")),
        *((text, "nl") for text in ("dat maakt niets", "wij mogen", "zondags")),
        *((text, "pt") for text in ("a terra", "eu teria", "quinto andar", "abrir", "Amanda")),
        *((text, "bg") for text in ("Петър", "следва", "събора")),
    ],
)
def test_a_common_word_is_not_corrected_into_a_day(text: str, language: str) -> None:
    assert values("Date", text, language) == []
    assert values("Time", text, language) == []


@pytest.mark.parametrize(
    ("text", "sure"), [("10", 0.5), ("10 or 11", 0.5), ("at 10 or 11", 1.0), ("10ish", 0.5), ("at 1430", 0.5)]
)
def test_bare_hours_are_as_sure_as_a_bare_number(text: str, sure: float) -> None:
    found = readers_for("en")["Time"].find(message(text, WEDNESDAY))
    assert {one.confidence for one in found} == {sure}
