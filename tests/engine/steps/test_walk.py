"""The walk over the steps, and what runs again after a change (flow-language.md section 5, rule 8)."""

from tests.engine.talking import (
    Answers,
    Chat,
    bot,
    check,
    confirm,
    do,
    goal,
    hook,
    keywords,
    q,
    quick,
    run,
    say,
    status,
    support,
    talk,
    trait,
)

GO = trait(go=["go"], help=["help"])
INVALID = "I am not sure I understood what you said."
FAILURE = "We are experiencing technical difficulties at this moment."


def test_a_question_with_a_value_is_passed() -> None:
    flow = bot({"go": goal(q("a"), q("b"), say("{{a}}{{b}}"))}, GO)
    chat = Chat(flow)
    chat.tell(a="x")
    assert chat.say("go") == ["b?"]
    assert chat.say("y") == ["xy"]


def test_false_and_zero_are_values() -> None:
    flow = bot({"go": goal(q("n", "Number"), confirm("ok"), say("{{n}} {{ok}}"))}, GO)
    talk(flow, [("go", ["n?"]), ("0", ["Right? [Yes] [No]"]), ("no", ["0 false"])])


def test_messages_run_once_as_they_are_reached() -> None:
    flow = bot({"go": goal(say("One."), q("a"), say("Two."), q("b"), say("Three."))}, GO)
    talk(flow, [("go", ["One.", "a?"]), ("x", ["Two.", "b?"]), ("y", ["Three."])])


def test_a_message_whose_condition_comes_true_later_is_sent_then() -> None:
    flow = bot({"go": goal(say("Vip!", conditions=["{{$eq a 'x'}}"]), q("a"), q("b"))}, GO)
    talk(flow, [("go", ["a?"]), ("x", ["Vip!", "b?"])])


def test_all_conditions_must_hold() -> None:
    flow = bot({"go": goal(q("n", "Number"), say("Both.", conditions=["{{$gt n 1}}", "{{$lt n 5}}"]), say("End."))}, GO)
    talk(flow, [("go", ["n?"]), ("9", ["End."]), ("go", ["n?"]), ("3", ["Both.", "End."])])


def test_conditions_of_a_conversation_step_hold_for_all_its_steps() -> None:
    flow = bot(
        {
            "go": goal(q("n", "Number"), run("extra", conditions=["{{$gt n 5}}"]), say("End.")),
            "extra": support(say("Extra."), q("why")),
        },
        GO,
    )
    talk(flow, [("go", ["n?"]), ("9", ["Extra.", "why?"]), ("so", ["End."]), ("go", ["n?"]), ("1", ["End."])])


def test_a_webhook_runs_once_and_its_texts_come_after_it() -> None:
    flow = bot({"go": goal(hook("x", "https://api.test/x", "Got {{x.a}}."), q("b"), say("End."))}, GO)
    chat = talk(flow, [("go", ["Got 1.", "b?"]), ("y", ["End."])], {"https://api.test/x": {"a": 1}})
    assert len(chat.calls) == 1


def test_a_webhook_is_passed_when_its_entity_has_a_value() -> None:
    flow = bot({"go": goal(hook("x", "https://api.test/x"), say("{{x}}"))}, GO)
    chat = Chat(flow)
    chat.tell(x="known")
    assert chat.say("go") == ["known"]


def test_a_webhook_that_gave_nothing_has_run() -> None:
    flow = bot({"go": goal(hook("x", "https://api.test/x"), q("b"), say("End."))}, GO)
    chat = talk(flow, [("go", ["b?"]), ("y", ["End."])], {"https://api.test/x": status(204)})
    assert len(chat.calls) == 1


def test_a_failing_webhook_ends_the_turn_and_what_was_before_it_stays() -> None:
    flow = bot({"go": goal(say("One."), q("a"), hook("x", "https://api.test/x"), say("{{x}}"))}, GO)
    chat = talk(flow, [("go", ["One.", "a?"]), ("x", [FAILURE])], {"https://api.test/x": status(503)})
    assert chat.failures == [("go/2", "The data source answered with the status 503.")]
    assert chat.memory == {"a": "x"}
    chat.answers["https://api.test/x"] = "ok"
    assert chat.say("again") == ["ok"]


BOOKING = {
    "go": goal(
        q("time", "Time"),
        q("note"),
        hook("price", "https://api.test/{{time}}"),
        say("It costs {{price}}."),
        confirm("ok", "{{time}}, {{note}}?"),
        say("Booked.", conditions=["{{ok}}"]),
    )
}
PRICES = {"https://api.test/15:00": 10, "https://api.test/16:00": 20}


