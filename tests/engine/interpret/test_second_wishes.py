"""A second wish beside an answer is kept, and started when the open goal has ended."""

from __future__ import annotations

import pytest

from tests.engine.talking import Chat, bot, confirm, goal, hook, q, say, trait

MADE = "https://library.test/loans"
FLOW = bot(
    {
        "reserve": goal(
            q("copies", "Number"),
            q("day", "Date"),
            confirm("sure", "Shall I reserve?"),
            hook("made", MADE, "Reserved.", source={"method": "POST"}, conditions=["{{sure}}"]),
        ),
        "extend": goal(q("weeks", "Number"), q("card", "Text"), say("Extended.")),
    },
    trait(reserve=["reserve a book", "put a book aside"], extend=["extend my loan", "renew my books"]),
)


def at_confirmation() -> Chat:
    chat = Chat(FLOW, {MADE: 1})
    for said in ("reserve a book", "2", "2026-12-01"):
        chat.say(said)
    return chat


def test_the_goal_ends_first_and_the_other_starts_then() -> None:
    chat = at_confirmation()
    assert chat.say("yes, and also extend my loan") == ["Reserved.", "weeks?"]
    assert len(chat.calls) == 1


def test_a_value_of_the_second_wish_is_none_of_the_open_goal() -> None:
    chat = at_confirmation()
    assert chat.say("yes please, and extend my loan for 3 weeks") == ["Reserved.", "card?"]
    assert chat.memory == {"weeks": 3}


def test_it_is_kept_over_the_questions_that_are_left() -> None:
    chat = Chat(FLOW, {MADE: 1})
    chat.say("reserve a book")
    chat.say("2")
    assert chat.say("tomorrow, and then renew my books") == ["Shall I reserve? [Yes] [No]"]
    assert chat.memory == {"copies": 2, "day": "2026-11-21"}
    assert chat.say("yes") == ["Reserved.", "weeks?"]


@pytest.mark.parametrize("said", ["yes, but I want to extend my loan", "yes, if you extend my loan"])
def test_a_doubt_behind_a_yes_is_no_second_wish(said: str) -> None:
    chat = at_confirmation()
    chat.say(said)
    assert chat.calls == []


def test_restart_forgets_it() -> None:
    chat = Chat(FLOW, {MADE: 1})
    for said in ("reserve a book", "2", "tomorrow, and also extend my loan"):
        chat.say(said)
    chat.say("restart")
    assert chat.state.next_wish == ""
