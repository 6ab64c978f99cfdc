"""Several values in one message, corrections, ambiguous values (flow-language.md section 5, rules 3 and 4)."""

from typing import Any

import pytest

from dialoom.engine import Flow
from tests.engine.talking import (
    Chat,
    bot,
    check,
    confirm,
    goal,
    hook,
    keywords,
    q,
    quick,
    say,
    support,
    talk,
    trait,
)

INVALID = "I am not sure I understood what you said."
GO = trait(book=["book please", "I'd like to see a doctor", "make an appointment"], help=["help"], taxi=["a taxi"])
DOCTORS = keywords("Doctor", **{"Dr. Petrova": ["Petrova"], "Dr. Brown": ["Brown"]})
TWINS = keywords("city", **{"Springfield, IL": ["springfield"], "Springfield, MA": ["springfield"], "Varna": []})

CLINIC = bot(
    {
        "book": goal(
            q("doctor", "Doctor"),
            q("date", "Date"),
            q("time", "Time"),
            confirm("ok", "{{doctor}} on {{date}} at {{time}}?"),
            say("Booked {{time}}.", conditions=["{{ok}}"]),
            name="your visit",
        ),
        "help": support(say("I book visits.")),
    },
    DOCTORS,
    GO,
)


def test_three_questions_at_once_then_one_is_corrected() -> None:
    talk(
        CLINIC,
        [
            ("book please", ["doctor?"]),
            (
                "I'd like to see Dr. Petrova on 3rd March 2027 at 15:00",
                ["Dr. Petrova on 2027.03.03 at 15:00? [Yes] [No]"],
            ),
            ("make it 16:00", ["Dr. Petrova on 2027.03.03 at 16:00? [Yes] [No]"]),
            ("yes", ["Booked 16:00."]),
        ],
    )


def test_the_first_message_may_tell_all_of_it() -> None:
    talk(
        CLINIC,
        [
            (
                "I'd like to see Dr. Petrova on 3rd March 2027 at 15:00",
                ["Dr. Petrova on 2027.03.03 at 15:00? [Yes] [No]"],
            ),
            ("yes", ["Booked 15:00."]),
        ],
    )


def test_several_corrections_in_one_message() -> None:
    talk(
        CLINIC,
        [
            ("book please", ["doctor?"]),
            ("Petrova, 3rd March 2027, 15:00", ["Dr. Petrova on 2027.03.03 at 15:00? [Yes] [No]"]),
            ("no, Brown on the 4th of March 2027 at 9:30", ["Dr. Brown on 2027.03.04 at 09:30? [Yes] [No]"]),
            ("yes", ["Booked 09:30."]),
        ],
    )


def test_an_answer_and_a_correction_in_one_message() -> None:
    talk(
        CLINIC,
        [
            ("book please", ["doctor?"]),
            ("Petrova", ["date?"]),
            ("3rd March 2027, but with Brown", ["time?"]),
            ("15:00 and rather Petrova", ["Dr. Petrova on 2027.03.03 at 15:00? [Yes] [No]"]),
        ],
    )


def test_no_and_the_name_of_what_is_wrong() -> None:
    talk(
        CLINIC,
        [
            ("book please", ["doctor?"]),
            ("Petrova, 3rd March 2027, 15:00", ["Dr. Petrova on 2027.03.03 at 15:00? [Yes] [No]"]),
            ("no, the doctor is Brown", ["Dr. Brown on 2027.03.03 at 15:00? [Yes] [No]"]),
            ("make the time 16:00", ["Dr. Brown on 2027.03.03 at 16:00? [Yes] [No]"]),
        ],
    )