def test_a_correction_drops_what_webhooks_and_confirmations_gave_after_it() -> None:
    chat = talk(
        bot(BOOKING, GO),
        [
            ("go", ["time?"]),
            ("15:00", ["note?"]),
            ("window", ["It costs 10.", "15:00, window? [Yes] [No]"]),
            ("make it 16:00", ["It costs 20.", "16:00, window? [Yes] [No]"]),
            ("yes", ["Booked."]),
        ],
        PRICES,
    )
    assert len(chat.calls) == 2


def test_a_first_filling_is_no_change() -> None:
    flow = bot(
        {"go": goal(say("One."), q("n", "Number"), say("Two."), q("time", "Time"), q("day", "Date"), say("End."))}, GO
    )
    talk(flow, [("go", ["One.", "n?"]), ("3", ["Two.", "time?"]), ("tomorrow", ["time?"]), ("15:00", ["End."])])


def test_the_same_value_again_is_no_change() -> None:
    talk(
        bot(BOOKING, GO),
        [
            ("go", ["time?"]),
            ("15:00", ["note?"]),
            ("x", ["It costs 10.", "15:00, x? [Yes] [No]"]),
            ("15:00", ["Nothing is done yet.", "15:00, x? [Yes] [No]"]),
        ],
        PRICES,
    )


def test_context_that_changes_a_value_counts_as_a_correction() -> None:
    chat = talk(
        bot(BOOKING, GO),
        [("go", ["time?"]), ("15:00", ["note?"]), ("x", ["It costs 10.", "15:00, x? [Yes] [No]"])],
        PRICES,
    )
    assert chat.tell(time="16:00") == []
    assert chat.say("and?") == ["Nothing is done yet.", "It costs 20.", "16:00, x? [Yes] [No]"]


def test_context_that_no_step_fills_drops_all() -> None:
    flow = bot({"go": goal(hook("price", "https://api.test/price?plan={{plan}}"), say("{{price}}"), q("a"))}, GO)
    chat = Chat(flow, {"https://api.test/price?plan=basic": 1, "https://api.test/price?plan=gold": 2})
    chat.tell(plan="basic")
    assert chat.say("go") == ["1", "a?"]
    assert chat.say("x", context={"plan": "gold"}) == ["2"]


def test_set_entity_drops_only_what_is_later_than_itself() -> None:
    flow = bot(
        {
            "go": goal(
                say("Early."),
                q("n", "Number"),
                do("set-entity", entity="n", data="{{$add n 1}}"),
                say("Late: {{n}}."),
            )
        },
        GO,
    )
    talk(flow, [("go", ["Early.", "n?"]), ("3", ["Late: 4."])])


def test_invalidate_entity_asks_again_and_confirms_again() -> None:
    flow = bot(
        {
            "go": goal(
                q("time", "Time"),
                confirm("ok", "At {{time}}?"),
                do("invalidate-entity time", conditions=["{{$not ok}}"]),
                say("Booked {{time}}."),
            )
        },
        GO,
    )
    talk(
        flow,
        [
            ("go", ["time?"]),
            ("15:00", ["At 15:00? [Yes] [No]"]),
            ("no", ["time?"]),
            ("16:00", ["At 16:00? [Yes] [No]"]),
            ("no", ["time?"]),
            ("17:00", ["At 17:00? [Yes] [No]"]),
            ("yes", ["Booked 17:00."]),
        ],
    )


def test_invalidate_entity_takes_several_names() -> None:
    flow = bot(
        {
            "go": goal(
                q("a", "Number"),
                q("b"),
                confirm("ok"),
                do("invalidate-entity", entities=["a", "b"], conditions=["{{$not ok}}"]),
                say("End."),
            )
        },
        GO,
    )
    talk(
        flow,
        [
            ("go", ["a?"]),
            ("1", ["b?"]),
            ("x", ["Right? [Yes] [No]"]),
            ("no", ["a?"]),
            ("2", ["b?"]),
            ("y", ["Right? [Yes] [No]"]),
            ("yes", ["End."]),
        ],
    )


def test_invalidating_what_has_no_value_changes_nothing() -> None:
    talk(bot({"go": goal(do("invalidate-entity a"), say("End."))}, GO), [("go", ["End."])])


def test_later_answers_of_the_user_stay() -> None:
    flow = bot({"go": goal(q("time", "Time"), q("note"), confirm("ok", "{{time}} {{note}}?"))}, GO)
    talk(
        flow,
        [
            ("go", ["time?"]),
            ("15:00", ["note?"]),
            ("window", ["15:00 window? [Yes] [No]"]),
            ("16:00", ["16:00 window? [Yes] [No]"]),
        ],
    )


