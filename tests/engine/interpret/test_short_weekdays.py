"""Weekdays in two or three letters are other words too: days for an open question alone."""

from __future__ import annotations

from typing import Any

import pytest

from tests.engine.talking import Chat, bot, confirm, goal, q, trait

START = "let us begin"


def german(*steps: dict[str, Any]) -> Chat:
    return Chat(bot({"book": goal(*steps)}, trait(book=[START]), language="de"))


@pytest.mark.parametrize("said", ["so", "fr", "mo", "fr oder sa"])
def test_they_change_no_answer_at_a_confirmation(said: str) -> None:
    chat = german(q("day", "Date"), confirm("sure"))
    chat.say(START)
    chat.say("morgen")
    chat.say(said)
    assert chat.memory["day"] == "2026-11-21"


@pytest.mark.parametrize("said", ["so", "fr"])
def test_they_are_nothing_where_no_question_is_open(said: str) -> None:
    chat = german(q("day", "Date"))
    chat.say(said)
    assert "day" not in chat.memory


@pytest.mark.parametrize("type", ["Number", "Time", "Text"])
def test_they_are_no_day_beside_another_question(type: str) -> None:
    chat = german(q("other", type), q("day", "Date"))
    chat.say(START)
    chat.say("fr")
    assert "day" not in chat.memory


def test_two_of_them_are_asked_about() -> None:
    chat = german(q("day", "Date"))
    chat.say(START)
    assert chat.say("fr oder sa") == ["day? [2026.11.27] [2026.11.21]"]
