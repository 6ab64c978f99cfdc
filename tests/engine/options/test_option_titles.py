"""Options without a title, titles with Markdown, and choices that are no words."""

from typing import Any

import pytest

from tests.engine.talking import Chat, bot, goal, q, quick, say, support, talk, trait

GO = trait(go=["go please"])
FAILURE = "We are experiencing technical difficulties at this moment."
INVALID = "I am not sure I understood what you said."
URL = "https://api.test/slots"


def offering(elements: list[Any], **display: Any) -> Chat:
    display = {"type": "quick-reply", "data-source": {"endpoint": URL}, **display}
    chat = Chat(bot({"go": goal(q("x", display=display), say("{{x}}!"))}, GO), {URL: elements})
    chat.say("go please")
    return chat


@pytest.mark.parametrize(
    "bad", [{"name": "Ada"}, {"title": ""}, {"title": " ", "id": 1}, {"title": None}, None, "", "  "]
)
def test_an_option_of_a_data_source_without_a_title_fails_the_turn(bad: Any) -> None:
    chat = offering(["a", {"title": "b"}, bad])
    assert [message.text for message in chat.messages] == [FAILURE]
    [(step, reason)] = chat.failures
    assert step == "go/0"
    assert reason.startswith("Option 3 of the data source has no title. Give the display a template")


def test_a_template_that_leaves_a_title_blank_fails_the_turn() -> None:
    chat = offering([{"name": "Ada"}, {"nam": "Bob"}], template="{{name}}")
    assert [reason.partition(".")[0] for _, reason in chat.failures] == ["Option 2 of the data source has no title"]


def test_an_option_without_a_title_reads_as_its_value() -> None:
    chat = offering([{"value": "a"}, {"title": None, "value": 5}, {"title": "", "value": "c"}])
    assert [reply.title for reply in chat.messages[-1].replies] == ["a", "5", "c"]


def test_numbers_and_booleans_are_their_own_titles() -> None:
    chat = offering([1, 2.5, True, False, 0])
    assert [reply.title for reply in chat.messages[-1].replies] == ["1", "2.5", "true", "false", "0"]
    assert chat.pick("false") == ["false!"]


def test_a_title_is_matched_as_it_reads_and_as_it_is_written() -> None:
    chat = offering(["**Big** one", "snake_case"])
    assert chat.say("big ONE") == ["Big one!"]
    chat = offering([{"title": "**Big** one", "value": "big"}, "snake_case"])
    assert chat.pick("**Big** one") == ["big!"]
    chat = offering(["**Big** one", "snake_case"])
    assert chat.tap("snake_case") == ["snake_case!"]


@pytest.mark.parametrize("value", [{}, [1, {}], [[]], None, {"value": "red"}, [None]])
def test_a_choice_that_is_neither_an_option_nor_words_is_not_understood(value: Any) -> None:
    flow = bot({"go": goal(q("colour", display=quick("red", "blue")))}, GO)
    chat = talk(flow, [("go please", ["colour? [red] [blue]"])])
    assert chat.pick(value) == [INVALID, "colour? [red] [blue]"]
    assert chat.heard.understanding == {}
    assert chat.heard.text is None
    assert chat.memory == {}


def test_with_nothing_open_such_a_choice_gets_help() -> None:
    chat = Chat(bot({"go": goal(q("x")), "help": support(say("Help."))}, GO))
    assert chat.pick({"a": [1]}) == ["Help."]


def test_an_option_whose_value_is_an_object_can_still_be_chosen_by_it() -> None:
    chat = offering([{"title": "A", "value": {"id": 1}}])
    assert chat.pick({"id": 1}) == ['{"id":1}!']


def test_words_and_numbers_that_are_no_options_are_taken_as_if_they_were_typed() -> None:
    chat = talk(bot({"go": goal(q("colour"), say("{{colour}}!"))}, GO), [("go please", ["colour?"])])
    assert chat.pick(["green", 7]) == ["green, 7!"]
