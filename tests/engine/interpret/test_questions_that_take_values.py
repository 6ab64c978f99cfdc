"""Which question takes what was said (flow-language.md section 5, rule 3)."""

from tests.engine.talking import Chat, bot, check, confirm, goal, keywords, q, quick, say, support, talk, trait

INVALID = "I am not sure I understood what you said."
CITY = keywords("city", Sofia=["the capital"], Varna=[], Burgas=[])

TRIP = bot(
    {
        "trip": goal(
            q("to", "city"),
            q("day", "Date"),
            q("time", "Time"),
            q("people", "Number"),
            say("{{people}} to {{to}} on {{day}} at {{time}}."),
        ),
        "help": support(say("I book trips.")),
    },
    CITY,
    trait(trip=["book a trip", "I want to travel"], help=["help me"]),
)


def test_the_open_question_is_answered_first() -> None:
    talk(
        TRIP,
        [
            ("book a trip", ["to?"]),
            ("Varna", ["day?"]),
            ("tomorrow", ["time?"]),
            ("half past 3 pm", ["people?"]),
            ("2", ["2 to Varna on 2026.11.21 at 15:30."]),
        ],
    )


def test_one_message_fills_several_questions() -> None:
    talk(
        TRIP,
        [
            ("book a trip", ["to?"]),
            ("to Varna tomorrow at 16:00", ["people?"]),
            ("3", ["3 to Varna on 2026.11.21 at 16:00."]),
        ],
    )


def test_the_message_that_starts_a_goal_fills_its_questions() -> None:
    chat = Chat(TRIP)
    assert chat.say("I want to travel to Sofia tomorrow") == ["time?"]
    assert chat.memory["to"] == {"value": "Sofia"}


def test_what_no_question_without_a_value_takes_corrects_one_that_has_one() -> None:
    talk(
        TRIP,
        [
            ("book a trip", ["to?"]),
            ("Varna", ["day?"]),
            ("tomorrow", ["time?"]),
            ("no, to Sofia", ["time?"]),
            ("at 17:00", ["people?"]),
            ("4", ["4 to Sofia on 2026.11.21 at 17:00."]),
        ],
    )


def test_a_value_of_the_open_questions_type_answers_it_and_corrects_nothing() -> None:
    flow = bot({"trip": goal(q("from", "city"), q("to", "city"), say("{{from}} - {{to}}"))}, CITY, trait(trip=["trip"]))
    talk(flow, [("trip", ["from?"]), ("Sofia", ["to?"]), ("Varna", ["Sofia - Varna"])])


def test_values_of_one_type_go_to_its_questions_in_the_order_of_the_text() -> None:
    flow = bot({"trip": goal(q("from", "city"), q("to", "city"), say("{{from}} - {{to}}"))}, CITY, trait(trip=["trip"]))
    talk(flow, [("trip", ["from?"]), ("Varna and then Burgas", ["Varna - Burgas"])])


def test_several_values_for_the_one_question_left_are_offered() -> None:
    flow = bot({"trip": goal(q("to", "city", "Where to?"), say("{{to}}!"))}, CITY, trait(trip=["trip"]))
    talk(flow, [("trip", ["Where to?"]), ("Varna or Burgas", ["Where to? [Varna] [Burgas]"]), ("burgas", ["Burgas!"])])


def test_a_question_that_is_explicit_is_filled_only_when_asked() -> None:
    flow = bot(
        {"trip": goal(q("day", "Date"), q("back", "Date", is_explicit=True), say("{{day}} {{back}}"))},
        trait(trip=["trip"]),
    )
    talk(
        flow,
        [
            ("trip", ["day?"]),
            ("tomorrow", ["back?"]),
            ("25 November 2026", ["2026.11.21 2026.11.25"]),
        ],
    )


def test_values_are_told_for_a_question_whose_conditions_do_not_hold_yet() -> None:
    flow = bot(
        {"trip": goal(q("people", "Number"), q("day", "Date", conditions=["{{$gt people 3}}"]), say("{{day}}."))},
        trait(trip=["trip"]),
    )
    talk(flow, [("trip", ["people?"]), ("tomorrow", ["people?"]), ("5", ["2026.11.21."])])


def test_text_is_taken_only_where_it_is_asked_for() -> None:
    flow = bot({"order": goal(q("size", "Number"), q("note"), say("{{size}} {{note}}"))}, trait(order=["order"]))
    talk(
        flow,
        [
            ("order", ["size?"]),
            ("large please", [INVALID, "size?"]),
            ("3", ["note?"]),
            ("no sugar, 2 spoons", ["3 no sugar, 2 spoons"]),
        ],
    )


def test_an_open_text_question_gives_way_to_the_trained_expression_of_another_conversation() -> None:
    flow = bot(
        {"order": goal(q("note"), say("{{note}}"), name="ordering"), "help": support(say("Helping."))},
        trait(order=["order"], help=["help me"]),
    )
    talk(
        flow,
        [
            ("order", ["note?"]),
            ("Help me!", ["Helping.", "I am going back to ordering now.", "note?"]),
            ("please help me with it", ["please help me with it"]),
        ],
    )


def test_an_open_text_question_takes_the_expression_of_its_own_conversation() -> None:
    flow = bot({"order": goal(q("note"), say("{{note}}"))}, trait(order=["order"]))
    talk(flow, [("order", ["note?"]), ("order", ["order"])])


def test_an_option_of_a_text_question_that_names_another_conversation_starts_it() -> None:
    flow = bot(
        {
            "order": goal(q("note", display=quick("none", "help me"))),
            "help": support(say("Helping.")),
        },
        trait(order=["order"], help=["help me"]),
    )
    chat = Chat(flow)
    chat.say("order")
    assert chat.tap("help me")[0] == "Helping."
    assert chat.memory == {}


