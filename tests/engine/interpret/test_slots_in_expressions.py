"""Expressions with slots in a conversation: their values are taken, and no user is shown braces."""

from __future__ import annotations

from typing import Any

from tests.engine.talking import Chat, bot, confirm, goal, hook, keywords, q, say, support, trait

POST = "https://api.test/x"
TRAINING = (
    trait(
        book=["{service} with {stylist} on {day}", "a {service} please", "I would like a {service} on {Date}"],
        cancel=["cancel my {service} on {date}", "I can't come on {date}", "call off my appointment"],
        prices=["how much is a {service}", "what does {service} cost"],
    ),
    keywords("Service", Haircut=["cut"], Colouring=[], Shave=[]),
    keywords("Stylist", Anna=[], Marco=[]),
)
SERVICE, STYLIST, DAY = q("service", "Service"), q("stylist", "Stylist"), q("day", "Date")


def salon(**more: Any) -> Any:
    book = goal(SERVICE, STYLIST, DAY, confirm("ok", "{{service}} with {{stylist}}?"), say("Done."))
    cancel = goal(q("date", "Date"), hook("x", POST, "Cancelled.", source={"method": "POST"}))
    return bot({"book": book, "cancel": cancel, "prices": support(say("From 20."))}, *TRAINING, **more)


def test_a_sentence_that_says_an_expression_with_other_values_starts_its_goal_with_them() -> None:
    chat = Chat(salon())
    assert chat.say("shave with Marco on 3 December") == ["Shave with Marco? [Yes] [No]"]
    assert chat.memory["day"] == "2026-12-03"


def test_a_sentence_that_equals_an_expression_with_a_slot_is_no_guess() -> None:
    chat = Chat(salon(understanding={"act": 1}), {POST: 1})
    assert chat.say("I can't come on 4 December") == ["Cancelled."]


def test_a_sentence_like_an_expression_with_a_slot_asks_before_it_acts() -> None:
    chat = Chat(salon(understanding={"act": 1}), {POST: 1})
    [asked] = chat.say("friends, I really can't come on 4 December")
    assert "[Yes] [No]" in asked


def test_a_value_for_the_open_question_starts_nothing_else() -> None:
    chat = Chat(salon())
    chat.say("a haircut please")
    assert chat.say("Anna") == ["day?"]
    assert chat.say("on 3 December") == ["Haircut with Anna? [Yes] [No]"]


def test_a_support_conversation_is_asked_for_with_any_value_at_a_question() -> None:
    chat = Chat(salon())
    chat.say("a haircut please")
    assert chat.say("how much is a shave")[0] == "From 20."


def test_another_value_at_a_confirmation_corrects_and_starts_nothing() -> None:
    chat = Chat(salon())
    chat.say("shave with Marco on 3 December")
    assert chat.say("no, with Anna") == ["Shave with Anna? [Yes] [No]"]


def test_goals_are_offered_by_an_expression_without_slots_or_their_name() -> None:
    offered = salon().offered_goals
    assert [one.value for one in offered] == ["book", "call off my appointment"]


def test_a_goal_whose_expressions_all_have_slots_is_started_by_its_name() -> None:
    chat = Chat(salon())
    assert chat.say("book") == ["service?"]


def test_the_words_beside_slots_name_a_conversation_and_function_words_do_not() -> None:
    flow = salon()
    assert frozenset({"with", "on"}) not in flow.scripts["book"].expressions
    assert frozenset() not in flow.scripts["book"].expressions
    assert {"cancel", "my", "on"} in flow.scripts["cancel"].expressions
    assert "{" not in "".join(word for one in flow.scripts.values() for word in one.words)


def test_a_flow_knows_which_slot_each_value_of_an_expression_stands_for() -> None:
    flow = salon()
    assert [[slot.name for slot in one.slots] for one in flow.scripts["book"].slot_expressions] == [
        ["service", "stylist", "day"],
        ["service"],
        ["service", "Date"],
    ]
    assert flow.scripts["prices"].slot_expressions != ()


def test_an_expression_of_the_goal_that_is_open_fills_its_questions() -> None:
    chat = Chat(salon())
    chat.say("book")
    assert chat.say("haircut with Anna on 3 December") == ["Haircut with Anna? [Yes] [No]"]


def test_an_expression_of_another_goal_with_a_value_is_followed_and_leaves_this_one_as_it_is() -> None:
    chat = Chat(salon(), {POST: 1})
    chat.say("a shave please")
    assert chat.say("I can't come on 4 December")[0] == "Cancelled."
    assert "day" not in chat.memory
