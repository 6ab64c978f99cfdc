"""Ambiguity, validation, storing and acknowledgement of a value (flow-language.md section 5, rule 4)."""

import pytest

from dialoom.engine import compile_flow
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
    status,
    talk,
    trait,
    unchecked,
)

INVALID = "I am not sure I understood what you said."
FAILURE = "We are experiencing technical difficulties at this moment."
START = trait(go=["go"])


def asking(type: str, *checks: object, **more: object):
    return bot({"go": goal(q("x", type, reactions={"validations": list(checks)}, **more), say("Got {{x}}."))}, START)


@pytest.mark.parametrize(
    ("type", "validation", "wrong", "right"),
    [
        ("Text", check("phone", "No."), "12", "+359 888 123 456"),
        ("Text", check("phone", "No.", region="BG"), "+1 202 555 0143", "0888 123 456"),
        ("Text", check("email", "No."), "ada@", "ada@example.org"),
        ("Text", check("regex", "No.", value="^[A-Z]{2}\\d+$"), "A1", "AB12"),
        ("Text", check("length", "No.", min=2, max=4), "a", "abc"),
        ("Text", check("length", "No.", max="4"), "abcde", "abcd"),
        ("Number", check("range", "No.", min=1, max="5"), "6", "5"),
        ("Number", check("range", "No.", min=1), "0", "1"),
        ("Date", check("range", "No.", min="today"), "19.11.2026", "20.11.2026"),
        ("Date", check("range", "No.", max="2026-11-25"), "26.11.2026", "25.11.2026"),
        ("Time", check("range", "No.", min="9:00", max="17:30"), "8:59", "9:00"),
        ("Text", check("match", "No.", values=["red", "blue"]), "green", "red"),
        ("Number", check("match", "No.", values=["1", 2]), "3", "1"),
        ("Number", check("custom", "No.", condition="{{$lt x 5}}"), "5", "4"),
    ],
)
def test_each_type_of_validation_turns_away_and_lets_through(
    type: str, validation: dict, wrong: str, right: str
) -> None:
    chat = Chat(asking(type, validation))
    assert chat.say("go") == ["x?"]
    assert chat.say(wrong) == ["No.", "x?"]
    assert "x" not in chat.memory
    answer = chat.say(right)
    assert len(answer) == 1
    assert answer[0].startswith("Got ")


def test_the_first_validation_that_fails_sends_its_text() -> None:
    flow = asking(
        "Number", check("range", "Too few.", min=2), check("range", "Too many.", max=5), check("range", "Odd.", max=3)
    )
    talk(flow, [("go", ["x?"]), ("1", ["Too few.", "x?"]), ("9", ["Too many.", "x?"]), ("3", ["Got 3."])])


def test_the_error_text_sees_the_value_that_is_turned_away() -> None:
    talk(
        asking("Number", check("range", "{{x}} is too many.", max=5)), [("go", ["x?"]), ("9", ["9 is too many.", "x?"])]
    )


def test_limits_may_be_templates() -> None:
    flow = bot(
        {
            "go": goal(
                q("a", "Number"),
                q("b", "Number", reactions={"validations": [check("range", "No.", min="{{a}}")]}),
                say("ok"),
            )
        },
        START,
    )
    talk(flow, [("go", ["a?"]), ("5", ["b?"]), ("4", ["No.", "b?"]), ("6", ["ok"])])


def test_acknowledgements_are_sent_for_what_was_not_asked_for() -> None:
    flow = bot(
        {
            "go": goal(
                q("n", "Number", reactions={"acknowledgements": ["{{n}} people."]}),
                q("day", "Date", reactions={"acknowledgements": ["On {{day}}."]}),
                q("time", "Time", reactions={"acknowledgements": ["At {{time}}."]}),
                say("Done."),
            )
        },
        START,
    )
    talk(flow, [("go", ["n?"]), ("4 people tomorrow at 16:00", ["On 2026.11.21.", "At 16:00.", "Done."])])


def test_what_is_only_said_again_is_not_acknowledged() -> None:
    flow = bot(
        {"go": goal(q("day", "Date", reactions={"acknowledgements": ["On {{day}}."]}), q("n", "Number"), say("Done."))},
        START,
    )
    talk(
        flow,
        [("go", ["day?"]), ("tomorrow", ["n?"]), ("tomorrow please", ["n?"]), ("the 22nd", ["On 2026.11.22.", "n?"])],
    )


def test_a_value_that_was_told_unasked_is_validated_too() -> None:
    flow = bot(
        {
            "go": goal(
                q("n", "Number"),
                q("day", "Date", reactions={"validations": [check("range", "Too early.", min="2026-11-22")]}),
            )
        },
        START,
    )
    talk(flow, [("go", ["n?"]), ("4 tomorrow", ["Too early.", "day?"]), ("the 23rd", [])])


def test_a_correction_that_fails_is_asked_again() -> None:
    flow = bot(
        {
            "go": goal(
                q("time", "Time", reactions={"validations": [check("range", "Closed then.", max="17:00")]}),
                confirm("ok", "At {{time}}?"),
            )
        },
        START,
    )
    talk(
        flow,
        [
            ("go", ["time?"]),
            ("15:00", ["At 15:00? [Yes] [No]"]),
            ("make it 18:00", ["Closed then.", "time?"]),
            ("16:00", ["At 16:00? [Yes] [No]"]),
        ],
    )


