"""One word denies both of two days or hours: "not the 8th or 9th"."""

from __future__ import annotations

import pytest

from tests.engine.talking import Chat, bot, confirm, goal, q, trait

START = "let us begin"
BEGIN = trait(book=[START])


def asked(type: str = "Date", language: str = "en") -> Chat:
    chat = Chat(bot({"book": goal(q("value", type), confirm("sure"))}, BEGIN, language=language))
    chat.say(START)
    return chat


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "not the 8th or 9th"),
        ("en", "anything but the 8th or the 9th"),
        ("en", "not on Monday or Tuesday"),
        ("de", "nicht am 8. oder 9."),
        ("de", "nicht am Montag oder Dienstag"),
        ("fr", "pas le 8 ou le 9"),
        ("es", "cualquier día menos el 8 o el 9"),
        ("it", "non il 8 o il 9"),
        ("nl", "niet op maandag of dinsdag"),
        ("pt", "qualquer dia menos dia 8 ou dia 9"),
    ],
)
def test_neither_of_two_denied_days_is_taken(language: str, said: str) -> None:
    chat = asked(language=language)
    chat.say(said)
    assert "value" not in chat.memory


def test_neither_of_two_denied_hours_is_taken() -> None:
    chat = asked("Time")
    chat.say("not at 8 or 9")
    assert "value" not in chat.memory


@pytest.mark.parametrize("known", ["the 8th", "the 9th"])
def test_a_known_day_that_is_one_of_the_denied_is_asked_for_again(known: str) -> None:
    chat = asked()
    chat.say(known)
    chat.say("not the 8th or 9th")
    assert "value" not in chat.memory


def test_what_stands_beside_the_denied_days_is_taken() -> None:
    chat = asked()
    chat.say("not the 8th or 9th but the 10th")
    assert chat.memory["value"] == "2026-12-10"


@pytest.mark.parametrize("said", ["why not the 8th or 9th?", "the 8th or 9th"])
def test_two_days_that_are_not_denied_are_asked_about(said: str) -> None:
    assert asked().say(said) == ["value? [2026.12.08] [2026.12.09]"]


def test_the_day_behind_a_denied_one_is_taken() -> None:
    chat = asked()
    chat.say("not the 8th, the 9th")
    assert chat.memory["value"] == "2026-12-09"
