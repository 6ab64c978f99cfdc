"""Every form that the first event of a session may take (flow-language.md section 5, rules 1 and 7)."""

from typing import Any

import pytest

from dialoom.engine import Flow, compile_flow
from dialoom.engine.events import Attached, Attachment, Located
from tests.engine.talking import SESSION, Chat, bot, do, goal, q, quick, say, support, talk, trait, unchecked

INVALID = "I am not sure I understood what you said."
WORDS = trait(
    order=["order please"],
    taxi=["a taxi please"],
    info=["opening hours"],
    welcome=["hi"],
    help=["help me"],
    restart=["anew"],
)
FAQ = {
    "name": "faq",
    "lookup-strategy": "QnA",
    "data": [{"value": "pets", "expressions": ["may I bring my dog"], "answers": ["Yes."]}],
}


def flow(**more: dict) -> Flow:
    conversations = {
        "welcome": support(say("Hello!"), say("What is it?", conditions=["{{$not ($has conversation)}}"])),
        "order": goal(q("size", "Number", display=quick("1", "2")), say("{{size}}!")),
        "taxi": goal(q("where", "Location"), say("Off.")),
        "info": support(say("Nine to five.")),
        "help": support(say("I take orders.")),
        "restart": support(say("Anew.")),
        **more,
    }
    return compile_flow(unchecked({key: value for key, value in conversations.items() if value}, WORDS, FAQ))


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("order please", ["Hello!", "size? [1] [2]"]),
        ("order please, 2", ["Hello!", "2!"]),
        ("opening hours", ["Hello!", "Nine to five."]),
        ("help me", ["Hello!", "I take orders."]),
        ("may I bring my dog", ["Hello!", "What is it?", "Yes."]),
        ("hi", ["Hello!", "What is it?"]),
        ("2", ["Hello!", "What is it?"]),
        ("gibberish", ["Hello!", "What is it?"]),
        ("   ", ["Hello!", "What is it?"]),
        ("next 5", ["Hello!", "What is it?"]),
        ("restart", ["Anew."]),
        ("anew", ["Anew."]),
    ],
)
def test_each_text_as_the_first_message(text: str, answer: list[str]) -> None:
    assert Chat(flow()).say(text) == answer
    assert Chat(flow()).pick(text) == answer


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("order please", ["size? [1] [2]"]),
        ("hi", ["I take orders."]),
        ("gibberish", ["I take orders."]),
        ("may I bring my dog", ["Yes."]),
    ],
)
def test_each_text_after_an_opening_event(text: str, answer: list[str]) -> None:
    chat = Chat(flow())
    assert chat.open() == ["Hello!", "What is it?"]
    assert chat.say(text) == answer


def test_a_place_a_file_or_a_tap_as_the_first_message_names_nothing() -> None:
    files = (Attachment("https://f.test/1", "image/png", "cat.png"),)
    assert Chat(flow()).send(Located, latitude=1.0, longitude=2.0) == ["Hello!", "What is it?"]
    assert Chat(flow()).send(Attached, files=files) == ["Hello!", "What is it?"]
    assert Chat(flow()).pick(key="7.0") == ["Hello!", "What is it?"]
    assert Chat(flow()).pick({"a": 1}) == ["Hello!", "What is it?"]


def test_without_welcome_they_get_help() -> None:
    bare: Any = {"welcome": None}
    assert Chat(flow(**bare)).send(Located, latitude=1.0, longitude=2.0) == ["I take orders."]
    assert Chat(flow(**bare)).pick(key="7.0") == ["I take orders."]


def test_a_tap_of_the_last_session_is_answered_like_a_first_message() -> None:
    chat = talk(flow(), [("order please", ["Hello!", "size? [1] [2]"])])
    old = chat.messages[-1].replies[0].key
    chat.now += SESSION
    assert chat.pick(key=old) == ["Hello!", "What is it?"]
    assert chat.records == ["abandoned"]


def test_context_beside_the_first_message_is_seen_by_welcome_and_by_the_goal() -> None:
    one = flow(welcome=support(say("Hello {{name}}!")))
    assert Chat(one).say("order please", context={"name": "Ada", "size": 1}) == ["Hello Ada!", "1!"]


def test_a_welcome_that_leads_to_a_goal_lets_what_was_named_go_first() -> None:
    one = flow(welcome=support(say("Hello!"), do("go-to order")))
    talk(one, [("what", ["Hello!", "size? [1] [2]"])])
    talk(one, [("opening hours", ["Hello!", "Nine to five.", "I am going back to order now.", "size? [1] [2]"])])


def test_the_session_after_a_timeout_is_welcomed_and_knows_nothing_of_the_one_before() -> None:
    chat = talk(flow(), [("order please", ["Hello!", "size? [1] [2]"])])
    chat.now += SESSION
    assert chat.say("2") == ["Hello!", "What is it?"]
    assert chat.memory == {}
    assert chat.say("order please") == ["size? [1] [2]"]


def test_an_opening_event_that_comes_twice_welcomes_once() -> None:
    chat = Chat(flow())
    assert chat.open() == ["Hello!", "What is it?"]
    assert chat.open() == []
    assert chat.say("order please") == ["size? [1] [2]"]
    assert chat.open() == []
    assert chat.say("1") == ["1!"]


def test_help_asked_for_inside_a_goal_goes_back_to_it() -> None:
    talk(
        flow(),
        [
            ("order please", ["Hello!", "size? [1] [2]"]),
            ("help me", ["I take orders.", "I am going back to order now.", "size? [1] [2]"]),
            ("1", ["1!"]),
            ("help me", ["I take orders."]),
        ],
    )


def test_welcome_named_later_is_not_understood() -> None:
    talk(
        flow(),
        [
            ("order please", ["Hello!", "size? [1] [2]"]),
            ("hi", [INVALID, "size? [1] [2]"]),
            ("1", ["1!"]),
            ("hi", ["I take orders."]),
        ],
    )


# ---- what a session's end keeps ----------------------------------------------------------------------------------


def test_a_persist_entity_that_the_context_told_outlives_the_session() -> None:
    conversations = {"order": goal(q("name"), q("size", "Number"), say("{{name}}"))}
    one = bot(conversations, trait(order=["order please"]), persist_entities=["name"])
    chat = Chat(one)
    chat.tell(name="Ada", plan="gold")
    assert chat.say("order please") == ["size?"]
    chat.wait(1440)
    assert chat.say("order please") == ["size?"]
    assert chat.state.context == {"name": "Ada"}
    chat.open(clear=True)
    assert chat.say("order please") == ["name?"]


def test_an_opening_that_is_said_again_asks_the_open_question_or_welcomes() -> None:
    chat = Chat(flow())
    assert chat.open(is_said_again=True) == ["Hello!", "What is it?"]
    assert chat.open() == []
    assert chat.open(is_said_again=True) == ["Hello!", "What is it?"]
    asked = chat.say("order please")
    assert chat.open() == []
    assert chat.open(is_said_again=True) == asked == ["size? [1] [2]"]
    assert chat.say("2") == ["2!"]
