"""The first message of a session runs welcome (flow-language.md section 5, rule 7)."""

from typing import Any

import pytest

from dialoom.engine import compile_flow
from dialoom.engine.compiled import Flow
from tests.engine.talking import Chat, bot, do, goal, hook, q, run, say, status, support, talk, trait, unchecked

WORDS = trait(order=["order please"], info=["opening hours"], welcome=["hi", "hello"], restart=["begin anew"])
ORDER = goal(q("size", "Number", reactions={"acknowledgements": ["{{size}}, fine."]}), q("name"), say("Done."))
BASE = {
    "welcome": support(say("Hello!"), say("How can I help?", conditions=["{{$not ($has conversation)}}"])),
    "help": support(say("I take orders.")),
    "order": ORDER,
    "info": support(say("Nine to five.")),
    "restart": support(say("Anew.")),
}


def test_a_first_message_that_names_nothing_gets_welcome_alone() -> None:
    talk(bot(BASE, WORDS), [("what is this", ["Hello!", "How can I help?"])])


def test_a_first_message_that_names_a_goal_gets_welcome_then_what_it_asks_for() -> None:
    talk(bot(BASE, WORDS), [("order please, 3", ["Hello!", "3, fine.", "name?"])])


def test_a_first_message_that_names_support_gets_welcome_then_that() -> None:
    chat = talk(bot(BASE, WORDS), [("opening hours", ["Hello!", "Nine to five."])])
    assert chat.state.stack == ()


def test_welcome_comes_once_a_session() -> None:
    talk(
        bot(BASE, WORDS),
        [
            ("order please", ["Hello!", "size?"]),
            ("2", ["name?"]),
            ("Ada", ["Done."]),
            ("hi", ["I take orders."]),
            ("order please", ["size?"]),
        ],
    )


def test_hi_as_the_first_message_gets_welcome_once() -> None:
    talk(bot(BASE, WORDS), [("hi", ["Hello!", "How can I help?"])])


def test_a_new_session_is_welcomed_again() -> None:
    chat = talk(bot(BASE, WORDS), [("hello", ["Hello!", "How can I help?"])])
    chat.wait(1440)
    assert chat.say("hello") == ["Hello!", "How can I help?"]


def test_a_first_restart_runs_restart_alone() -> None:
    chat = talk(bot(BASE, WORDS), [("restart", ["Anew."]), ("order please", ["size?"])])
    assert chat.records == ["closed"]


def test_a_first_restart_by_the_trait_runs_restart_alone() -> None:
    talk(bot(BASE, WORDS), [("begin anew", ["Anew."])])


def test_a_first_qna_gets_welcome_then_its_answer() -> None:
    faq = {
        "name": "faq",
        "lookup-strategy": "QnA",
        "data": [{"value": "pets", "expressions": ["may I bring my dog"], "answers": ["Yes."]}],
    }
    flow = compile_flow(unchecked(BASE, WORDS, faq))
    talk(flow, [("may I bring my dog", ["Hello!", "How can I help?", "Yes."])])


def test_without_welcome_the_first_message_is_like_any_other() -> None:
    talk(bot({"order": ORDER, "help": support(say("I take orders."))}, WORDS), [("hm", ["I take orders."])])


def test_a_question_of_welcome_is_asked_when_the_message_names_nothing() -> None:
    flow = bot(
        {**BASE, "welcome": support(say("Hello!"), q("topic", "Text", "What about?"), say("Ah, {{topic}}."))}, WORDS
    )
    talk(flow, [("so", ["Hello!", "What about?"]), ("pears", ["Ah, pears."])])


def test_a_question_of_welcome_is_not_asked_on_the_way_to_what_was_named() -> None:
    flow = bot({**BASE, "welcome": support(say("Hello!"), q("topic"), say("Ah."))}, WORDS)
    chat = talk(flow, [("order please", ["Hello!", "size?"]), ("2", ["name?"]), ("Ada", ["Done."])])
    assert chat.state.stack == ()


