"""$date: readings, named forms, tokens, languages and zones."""

from __future__ import annotations

import pytest

from dialoom.template import Scope, compile
from dialoom.template.formats.dates import CLOCK_TOKENS, DAY_TOKENS, LONG_FORMS, MOMENT_TOKENS, NAMED, TOKENS
from dialoom.template.values import DateText, DatetimeText, TimeText

MEMORY = {
    "date": DateText("2015-06-05"),
    "time": TimeText("14:05"),
    "moment": DatetimeText("2015-06-15T22:30:15.250Z"),
    "naive": "2015-06-15T22:30",
    "stamp": 1434407400000,
    "word": "2015.6.5",
}


def text(arguments: str, language: str = "en", zone: str = "UTC") -> str:
    return compile(f"{{{{$date {arguments}}}}}").text(Scope(MEMORY, locale=language, timezone=zone))


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ("date", "Jun 5, 2015"),
        ("word", "Jun 5, 2015"),
        ("moment", "Jun 15, 2015"),
        ("stamp 'YYYY-MM-DD HH:mm'", "2015-06-15 22:30"),
        ("time", "2:05 PM"),
        ("date missing", "Jun 5, 2015"),
        ("date missing 'longDate'", "June 5, 2015"),
        ("date time", "Jun 5, 2015"),
        ("date time missing", "Jun 5, 2015"),
        ("date '9:30' 'H:mm'", "9:30"),
        ("date moment 'HH:mm'", "22:30"),
        ("moment time 'YYYY-MM-DD HH:mm'", "2015-06-15 14:05"),
        ("time '9:30' 'HH:mm'", "09:30"),
    ],
)
def test_value_time_and_format_are_told_apart(arguments: str, expected: str) -> None:
    assert text(arguments) == expected


@pytest.mark.parametrize(
    ("form", "expected"),
    [
        ("short", "6/5/15, 2:05 PM"),
        ("medium", "Jun 5, 2015, 2:05:00 PM"),
        ("long", "June 5, 2015, 2:05 PM"),
        ("full", "Friday, June 5, 2015, 2:05 PM"),
        ("shortDate", "6/5/15"),
        ("mediumDate", "Jun 5, 2015"),
        ("longDate", "June 5, 2015"),
        ("fullDate", "Friday, June 5, 2015"),
        ("shortTime", "2:05 PM"),
        ("mediumTime", "2:05:00 PM"),
    ],
)
def test_named_date_formats(form: str, expected: str) -> None:
    assert text(f"date time '{form}'") == expected
    assert form in NAMED


@pytest.mark.parametrize(
    ("tokens", "expected"),
    [
        ("YYYY-MM-DD", "2015-06-15"),
        ("YY Y M D", "15 2015 6 15"),
        ("MMMM MMM Mo Do", "June Jun 6th 15th"),
        ("dddd ddd dd d do E e", "Monday Mon Mo 1 1st 1 1"),
        ("DDD DDDD Q Qo", "166 166 2 2nd"),
        ("w ww W WW gggg gg GGGG GG", "25 25 25 25 2015 15 2015 15"),
        ("HH H hh h kk k mm m ss s", "22 22 10 10 22 22 30 30 15 15"),
        ("S SS SSS SSSS A a", "2 25 250 2500 PM pm"),
        ("Z ZZ X x", "+00:00 +0000 1434407415 1434407415250"),
        ("[at] HH[h] []", "at 22h "),
        ("L | LL | LT | LTS", "6/15/15 | June 15, 2015 | 10:30 PM | 10:30:15 PM"),
    ],
)
def test_date_tokens_are_those_of_moment_js(tokens: str, expected: str) -> None:
    assert text(f"moment '{tokens}'") == expected


def test_every_token_that_is_read_is_known() -> None:
    for match in TOKENS.pattern.split("(", 2)[2].rstrip(")").split("|"):
        token = match.removesuffix("{1,9}")
        assert token == "S" or token in {**DAY_TOKENS, **CLOCK_TOKENS, **MOMENT_TOKENS, **LONG_FORMS}, token


def test_a_date_alone_begins_at_midnight() -> None:
    assert text("date 'HH:mm hh A kk'") == "00:00 12 AM 24"


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("de", "Freitag, 5. Juni 2015"),
        ("fr", "vendredi 5 juin 2015"),
        ("es", "viernes, 5 de junio de 2015"),
        ("bg", "петък, 5 юни 2015 г."),
        ("pt-BR", "sexta-feira, 5 de junho de 2015"),
        ("xx", "Friday, June 5, 2015"),
    ],
)
def test_dates_are_written_in_the_bots_language(language: str, expected: str) -> None:
    assert text("date 'fullDate'", language) == expected


def test_ordinals_follow_the_language() -> None:
    assert [text("date 'Do'", language) for language in ("en", "de", "fr", "nl", "tr")] == ["5th", "5.", "5", "5e", "5"]
    days = "{{#each days}}{{$date this 'Do'}} {{/each}}"
    scope = Scope({"days": [f"2015-01-{day:02}" for day in (1, 2, 3, 4, 11, 12, 13, 21, 22, 23, 31)]})
    assert compile(days).text(scope) == "1st 2nd 3rd 4th 11th 12th 13th 21st 22nd 23rd 31st "


def test_a_moment_is_shown_in_the_bots_zone_and_other_texts_as_they_are() -> None:
    assert text("moment 'YYYY-MM-DD HH:mm Z'", zone="Europe/Berlin") == "2015-06-16 00:30 +02:00"
    assert text("naive 'YYYY-MM-DD HH:mm Z'", zone="Europe/Berlin") == "2015-06-15 22:30 +02:00"
    assert text("date 'YYYY-MM-DD'", zone="Pacific/Kiritimati") == "2015-06-05"
    assert text("moment 'HH:mm'", zone="Universal") == text("moment 'HH:mm'", zone="No/Such_Zone") == "22:30"
