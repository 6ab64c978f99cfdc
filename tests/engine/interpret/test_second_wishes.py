"""A second wish beside an answer is kept, and started when the open goal has ended."""

from __future__ import annotations

import pytest

from tests.engine.talking import MINUTE, Chat, bot, confirm, goal, hook, q, say, trait

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
    assert chat.state.next_wishes == ()


@pytest.mark.parametrize(
    "said",
    [
        *("yes. no, extend my loan instead", "ok. extend my loan instead", "yes. I changed my mind. extend my loan"),
        *("yes and cancel that, extend my loan", "yes. the day is wrong and also extend my loan"),
        *(
            "yes and extend my loan if it rains",
            "yes and extend my loan but not on that day",
            "yes. wrong, extend my loan",
        ),
        *("yes and no and also extend my loan", "ok. on second thought, extend my loan"),
    ],
)
def test_what_takes_a_yes_back_is_no_second_wish(said: str) -> None:
    chat = at_confirmation()
    chat.say(said)
    assert chat.calls == []


def test_a_correction_beside_a_second_wish_is_confirmed_first() -> None:
    chat = at_confirmation()
    chat.say("yes, and 5 copies, and also extend my loan")
    assert chat.calls == []


def test_stopping_the_goal_drops_the_second_wish() -> None:
    chat = Chat(FLOW, {MADE: 1})
    for said in ("reserve a book", "2", "tomorrow, and also extend my loan", "stop"):
        chat.say(said)
    assert "weeks?" not in chat.say("yes")


def test_a_goal_that_started_another_way_does_not_start_again() -> None:
    chat = Chat(FLOW, {MADE: 1})
    for said in ("reserve a book", "2", "tomorrow, and also extend my loan", "extend my loan", "3", "A-1"):
        chat.say(said)
    assert chat.say("yes") == ["Reserved."]


def test_two_wishes_beside_answers_start_one_after_the_other() -> None:
    flow = bot(
        {
            "reserve": goal(q("copies", "Number"), q("day", "Date")),
            "extend": goal(q("weeks", "Number")),
            "room": goal(q("seats", "Number")),
        },
        trait(reserve=["reserve a book"], extend=["extend my loan"], room=["book a room"]),
    )
    chat = Chat(flow)
    chat.say("reserve a book")
    chat.say("2, and also extend my loan")
    assert chat.say("tomorrow, and also book a room") == ["weeks?"]
    assert chat.say("3") == ["seats?"]


def test_tomorrow_in_a_second_wish_is_the_day_after_it_was_said() -> None:
    flow = bot(
        {"reserve": goal(q("copies", "Number"), q("name", "Text")), "visit": goal(q("day", "Date"), q("who", "Text"))},
        trait(reserve=["reserve a book"], visit=["plan a visit"]),
    )
    chat = Chat(flow)
    chat.say("reserve a book")
    chat.say("2, and also plan a visit tomorrow")
    chat.now += 24 * 60 * MINUTE - MINUTE
    chat.say("Ada")
    assert chat.memory["day"] == "2026-11-21"