def test_a_correction_while_a_support_conversation_asks_reaches_the_goal() -> None:
    flow = bot(
        {
            "book": goal(q("time", "Time"), q("day", "Date"), say("{{day}} {{time}}"), name="your visit"),
            "help": support(q("n", "Number", "How many stars?"), say("Thanks.")),
        },
        trait(book=["book please"], help=["help"]),
    )
    talk(
        flow,
        [
            ("book please", ["time?"]),
            ("15:00", ["day?"]),
            ("help", ["How many stars?"]),
            ("make it 16:00", ["How many stars?"]),
            ("5", ["Thanks.", "I am going back to your visit now.", "day?"]),
            ("tomorrow", ["2026.11.21 16:00"]),
        ],
    )


def trip(*more: Any, **reactions: Any) -> Flow:
    return bot(
        {
            "book": goal(
                q("people", "Number"),
                q("coach", "Confirmation", "A coach?", conditions=["{{$gt people 10}}"]),
                q("seat", "Text", conditions=["{{$lte people 10}}"]),
                *more,
                confirm("ok", "{{people}}{{#if coach}} by coach{{/if}}?"),
            )
        },
        GO,
    )


def test_a_correction_that_changes_conditions_asks_what_was_skipped() -> None:
    talk(
        trip(),
        [
            ("book please", ["people?"]),
            ("4", ["seat?"]),
            ("window", ["4? [Yes] [No]"]),
            ("no, 20 people", ["A coach?"]),
            ("yes", ["20 by coach? [Yes] [No]"]),
            ("sorry, 5 people", ["5 by coach? [Yes] [No]"]),
        ],
    )


def test_a_correction_of_a_confirmed_question_is_validated_again_by_what_names_it() -> None:
    later = {
        "type": "custom",
        "parameters": {"condition": "{{$gt end start}}"},
        "error-message": ["The end is too early."],
    }
    flow = bot(
        {"book": goal(q("start", "Time"), q("end", "Time", reactions={"validations": [later]}), confirm("ok", "So?"))},
        GO,
    )
    talk(
        flow,
        [
            ("book please", ["start?"]),
            ("9:00", ["end?"]),
            ("10:00", ["So? [Yes] [No]"]),
            ("change the start to 11:00", ["The end is too early.", "end?"]),
            ("12:00", ["So? [Yes] [No]"]),
        ],
    )


def test_of_two_corrections_the_one_that_fails_is_asked_again_and_the_other_stays() -> None:
    flow = bot(
        {
            "book": goal(
                q("n", "Number", reactions={"validations": [check("range", "At most 5.", max=5)]}),
                q("time", "Time"),
                confirm("ok", "{{n}} at {{time}}?"),
            )
        },
        GO,
    )
    talk(
        flow,
        [
            ("book please", ["n?"]),
            ("3", ["time?"]),
            ("15:00", ["3 at 15:00? [Yes] [No]"]),
            ("make it 9 people at 16:00", ["At most 5.", "n?"]),
            ("4", ["4 at 16:00? [Yes] [No]"]),
        ],
    )


def test_a_question_that_is_explicit_is_not_corrected_unasked() -> None:
    flow = bot({"book": goal(q("day", "Date", is_explicit=True), q("n", "Number"), say("{{day}} {{n}}"))}, GO)
    talk(
        flow,
        [("book please", ["day?"]), ("tomorrow", ["n?"]), ("23.11.2026", [INVALID, "n?"]), ("2", ["2026.11.21 2"])],
    )


def test_captured_values_are_corrected_as_a_whole() -> None:
    flow = bot(
        {"book": goal(q("who", "Doctor", capture_multiple_values=True), q("day", "Date"), say("{{who}}."))}, DOCTORS, GO
    )
    chat = talk(
        flow,
        [
            ("book please", ["who?"]),
            ("Petrova and Brown", ["day?"]),
            ("only Brown", ["day?"]),
            ("today", ["Dr. Brown."]),
        ],
    )
    assert chat.records == ["success"]


# ---- what is in doubt --------------------------------------------------------------------------------------------


def flow_with_ambiguity(*before: dict) -> Flow:
    which = {"ambiguities": ["Which Springfield?"]}
    flow = {"book": goal(*before, q("to", "city", reactions=which), say("{{to}}!")), "help": support(say("Help."))}
    return bot(flow, TWINS, GO)


