"""What files mean with the words beside them: one message, of which both count."""

from __future__ import annotations

import pytest

from dialoom.engine.events import Attached, Attachment
from tests.engine.talking import Chat, bot, goal, q, say, trait

GO = trait(claim=["damage"], hours=["opening hours"])
LEAF = (Attachment(url="https://files.example.com/leaf.png", name="leaf.png"),)
HOURS = goal(say("Nine to five."))


def asked(*steps: dict[str, object]) -> Chat:
    """Return a chat whose goal has begun."""
    chat = Chat(bot({"claim": goal(*steps, say("{{picture.name}} {{words}} {{day}}")), "hours": HOURS}, GO))
    chat.say("damage")
    return chat


def test_a_file_answers_the_open_question_and_its_words_stand_in_the_record() -> None:
    chat = asked(q("picture", "File"), q("words"))
    assert chat.send(Attached, files=LEAF, text="my leaf") == ["words?"]
    assert (chat.heard.text, chat.heard.entity) == ("my leaf", "picture")
    assert "words" not in chat.memory


def test_the_words_answer_the_open_question_and_the_file_a_later_one() -> None:
    chat = asked(q("words"), q("picture", "File"), q("day", "Number"))
    assert chat.send(Attached, files=LEAF, text="broken") == ["day?"]
    assert (chat.memory["words"], chat.memory["picture"]["name"]) == ("broken", "leaf.png")


def test_values_in_the_words_count_beside_the_file() -> None:
    chat = asked(q("picture", "File"), q("day", "Number"), q("words"))
    assert chat.send(Attached, files=LEAF, text="7") == ["words?"]
    assert chat.memory["day"] == 7


@pytest.mark.parametrize("step", [q("words"), q("day", "Number")])
def test_where_no_question_takes_a_file_the_words_count_as_if_they_came_alone(step: dict[str, object]) -> None:
    chat = asked(step)
    assert chat.send(Attached, files=LEAF, text="opening hours")[0] == "Nine to five."


def test_words_begin_a_goal_while_nothing_is_open() -> None:
    chat = Chat(bot({"claim": goal(q("picture", "File")), "hours": HOURS}, GO))
    assert chat.send(Attached, files=LEAF, text="damage") == ["picture?"]


def test_words_that_want_something_else_go_before_a_file_that_is_not_asked_for() -> None:
    chat = asked(q("day", "Number"), q("picture", "File"))
    assert chat.send(Attached, files=LEAF, text="opening hours")[0] == "Nine to five."
