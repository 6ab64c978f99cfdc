"""Another goal, a support conversation or a QnA answer while a goal is open (flow-language.md section 5, rule 5)."""

from dialoom.engine import compile_flow
from tests.engine.talking import Chat, bot, do, goal, hook, q, quick, run, say, support, talk, trait, unchecked

BOOK = goal(q("day", "Date"), q("time", "Time"), say("Booked {{day}} {{time}}."), name="your booking")
TAXI = goal(q("street"), say("A taxi to {{street}}."), name="your taxi")
HELP = support(say("I book and call taxis."))
WORDS = trait(book=["book"], taxi=["call a taxi"], help=["help"], hours=["opening hours"], survey=["survey"])
BACK = "I am going back to your booking now."


def flow(**more: object):
    return bot({"book": BOOK, "taxi": TAXI, "help": HELP, "hours": support(say("Nine to five.")), **more}, WORDS)


def test_a_digression_repeats_the_open_question_once_after_one_going_back_text() -> None:
    talk(flow(), [("book", ["day?"]), ("help", ["I book and call taxis.", BACK, "day?"]), ("tomorrow", ["time?"])])


def test_two_digressions_go_back_each_time() -> None:
    talk(
        flow(),
        [
            ("book", ["day?"]),
            ("help", ["I book and call taxis.", BACK, "day?"]),
            ("opening hours", ["Nine to five.", BACK, "day?"]),
        ],
    )


def test_another_goal_starts_and_the_old_one_is_resumed() -> None:
    chat = talk(
        flow(),
        [
            ("book", ["day?"]),
            ("call a taxi", ["street?"]),
            ("Main Street", ["A taxi to Main Street.", BACK, "day?"]),
            ("tomorrow", ["time?"]),
            ("16:00", ["Booked 2026.11.21 16:00."]),
        ],
    )
    assert chat.goals == ["book", "taxi"]
    assert chat.records == ["success"]


def test_the_goals_that_nest_share_one_record_that_ends_with_the_last() -> None:
    chat = talk(flow(), [("book", ["day?"]), ("call a taxi", ["street?"]), ("Elm", ["A taxi to Elm.", BACK, "day?"])])
    assert chat.records == []


def test_naming_the_open_goal_repeats_its_question() -> None:
    talk(flow(), [("book", ["day?"]), ("book", ["day?"])])


def test_naming_a_remembered_goal_goes_back_to_it() -> None:
    chat = talk(
        flow(),
        [
            ("call a taxi", ["street?"]),
            ("book", ["day?"]),
            ("call a taxi", ["I am going back to your taxi now.", "street?"]),
            ("Elm", ["A taxi to Elm.", BACK, "day?"]),
        ],
    )
    assert chat.goals == ["taxi", "book"]


def test_a_support_conversation_that_asks_is_answered_before_the_goal_goes_on() -> None:
    survey = support(q("grade", "Number", "How do you like us?"), say("{{grade}}, thanks."))
    chat = talk(
        flow(survey=survey),
        [
            ("book", ["day?"]),
            ("survey", ["How do you like us?"]),
            ("5", ["5, thanks.", BACK, "day?"]),
        ],
    )
    assert chat.memory == {}


def test_a_support_conversation_forgets_what_it_asked_also_when_no_goal_is_open() -> None:
    survey = support(q("grade", "Number"), say("{{grade}}, thanks."))
    chat = talk(flow(survey=survey), [("survey", ["grade?"]), ("5", ["5, thanks."]), ("survey", ["grade?"])])
    assert chat.memory == {}


def test_what_the_open_goal_asks_for_too_stays() -> None:
    survey = support(q("day", "Date", "Which day did you come?"), say("Thanks."))
    chat = talk(
        flow(survey=survey),
        [("book", ["day?"]), ("survey", ["Which day did you come?"]), ("tomorrow", ["Thanks.", BACK, "time?"])],
    )
    assert chat.memory == {"day": "2026-11-21"}


def test_what_webhooks_and_set_entity_of_support_put_into_memory_lasts_for_the_session() -> None:
    info = support(hook("rate", "https://api.test/rate"), do("set-entity", entity="seen", data="yes"), say("{{rate}}"))
    chat = talk(
        flow(survey=info),
        [("survey", ["2"]), ("book", ["day?"]), ("tomorrow", ["time?"]), ("9:00", ["Booked 2026.11.21 09:00."])],
        {"https://api.test/rate": 2},
    )
    assert chat.memory == {"rate": 2, "seen": "yes"}
    chat.wait(1440)
    assert chat.memory == {}


