"""BACK, STOP and SKIP, as a user says them."""

from __future__ import annotations

import pytest

from tests.engine.talking import Chat, bot, goal, hook, keywords, q, quick, say, support, talk, trait

POST = "https://api.test/x"
WISHES = trait(book=["book"], info=["info"], taxi=["taxi"])
CITIES = keywords("City", Sofia=[], Varna=[])


def booking(*steps: object, **settings: object) -> Chat:
    flow = bot({"book": goal(*steps, name="the booking"), "info": support(say("Info.")), "taxi": goal(q("where"), say("Taxi."))}, WISHES, CITIES, **settings)  # type: ignore[arg-type]  # steps are plain dictionaries  # fmt: skip
    return Chat(flow, {POST: 1})


def test_back_asks_the_last_question_again_with_the_old_value_first() -> None:
    chat = booking(q("city", "City", display=quick("Varna", "Sofia")), q("day", "Date"), q("note"), say("Done."))
    chat.say("book")
    chat.say("Sofia")
    chat.say("tomorrow")
    assert chat.say("go back") == ["day? [2026.11.21]"]
    assert chat.say("back") == ["city? [Sofia] [Varna]"]
    assert chat.say("back") == ["city? [Sofia] [Varna]"]
    assert chat.say("Varna") == ["day?"]


def test_back_never_passes_a_step_that_acted() -> None:
    chat = booking(q("day", "Date"), hook("x", POST, source={"method": "POST"}), q("note"), q("more"), say("Done."))
    for said in ("book", "tomorrow", "hello"):
        chat.say(said)
    assert chat.say("back") == ["note? [hello]"]
    assert chat.say("back") == ["note? [hello]"]
    assert len(chat.calls) == 1


def test_stop_asks_once_and_a_yes_ends_the_goal() -> None:
    chat = booking(q("day", "Date"), q("note"))
    chat.say("book")
    assert chat.say("never mind") == ["Do you want to stop the booking? [Yes] [No]"]
    assert chat.say("yes") == ["All right, I stopped the booking."]
    assert chat.records == ["abandoned"]
    assert chat.state.stack == ()


@pytest.mark.parametrize("said", ["stop", "yes please", "yes, stop it", "Yes"])
def test_a_plain_yes_or_the_command_again_stops(said: str) -> None:
    chat = booking(q("day", "Date"))
    chat.say("book")
    chat.say("stop")
    assert chat.say(said) == ["All right, I stopped the booking."]


def test_anything_else_is_a_new_message_and_no_goes_on() -> None:
    chat = booking(q("day", "Date"), q("note"))
    chat.say("book")
    chat.say("stop")
    assert chat.say("no") == ["day?"]
    chat.say("stop")
    assert chat.say("yes but tomorrow first") == ["note?"]
    assert chat.memory["day"] == "2026-11-21"


def test_without_an_open_goal_the_phrases_are_ordinary_text() -> None:
    chat = booking(q("day", "Date"))
    assert chat.say("stop") == ["I am not sure I understood what you said."]
    assert chat.say("go back") == ["I am not sure I understood what you said."]


def test_a_stopped_goal_goes_back_to_the_one_below() -> None:
    chat = booking(q("day", "Date"), q("note"))
    chat.say("book")
    chat.say("taxi")
    chat.say("stop")
    said = chat.say("yes")
    assert said[0] == "All right, I stopped taxi."
    assert said[-1] == "day?"


def test_a_trained_expression_goes_before_the_command() -> None:
    flow = bot(
        {"book": goal(q("day", "Date")), "drop": support(say("Dropped."))}, trait(book=["book"], drop=["cancel"])
    )
    chat = Chat(flow)
    chat.say("book")
    assert chat.say("cancel")[0] == "Dropped."


def test_an_empty_list_switches_a_command_off() -> None:
    flow = bot({"book": goal(q("day", "Date"))}, WISHES, commands={"STOP": [], "BACK": []})
    talk(flow, [("book", ["day?"]), ("stop", ["I am not sure I understood what you said.", "day?"])])


@pytest.mark.parametrize("said", ["skip", "no", "none", "no thanks", "Nothing"])
def test_an_optional_question_is_passed(said: str) -> None:
    chat = booking(q("extras", optional=True), say("Extras: {{#if ($has extras)}}{{extras}}{{else}}none{{/if}}."))
    assert chat.say("book") == ["extras? [Skip]"]
    assert chat.say(said) == ["Extras: none."]


def test_a_question_that_was_passed_is_asked_again_in_the_next_run() -> None:
    chat = booking(q("extras", optional=True), say("Done."))
    chat.say("book")
    chat.tap("Skip")
    assert chat.say("book") == ["extras? [Skip]"]


def test_a_passed_question_of_a_support_conversation_is_asked_again_in_the_next_run() -> None:
    flow = bot({"rate": support(q("stars", "Number", optional=True), say("Thanks."))}, trait(rate=["rate"]))
    chat = Chat(flow)
    for _ in range(2):
        assert chat.say("rate") == ["stars? [Skip]"]
        assert chat.tap("Skip") == ["Thanks."]


def test_the_skip_button_passes_the_question_and_its_value_is_null() -> None:
    chat = booking(q("extras", optional=True), q("day", "Date"))
    chat.say("book")
    assert chat.tap("Skip") == ["day?"]
    assert chat.state.entities["extras"] is None


def test_at_an_optional_confirmation_no_is_false() -> None:
    chat = booking(q("wash", "Confirmation", optional=True), say("{{wash}}"))
    chat.say("book")
    assert chat.say("no") == ["false"]


def test_a_passed_question_counts_as_answered_when_values_are_shared_out() -> None:
    chat = booking(q("from", "Date", optional=True), q("to", "Date"), say("{{from}}-{{to}}"))
    chat.say("book")
    chat.say("skip")
    assert chat.say("tomorrow") == ["-2026.11.21"]


def test_a_question_that_is_not_optional_cannot_be_skipped() -> None:
    chat = booking(q("day", "Date"))
    chat.say("book")
    assert chat.say("skip") == ["I am not sure I understood what you said.", "day?"]
