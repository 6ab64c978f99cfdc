"""Conversations inside conversations, and what each end forgets (flow-language.md section 5, rule 5)."""

import pytest

from dialoom.engine import Flow, compile_flow
from tests.engine.talking import (
    bot,
    confirm,
    do,
    goal,
    hook,
    q,
    quick,
    run,
    say,
    status,
    support,
    talk,
    trait,
    unchecked,
)

INVALID = "I am not sure I understood what you said."
FAILURE = "We are experiencing technical difficulties at this moment."
WORDS = trait(
    book=["book"],
    taxi=["taxi"],
    meal=["meal"],
    help=["help"],
    survey=["survey"],
    cancel=["cancel"],
    hello=["hello there"],
)
FAQ = {
    "name": "faq",
    "lookup-strategy": "QnA",
    "data": [{"value": "pets", "expressions": ["may I bring my dog"], "answers": ["Pets are welcome."]}],
}


def back(name: str) -> str:
    return f"I am going back to {name} now."


def flow(*types: dict, **more: dict) -> Flow:
    conversations = {
        "book": goal(q("day", "Date"), q("time", "Time"), say("Booked {{day}} {{time}}.")),
        "taxi": goal(q("seats", "Number"), say("A taxi for {{seats}}.")),
        "meal": goal(q("dish"), say("{{dish}}!")),
        "help": support(say("Help.")),
        "survey": support(q("grade", "Number"), q("why"), say("Thanks.")),
        **more,
    }
    return compile_flow(unchecked(conversations, WORDS, *types))


def test_a_goal_in_a_goal_in_a_goal_ends_from_the_inside_out() -> None:
    chat = talk(
        flow(),
        [
            ("book", ["day?"]),
            ("taxi", ["seats?"]),
            ("meal", ["dish?"]),
            ("soup", ["soup!", back("taxi"), "seats?"]),
            ("3", ["A taxi for 3.", back("book"), "day?"]),
            ("today", ["time?"]),
            ("9:00", ["Booked 2026.11.20 09:00."]),
        ],
    )
    assert chat.goals == ["book", "taxi", "meal"]
    assert chat.records == ["success"]
    assert chat.memory == {}


def test_the_innermost_goal_may_go_back_to_the_outermost() -> None:
    talk(
        flow(),
        [
            ("book", ["day?"]),
            ("taxi", ["seats?"]),
            ("meal", ["dish?"]),
            ("book", [back("book"), "day?"]),
            ("today", ["time?"]),
            ("9:00", ["Booked 2026.11.20 09:00.", back("meal"), "dish?"]),
            ("soup", ["soup!", back("taxi"), "seats?"]),
        ],
    )


def test_support_inside_a_goal_inside_a_goal_goes_back_to_the_inner_one() -> None:
    talk(
        flow(),
        [
            ("book", ["day?"]),
            ("taxi", ["seats?"]),
            ("help", ["Help.", back("taxi"), "seats?"]),
            ("2", ["A taxi for 2.", back("book"), "day?"]),
        ],
    )


def test_support_that_asks_and_is_left_for_another_goal_is_never_gone_back_to() -> None:
    chat = talk(
        flow(),
        [
            ("book", ["day?"]),
            ("survey", ["grade?"]),
            ("4", ["why?"]),
            ("taxi", ["seats?"]),
            ("2", ["A taxi for 2.", back("book"), "day?"]),
            ("survey", ["grade?"]),
        ],
    )
    assert chat.memory == {}


def test_support_that_answers_inside_support_that_asks() -> None:
    talk(
        flow(),
        [
            ("book", ["day?"]),
            ("survey", ["grade?"]),
            ("help", ["Help.", back("survey"), "grade?"]),
            ("4", ["why?"]),
            ("because", ["Thanks.", back("book"), "day?"]),
        ],
    )


def test_naming_the_support_conversation_that_asks_repeats_its_question() -> None:
    talk(flow(), [("book", ["day?"]), ("survey", ["grade?"]), ("survey", ["grade?"])])