def test_welcome_may_lead_on_to_a_goal() -> None:
    flow = bot({**BASE, "welcome": support(say("Hello!"), do("go-to order"))}, WORDS)
    chat = talk(flow, [("so", ["Hello!", "size?"])])
    assert chat.goals == ["order"]


def test_what_welcome_asked_before_it_led_on_is_forgotten_with_that_goal() -> None:
    flow = bot({**BASE, "welcome": support(q("topic"), do("go-to order"))}, WORDS)
    chat = talk(flow, [("so", ["topic?"]), ("pears", ["size?"]), ("2", ["name?"])])
    assert chat.memory == {"topic": "pears", "size": 2}
    chat.say("Ada")
    assert chat.memory == {}


def test_conversation_holds_what_the_first_message_named_during_that_turn_only() -> None:
    flow = bot(
        {
            "welcome": support(say("You want {{conversation}} ({{conversationDisplayName}}).")),
            "info": support(say("[{{conversation}}]")),
        },
        WORDS,
    )
    talk(flow, [("opening hours", ["You want info (info).", "[info]"]), ("opening hours", ["[]"])])


def test_conversation_is_the_open_goal_also_while_support_runs() -> None:
    flow = bot(
        {
            "order": goal(say("[{{conversation}}]"), q("n", "Number"), name="an order"),
            "info": support(say("[{{conversation}}]")),
        },
        WORDS,
    )
    talk(
        flow,
        [("order please", ["[order]", "n?"]), ("opening hours", ["[order]", "I am going back to an order now.", "n?"])],
    )


def test_a_welcome_that_fails_ends_the_turn_and_is_tried_again() -> None:
    flow = bot({**BASE, "welcome": support(hook("x", "https://api.test/x"), say("Hello!"))}, WORDS)
    chat = Chat(flow, {"https://api.test/x": status(500)})
    assert chat.say("so") == ["We are experiencing technical difficulties at this moment."]
    chat.answers["https://api.test/x"] = 1
    assert chat.say("so") == ["Hello!"]


# ---- a bot of goals alone ----------------------------------------------------------------------------------------


def goals_alone(**more: Any) -> Flow:
    return bot(
        {
            "book": goal(q("day"), name="Book a table"),
            "order": goal(q("cake")),
            "inner": goal(say("Inner.")),
            "outer": goal(run("inner"), say("Done."), name="outer"),
            **more,
        },
        trait(book=["i want to eat"], outer=["out"]),
    )


def test_a_bot_of_goals_alone_greets_with_what_it_can_do() -> None:
    chat = Chat(goals_alone())
    assert chat.open() == ["Hello! What would you like to do? [Book a table] [order] [outer]"]
    assert chat.open() == []
    assert chat.say("i want to eat") == ["day?"]


@pytest.mark.parametrize("said", ["Book a table", "the first one", "i want to eat"])
def test_a_reply_of_the_greeting_starts_its_goal(said: str) -> None:
    chat = Chat(goals_alone())
    chat.open()
    assert chat.say(said) == ["day?"]


def test_a_bot_of_goals_alone_greets_again_when_it_is_asked_to_say_it_again() -> None:
    chat = Chat(goals_alone())
    chat.open()
    assert chat.open(is_said_again=True)[0].startswith("Hello!")


@pytest.mark.parametrize("key", ["welcome", "help"])
def test_a_bot_with_words_of_its_own_says_no_others(key: str) -> None:
    chat = Chat(goals_alone(**{key: support(say("Own."))}))
    assert chat.open() == (["Own."] if key == "welcome" else [])


def test_the_greeting_speaks_the_bots_language() -> None:
    chat = Chat(bot({"book": goal(q("day"), name="Tisch")}, language="de"))
    assert chat.open() == ["Hallo! Was möchten Sie tun? [Tisch]"]