def test_an_answer_whose_validation_names_the_changed_entity_is_checked_again() -> None:
    flow = bot(
        {
            "go": goal(
                q("start", "Time"),
                q(
                    "end",
                    "Date",
                    reactions={
                        "validations": [
                            {
                                "type": "custom",
                                "parameters": {"condition": "{{$or ($lt start '16:00') ($gt end '2026-11-22')}}"},
                                "error-message": ["Not on that day."],
                            }
                        ]
                    },
                ),
                confirm("ok", "{{start}} {{end}}?"),
            )
        },
        GO,
    )
    talk(
        flow,
        [
            ("go", ["start?"]),
            ("15:00", ["end?"]),
            ("tomorrow", ["15:00 2026.11.21? [Yes] [No]"]),
            ("make it 15:30", ["15:30 2026.11.21? [Yes] [No]"]),
            ("make it 17:00", ["Not on that day.", "end?"]),
            ("24.11.2026", ["17:00 2026.11.24? [Yes] [No]"]),
        ],
    )


def test_an_answer_whose_options_name_the_changed_entity_is_checked_again() -> None:
    source = {"data-source": {"endpoint": "https://api.test/{{city}}"}, "type": "quick-reply"}
    flow = bot(
        {"go": goal(q("city", "city"), q("hall", "Text", display=source), confirm("ok", "{{hall}} in {{city}}?"))},
        keywords("city", Sofia=[], Varna=[], Burgas=[]),
        GO,
    )
    talk(
        flow,
        [
            ("go", ["city?"]),
            ("Sofia", ["hall? [A] [B]"]),
            ("B", ["B in Sofia? [Yes] [No]"]),
            ("make it Varna", ["B in Varna? [Yes] [No]"]),
            ("make it Burgas", ["hall? [C]"]),
            ("c", ["C in Burgas? [Yes] [No]"]),
        ],
        {"https://api.test/Sofia": ["A", "B"], "https://api.test/Varna": ["B"], "https://api.test/Burgas": ["C"]},
    )


def test_a_time_equals_an_option_that_spells_it_another_way() -> None:
    source = {"data-source": {"endpoint": "https://api.test/{{n}}"}, "type": "quick-reply"}
    flow = bot({"go": goal(q("n", "Number"), q("t", "Time", display=source), confirm("ok", "{{n}} {{t}}?"))}, GO)
    talk(
        flow,
        [
            ("go", ["n?"]),
            ("1", ["t? [9:30]"]),
            ("9:30", ["1 09:30? [Yes] [No]"]),
            ("2 people", ["2 09:30? [Yes] [No]"]),
        ],
        {"https://api.test/1": ["9:30"], "https://api.test/2": ["09:30"]},
    )


def test_a_change_in_one_goal_is_felt_in_the_remembered_one() -> None:
    flow = bot(
        {
            "go": goal(
                q("city", "city"),
                hook("rate", "https://api.test/{{city}}"),
                q("n", "Number", "How many at {{rate}}?"),
                name="go",
            ),
            "move": goal(q("city", "city"), q("sure", "Confirmation"), say("Moved."), name="move"),
        },
        keywords("city", Sofia=[], Varna=[]),
        trait(go=["go"], move=["I moved"]),
    )
    talk(
        flow,
        [
            ("go", ["city?"]),
            ("Sofia", ["How many at 1?"]),
            ("I moved", ["sure?"]),
            ("Varna", ["sure?"]),
            ("yes", ["Moved.", "I am going back to go now.", "How many at 2?"]),
        ],
        {"https://api.test/Sofia": 1, "https://api.test/Varna": 2},
    )


# ---- go-to -------------------------------------------------------------------------------------------------------


def test_go_to_replaces_the_running_goal_and_abandons_its_record() -> None:
    flow = bot({"go": goal(q("a"), do("go-to other"), say("Never.")), "other": goal(q("b"), say("{{a}}{{b}}"))}, GO)
    chat = talk(flow, [("go", ["a?"]), ("x", ["b?"])])
    assert chat.records == ["abandoned"]
    shown = [type(effect).__name__ for effect in chat.last.effects]
    assert shown == ["Heard", "Ended", "GoalStarted", "Send", "SetTimer"]
    assert chat.say("y") == ["xy"]
    assert chat.records == ["abandoned", "success"]
    assert chat.memory == {}


def test_go_to_from_support_leaves_the_goals_below_remembered() -> None:
    flow = bot(
        {
            "go": goal(q("n", "Number"), say("{{n}}"), name="it"),
            "help": support(say("To the other."), do("go-to other")),
            "other": goal(q("b"), say("b: {{b}}.")),
        },
        GO,
    )
    chat = talk(
        flow,
        [
            ("go", ["n?"]),
            ("help", ["To the other.", "b?"]),
            ("x", ["b: x.", "I am going back to it now.", "n?"]),
            ("1", ["1"]),
        ],
    )
    assert chat.records == ["success"]