def test_each_return_is_said_in_the_flows_own_words_with_the_name_of_where_it_goes() -> None:
    conversations = {
        "book": goal(q("day", "Date"), name="your visit"),
        "taxi": goal(q("seats", "Number"), say("Off."), name="your taxi"),
        "help": support(say("Help."), name="help"),
    }
    flow = bot(conversations, WORDS, previous_conversation_messages=["Back to {{conversationDisplayName}}."])
    talk(
        flow,
        [
            ("book", ["day?"]),
            ("taxi", ["seats?"]),
            ("help", ["Help.", "Back to your taxi.", "seats?"]),
            ("2", ["Off.", "Back to your visit.", "day?"]),
        ],
    )


def test_an_empty_list_of_going_back_texts_says_none() -> None:
    flow = bot(
        {"book": goal(q("day", "Date")), "help": support(say("Help."))}, WORDS, previous_conversation_messages=[]
    )
    talk(flow, [("book", ["day?"]), ("help", ["Help.", "day?"])])


def test_a_confirmation_is_repeated_after_a_digression() -> None:
    one = flow(book=goal(q("day", "Date"), confirm("ok", "{{day}}?"), say("Booked.")))
    talk(
        one,
        [
            ("book", ["day?"]),
            ("today", ["2026.11.20? [Yes] [No]"]),
            ("help", ["Help.", back("book"), "2026.11.20? [Yes] [No]"]),
            ("taxi", ["seats?"]),
            ("1", ["A taxi for 1.", back("book"), "2026.11.20? [Yes] [No]"]),
            ("yes", ["Booked."]),
        ],
    )


def test_a_goal_that_is_taken_up_says_none_of_its_messages_twice() -> None:
    one = flow(book=goal(say("Let us book."), q("day", "Date"), say("Noted."), q("time", "Time")))
    talk(
        one,
        [
            ("book", ["Let us book.", "day?"]),
            ("today", ["Noted.", "time?"]),
            ("help", ["Help.", back("book"), "time?"]),
            ("taxi", ["seats?"]),
            ("2", ["A taxi for 2.", back("book"), "time?"]),
        ],
    )


def test_a_goal_run_in_place_inside_a_goal_is_no_goal_of_its_own() -> None:
    one = flow(book=goal(run("taxi"), q("day", "Date"), say("Booked {{day}} for {{seats}}.")))
    chat = talk(one, [("book", ["seats?"]), ("3", ["A taxi for 3.", "day?"]), ("today", ["Booked 2026.11.20 for 3."])])
    assert chat.goals == ["book"]
    assert chat.records == ["success"]
    assert chat.memory == {}


# ---- QnA ---------------------------------------------------------------------------------------------------------


def test_a_qna_answer_inside_support_that_asks_repeats_that_question() -> None:
    talk(
        flow(FAQ),
        [("book", ["day?"]), ("survey", ["grade?"]), ("may I bring my dog", ["Pets are welcome.", "grade?"])],
    )
    talk(flow(FAQ), [("survey", ["grade?"]), ("may I bring my dog", ["Pets are welcome.", "grade?"])])


def test_a_qna_answer_repeats_a_confirmation_with_its_replies() -> None:
    one = flow(FAQ, book=goal(confirm("ok", "Sure?")))
    talk(one, [("book", ["Sure? [Yes] [No]"]), ("may I bring my dog", ["Pets are welcome.", "Sure? [Yes] [No]"])])


def test_a_qna_answer_after_a_failed_step_comes_alone_and_the_next_message_tries_the_step() -> None:
    one = flow(FAQ, book=goal(hook("x", "https://api.test/x"), q("day", "Date")))
    chat = talk(one, [("book", [FAILURE])], {"https://api.test/x": status(500)})
    chat.answers["https://api.test/x"] = 1
    assert chat.say("may I bring my dog") == ["Pets are welcome."]
    assert chat.say("well") == ["day?"]


# ---- what is forgotten -------------------------------------------------------------------------------------------