def test_several_values_that_fit_equally_are_offered_with_the_text_for_it() -> None:
    flow = compile_flow(
        unchecked(
            {"go": goal(q("to", "city", reactions={"ambiguities": ["Which of these?"]}), say("{{to}}!"))},
            keywords("city", Springfield_A=["springfield"], Springfield_B=["springfield"]),
            START,
        )
    )
    chat = talk(flow, [("go", ["to?"]), ("springfield", ["Which of these? [Springfield_A] [Springfield_B]"])])
    assert chat.tap("Springfield_B") == ["Springfield_B!"]


def test_dates_that_fit_equally_read_as_dates_and_are_stored_as_dates() -> None:
    flow = bot({"go": goal(q("day", "Date"), say("{{day}}"))}, START)
    chat = talk(flow, [("go", ["day?"]), ("22.11.2026 or 23.11.2026", ["day? [2026.11.22] [2026.11.23]"])])
    assert chat.tap("2026.11.23") == ["2026.11.23"]


# ---- custom validations ------------------------------------------------------------------------------------------


def custom(condition: str, source: dict | None = None, *errors: str) -> dict:
    parameters: dict = {"condition": condition}
    if source is not None:
        parameters["data-source"] = source
    return {"type": "custom", "parameters": parameters, "error-message": list(errors or ("No.",))}


def test_a_custom_validation_sees_the_response_of_its_data_source() -> None:
    flow = asking(
        "Text", custom("{{$eq _response.free true}}", {"endpoint": "https://api.test/free?x={{$encodeURI x}}"})
    )
    talk(
        flow,
        [("go", ["x?"]), ("a b", ["No.", "x?"]), ("c", ["Got c."])],
        {"https://api.test/free?x=a%20b": {"free": False}, "https://api.test/free?x=c": {"free": True}},
    )


def test_in_full_mode_it_sees_the_status() -> None:
    source = {"endpoint": "https://api.test/{{$encodeURI x}}", "response": "full"}
    flow = asking("Text", custom("{{$eq _response.status 200}}", source))
    talk(
        flow,
        [("go", ["x?"]), ("a", ["No.", "x?"]), ("b", ["Got b."])],
        {"https://api.test/a": status(404), "https://api.test/b": status(200)},
    )


def test_a_selector_picks_what_it_sees() -> None:
    source = {"endpoint": "https://api.test/list", "selector": "$[*].id"}
    flow = asking("Number", custom("{{$in x _response}}", source))
    talk(
        flow,
        [("go", ["x?"]), ("3", ["No.", "x?"]), ("2", ["Got 2."])],
        {"https://api.test/list": [{"id": 1}, {"id": 2}]},
    )


def test_a_failing_source_fails_the_turn_and_the_question_stays_open() -> None:
    flow = asking("Text", custom("{{_response}}", {"endpoint": "https://api.test/x"}))
    chat = talk(flow, [("go", ["x?"]), ("a", [FAILURE])], {"https://api.test/x": status(500)})
    assert chat.failures == [("go/0", "The data source answered with the status 500.")]
    chat.answers["https://api.test/x"] = True
    assert chat.say("b") == ["Got b."]


def test_a_custom_validation_waits_for_the_entities_that_it_names() -> None:
    flow = bot(
        {
            "go": goal(
                q("a", "Number", reactions={"validations": [custom("{{$lt a b}}", None, "a must be less.")]}),
                q("b", "Number"),
                say("{{a}} < {{b}}"),
            )
        },
        START,
    )
    talk(flow, [("go", ["a?"]), ("5", ["b?"]), ("3", ["a must be less.", "a?"]), ("2", ["2 < 3"])])


def test_waiting_concerns_other_entities_than_the_steps_own() -> None:
    talk(asking("Number", custom("{{$gt x 1}}")), [("go", ["x?"]), ("1", ["No.", "x?"]), ("2", ["Got 2."])])


def test_a_condition_with_a_value_of_the_wrong_kind_fails_the_turn() -> None:
    flow = bot({"go": goal(q("x", "Text", reactions={"validations": [custom("{{$gt (lookup @root 'u') 1}}")]}))}, START)
    chat = Chat(flow)
    chat.say("go", context={"u": [1]})
    assert chat.say("a") == [FAILURE]
    assert chat.failures[0][0] == "go/0"


def test_an_empty_error_message_says_nothing_before_the_question() -> None:
    talk(asking("Number", check("range", max=5)), [("go", ["x?"]), ("9", ["x?"])])


def test_a_chosen_option_is_validated() -> None:
    chat = Chat(asking("Number", check("range", "No.", max=5), display=quick("3", "9")))
    chat.say("go")
    assert chat.tap("9") == ["No.", "x? [3] [9]"]
    assert chat.tap("3") == ["Got 3."]


def test_a_webhook_after_a_validated_answer_sees_it() -> None:
    flow = bot({"go": goal(q("x", "Number"), hook("y", "https://api.test/{{x}}", "{{y}}"))}, START)
    talk(flow, [("go", ["x?"]), ("4", ["16"])], {"https://api.test/4": 16})


def test_a_pattern_that_repeats_a_repetition_sees_the_whole_answer() -> None:
    validation = check("regex", "No.", value="^(a+)+$")
    flow = bot({"go": goal(q("x", reactions={"validations": [validation]}), say("Fine."))}, trait(go=["go"]))
    talk(flow, [("go", ["x?"]), ("a" * 7_000 + "!", ["No.", "x?"]), ("a" * 7_000, ["Fine."])])


def test_a_pattern_may_be_written_as_in_javascript() -> None:
    validation = check("regex", "No.", value=r"^(?<first>[a-z])(?<second>x)$")
    flow = bot({"go": goal(q("x", reactions={"validations": [validation]}), say("Fine."))}, trait(go=["go"]))
    talk(flow, [("go", ["x?"]), ("xy", ["No.", "x?"]), ("yx", ["Fine."])])
