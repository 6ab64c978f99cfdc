"""The command stay-silent: nothing is said, everything is heard (flow-language.md sections 4 and 5)."""

from dialoom.engine import compile_flow
from tests.engine.talking import MINUTE, Chat, bot, do, goal, q, say, support, trait, unchecked

GO = trait(go=["go"], restart=["begin anew"])


def chat_with_silence(command: str, **settings: object) -> Chat:
    flow = unchecked(
        {"go": goal(say("Hush."), do(command), say("Back."), q("a"), say("{{a}}")), "restart": support(say("Anew."))},
        GO,
        **settings,
    )
    return Chat(compile_flow(flow))


def test_while_silent_nothing_is_said_but_messages_are_heard() -> None:
    chat = chat_with_silence("stay-silent 10")
    assert chat.say("go") == ["Hush."]
    assert chat.say("anyone?") == []
    assert chat.pick("x") == []
    assert chat.heard.text == "x"


def test_after_the_silence_the_next_message_goes_on_with_the_flow() -> None:
    chat = chat_with_silence("stay-silent 10")
    chat.say("go")
    chat.now += 10 * 60_000
    assert chat.say("anyone?") == ["Back.", "a?"]
    assert chat.say("x") == ["x"]


def test_without_minutes_the_setting_counts() -> None:
    chat = chat_with_silence("stay-silent", silence_timeout=2)
    chat.say("go")
    chat.now += 60_000
    assert chat.say("anyone?") == []
    chat.now += 60_000
    assert chat.say("anyone?") == ["Back.", "a?"]


def test_restart_works_while_silent() -> None:
    chat = chat_with_silence("stay-silent 10")
    chat.say("go")
    assert chat.say("begin anew") == []
    assert chat.say("restart") == ["Anew."]
    assert chat.state.silent_until == 0


def test_a_silence_at_the_end_of_a_conversation_swallows_no_message_when_it_is_over() -> None:
    quiet = support(say("Good, I am quiet."), do("stay-silent 5"))
    chat = Chat(bot({"help": support(say("Help.")), "quiet": quiet}, trait(quiet=["be quiet"])))
    assert chat.say("be quiet") == ["Good, I am quiet."]
    assert chat.say("anybody there?") == []
    chat.now += 6 * MINUTE
    assert chat.say("anybody there?") == ["Help."]
