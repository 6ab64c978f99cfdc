"""A weekday, or the number of a day, that answers offered days is one of them."""

from __future__ import annotations

import pytest

from dialoom.engine.interpret.values.leaning import MAX_OFFERED
from tests.engine.talking import Chat, bot, confirm, goal, q, quick, say, trait

START = "let us begin"
BEGIN = trait(book=[START])


def asked(*values: str, language: str = "en", title: str = "{}") -> Chat:
    """A chat at a Date question that offers these days."""
    options = [{"title": title.format(number), "value": value} for number, value in enumerate(values)]
    day = q("day", "Date", **({"display": quick(*options)} if options else {}))
    chat = Chat(bot({"book": goal(day, confirm("sure"))}, BEGIN, language=language))
    chat.say(START)
    return chat


@pytest.mark.parametrize(
    ("language", "days", "said"),
    [
        ("en", "December 3 or 4", "friday"),
        ("en", "December 3 or 4", "the friday"),
        ("en", "December 3 or 4", "let's take the friday, please"),
        ("en", "December 3 or 4", "fri"),
        ("de", "3.12. oder 4.12.", "Freitag"),
        ("de", "3.12. oder 4.12.", "den Freitag bitte"),
        ("de", "3.12. oder 4.12.", "fr"),
        ("fr", "le 3 ou le 4 décembre", "vendredi"),
        ("fr", "le 3 ou le 4 décembre", "ven"),
        ("es", "el 3 o el 4 de diciembre", "el viernes"),
        ("it", "il 3 o il 4 dicembre", "venerdì"),
        ("nl", "3 of 4 december", "vrijdag"),
        ("nl", "3 of 4 december", "vr"),
        ("pt", "dia 3 ou dia 4 de dezembro", "sexta-feira"),
    ],
)
def test_a_weekday_is_that_of_the_days_the_bot_asked_about(language: str, days: str, said: str) -> None:
    chat = asked(language=language)
    chat.say(days)
    assert "day" not in chat.memory
    chat.say(said)
    assert chat.memory["day"] == "2026-12-04"


@pytest.mark.parametrize("said", ["friday", "the friday", "Friday, please", "the 4th"])
def test_a_weekday_is_that_of_the_options(said: str) -> None:
    chat = asked("2026-12-03", "2026-12-04", title="Day {}")
    chat.say(said)
    assert chat.memory["day"] == "2026-12-04"


def test_options_in_words_are_days_too() -> None:
    chat = asked("Thursday, December 3", "Friday, December 4", title="Day {}")
    chat.say("friday")
    assert chat.memory["day"] == "2026-12-04"


def test_a_day_of_the_month_is_the_offered_one() -> None:
    chat = asked("2027-02-03", "2027-02-04", title="Day {}")
    chat.say("the 4th")
    assert chat.memory["day"] == "2027-02-04"


def test_a_weekday_of_several_offered_days_is_asked_about() -> None:
    chat = asked("2026-12-03", "2026-12-04", "2026-12-11", title="Day {}")
    assert chat.say("friday") == ["day? [2026.12.04] [2026.12.11]"]


@pytest.mark.parametrize(
    ("said", "day"),
    [
        ("saturday", "2026-11-21"),
        ("next friday", "2026-11-27"),
        ("december 18", "2026-12-18"),
        ("the 5th", "2026-12-05"),
    ],
)
def test_a_day_that_is_not_offered_is_read_as_ever(said: str, day: str) -> None:
    chat = asked("2026-12-03", "2026-12-04", title="Day {}")
    chat.say(said)
    assert chat.memory["day"] == day


def test_an_option_that_is_no_day_is_none_of_them() -> None:
    chat = asked("2026-02-31", "never", "2026-12-04", title="Day {}")
    chat.say("friday")
    assert chat.memory["day"] == "2026-12-04"


def test_of_very_many_options_the_first_are_looked_at() -> None:
    days = [f"2027-{month:02}-{day:02}" for month in range(1, 13) for day in (1, 2, 3, 4, 5, 6, 7)]
    chat = asked(*days[:MAX_OFFERED], title="Day {}")
    chat.say("the 6th of march")
    assert chat.memory["day"] == "2027-03-06"


def test_a_day_of_a_past_run_is_over() -> None:
    day = q("day", "Date", reactions={"suggestions": ["{{day}} again?"]})
    chat = Chat(bot({"book": goal(day, say("Day {{day}}."))}, BEGIN))
    for past in ("2026-11-13", "2026-11-12"):
        chat.say(START)
        chat.say(past)
    assert chat.say(START) == ["day? [2026.11.12] [2026.11.13]"]
    assert chat.say("friday") == ["Day 2026.11.27."]
