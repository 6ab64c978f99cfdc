"""Conversations that run in place are laid out as one list of nodes."""

from dialoom.engine.compiled import InPlace, TooDeep
from tests.engine.talking import bot, goal, run, say, support, trait


def test_steps_in_place_follow_their_step_and_can_be_passed_over() -> None:
    flow = bot({"go": goal(say("a"), run("in"), say("d")), "in": support(say("b"), say("c"))}, trait(go=["go"]))
    nodes = flow.scripts["go"].nodes
    assert [(node.path, node.after) for node in nodes] == [
        ("go/0", 1),
        ("go/1", 4),
        ("in/0", 3),
        ("in/1", 4),
        ("go/2", 5),
    ]
    assert [node.index for node in nodes] == [0, 1, 2, 3, 4]


def test_a_recursion_is_laid_out_as_deep_as_it_may_run() -> None:
    nodes = bot({"go": goal(run("go"))}, trait(go=["go"])).scripts["go"].nodes
    assert [type(node.step) for node in nodes] == [InPlace] * 11 + [TooDeep]


def test_a_recursion_that_branches_is_laid_out_only_as_far_as_a_turn_could_go() -> None:
    nodes = bot({"go": goal(*[run("go")] * 5)}, trait(go=["go"])).scripts["go"].nodes
    assert len(nodes) < 10_100
    assert [node.index for node in nodes] == list(range(len(nodes)))
