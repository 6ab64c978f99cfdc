"""RESTART and paging work wherever a conversation stands (flow-language.md section 5, rule 2)."""

from typing import Any

import pytest

from dialoom.engine import Flow
from tests.engine.talking import (
    Answers,
    Chat,
    bot,
    confirm,
    do,
    goal,
    hook,
    keywords,
    q,
    quick,
    say,
    status,
    support,
    talk,
    trait,
)

FAILURE = "We are experiencing technical difficulties at this moment."
INVALID = "I am not sure I understood what you said."
WORDS = trait(go=["go"], help=["help"], other=["other"], survey=["survey"])


def flow(**more: dict) -> Flow:
    conversations = {
        "go": goal(q("n", "Number"), hook("price", "https://api.test/price"), confirm("ok", "{{n}} for {{price}}?")),
        "other": goal(q("day", "Date"), say("On {{day}}.")),
        "survey": support(q("grade", "Number"), say("Thanks.")),
        "restart": support(say("From the start.")),
        "help": support(say("Help.")),
        **more,
    }
    return bot(conversations, WORDS)


# ---- restart -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "ends"),
    [
        (["go"], "abandoned"),
        (["go", "survey"], "abandoned"),
        (["survey"], "closed"),
        (["go", "other"], "abandoned"),
        (["go", "3"], "abandoned"),
        (["go", "other", "survey", "5"], "abandoned"),
    ],
    ids=lambda value: value if isinstance(value, str) else " ".join(value),
)
def test_restart_works_wherever_the_talk_stands(before: list[str], ends: str) -> None:
    chat = Chat(flow(), {"https://api.test/price": 5})
    for text in before:
        chat.say(text)
    assert chat.say("restart") == ["From the start."]
    assert (chat.memory, chat.state.stack, chat.state.ask) == ({}, (), None)
    assert chat.records == [ends]
    assert chat.say("go") == ["n?"]


def test_restart_while_a_webhook_has_failed_leaves_it_behind() -> None:
    chat = talk(flow(), [("go", ["n?"]), ("3", [FAILURE])], {"https://api.test/price": status(500)})
    assert chat.say("restart") == ["From the start."]
    assert chat.records == ["abandoned"]
    assert chat.say("what") == ["Help."]


def test_restart_while_silent_ends_the_silence() -> None:
    chat = talk(flow(other=goal(say("Wait."), do("stay-silent 30"))), [("other", ["Wait."]), ("hello", [])])
    assert chat.say("restart") == ["From the start."]
    assert chat.say("what") == ["Help."]


def test_a_restart_whose_conversation_fails_still_ends_the_old_record_and_is_tried_again() -> None:
    restart = support(hook("news", "https://api.test/news", "{{news}}"), say("From the start."))
    answers = {"https://api.test/news": Answers(status(500), "News")}
    chat = talk(flow(restart=restart), [("go", ["n?"]), ("restart", [FAILURE])], answers)
    assert chat.records == ["abandoned"]
    assert chat.say("hm hm") == ["News", "From the start."]


def test_a_restart_that_asks_something_is_a_conversation_like_any_other() -> None:
    restart = support(q("sure", "Confirmation"), say("Well then.", conditions=["{{sure}}"]))
    chat = talk(flow(restart=restart), [("go", ["n?"]), ("restart", ["sure?"]), ("yes", ["Well then."])])
    assert chat.memory == {}


def test_what_support_conversations_put_into_memory_goes_with_a_restart_and_the_context_stays() -> None:
    survey = support(do("set-entity", entity="seen", data="yes"), say("{{seen}} {{plan}}."))
    chat = Chat(flow(survey=survey))
    chat.tell(plan="gold")
    assert chat.say("survey") == ["yes gold."]
    assert chat.memory == {"seen": "yes"}
    chat.say("restart")
    assert chat.memory == {}
    assert chat.state.context == {"plan": "gold"}


