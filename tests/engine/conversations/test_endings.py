"""What the end of a conversation completes, keeps and forgets (flow-language.md section 5, rule 9)."""

from dialoom.engine.effects import Ended
from tests.engine.talking import SESSION, Chat, bot, do, goal, hook, q, say, status, support, talk, trait

GO = trait(go=["go"], other=["other"], help=["help"])


def test_the_end_of_the_steps_completes_the_goal_after_its_messages() -> None:
    chat = talk(bot({"go": goal(q("a"), say("End."))}, GO), [("go", ["a?"]), ("x", ["End."])])
    assert [type(effect).__name__ for effect in chat.last.effects] == ["Heard", "Send", "Ended", "SetTimer"]
    assert chat.records == ["success"]


def test_the_record_shows_what_the_goal_knew_before_it_is_forgotten() -> None:
    chat = Chat(
        bot({"go": goal(q("a"), hook("b", "https://api.test/b"), say("End."))}, GO), {"https://api.test/b": [1]}
    )
    chat.say("go", context={"plan": "gold"})
    chat.say("x")
    [ended] = [effect for effect in chat.last.effects if isinstance(effect, Ended)]
    assert ended.entities == {"a": "x", "b": [1]}
    assert ended.context == {"plan": "gold"}
    assert chat.memory == {}


def test_persist_entities_stay_across_goals_and_sessions() -> None:
    flow = bot({"go": goal(q("name"), q("n", "Number"), say("{{name}} {{n}}"))}, GO, persist_entities=["name"])
    chat = talk(flow, [("go", ["name?"]), ("Ada", ["n?"]), ("3", ["Ada 3"]), ("go", ["n?"])])
    chat.wait(1440)
    assert chat.memory == {"name": "Ada"}
    assert chat.say("go") == ["n?"]


def test_entities_that_a_goal_still_open_has_a_step_for_stay() -> None:
    flow = bot({"go": goal(q("n", "Number"), q("name"), name="it"), "other": goal(q("name"), say("Hi {{name}}."))}, GO)
    talk(
        flow,
        [("go", ["n?"]), ("other", ["name?"]), ("Ada", ["Hi Ada.", "I am going back to it now.", "n?"]), ("1", [])],
    )


def test_a_goal_run_again_asks_again() -> None:
    flow = bot({"go": goal(q("a"), say("{{a}}"))}, GO)
    talk(flow, [("go", ["a?"]), ("x", ["x"]), ("go", ["a?"]), ("y", ["y"])])


def test_context_stays_for_the_session_and_goes_with_it() -> None:
    flow = bot({"go": goal(q("plan"), say("{{plan}}"))}, GO)
    chat = Chat(flow)
    chat.tell(plan="gold")
    assert chat.say("go") == ["gold"]
    assert chat.say("go") == ["gold"]
    chat.wait(1440)
    assert chat.say("go") == ["plan?"]


def test_a_session_that_times_out_abandons_an_open_goal() -> None:
    chat = talk(bot({"go": goal(q("a"))}, GO), [("go", ["a?"])])
    assert chat.wait(1439) == []
    assert chat.records == []
    assert chat.wait(1) == []
    assert chat.records == ["abandoned"]
    assert chat.state.stack == ()
    assert chat.wait(1440) == []
    assert chat.last.effects == ()


def test_a_session_without_a_goal_is_closed() -> None:
    chat = talk(bot({"help": support(say("Help."))}), [("x", ["Help."])])
    chat.wait(1440)
    assert chat.records == ["closed"]


def test_after_a_success_a_silent_session_ends_no_record() -> None:
    chat = talk(bot({"go": goal(say("End."))}, GO), [("go", ["End."])])
    chat.wait(1440)
    assert chat.last.effects == ()


def test_a_late_message_ends_the_old_record_before_it_is_heard() -> None:
    chat = talk(bot({"go": goal(q("a")), "welcome": support(say("Hello!"))}, GO), [("go", ["Hello!", "a?"])])
    chat.now += 1440 * 60_000
    assert chat.say("x") == ["Hello!"]
    assert [type(effect).__name__ for effect in chat.last.effects] == ["Ended", "Heard", "Send", "SetTimer"]


def test_the_session_timeout_is_a_setting_and_each_message_puts_it_off() -> None:
    flow = bot({"go": goal(q("a", "Number"))}, GO, session_timeout=10)
    chat = talk(flow, [("go", ["a?"])])
    chat.now += 9 * 60_000
    chat.say("what")
    assert chat.wait(9) == []
    assert chat.records == []
    chat.wait(1)
    assert chat.records == ["abandoned"]


def test_support_in_between_keeps_the_record_open() -> None:
    flow = bot({"go": goal(say("End.")), "help": support(say("Help."))}, GO)
    chat = talk(flow, [("help", ["Help."]), ("go", ["End."]), ("help", ["Help."])])
    assert chat.records == ["success"]


def test_a_failure_leaves_the_record_open_for_the_next_message() -> None:
    flow = bot({"go": goal(hook("x", "https://api.test/x"), say("End."))}, GO)
    chat = Chat(flow, {"https://api.test/x": status(500)})
    chat.say("go")
    assert chat.records == []
    chat.answers["https://api.test/x"] = 1
    chat.say("go")
    assert chat.records == ["success"]


def test_a_goal_without_steps_completes_at_once() -> None:
    chat = talk(bot({"go": goal()}, GO), [("go", [])])
    assert chat.records == ["success"]
    assert chat.goals == ["go"]


def test_what_a_goal_left_by_go_to_has_asked_is_forgotten_with_the_goal_that_was_reached() -> None:
    flow = bot({"go": goal(q("a"), do("go-to other")), "other": goal(q("b"), say("{{a}}{{b}}"))}, GO)
    chat = talk(flow, [("go", ["a?"]), ("x", ["b?"]), ("y", ["xy"]), ("go", ["a?"])])
    assert chat.memory == {}


def test_a_turn_is_over_when_a_goal_is_done_and_nothing_is_asked() -> None:
    chat = Chat(
        bot({"welcome": support(say("Hello!")), "go": goal(q("size", "Number"), say("Done."))}, trait(go=["go"]))
    )
    over = []
    for text in ("hello", "go", "2", "gibberish", "go"):
        chat.say(text)
        over.append(chat.last.is_over)
    assert over == [False, False, True, False, False]
    chat.now += SESSION + 1000
    assert chat.open() == ["Hello!"]
    assert not chat.last.is_over