BOTH = "Which Springfield? [Springfield, IL] [Springfield, MA]"


def test_an_ambiguity_for_a_later_question_is_offered_when_the_walk_reaches_it() -> None:
    talk(
        flow_with_ambiguity(q("n", "Number")),
        [("book please", ["n?"]), ("to springfield", ["n?"]), ("2", [BOTH]), ("Springfield, MA", ["Springfield, MA!"])],
    )


def test_an_ambiguity_stays_open_over_nonsense_and_digressions() -> None:
    talk(
        flow_with_ambiguity(),
        [
            ("book please", ["to?"]),
            ("springfield", [BOTH]),
            ("blah", [INVALID, BOTH]),
            ("help", ["Help.", "I am going back to book now.", BOTH]),
            ("Springfield, IL", ["Springfield, IL!"]),
        ],
    )


def test_another_value_settles_an_ambiguity() -> None:
    talk(
        flow_with_ambiguity(),
        [("book please", ["to?"]), ("springfield", [BOTH]), ("no, Varna", ["Varna!"]), ("book please", ["to?"])],
    )


def test_an_ambiguous_correction_asks_which_is_meant() -> None:
    flow = bot(
        {"book": goal(q("to", "city", reactions={"ambiguities": ["Which Springfield?"]}), confirm("ok", "To {{to}}?"))},
        TWINS,
        GO,
    )
    chat = talk(
        flow,
        [("book please", ["to?"]), ("Varna", ["To Varna? [Yes] [No]"]), ("make it springfield", [BOTH])],
    )
    assert chat.tap("Springfield, IL") == ["To Springfield, IL? [Yes] [No]"]
    assert chat.say("springfield") == ["Nothing is done yet.", "To Springfield, IL? [Yes] [No]"]


def test_an_ambiguity_that_is_told_by_context_is_settled() -> None:
    chat = talk(flow_with_ambiguity(q("n", "Number")), [("book please", ["n?"]), ("springfield", ["n?"])])
    chat.tell(to="Varna")
    assert chat.say("2") == ["Varna!"]


# ---- what the open question takes --------------------------------------------------------------------------------


def test_an_option_that_equals_an_expression_is_the_value_of_a_question_of_another_type() -> None:
    """The value is stored, and nothing starts, since the goal goes on."""
    flow = bot(
        {"book": goal(q("ride", "ride", display=quick()), q("n", "Number")), "taxi": goal(q("street"))},
        keywords("ride", **{"a taxi": [], "a bus": []}),
        GO,
    )
    chat = talk(flow, [("book please", ["ride? [a bus] [a taxi]"]), ("a taxi", ["n?"])])
    assert chat.goals == ["book"]


@pytest.mark.parametrize("said", ["Help!", "HELP"])
def test_an_open_text_question_inside_support_gives_way_too(said: str) -> None:
    flow = bot(
        {"book": goal(q("n", "Number")), "taxi": support(q("street"), say("Off.")), "help": support(say("I help."))}, GO
    )
    talk(
        flow,
        [
            ("book please", ["n?"]),
            ("a taxi", ["street?"]),
            (said, ["I help.", "I am going back to taxi now.", "street?"]),
        ],
    )


def test_a_question_about_conversations_is_filled_only_where_it_is_asked() -> None:
    flow = bot(
        {
            "book": goal(
                q("n", "Number"), q("topic", "Conversation", "What next?", display=quick("taxi")), say("{{topic}}!")
            ),
            "taxi": goal(q("street"), say("Off.")),
        },
        GO,
    )
    talk(
        flow,
        [
            ("book please", ["n?"]),
            ("a taxi", ["street?"]),
            ("Elm", ["Off.", "I am going back to book now.", "n?"]),
            ("2", ["What next? [taxi]"]),
            ("a taxi", ["taxi!"]),
        ],
    )


