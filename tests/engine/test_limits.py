"""A flow that does not end is stopped (flow-language.md section 5, rule 10)."""

import sys
from types import FrameType

import msgspec
import pytest

from dialoom.engine import begin, turn
from dialoom.engine.events import ContextGiven
from tests.engine.talking import ASKED, Chat, bot, check, do, goal, hook, q, run, say, support, trait

GO = trait(go=["go"], help=["help"])
FAILURE = "We are experiencing technical difficulties at this moment."


def stopped(conversations: dict, *types: dict) -> Chat:
    chat = Chat(bot({**conversations, "help": support(say("Help."))}, *types, GO))
    assert chat.say("go")[-1] == FAILURE
    return chat


def test_a_loop_of_go_to_is_stopped_with_its_path() -> None:
    chat = stopped({"go": goal(do("go-to b")), "b": goal(do("go-to go"))})
    assert chat.failures == [("go/0", "More than 100 steps acted in one turn: the flow does not come to an end here.")]


def test_a_loop_that_talks_is_stopped() -> None:
    chat = stopped({"go": goal(say("Again."), do("go-to b")), "b": goal(say("And again."), do("go-to go"))})
    assert len(chat.messages) == 51


def test_after_that_nothing_is_open_so_that_the_next_message_does_not_run_into_it() -> None:
    chat = stopped({"go": goal(do("go-to b")), "b": goal(do("go-to go"))})
    assert chat.state.stack == ()
    assert chat.say("hm") == ["Help."]


def test_a_conversation_that_runs_itself_in_place_is_stopped() -> None:
    chat = stopped({"go": goal(run("go"))})
    assert chat.failures == [("go/0", "More than 10 conversations run in place inside each other.")]


def test_two_conversations_that_run_each_other_are_stopped() -> None:
    stopped({"go": goal(run("b"), run("b")), "b": support(run("go"), run("go"), run("go"))})


def test_a_recursion_that_ends_by_its_conditions_is_no_mistake() -> None:
    flow = bot(
        {
            "go": goal(do("set-entity", entity="n", data=3), run("down"), say("End.")),
            "down": support(
                say("{{n}}"),
                do("set-entity", entity="n", data="{{$subtract n 1}}"),
                run("down", conditions=["{{$gt n 0}}"]),
            ),
        },
        GO,
    )
    assert Chat(flow).say("go") == ["3", "2", "1", "End."]


def test_ten_conversations_may_be_nested_in_place() -> None:
    conversations = {f"c{depth}": support(run(f"c{depth + 1}")) for depth in range(1, 10)}
    flow = bot({"go": goal(run("c1")), **conversations, "c10": support(say("Deep."))}, GO)
    assert Chat(flow).say("go") == ["Deep."]


def test_too_many_visits_are_stopped() -> None:
    never = {"conditions": ["{{missing}}"]}
    conversations = {
        "go": goal(*(run("wide") for _ in range(101))),
        "wide": support(*(say("x", **never) for _ in range(100))),
    }
    chat = stopped(conversations)
    assert "visited" in chat.failures[0][1]


def test_more_goals_than_ten_open_at_once_are_stopped() -> None:
    letters = "abcdefghijk"
    words = {f"g{n}": [f"start {letters[n] * 5}"] for n in range(11)}
    chat = Chat(bot({f"g{n}": goal(q("x", "Number")) for n in range(11)}, trait(**words)))
    for n in range(10):
        assert chat.say(f"start {letters[n] * 5}") == ["x?"]
    assert chat.say("start kkkkk") == [FAILURE]
    assert chat.state.stack == ()


def test_memory_over_four_mebibytes_fails_the_turn_and_names_the_entity() -> None:
    flow = bot(
        {
            "go": goal(
                hook("a", "https://api.test/1"),
                hook("b", "https://api.test/1"),
                hook("c", "https://api.test/1"),
                say("End."),
            )
        },
        GO,
    )
    chat = Chat(flow, {"https://api.test/1": "x" * 1_500_000})
    assert chat.say("go") == [FAILURE]
    [(step, reason)] = chat.failures
    assert step == "go/2"
    assert '"c"' in reason
    assert set(chat.memory) == {"a", "b"}


def test_a_template_that_loops_too_long_fails_the_turn() -> None:
    flow = bot({"go": goal(say("{{#each a}}{{#each ../a}}{{#each ../../a}}x{{/each}}{{/each}}{{/each}}"))}, GO)
    chat = Chat(flow)
    assert chat.say("go", context={"a": list(range(1000))}) == [FAILURE]
    assert chat.failures[0][0] == "go/0"


@pytest.mark.parametrize("now", [0, -5, 10**18])
def test_strange_times_of_an_event_do_no_harm(now: int) -> None:
    chat = Chat(
        bot(
            {"go": goal(q("day", "Date"), q("x", "Number", reactions={"validations": [check("range", "No.", min=1)]}))},
            GO,
        )
    )
    chat.now = now
    assert chat.say("go") == ["day?"]
    assert chat.say("tomorrow") == ["x?"]


def test_small_values_add_up_to_the_limit_too() -> None:
    """A number or a short text weighs little, a hundred thousand of them do not."""
    chat = Chat(bot({"help": support(say("Hm."))}))
    for part in range(5):
        chat.tell(**{f"a key that has a name of its own {part} {number}": number for number in range(20_000)})
    assert chat.failures
    assert len(msgspec.json.encode(chat.state.context)) <= 4 * 1024 * 1024


def test_an_entity_that_is_set_is_weighed_with_what_is_there() -> None:
    """However short it is."""
    steps = (say("Hm."), do("set-entity", entity="n", data="{{$add 1 1}}"), say("{{n}}"))
    chat = Chat(bot({"help": support(*steps)}))
    room = 4 * 1024 * 1024 - len(b'[{},{"long":""},{}]')
    assert chat.say("hm", context={"long": "x" * room}) == ["Hm.", FAILURE]
    assert '"n"' in chat.failures[0][1]
    assert Chat(bot({"help": support(*steps)})).say("hm", context={"long": "x" * (room - 9)}) == ["Hm.", "2"]


def test_context_is_weighed_once_however_many_keys_it_has() -> None:
    encodings = 0

    def count(frame: FrameType, event: str, called: object) -> None:
        nonlocal encodings
        encodings += event == "c_call" and called is msgspec.json.encode

    flow = bot({"help": support(say("Hm."))})
    told = ContextGiven(
        id="e", now=1, seed=1, profile=ASKED, context={f"k{number}": [number] for number in range(1000)}
    )
    sys.setprofile(count)
    try:
        result = turn(flow, begin(), told)
    finally:
        sys.setprofile(None)
    assert len(result.state.context) == 1000
    assert 1 <= encodings <= 2