def test_support_forgets_its_confirmations_too_and_keeps_what_its_webhooks_and_commands_gave() -> None:
    one = flow(
        survey=support(
            confirm("agrees", "May I?"),
            hook("score", "https://api.test/score"),
            do("set-entity", entity="seen", data="yes"),
            say("{{agrees}} {{score}}."),
        )
    )
    chat = talk(
        one,
        [
            ("book", ["day?"]),
            ("survey", ["May I? [Yes] [No]"]),
            ("yes", ["true 7.", back("book"), "day?"]),
            ("survey", ["May I? [Yes] [No]"]),
        ],
        {"https://api.test/score": 7},
    )
    assert chat.memory == {"score": 7, "seen": "yes"}


def test_support_inside_support_leaves_what_the_outer_one_asked() -> None:
    one = flow(help=support(q("topic"), say("On {{topic}}.")))
    chat = talk(
        one,
        [
            ("survey", ["grade?"]),
            ("4", ["why?"]),
            ("help", ["topic?"]),
            ("pears", ["On pears.", back("survey"), "why?"]),
        ],
    )
    assert chat.memory == {"grade": 4}


def test_what_support_asked_stays_where_the_open_goal_has_a_question_for_it_and_not_for_a_remembered_one() -> None:
    one = flow(survey=support(q("day", "Date"), q("seats", "Number"), say("Thanks.")))
    chat = talk(
        one,
        [
            ("book", ["day?"]),
            ("taxi", ["seats?"]),
            ("survey", ["day?"]),
            ("today", ["seats?"]),
            ("4", ["Thanks.", back("taxi"), "A taxi for 4.", back("book"), "day?"]),
        ],
    )
    assert chat.memory == {}


def test_an_inner_goal_leaves_what_the_outer_one_has_a_step_for() -> None:
    one = flow(taxi=goal(q("day", "Date"), q("seats", "Number"), say("Off on {{day}}.")))
    chat = talk(
        one,
        [
            ("book", ["day?"]),
            ("taxi", ["day?"]),
            ("today", ["seats?"]),
            ("2", ["Off on 2026.11.20.", back("book"), "time?"]),
        ],
    )
    assert chat.memory == {"day": "2026-11-20"}


# ---- go-to -------------------------------------------------------------------------------------------------------


def test_what_a_chain_of_go_to_asked_is_forgotten_when_the_last_one_completes() -> None:
    one = flow(
        survey=support(q("grade", "Number"), do("go-to help")),
        help=support(q("topic"), do("go-to hello")),
        hello=support(q("mood"), say("{{grade}} {{topic}} {{mood}}.")),
    )
    chat = talk(one, [("book", ["day?"]), ("survey", ["grade?"]), ("4", ["topic?"]), ("pears", ["mood?"])])
    assert chat.memory == {"grade": 4, "topic": "pears"}
    assert chat.say("fine") == ["4 pears fine.", back("book"), "day?"]
    assert chat.memory == {}


def test_what_support_asked_before_it_went_to_a_goal_stays_until_that_goal_completes() -> None:
    one = flow(survey=support(q("grade", "Number"), do("go-to taxi")))
    chat = talk(one, [("survey", ["grade?"]), ("4", ["seats?"]), ("help", ["Help.", back("taxi"), "seats?"])])
    assert chat.memory == {"grade": 4}
    assert chat.say("2") == ["A taxi for 2."]
    assert chat.memory == {}


def test_a_go_to_a_goal_that_is_remembered_goes_on_with_it_and_drops_only_the_one_that_went() -> None:
    one = flow(survey=support(q("grade", "Number"), do("go-to book")))
    chat = talk(
        one,
        [
            ("book", ["day?"]),
            ("taxi", ["seats?"]),
            ("survey", ["grade?"]),
            ("4", ["day?"]),
            ("today", ["time?"]),
            ("9:00", ["Booked 2026.11.20 09:00.", back("taxi"), "seats?"]),
        ],
    )
    assert chat.memory == {}
    assert chat.records == []


def test_a_go_to_out_of_an_inner_goal_never_returns_to_it() -> None:
    one = flow(taxi=goal(q("seats", "Number"), do("go-to meal"), say("Never.")))
    chat = talk(
        one,
        [("book", ["day?"]), ("taxi", ["seats?"]), ("2", ["dish?"]), ("soup", ["soup!", back("book"), "day?"])],
    )
    assert chat.records == []
    assert chat.goals == ["book", "taxi", "meal"]
    assert chat.memory == {}