# ---- names that try to break something ---------------------------------------------------------------------------

BAD = "O'Neil\"]})"


def test_a_name_full_of_quotes_and_brackets_breaks_nothing() -> None:
    """In a message, a selector, an endpoint, a payload, a header and a condition."""
    source = {
        "method": "POST",
        "headers": {"X-Name": "{{$encodeURI name}}", "X-Raw": "{{name}}"},
        "payload": {"who": "{{name}}", "text": "for {{name}}"},
        "selector": "$.people[?(@.name == '{{name}}')].age",
    }
    flow = bot(
        {
            "book": goal(
                q("name"),
                hook("age", "https://api.test/people?name={{$encodeURI name}}", source=source),
                say("{{name}} is {{age}}.", conditions=["{{$eq name name}}"]),
                say("Same.", conditions=["{{$in name (lookup people 'names')}}"]),
            )
        },
        GO,
    )
    chat = Chat(flow, {"https://api.test/people?name=O%27Neil%22%5D%7D%29": {"people": [{"name": BAD, "age": 41}]}})
    chat.tell(people={"names": [BAD]})
    assert chat.say("book please") == ["name?"]
    assert chat.say(BAD) == [f"{BAD} is 41.", "Same."]
    assert chat.failures == []
    [call] = chat.calls
    assert dict(call.request.headers)["X-Raw"] == BAD
    assert call.request.body == b'{"who":"O\'Neil\\"]})","text":"for O\'Neil\\"]})"}'


def test_such_a_name_of_the_profile_and_of_an_option_breaks_nothing() -> None:
    flow = bot(
        {
            "book": goal(
                q("who", "Text", "Hello {{name}}!", display={"type": "quick-reply", "data": ["{{name}}", "nobody"]}),
                say("{{$json who}} {{#forEach list}}{{item}};{{/forEach}}"),
            )
        },
        GO,
    )
    chat = Chat(flow)
    chat.tell(name=BAD, list=[BAD, BAD])
    assert chat.say("book please") == [f"Hello {BAD}! [{BAD}] [nobody]"]
    assert chat.tap(BAD) == [f'"O\'Neil\\"]}})" {BAD};{BAD};']


# ---- readings that only the question makes likely ----------------------------------------------------------------


def visit_flow() -> Flow:
    return bot(
        {"book": goal(q("time", "Time"), q("n", "Number"), q("day", "Date"), confirm("ok", "{{n}} at {{time}}?"))},
        GO,
        language="en",
    )


@pytest.mark.parametrize("said", ["5", "about 5", "by 5", "around 5"])
def test_a_number_that_may_be_an_hour_answers_the_question_for_a_number(said: str) -> None:
    chat = talk(visit_flow(), [("book please", ["time?"]), ("15:00", ["n?"]), (said, ["day?"])])
    assert chat.memory == {"time": "15:00", "n": 5}


@pytest.mark.parametrize("said", ["at 5", "5 pm", "17:00"])
def test_an_hour_that_is_said_as_one_corrects_the_hour(said: str) -> None:
    chat = talk(visit_flow(), [("book please", ["time?"]), ("15:00", ["n?"]), (said, ["n?"])])
    assert chat.memory == {"time": "17:00"}


def test_a_bare_number_is_an_hour_only_where_nothing_else_is_asked() -> None:
    chat = talk(
        bot({"book": goal(q("time", "Time"), q("mail", "Email"), confirm("ok", "At {{time}}?"))}, GO),
        [
            ("book please", ["time?"]),
            ("15", ["mail?"]),
            ("16", [INVALID, "mail?"]),
            ("a@b.org", ["At 15:00? [Yes] [No]"]),
        ],
    )
    assert chat.say("16") == ["At 16:00? [Yes] [No]"]


