"""A process keeps no text of a user once the turn is over: erasure reaches it as well (service.md, Erasure)."""

import sys

import pytest

from dialoom.engine import compile_flow
from dialoom.engine.events import Began, Said
from dialoom.engine.state import begin
from dialoom.engine.turn import turn
from dialoom.messages import Profile
from tests.engine.talking import goal, q, say, trait, unchecked

FLOW = compile_flow(unchecked({"go": goal(q("a"), say("Thanks."))}, trait(go=["go"])))
PROFILE = Profile(id="ada", channel="web", provider="web")


@pytest.mark.parametrize("text", ["My name is Ada", "Ich heiße Ödön", "ich heiße Ödön " * 20])
def test_a_turn_leaves_no_text_behind(text: str) -> None:
    text = "".join(text)
    begun = turn(FLOW, begin(), Began(id="1", now=0, seed=1, profile=PROFILE)).state
    before = sys.getrefcount(text)
    turn(FLOW, begun, Said(id="2", now=1, seed=2, profile=PROFILE, text=text))
    assert sys.getrefcount(text) == before