def test_an_answer_restart_to_a_question_about_conversations_is_the_command() -> None:
    topic = support(q("topic", "Conversation", "What about?", display=quick("go", "restart")))
    training = trait(go=["go"], restart=["begin anew"], help=["help"])
    conversations = {"go": goal(q("n", "Number")), "help": topic, "restart": support(say("From the start."))}
    chat = Chat(bot(conversations, training, commands={"RESTART": ["reset"]}))
    assert chat.say("go") == ["n?"]
    assert chat.say("help") == ["What about? [go] [restart]"]
    assert chat.tap("restart") == ["From the start."]
    assert chat.records == ["abandoned"]
    assert chat.say("help") == ["What about? [go] [restart]"]
    assert chat.say("begin anew") == ["From the start."]


# ---- pages -------------------------------------------------------------------------------------------------------

CITIES = [f"City {letter}" for letter in "abcdefgh"]
MANY = keywords("city", **{city: ["the city"] for city in CITIES})


def test_the_values_of_an_ambiguity_are_paged() -> None:
    flow = bot(
        {"go": goal(q("to", "city", reactions={"ambiguities": ["Which of these?"]}), say("{{to}}!"))}, MANY, WORDS
    )
    chat = talk(
        flow,
        [
            ("go", ["to?"]),
            ("the city", ["Which of these? [City a] [City b] [City c] [City d] [City e] [Next 5]"]),
            ("next 5", ["Which of these? [City f] [City g] [City h] [Prev 5]"]),
        ],
    )
    assert chat.tap("City g") == ["City g!"]


def test_a_correction_shows_the_question_again_from_its_first_page() -> None:
    flow = bot({"go": goal(q("n", "Number"), q("to", "city", display=quick()), say("{{n}} to {{to}}"))}, MANY, WORDS)
    first = "to? [City a] [City b] [City c] [City d] [City e] [Next 5]"
    talk(
        flow,
        [
            ("go", ["n?"]),
            ("2", [first]),
            ("next 5", ["to? [City f] [City g] [City h] [Prev 5]"]),
            ("3 of us", [first]),
            ("next 5", ["to? [City f] [City g] [City h] [Prev 5]"]),
            ("City a", ["3 to City a"]),
        ],
    )


def test_options_of_a_data_source_are_paged_without_another_call_and_called_anew_after_a_correction() -> None:
    source = {"type": "quick-reply", "data-source": {"endpoint": "https://api.test/{{n}}"}}
    flow = bot({"go": goal(q("n", "Number"), q("slot", "Text", display=source), say("{{slot}}!"))}, WORDS)
    chat = talk(
        flow,
        [
            ("go", ["n?"]),
            ("1", ["slot? [a] [b] [c] [d] [e] [Next 5]"]),
            ("next 5", ["slot? [f] [Prev 5]"]),
            ("prev 5", ["slot? [a] [b] [c] [d] [e] [Next 5]"]),
        ],
        {"https://api.test/1": list("abcdef"), "https://api.test/2": ["z"]},
    )
    assert len(chat.calls) == 1
    assert chat.tell(n=2) == []
    assert chat.say("next 5") == ["slot? [f] [Prev 5]"]
    assert chat.say("z") == ["z!"]


def test_only_the_open_question_is_paged() -> None:
    flow = bot(
        {"go": goal(q("to", "city", display=quick())), "survey": support(q("grade", "Number"), say("Thanks."))},
        MANY,
        WORDS,
    )
    talk(
        flow,
        [
            ("go", ["to? [City a] [City b] [City c] [City d] [City e] [Next 5]"]),
            ("survey", ["grade?"]),
            (
                "next 5",
                ["Thanks.", "I am going back to go now.", "to? [City a] [City b] [City c] [City d] [City e] [Next 5]"],
            ),
        ],
    )


