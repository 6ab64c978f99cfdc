"""What the record says of a flow that is stopped, and of one that runs from goal to goal (history-api.md, Records)."""

from dialoom.engine.effects import Ended, Failed, GoalStarted, Heard, Send
from tests.engine.talking import Chat, bot, do, goal, hook, q, run, say, status, support, talk, trait

WORDS = trait(go=["go please"], other=["another thing"], circle=["in circles"], help=["help"])
FAILURE = "We are experiencing technical difficulties at this moment."


def course(chat: Chat) -> list[str]:
    """The effects of the last turn that make records."""
    told = [effect for effect in chat.last.effects if isinstance(effect, Heard | Send | GoalStarted | Ended | Failed)]
    names = {Heard: "heard", Send: "send", Failed: "failed"}
    return [
        effect.goal
        if isinstance(effect, GoalStarted)
        else effect.status
        if isinstance(effect, Ended)
        else names[type(effect)]
        for effect in told
    ]


def test_a_flow_stopped_by_a_limit_ends_its_record_as_failed() -> None:
    flow = bot({"go": goal(q("a"), run("go")), "other": goal(say("Done."))}, WORDS)
    chat = talk(flow, [("go please", ["a?"]), ("x", [FAILURE])])
    assert course(chat) == ["heard", "failed", "send", "failure"]
    assert not chat.state.has_record
    [ended] = [effect for effect in chat.last.effects if isinstance(effect, Ended)]
    assert ended.entities == {"a": "x"}
    assert chat.say("another thing") == ["Done."]
    assert course(chat) == ["heard", "other", "send", "success"]


def test_what_a_stopped_flow_has_asked_for_is_forgotten_so_that_it_begins_anew() -> None:
    flow = bot({"go": goal(q("keep"), q("a"), run("go"))}, WORDS, persist_entities=["keep"])
    chat = talk(flow, [("go please", ["keep?"]), ("k", ["a?"]), ("x", [FAILURE])])
    assert chat.memory == {"keep": "k"}
    assert chat.say("go please") == ["a?"]


def test_a_limit_hit_by_a_restart_fails_the_record_that_it_ends() -> None:
    flow = bot({"go": goal(q("a")), "restart": support(run("restart"))}, WORDS)
    chat = talk(flow, [("go please", ["a?"]), ("restart", [FAILURE])])
    assert course(chat) == ["heard", "failed", "send", "failure"]


def test_an_opening_event_that_runs_into_a_limit_leaves_no_record_open() -> None:
    chat = Chat(bot({"welcome": support(run("welcome"))}, WORDS))
    assert chat.open() == [FAILURE]
    assert chat.records == ["failure"]


def test_a_webhook_that_fails_leaves_the_record_open() -> None:
    flow = bot({"go": goal(hook("price", "https://api.test/price"), q("a"))}, WORDS)
    chat = talk(flow, [("go please", [FAILURE])], {"https://api.test/price": status(500)})
    assert course(chat) == ["heard", "go", "failed", "send"]
    assert chat.state.has_record


def test_goals_that_send_each_other_on_for_ever_make_two_records_and_no_more() -> None:
    flow = bot({"go": goal(do("go-to circle")), "circle": goal(say("Round."), do("go-to go"))}, WORDS)
    chat = Chat(flow)
    chat.say("go please")
    assert chat.records == ["abandoned", "failure"]
    assert course(chat)[:3] == ["heard", "go", "abandoned"]
    assert course(chat).count("circle") + course(chat).count("go") == 2


def test_goals_that_a_turn_only_passes_make_no_records_of_their_own() -> None:
    conversations = {f"g{n}": goal(say(f"{n}"), do(f"go-to g{n + 1}")) for n in range(9)}
    flow = bot({"go": goal(do("go-to g0")), **conversations, "g9": goal(q("a"), say("End."))}, WORDS)
    chat = Chat(flow)
    chat.say("go please")
    assert chat.goals == ["go", "g9"]
    assert chat.records == ["abandoned"]
    chat.say("x")
    assert chat.records == ["abandoned", "success"]


def test_a_passed_goal_that_goes_to_a_helper_leaves_a_record_without_a_goal() -> None:
    flow = bot({"go": goal(do("go-to circle")), "circle": goal(do("go-to info")), "info": support(q("a"))}, WORDS)
    chat = talk(flow, [("go please", ["a?"])])
    assert course(chat) == ["heard", "go", "abandoned", "send"]
    chat.wait(1441)
    assert chat.records == ["abandoned", "closed"]
