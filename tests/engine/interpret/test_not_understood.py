"""What is answered to a message that is not understood (flow-language.md section 5, rule 6)."""

from tests.engine.talking import Chat, bot, confirm, goal, hook, q, quick, say, status, support, talk, trait

INVALID = "I am not sure I understood what you said."
FAILURE = "We are experiencing technical difficulties at this moment."
GO = trait(go=["go"])


def test_an_invalid_reply_then_the_question_again() -> None:
    flow = bot({"go": goal(q("n", "Number", "How many?", display=quick("1", "2")), say("{{n}}"))}, GO)
    talk(flow, [("go", ["How many? [1] [2]"]), ("banana", [INVALID, "How many? [1] [2]"]), ("2", ["2"])])


def test_with_no_goal_open_help() -> None:
    flow = bot({"go": goal(q("n")), "help": support(say("Say go."))}, GO)
    talk(flow, [("banana", ["Say go."]), ("again", ["Say go."])])


def test_with_no_goal_open_several_misses_in_a_row_run_the_conversation_for_them() -> None:
    conversations = {"go": goal(q("n", "Number")), "help": support(say("Say go.")), "lost": support(say("Call us."))}
    flow = bot(conversations, GO, misunderstood={"after": 3, "conversation": "lost"})
    helped = [("banana", ["Say go."]), ("again", ["Say go."])]
    talk(flow, [*helped, ("pear", ["Call us."]), ("plum", ["Say go."])])
    talk(flow, [*helped, ("go", ["n?"]), ("pear", [INVALID, "n?"])])
    chat = talk(flow, helped)
    chat.wait(1441)
    assert chat.say("pear") == ["Say go."]


def test_without_help_an_invalid_reply() -> None:
    talk(bot({"go": goal(q("n"))}, GO), [("banana", [INVALID])])


def test_the_flow_may_say_it_in_its_own_words() -> None:
    flow = bot({"go": goal(q("n", "Number"))}, GO, invalid_replies=["Pardon?"])
    talk(flow, [("go", ["n?"]), ("banana", ["Pardon?", "n?"])])


def test_an_empty_list_of_invalid_replies_only_repeats_the_question() -> None:
    flow = bot({"go": goal(q("n", "Number"))}, GO, invalid_replies=[])
    talk(flow, [("go", ["n?"]), ("banana", ["n?"])])


def test_a_support_question_gets_the_invalid_reply_too() -> None:
    flow = bot({"help": support(q("n", "Number"))})
    talk(flow, [("x", ["n?"]), ("y", [INVALID, "n?"])])


def test_a_confirmation_repeats_with_its_replies() -> None:
    flow = bot({"go": goal(confirm("ok", "Sure?"))}, GO)
    talk(flow, [("go", ["Sure? [Yes] [No]"]), ("banana", ["Nothing is done yet.", "Sure? [Yes] [No]"])])


def test_an_option_that_names_no_value_of_the_type_fails_to_match() -> None:
    flow = bot(
        {"go": goal(q("n", "Number", display=quick("one", {"title": "Many", "value": "lots"})), say("{{n}}"))}, GO
    )
    chat = talk(flow, [("go", ["n? [one] [Many]"])])
    assert chat.tap("Many") == [INVALID, "n? [one] [Many]"]
    assert chat.tap("one") == ["1"]


def test_after_a_failure_any_message_tries_the_failed_step_again() -> None:
    flow = bot({"go": goal(hook("x", "https://api.test/x"), say("{{x}}")), "help": support(say("Help."))}, GO)
    chat = talk(flow, [("go", [FAILURE])], {"https://api.test/x": status(500)})
    assert chat.say("and now?") == [FAILURE]
    chat.answers["https://api.test/x"] = 5
    assert chat.say("and now?") == ["5"]
    assert chat.records == ["success"]


# ---- stale options -----------------------------------------------------------------------------------------------


def test_a_tap_on_an_old_question_is_answered_with_the_current_one() -> None:
    flow = bot({"go": goal(q("a", display=quick("x", "y")), q("b", display=quick("z")), say("{{a}}{{b}}"))}, GO)
    chat = Chat(flow)
    chat.say("go")
    old = chat.messages[0].replies[1].key
    chat.tap("x")
    assert chat.pick(key=old) == ["b? [z]"]
    assert chat.memory == {"a": "x"}
    assert chat.tap("z") == ["xz"]


def test_a_tap_with_nothing_open_gets_help() -> None:
    chat = Chat(bot({"go": goal(q("a", display=quick("x"))), "help": support(say("Help."))}, GO))
    chat.say("go")
    key = chat.messages[0].replies[0].key
    chat.tap("x")
    assert chat.pick(key=key) == ["Help."]


def test_options_shown_before_a_digression_stay_good() -> None:
    flow = bot(
        {"go": goal(q("a", display=quick("x", "y")), say("{{a}}")), "help": support(say("Help."))},
        trait(go=["go"], help=["help"]),
    )
    chat = Chat(flow)
    chat.say("go")
    old = chat.messages[0].replies[0].key
    chat.say("help")
    assert chat.pick(key=old) == ["x"]


def test_keys_that_make_no_sense_are_stale() -> None:
    chat = Chat(bot({"go": goal(q("a", display=quick("x", "y")))}, GO))
    chat.say("go")
    for key in ("", "1", "1.", "1.9", "1.-1", "1.x", "x.0", "2.0", "1.00000000000", "1.٣", "1.next"):
        assert chat.pick(key=key) == ["a? [x] [y]"], key


def test_a_value_that_was_chosen_is_matched_by_value_then_by_title_then_read_as_text() -> None:
    options = quick({"title": "**Two** pieces", "value": "2"}, {"title": "2", "value": "3"})
    flow = bot({"go": goal(q("n", "Number", display=options), say("{{n}}"))}, GO)
    for chosen, expected in (("2", "2"), (3, "3"), ("two PIECES", "2"), ("nine", "9")):
        chat = Chat(flow)
        chat.say("go")
        assert chat.pick(chosen) == [expected], chosen