def test_go_to_an_open_conversation_continues_it() -> None:
    flow = bot(
        {"go": goal(say("Once."), q("n", "Number"), say("{{n}}")), "help": support(say("Back."), do("go-to go"))}, GO
    )
    talk(flow, [("go", ["Once.", "n?"]), ("help", ["Back.", "n?"]), ("1", ["1"])])


def test_go_to_itself_goes_on() -> None:
    talk(bot({"go": goal(say("A."), do("go-to go"), say("B."))}, GO), [("go", ["A.", "B."])])


def test_invalidate_entity_conversation_ends_all_that_is_open_without_a_text() -> None:
    flow = bot(
        {
            "go": goal(q("n", "Number"), name="it"),
            "help": support(say("Stop."), do("invalidate-entity conversation"), say("Never.")),
        },
        GO,
    )
    chat = talk(flow, [("go", ["n?"]), ("help", ["Stop."])])
    assert chat.state.stack == ()
    assert chat.records == ["abandoned"]


def test_set_entity_keeps_the_type_of_a_single_expression() -> None:
    flow = bot(
        {
            "go": goal(
                q("day", "Date"),
                do("set-entity", entity="copy", data="{{day}}"),
                do("set-entity", entity="n", data="{{$add 1 2}}"),
                do("set-entity", entity="text", data="n is {{n}}"),
                do("set-entity", entity="whole", data={"a": ["{{n}}", True], "b": None}),
                say("{{copy}} {{n}} {{text}} {{$json whole}}"),
                q("end"),
            )
        },
        GO,
    )
    chat = talk(flow, [("go", ["day?"]), ("tomorrow", ['2026.11.21 3 n is 3 {"a":[3,true],"b":null}', "end?"])])
    assert chat.memory["copy"] == "2026-11-21"


def test_a_counter_grows_once_a_run() -> None:
    flow = bot(
        {
            "go": goal(
                do("set-entity", entity="c", data="{{$add ($default c 0) 1}}"), say("{{c}}"), q("a"), say("{{c}}")
            )
        },
        GO,
    )
    talk(flow, [("go", ["1", "a?"]), ("x", ["1"])])


def test_answers_of_one_address_come_one_after_the_other() -> None:
    flow = bot({"go": goal(hook("x", "https://api.test/x"), hook("y", "https://api.test/x"), say("{{x}}{{y}}"))}, GO)
    chat = talk(flow, [("go", ["12"])], {"https://api.test/x": Answers(1, 2)})
    assert [call.key for call in chat.calls] == ["e1:go/0:0", "e1:go/1:0"]


def test_a_wrong_kind_of_value_stops_the_flow_with_the_steps_path() -> None:
    flow = bot({"go": goal(say("{{$join n}}"), say("Never."))}, GO)
    chat = Chat(flow)
    assert chat.say("go", context={"n": {"secret": 5}}) == [FAILURE]
    [(step, reason)] = chat.failures
    assert step == "go/0"
    assert "5" not in reason


def test_a_number_check_runs_again_only_where_it_names_what_changed() -> None:
    flow = bot(
        {
            "go": goal(
                q("time", "Time"),
                q("n", "Number", reactions={"validations": [check("range", "No.", max=5)]}),
                confirm("ok", "{{time}} {{n}}?"),
            )
        },
        GO,
    )
    talk(
        flow, [("go", ["time?"]), ("15:00", ["n?"]), ("4", ["15:00 4? [Yes] [No]"]), ("16:00", ["16:00 4? [Yes] [No]"])]
    )


def test_replies_belong_to_the_last_text_and_go_alone_without_one() -> None:
    flow = bot({"go": goal(q("a", display=quick("x"), messages=[]))}, GO)
    talk(flow, [("go", ["[x]"])])


def test_an_invalidation_in_a_support_conversation_counts_for_the_open_goal() -> None:
    """No step of the goal fills the entity, so all of the goal counts as not run."""
    flow = bot(
        {
            "go": goal(hook("rate", "https://api.test/rate", "Rate {{rate}}."), q("n", "Number")),
            "help": support(do("invalidate-entity page"), say("Help.")),
        },
        trait(go=["go"], help=["help"]),
    )
    chat = Chat(flow, {"https://api.test/rate": Answers(1, 2)})
    assert chat.say("go", context={"page": "a"}) == ["Rate 1.", "n?"]
    assert chat.say("help") == ["Help.", "I am going back to go now.", "Rate 2.", "n?"]