@pytest.mark.parametrize("inside", ["taxi", "survey"])
def test_a_go_to_in_steps_that_run_in_place_replaces_the_caller(inside: str) -> None:
    kind = goal if inside == "taxi" else support
    one = flow(book=goal(run(inside), say("Never.")), **{inside: kind(say("On."), do("go-to meal"))})
    chat = talk(one, [("book", ["On.", "dish?"]), ("soup", ["soup!"])])
    assert chat.state.stack == ()


# ---- an end without a text ---------------------------------------------------------------------------------------


def test_ending_every_conversation_forgets_what_they_asked() -> None:
    one = flow(cancel=support(confirm("sure", "Sure?"), do("invalidate-entity conversation", conditions=["{{sure}}"])))
    chat = talk(one, [("book", ["day?"]), ("today", ["time?"]), ("taxi", ["seats?"]), ("cancel", ["Sure? [Yes] [No]"])])
    assert chat.say("yes") == []
    assert chat.memory == {}
    assert chat.records == ["abandoned"]
    assert chat.say("book") == ["day?"]
    assert chat.say("cancel") == ["Sure? [Yes] [No]"]
    assert chat.say("no") == [back("book"), "day?"]


def test_ending_every_conversation_keeps_persist_entities_and_what_the_session_keeps() -> None:
    conversations = {
        "book": goal(q("name"), q("day", "Date")),
        "cancel": support(do("set-entity", entity="seen", data="yes"), do("invalidate-entity conversation")),
    }
    chat = talk(
        bot(conversations, WORDS, persist_entities=["name"]), [("book", ["name?"]), ("Ada", ["day?"]), ("cancel", [])]
    )
    assert chat.memory == {"name": "Ada", "seen": "yes"}


def test_options_of_the_goal_are_good_again_after_a_digression_that_asked() -> None:
    one = flow(book=goal(q("hall", "Text", display=quick("A", "B")), say("{{hall}}.")))
    chat = talk(one, [("book", ["hall? [A] [B]"]), ("survey", ["grade?"]), ("4", ["why?"])])
    assert chat.say("so") == ["Thanks.", back("book"), "hall? [A] [B]"]
    assert chat.tap("B") == ["B."]


def test_support_forgets_only_what_the_user_told_it() -> None:
    """A remembered goal's answer, and what a webhook or set-entity gave before, are not its own."""
    one = flow(
        survey=support(q("day", "Date"), q("seen"), q("grade", "Number"), say("{{day}} {{seen}} {{grade}}.")),
        help=support(do("set-entity", entity="seen", data="yes")),
    )
    chat = talk(
        one,
        [
            ("book", ["day?"]),
            ("today", ["time?"]),
            ("help", [back("book"), "time?"]),
            ("taxi", ["seats?"]),
            ("survey", ["grade?"]),
            ("4", ["2026.11.20 yes 4.", back("taxi"), "seats?"]),
        ],
    )
    assert chat.memory == {"day": "2026-11-20", "seen": "yes"}
    assert chat.say("1") == ["A taxi for 1.", back("book"), "time?"]


def test_naming_a_support_conversation_below_another_goes_back_to_it_and_drops_that() -> None:
    one = flow(help=support(q("topic"), say("On {{topic}}.")))
    chat = talk(
        one,
        [
            ("survey", ["grade?"]),
            ("help", ["topic?"]),
            ("survey", [back("survey"), "grade?"]),
            ("4", ["why?"]),
            ("so", ["Thanks."]),
        ],
    )
    assert chat.memory == {}


def test_naming_a_support_conversation_below_a_goal_never_loses_the_goal() -> None:
    one = flow(help=support(say("To the taxis."), do("go-to taxi")))
    chat = talk(
        one,
        [
            ("survey", ["grade?"]),
            ("help", ["To the taxis.", "seats?"]),
            ("survey", [back("survey"), "grade?"]),
            ("4", ["why?"]),
            ("so", ["Thanks.", back("taxi"), "seats?"]),
            ("2", ["A taxi for 2."]),
        ],
    )
    assert chat.records == ["success"]
    assert chat.memory == {}
