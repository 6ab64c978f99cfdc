"""A turn that is interrupted from outside, at any place: nothing of it is kept, and what is shared is still whole."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import pytest

from dialoom.engine import begin, stop, turn
from dialoom.engine.effects import Ended, Failed, Heard, Send
from dialoom.engine.events import Began, Said
from dialoom.engine.running_turn import Interrupted
from tests.engine.talking import ASKED, NOON, Chat, bot, check, goal, keywords, q, quick, say, support, trait

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType

    from dialoom.engine import Flow, Turn

FAILURE = "We are experiencing technical difficulties at this moment."
SLOW = "It took too long."
FOUND = {"entity": "list", "selector": "$[?search(@.name, 'a.*b')]"}
CITIES = {f"City {number} of Lakes": [f"lake {number}"] for number in range(60)}


def flow_of() -> Flow:
    """One that fills what is shared by all users while turns run: options with their keys, folded words, automata."""
    return bot(
        {
            "welcome": support(say("Welcome.")),
            "go": goal(
                q("city", "City", display=quick(*CITIES)),
                q("day", "Date"),
                q("code", reactions={"validations": [check("regex", "No.", value="[a-z]+-[0-9]+")]}),
                {"type": "webhook", "entity": "found", "data-source": FOUND},
                say("{{city}} {{$date day 'long'}} {{#each found}}{{name}}{{/each}}"),
            ),
        },
        trait(go=["go", "take me there"]),
        keywords("City", **CITIES),
    )


def said(text: str, number: int = 0) -> Said:
    context = {"list": [{"name": "aab"}, {"name": "b"}]} if number == 0 else {}
    return Said(id=f"e{number}", now=NOON + number, seed=number, profile=ASKED, text=text, context=context)


TALK = ("go", "lake 7", "tomorow", "abc-12")


def talked(flow: Flow) -> list[Turn]:
    turns: list[Turn] = []
    state = begin()
    for number, text in enumerate(TALK):
        turns.append(turn(flow, state, said(text, number)))
        state = turns[-1].state
    return turns


class Interrupting:
    """Raises ``Interrupted`` at one of the lines that run, as a signal handler might."""

    def __init__(self, at: int) -> None:
        self.left = at

    def __call__(self, frame: FrameType, event: str, _: Any) -> Any:
        if frame.f_code.co_name == "gc_callback":  # hypothesis', once another test has begun it: a turn is not meant
            return None
        if event == "line":
            self.left -= 1
            if self.left == 0:
                raise Interrupted
        return self


def lines_of(flow: Flow) -> Iterator[tuple[int, int]]:
    """How many lines each turn of the talk runs."""
    state = begin()
    for number, text in enumerate(TALK):
        count = Interrupting(-1)
        before = sys.gettrace()
        sys.settrace(count)
        try:
            state = turn(flow, state, said(text, number)).state
        finally:
            sys.settrace(before)
        yield number, -1 - count.left


def interrupted(flow: Flow, state: Any, event: Said, at: int) -> Interrupted | None:
    before = sys.gettrace()
    sys.settrace(Interrupting(at))
    try:
        turn(flow, state, event)
    except Interrupted as error:
        return error
    finally:
        sys.settrace(before)
    return None


def test_a_turn_that_was_interrupted_anywhere_runs_afterwards_as_if_it_had_not_been() -> None:
    expected = talked(flow_of())
    counts = list(lines_of(flow_of()))
    hit = 0
    for number, count in counts:
        state = begin() if number == 0 else expected[number - 1].state
        for part in range(1, 16):
            flow = flow_of()
            hit += interrupted(flow, state, said(TALK[number], number), count * part // 16) is not None
            assert turn(flow, state, said(TALK[number], number)) == expected[number]
    assert hit == 15 * len(counts)


def test_an_interrupted_turn_says_which_step_it_had_come_to() -> None:
    flow = flow_of()
    expected = talked(flow)
    lines = dict(lines_of(flow_of()))[3]
    steps = {
        error.step
        for at in range(1, lines, lines // 100)
        if (error := interrupted(flow, expected[2].state, said(TALK[3], 3), at)) is not None
    }
    assert {"", "go/3", "go/4"} <= steps
    assert steps <= {"", *(f"go/{number}" for number in range(5))}


def test_what_an_interrupted_turn_did_is_not_kept_and_what_was_open_ends_as_failed() -> None:
    flow = flow_of()
    chat = Chat(flow)
    chat.tell(list=[])
    for text in TALK[:2]:
        chat.say(text)
    assert chat.memory["city"]
    event = said("tomorrow, or the code is abc-12", 7)
    done = stop(flow, chat.state, event, "go/3", SLOW)
    assert [type(effect) for effect in done.effects[:4]] == [Heard, Failed, Send, Ended]
    assert done.effects[1] == Failed("go/3", SLOW)
    assert (done.effects[3].status, done.effects[3].entities) == ("failure", chat.memory)
    assert (done.state.stack, done.state.ask, done.state.entities) == ((), None, {})
    assert done == stop(flow, chat.state, event, "go/3", SLOW)


def test_where_it_had_come_to_no_step_the_open_question_is_named() -> None:
    flow = flow_of()
    chat = Chat(flow)
    chat.say("go")
    heard, failed, *_ = stop(flow, chat.state, said("lake 7", 7), "", SLOW).effects
    assert (heard.entity, failed) == ("city", Failed("go/0", SLOW))
    assert stop(flow, begin(), said("go"), "", SLOW).effects[1] == Failed("", SLOW)


@pytest.mark.parametrize("first", [said("go"), Began(id="b", now=NOON, seed=1, profile=ASKED)])
def test_a_session_whose_opening_was_interrupted_does_not_run_into_it_again(first: Said | Began) -> None:
    chat = Chat(bot({"welcome": support(say("Welcome.")), "help": support(say("Help."))}, trait(go=["go"])))
    chat.state = stop(chat.flow, chat.state, first, "welcome/0", SLOW).state
    assert chat.say("hm") == ["Help."]


def test_the_author_s_own_failure_text_is_said() -> None:
    flow = bot({"go": goal(q("x"))}, trait(go=["go"]), general_failure=["Sorry, {{user.FirstName}}."])
    said_texts = [
        effect.message.text
        for effect in stop(flow, begin(), said("go"), "go/0", SLOW).effects
        if isinstance(effect, Send)
    ]
    assert said_texts == ["Sorry, Ada."]