def test_a_support_conversation_that_is_left_for_a_goal_is_dropped() -> None:
    survey = support(q("grade", "Number"), say("Thanks."))
    talk(
        flow(survey=survey),
        [
            ("book", ["day?"]),
            ("survey", ["grade?"]),
            ("call a taxi", ["street?"]),
            ("Elm", ["A taxi to Elm.", BACK, "day?"]),
        ],
    )


def test_a_support_conversation_that_is_left_for_the_goal_below_goes_back_to_it() -> None:
    survey = support(q("grade", "Number"), say("Thanks."))
    talk(flow(survey=survey), [("book", ["day?"]), ("survey", ["grade?"]), ("book", [BACK, "day?"])])


def test_a_support_conversation_inside_another_goes_back_to_that() -> None:
    survey = support(q("grade", "Number"), say("Thanks."), name="the survey")
    talk(
        flow(survey=survey),
        [
            ("survey", ["grade?"]),
            ("help", ["I book and call taxis.", "I am going back to the survey now.", "grade?"]),
            ("4", ["Thanks."]),
        ],
    )


def test_values_for_the_goal_are_understood_while_a_support_conversation_asks() -> None:
    survey = support(q("grade", "Number"), say("Thanks."))
    talk(
        flow(survey=survey),
        [("book", ["day?"]), ("survey", ["grade?"]), ("5, and book tomorrow", ["Thanks.", BACK, "time?"])],
    )


def test_steps_run_in_place_belong_to_the_caller() -> None:
    flow = bot(
        {
            "book": goal(run("who"), q("day", "Date"), say("{{name}} {{day}}"), name="your booking"),
            "who": support(q("name"), say("Hello {{name}}.")),
            "help": HELP,
        },
        WORDS,
    )
    chat = talk(
        flow,
        [
            ("book", ["name?"]),
            ("Ada", ["Hello Ada.", "day?"]),
            ("help", ["I book and call taxis.", BACK, "day?"]),
            ("tomorrow", ["Ada 2026.11.21"]),
        ],
    )
    assert chat.memory == {}
    assert chat.goals == ["book"]


def test_steps_in_place_are_named_by_the_conversation_that_they_stand_in() -> None:
    flow = bot({"book": goal(run("who")), "who": support(say("a"), q("name"))}, WORDS)
    chat = Chat(flow)
    chat.say("book")
    assert chat.steps == ["who/0", "who/1"]


# ---- QnA ---------------------------------------------------------------------------------------------------------

FAQ = {
    "name": "faq",
    "lookup-strategy": "QnA",
    "data": [
        {"value": "parking", "expressions": ["where can I park", "is there parking"], "answers": ["Behind the house."]},
        {"value": "pets", "expressions": ["may I bring my dog"], "answers": ["Pets are welcome."]},
    ],
}


def test_a_qna_answer_is_followed_by_the_open_question_without_a_going_back_text() -> None:
    flow = compile_flow(unchecked({"book": BOOK}, WORDS, FAQ))
    talk(flow, [("book", ["day?"]), ("where can I park", ["Behind the house.", "day?"]), ("tomorrow", ["time?"])])


def test_with_no_goal_open_a_qna_answer_stands_alone() -> None:
    flow = compile_flow(unchecked({"book": BOOK, "help": HELP}, WORDS, FAQ))
    talk(flow, [("may I bring my dog", ["Pets are welcome."])])


def test_an_open_text_question_gives_way_to_a_qna_expression() -> None:
    flow = compile_flow(unchecked({"taxi": TAXI}, WORDS, FAQ))
    talk(flow, [("call a taxi", ["street?"]), ("is there parking", ["Behind the house.", "street?"])])


def test_a_question_of_a_qna_type_is_never_filled() -> None:
    flow = compile_flow(unchecked({"help": support(q("topic", "faq", "Ask me.", display=quick()))}, WORDS, FAQ))
    chat = talk(
        flow,
        [
            ("hm", ["Ask me. [parking] [pets]"]),
            ("parking", ["Behind the house.", "Ask me. [parking] [pets]"]),
            ("may I bring my dog", ["Pets are welcome.", "Ask me. [parking] [pets]"]),
        ],
    )
    assert chat.tap("pets") == ["Pets are welcome.", "Ask me. [parking] [pets]"]
    assert chat.memory == {}
