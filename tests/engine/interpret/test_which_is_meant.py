"""Replies to "Which one do you mean?", which stands above a confirmation."""

from __future__ import annotations

import pytest

from tests.engine.talking import Chat, bot, confirm, goal, hook, q, say, trait

ASKED = "Which one do you mean? [people] [start]"
CONFIRM = "Shall I book it? [Yes] [No]"


def _asked() -> Chat:
    flow = bot(
        {
            "book": goal(
                q("people", "Number"),
                q("start", "Time"),
                confirm("ok", "Shall I book it?"),
                hook("made", "https://b.test/r", "booked", source={"method": "POST"}, conditions=["{{ok}}"]),
                say("dropped", conditions=["{{$not ok}}"]),
            )
        },
        trait(book=["book a table"]),
    )
    chat = Chat(flow, {"https://b.test/r": {"id": 1}})
    for said in ("book a table", "4", "12:00"):
        chat.say(said)
    assert chat.say("make it 11") == [ASKED]
    return chat


@pytest.mark.parametrize("reply", ["yes", "ok", "yes please", "sure, thanks", "book it"])
def test_a_yes_is_no_yes_to_the_confirmation_below(reply: str) -> None:
    chat = _asked()
    assert chat.say(reply) == [ASKED]
    assert not chat.calls
    assert chat.say("people") == [CONFIRM]
    assert chat.memory["people"] == 11


@pytest.mark.parametrize("reply", ["no", "no thanks"])
def test_a_no_leaves_the_answers_and_asks_the_confirmation_again(reply: str) -> None:
    chat = _asked()
    assert chat.say(reply) == [CONFIRM]
    assert (chat.memory["people"], chat.memory["start"]) == (4, "12:00")


@pytest.mark.parametrize(("reply", "people", "start"), [("the people", 11, "12:00"), ("the start please", 4, "11:00")])
def test_a_word_of_its_name_chooses_one(reply: str, people: int, start: str) -> None:
    chat = _asked()
    assert chat.say(reply) == [CONFIRM]
    assert (chat.memory["people"], chat.memory["start"]) == (people, start)
