"""A value that is about something else, another deed or a question, changes no answer; the deed's own verb is a yes.

``other_deeds.json``: by language a confirmation, values of a type, and what is said.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.engine.talking import Chat, bot, confirm, goal, hook, keywords, q, say, trait

SAID = json.loads(Path(__file__).with_name("other_deeds.json").read_text(encoding="utf-8"))
POST = "https://api.test/x"
ACTS = (
    hook("done", POST, "acted", source={"method": "POST"}, conditions=["{{sure}}"]),
    say("dropped", conditions=["{{$not sure}}"]),
)


def each(key: str) -> list[tuple[str, str]]:
    return [(language, text) for language, one in SAID.items() for text in one[key]]


def booking(language: str, *, can_cancel: bool = True, with_email: bool = False) -> Chat:
    """A talk that has come to the confirmation, or to the question before it."""
    one = SAID[language]
    email = (q("email", "Email"),) if with_email else ()
    asked = (q("service", "Service"), q("guests", "Number"), q("date", "Date"), q("time", "Time"), *email)
    goals = {"book": goal(*asked, confirm("sure", one["question"]), *ACTS)}
    senses = {"book": one["book"]}
    if can_cancel:
        goals["cancel"] = goal(q("cancelled", "Date"), say("cancelled"))
        senses["cancel"] = one["cancel"]
    types = keywords("Service", **{name: [] for name in one["services"]})
    chat = Chat(bot(goals, types, trait(**senses), language=language), {POST: 1})
    for text in (one["book"][0], one["services"][0], "4", "2026-11-24", "19:30"):
        chat.say(text)
    return chat


def assert_unchanged(chat: Chat, before: dict[str, Any]) -> None:
    assert not chat.calls
    if chat.state.stack[-1].key == "book":
        assert chat.memory == before


@pytest.mark.parametrize("can_cancel", [True, False])
@pytest.mark.parametrize(("language", "said"), each("another deed"))
def test_a_day_of_another_deed_does_not_move_the_booking(language: str, said: str, can_cancel: bool) -> None:
    chat = booking(language, can_cancel=can_cancel)
    before = dict(chat.memory)
    chat.say(said)
    assert_unchanged(chat, before)


@pytest.mark.parametrize(("language", "said"), each("inquiries"))
def test_a_question_about_another_value_does_not_choose_it(language: str, said: str) -> None:
    for with_email in (True, False):
        chat = booking(language, with_email=with_email)
        before = dict(chat.memory)
        chat.say(said)
        assert_unchanged(chat, before)


@pytest.mark.parametrize(("language", "said"), each("corrections"))
def test_asking_for_another_value_chooses_it(language: str, said: str) -> None:
    for with_email in (True, False):
        chat = booking(language, with_email=with_email)
        chat.say(said)
        assert chat.memory["service"]["value"] != SAID[language]["services"][0]


@pytest.mark.parametrize(("language", "said"), each("asking back"))
def test_asking_what_weekday_a_known_day_is_changes_nothing(language: str, said: str) -> None:
    for with_email in (True, False):
        chat = booking(language, with_email=with_email)
        before = dict(chat.memory)
        chat.say(said)
        assert_unchanged(chat, before)
        assert chat.state.ask is not None


@pytest.mark.parametrize(
    ("said", "date"),
    [
        ("no cancel that, make it friday", "2026-11-27"),
        ("yes but reschedule it to friday", "2026-11-27"),
        ("is friday possible?", "2026-11-27"),
        ("is friday ok?", "2026-11-27"),
        ("yes but order me a taxi to the airport for friday", "2026-11-24"),
    ],
)
def test_a_wish_for_another_day_of_the_same_deed_moves_the_booking(said: str, date: str) -> None:
    chat = booking("en", can_cancel=False)
    chat.say(said)
    assert (chat.memory["date"], chat.calls) == (date, [])


@pytest.mark.parametrize(
    ("language", "question", "wish", "yeses", "others"),
    [(language, *row) for language, one in SAID.items() for row in one["own verbs"]],
)
def test_the_verb_of_the_question_is_a_yes_and_another_verb_is_none(
    language: str, question: str, wish: str, yeses: list[str], others: list[str]
) -> None:
    flow = bot({"deed": goal(confirm("sure", question), *ACTS)}, trait(deed=[wish]), language=language)

    def acts(said: str) -> bool:
        chat = Chat(flow, {POST: 1})
        chat.say(wish)
        chat.say(said)
        return bool(chat.calls)

    assert [said for said in yeses if not acts(said)] == []
    assert [said for said in others if acts(said)] == []
