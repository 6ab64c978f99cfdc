"""A hand-over to a person: stay-silent with live-agent (flow-language.md section 4)."""

import pytest

from dialoom.engine import compile_flow
from dialoom.engine.effects import HandOver
from tests.engine.talking import Chat, bot, do, goal, q, say, support, trait, unchecked

START = trait(go=["go"])
MINUTES = 60_000


def chat_with_hand_over(command: str = "stay-silent 10", **more: object) -> Chat:
    steps = (say("Someone will be with you."), do(command, live_agent="desk"), say("Back."), q("a"))
    return Chat(bot({"go": goal(*steps), "restart": support(say("Anew."))}, START, **more))


def hand_overs(chat: Chat) -> list[HandOver]:
    return [effect for effect in chat.last.effects if isinstance(effect, HandOver)]


def test_a_person_takes_over_after_what_was_said_before() -> None:
    chat = chat_with_hand_over()
    assert chat.say("go") == ["Someone will be with you."]
    assert hand_overs(chat) == [HandOver("desk", "go/1")]
    assert chat.state.stack
    assert chat.records == []


def test_meanwhile_the_bot_hears_and_says_nothing() -> None:
    chat = chat_with_hand_over()
    chat.say("go")
    assert chat.say("hello?") == []
    assert chat.heard.text == "hello?"
    assert hand_overs(chat) == []


def test_after_that_the_flow_goes_on_and_the_hand_over_does_not_come_again() -> None:
    chat = chat_with_hand_over()
    chat.say("go")
    chat.now += 10 * MINUTES
    assert chat.say("thanks") == ["Back.", "a?"]
    assert hand_overs(chat) == []


def test_a_restart_takes_it_back() -> None:
    chat = chat_with_hand_over()
    chat.say("go")
    assert chat.say("restart") == ["Anew."]
    assert chat.state.silent_until == 0


def test_silence_alone_is_no_hand_over() -> None:
    chat = Chat(bot({"go": goal(do("stay-silent 10"))}, START))
    assert chat.say("go") == []
    assert hand_overs(chat) == []


@pytest.mark.parametrize(
    ("command", "minutes"),
    [
        ("stay-silent", 7),
        ("stay-silent 10", 10),
        ("  stay-silent   10  ", 10),
        ("stay-silent\t0.5", 0.5),
        ("stay-silent 2.0", 2),
        ("stay-silent 525600", 525_600),
    ],
)
def test_how_long_it_lasts(command: str, minutes: float) -> None:
    flow = unchecked({"go": goal(do(command), say("Back."))}, START, silence_timeout=7, session_timeout=5_256_000)
    chat = Chat(compile_flow(flow))
    chat.say("go")
    silent = round(minutes * MINUTES)
    assert chat.state.silent_until == chat.now + silent
    chat.now += silent - 1001
    assert chat.say("?") == []
    assert chat.say("?") == ["Back."]