@pytest.mark.parametrize("text", ["31 February", "February 31"])
def test_a_day_that_is_none_corrects_no_number(text: str) -> None:
    chat = Chat(bot({"go": goal(q("guests", "Number"), q("day", "Date"))}, trait(go=["book it"])))
    chat.say("book it")
    chat.say("2")
    assert chat.say(text) == ["I am not sure I understood what you said.", "day?"]
    assert chat.memory == {"guests": 2}


@pytest.mark.parametrize("text", ["make it 5", "no wait, 5", "there will be 5 guests", "we will be 5", "5 of us"])
def test_a_number_that_nobody_asked_for_corrects_one_that_was_told(text: str) -> None:
    chat = Chat(bot({"go": goal(q("guests", "Number"), q("mail", "Email"))}, trait(go=["book it"])))
    chat.say("book it")
    chat.say("2")
    assert chat.say(text) == ["mail?"]
    assert chat.memory == {"guests": 5}


@pytest.mark.parametrize("text", ["5", "sorry, march the 5", "I live at number 5", "the 5 please"])
def test_a_number_that_nothing_says_to_be_meant_changes_no_answer(text: str) -> None:
    chat = Chat(bot({"go": goal(q("guests", "Number"), q("mail", "Email"))}, trait(go=["book it"])))
    chat.say("book it")
    chat.say("2")
    assert chat.say(text)[-1] == "mail?"
    assert chat.memory == {"guests": 2}


def test_a_text_that_its_question_refuses_may_correct_an_earlier_answer() -> None:
    name = q("name", reactions={"validations": [check("regex", "That is no name.", value="^[A-Za-z ]+$")]})
    chat = Chat(bot({"go": goal(q("time", "Time"), name, say("{{name}} at {{time}}."))}, trait(go=["book it"])))
    chat.say("book it")
    chat.say("15:00")
    assert chat.say("make it 16:00") == ["name?"]
    assert chat.memory == {"time": "16:00"}
    assert chat.say("room 12") == ["That is no name.", "name?"]
    assert chat.say("Ada") == ["Ada at 16:00."]


def test_digits_are_a_time_where_one_is_asked_for() -> None:
    chat = Chat(bot({"go": goal(q("n", "Number"), q("time", "Time"), say("{{n}} {{time}}"))}, trait(go=["start"])))
    chat.say("start")
    chat.say("25")
    assert chat.say("9.30") == ["25 09:30"]


RENT = bot(
    {
        "book": goal(
            q("day", "Date"),
            q("start", "Time"),
            q("persons", "Number", names=["people"]),
            q("mail", "Email"),
            q("phone", "PhoneNumber", optional=True),
            confirm("ok", "Shall I rent it?"),
            hook("made", "https://boats.test/rent", "rented", source={"method": "POST"}, conditions=["{{ok}}"]),
            say("dropped", conditions=["{{$not ok}}"]),
        )
    },
    trait(book=["rent it"]),
)


def renting(*more: str) -> Chat:
    chat = Chat(RENT, {"https://boats.test/rent": {"id": 1}})
    for said in ("rent it", "2026-11-21", "at 10", "4 people", "jo@example.com", *more):
        chat.say(said)
    return chat


@pytest.mark.parametrize("text", ["12", "555", "5 please"])
def test_a_number_alone_at_a_question_for_something_else_changes_no_answer(text: str) -> None:
    chat = renting()
    assert chat.say(text)[-1].startswith("phone?")
    assert (chat.memory["persons"], chat.memory["start"]) == (4, "10:00")


@pytest.mark.parametrize(
    "text",
    [
        *("4", "four", "10", "so that's 10 tomorrow?", "4 people 10 tomorrow"),
        *("1 sec", "yes in a minute", "2 minutes", "rent it unless it's over 20 euros"),
    ],
)
def test_at_a_confirmation_a_known_value_or_another_unit_changes_nothing(text: str) -> None:
    chat = renting("skip")
    assert chat.say(text)[-1].startswith("Shall I rent it?")
    assert (chat.memory["persons"], chat.memory["start"]) == (4, "10:00")
    assert not chat.calls