def test_page_phrases_while_silent_send_nothing() -> None:
    flow = bot({"go": goal(q("to", "city", display=quick())), "help": support(do("stay-silent 5"))}, MANY, WORDS)
    chat = Chat(flow)
    chat.say("go")
    assert chat.say("help") == []
    assert chat.say("next 5") == []


def test_a_button_that_was_tapped_before_a_correction_pages_nothing_else() -> None:
    flow = bot(
        {"go": goal(q("to", "city", display=quick()), q("n", "Number"), q("from", "city", display=quick()))},
        MANY,
        WORDS,
    )
    chat = Chat(flow)
    chat.say("go")
    [old] = [reply.key for reply in chat.messages[-1].replies if reply.title == "Next 5"]
    chat.say("City a")
    chat.say("2")
    assert chat.pick(key=old) == ["from? [City a] [City b] [City c] [City d] [City e] [Next 5]"]


def test_a_tap_too_many_on_next_chooses_nothing() -> None:
    source = {
        "data-source": {"entity": "found"},
        "type": "quick-reply",
        "template": {"title": "{{t}}", "value": "{{id}}"},
    }
    rows = [{"id": str(number), "t": f"Item {number}"} for number in range(3, 12)]
    steps = [do("set-entity", entity="found", data=rows), q("item", "thing", display=source), say("{{item}}.")]
    chat = Chat(bot({"go": goal(*steps)}, trait(go=["go"]), keywords("thing")))
    chat.say("go")
    chat.say("Next 5")
    assert chat.say("Next 5")[0] == "I am not sure I understood what you said."
    assert "item" not in chat.memory
    assert chat.say("Item 9") == ["9."]


SEVEN = quick("A", "B", "C", "D", "E", "F", "G")


def menu(*more: dict[str, Any]) -> Chat:
    """A bot whose help suggests seven replies, as its goal does before it goes on with ``more``."""
    flow = bot(
        {
            "help": support(say(["Hello.", "What now?"], display=SEVEN)),
            "go": goal(say("Choose.", display=SEVEN), *more),
            "f": goal(say("It is F.")),
        },
        trait(go=["go"], f=["f"]),
    )
    return Chat(flow)


def test_the_replies_of_a_message_are_paged() -> None:
    chat = menu()
    first = ["What now? [A] [B] [C] [D] [E] [Next 5]"]
    assert chat.say("hm") == ["Hello.", *first]
    assert [reply.system for reply in chat.messages[-1].replies] == [""] * 5 + ["next"]
    assert chat.say("next 5") == ["What now? [F] [G] [Prev 5]"]
    assert chat.say("Next 5") == ["Hello.", *first]  # nothing follows: a text that is not understood
    chat.say("Next 5")
    assert chat.pick("Prev 5") == first
    assert chat.pick("Next 5") == ["What now? [F] [G] [Prev 5]"]
    assert chat.pick("F") == ["It is F."]
    assert chat.say("Prev 5")[0] == "Hello."  # something else was said since


def test_the_place_of_a_suggestion_is_that_on_the_page() -> None:
    chat = menu()
    chat.say("hm")
    chat.say("Next 5")
    assert chat.say("the first one") == ["It is F."]


def test_the_replies_of_a_message_before_a_question_are_paged_and_the_question_stays_open() -> None:
    chat = menu(q("day", "Date"), say("{{day}}"))
    assert chat.say("go") == ["Choose. [A] [B] [C] [D] [E] [Next 5]", "day?"]
    assert chat.say("Next 5") == ["Choose. [F] [G] [Prev 5]"]
    assert chat.say("tomorrow") == ["2026.11.21"]


def test_the_pages_of_an_open_question_go_before_those_of_a_message() -> None:
    chat = menu(q("letter", "Text", display=SEVEN))
    chat.say("go")
    assert chat.say("Next 5") == ["letter? [F] [G] [Prev 5]"]


def test_a_session_that_is_over_has_no_pages() -> None:
    chat = menu()
    chat.say("hm")
    chat.wait(2000)
    assert chat.say("Next 5")[0] == "Hello."