MENU = {
    "help": support(q("topic", "topic", "What about?", display=quick())),
    "order": goal(q("size", "Number")),
    "opening": support(say("From nine to five.")),
}


def test_an_answer_of_another_type_that_names_a_conversation_starts_it_when_nothing_else_comes_of_it() -> None:
    flow = bot(
        MENU, keywords("topic", order=[], opening=["opening hours"]), trait(order=["order"], opening=["opening hours"])
    )
    chat = Chat(flow)
    assert chat.say("hm") == ["What about? [opening] [order]"]
    assert chat.say("order") == ["size?"]
    assert chat.goals == ["order"]


def test_such_an_answer_starts_nothing_when_the_conversation_goes_on_by_itself() -> None:
    conversations = {**MENU, "help": support(q("topic", "topic", "What about?"), say("I see."))}
    flow = bot(conversations, keywords("topic", order=[]), trait(order=["order"], opening=["opening"]))
    talk(flow, [("hm", ["What about?"]), ("order", ["I see."])])


def test_an_answer_to_the_open_question_is_never_taken_for_another_wish() -> None:
    flow = bot(
        {"trip": goal(q("day", "Date"), say("{{day}}")), "taxi": goal(q("street"))},
        trait(trip=["trip"], taxi=["taxi tomorrow", "taxi"]),
    )
    talk(flow, [("trip", ["day?"]), ("taxi tomorrow", ["2026.11.21"])])


def test_values_beside_another_wish_go_to_the_goal_that_it_starts() -> None:
    flow = bot(
        {"trip": goal(q("name", "Number"), q("day", "Date")), "taxi": goal(q("when", "Date"), q("street"))},
        trait(trip=["trip"], taxi=["a taxi please", "order a taxi"]),
    )
    chat = Chat(flow)
    chat.say("trip")
    assert chat.say("order a taxi tomorrow") == ["street?"]
    assert chat.memory == {"when": "2026-11-21"}


def test_yes_and_no_are_taken_only_where_they_are_asked_for() -> None:
    flow = bot(
        {"trip": goal(q("day", "Date"), q("meal", "Confirmation"), say("{{meal}}"))},
        trait(trip=["trip"]),
    )
    talk(flow, [("trip", ["day?"]), ("yes, tomorrow", ["meal?"]), ("no", ["false"])])


def test_a_place_goes_to_the_question_that_asks_for_one() -> None:
    from dialoom.engine.interpret.slots import Slot
    from dialoom.engine.interpret.values.assign import assign
    from dialoom.understanding import Candidate

    flow = bot({"trip": goal(q("day", "Date"), q("time", "Time"))}, trait(trip=["trip"]))
    places = flow.scripts["trip"].questions
    slots = [
        Slot("trip", places[0], "Date", "day", True, False, None),
        Slot("trip", places[1], "Time", "time", False, False, None),
    ]
    tie = {
        "Date": [Candidate("Date", "2026-11-12", 1.0, 0, 2, "12")],
        "Time": [Candidate("Time", "12:00", 1.0, 0, 2, "12")],
    }
    fills = assign(slots, tie, frozenset()).fills
    assert [(one.what, one.found.value) for one in fills] == [("day", "2026-11-12")]
    longer = {**tie, "Time": [Candidate("Time", "12:00", 1.0, 0, 5, "12 pm")]}
    fills = assign(slots, longer, frozenset()).fills
    assert [(one.what, one.found.value) for one in fills] == [("time", "12:00")]


def test_a_correction_beside_a_no_asks_the_confirmation_anew() -> None:
    flow = bot(
        {"trip": goal(q("time", "Time"), confirm("ok", "At {{time}}?"), say("Done: {{time}}", conditions=["{{ok}}"]))},
        trait(trip=["trip"]),
    )
    talk(
        flow,
        [
            ("trip", ["time?"]),
            ("15:00", ["At 15:00? [Yes] [No]"]),
            ("no, make it 16:00", ["At 16:00? [Yes] [No]"]),
            ("make it 17:00", ["At 17:00? [Yes] [No]"]),
            ("yes", ["Done: 17:00"]),
        ],
    )


def test_the_understanding_of_a_message_is_recorded() -> None:
    chat = Chat(TRIP)
    chat.say("book a trip")
    chat.say("to Varna please")
    assert chat.heard.entity == "to"
    assert chat.heard.text == "to Varna please"
    assert chat.heard.understanding["city"] == [
        {"value": {"value": "Varna"}, "confidence": 1.0, "start": 3, "end": 8, "text": "Varna"}
    ]


def test_a_message_named_twice_for_one_entity_is_given_once() -> None:
    flow = bot(
        {
            "trip": goal(
                q("day", "Date", "Which day?", conditions=["{{$not late}}"]),
                q("day", "Date", "Which later day?", conditions=["{{late}}"]),
                say("{{day}}"),
            )
        },
        trait(trip=["trip"]),
    )
    talk(flow, [("trip", ["Which day?"]), ("tomorrow", ["2026.11.21"])])


def test_a_blank_message_is_not_understood() -> None:
    talk(TRIP, [("book a trip", ["to?"]), ("   ", [INVALID, "to?"])])


def test_validation_texts_come_instead_of_the_invalid_reply() -> None:
    flow = bot(
        {
            "trip": goal(
                q("n", "Number", reactions={"validations": [check("range", "At most 5.", max=5)]}), say("{{n}}")
            )
        },
        trait(trip=["trip"]),
    )
    talk(flow, [("trip", ["n?"]), ("9", ["At most 5.", "n?"]), ("4", ["4"])])