@pytest.mark.parametrize("text", ["make it 11", "great but 11", "would 11 work?", "what about 11", "11"])
def test_of_a_number_that_may_be_an_hour_or_a_count_it_is_asked_which_is_meant(text: str) -> None:
    chat = renting("skip")
    assert chat.say(text) == ["Which one do you mean? [start] [people]"]
    assert chat.say("start")[-1].startswith("Shall I rent it?")
    assert (chat.memory["persons"], chat.memory["start"]) == (4, "11:00")


@pytest.mark.parametrize("text", ["make it 5 people", "for 5", "5 people, 10"])
def test_a_number_with_a_word_for_what_it_counts_needs_no_question(text: str) -> None:
    chat = renting("skip")
    assert chat.say(text)[-1].startswith("Shall I rent it?")
    assert (chat.memory["persons"], chat.memory["start"]) == (5, "10:00")


@pytest.mark.parametrize("text", ["no phone", "I don't have a phone", "i'd rather not say", "-", "later", "none"])
def test_an_optional_question_is_passed_when_the_user_has_or_tells_none(text: str) -> None:
    assert renting().say(text)[-1].startswith("Shall I rent it?")


def test_at_11_not_10_is_the_new_hour() -> None:
    chat = renting("skip")
    assert chat.say("at 11 not 10")[-1].startswith("Shall I rent it?")
    assert (chat.memory["persons"], chat.memory["start"]) == (4, "11:00")


@pytest.mark.parametrize("text", ["rent it only if there's sun", "yes for now"])
def test_a_yes_that_waits_for_something_changes_nothing(text: str) -> None:
    chat = renting("skip")
    assert chat.say(text)[-1].startswith("Shall I rent it?")
    assert chat.memory["day"] == "2026-11-21"
    assert not chat.calls


@pytest.mark.parametrize("text", ["right day, wrong time", "the day is right, the time is wrong"])
def test_what_is_called_right_is_not_asked_again(text: str) -> None:
    assert renting("skip").say(text)[0].startswith("start?")


@pytest.mark.parametrize("text", ["oki", "yes, I would like that"])
def test_more_ways_to_say_yes_act(text: str) -> None:
    assert renting("skip").say(text) == ["rented"]


def test_we_are_5_is_a_count_of_people() -> None:
    chat = renting("skip")
    chat.say("we are 5")
    assert (chat.memory["persons"], chat.memory["start"]) == (5, "10:00")


@pytest.mark.parametrize(
    ("text", "persons", "start"),
    [("10 is too early, 11 please", 4, "11:00"), ("4 is wrong, 5", 5, "10:00"), ("10 doesn't work, 11", 4, "11:00")],
)
def test_a_number_beside_a_refused_value_takes_its_place(text: str, persons: int, start: str) -> None:
    chat = renting("skip")
    assert chat.say(text)[-1].startswith("Shall I rent it?")
    assert (chat.memory["persons"], chat.memory["start"]) == (persons, start)


@pytest.mark.parametrize("text", ["I finish work at 5", "my 2 kids get home at 3", "2 people told me about it"])
def test_a_value_in_a_sentence_about_something_else_corrects_no_answer(text: str) -> None:
    flow = bot({"go": goal(q("guests", "Number"), q("hour", "Time"), q("back", "Date"))}, trait(go=["book it"]))
    chat = Chat(flow)
    for said in ("book it", "4", "19:00"):
        chat.say(said)
    assert chat.say(text)[-1] == "back?"
    assert chat.memory == {"guests": 4, "hour": "19:00"}


def test_a_question_that_names_the_known_day_changes_nothing() -> None:
    flow = bot({"go": goal(q("day", "Date"), confirm("sure"))}, trait(go=["book it"]))
    chat = Chat(flow)
    chat.say("book it")
    chat.say("2026-11-28")
    chat.say("isn't the 28th a monday?")
    assert chat.memory["day"] == "2026-11-28"
