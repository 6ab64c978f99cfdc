"""Events that end what is open before anything else, so that a newer version of the flow may run them."""

import pytest

from dialoom.engine import Flow, Turn, restarts_chat, turn
from dialoom.engine.effects import Ended, Failed, Send
from dialoom.engine.events import Began, ContextGiven, Event, Picked, Said, TimedOut
from tests.engine.talking import ASKED, SESSION, Chat, bot, confirm, do, goal, hook, q, quick, run, say, support, trait

OLD = bot(
    {
        "book": goal(
            q("a", "Number"),
            say("Now."),
            run("who"),
            hook("price", "https://api.test/price"),
            q("b", display=quick("One", {"title": "From the start", "value": "Restart!"}, {"title": "Two"})),
            confirm("ok"),
        ),
        "who": support(q("name")),
        "help": support(say("Help."), q("topic", display=quick("X"))),
    },
    trait(book=["book"], help=["help"]),
)
OTHER = bot(
    {"start": support(say("New.")), "help": support(say("Help of the new one."))}, commands={"RESTART": ["restart"]}
)
SAME_NAMES = bot(
    {"book": goal(q("b", "Date")), "restart": support(say("New."), do("go-to book"))},
    trait(book=["book"]),
    session_timeout=10_000,
)
ANSWERS = {"https://api.test/price": 5}


def talked(*said: str) -> Chat:
    chat = Chat(OLD, ANSWERS)
    for text in said:
        chat.say(text)
    return chat


TALKS = [(), ("book",), ("book", "3"), ("book", "3", "Ada"), ("book", "3", "Ada", "One"), ("help",), ("book", "help")]


def event(kind: type, chat: Chat, *, late: bool = False, **more: object) -> Event:
    context = {"price": 7, "new": [1]}
    made: Event = kind(
        id="x", now=chat.now + (SESSION if late else 1000), seed=1, profile=ASKED, context=context, **more
    )
    return made


def restarting_events(chat: Chat) -> list[Event]:
    late = [
        event(Said, chat, late=True, text="One"),
        event(Picked, chat, late=True, key="3.0"),
        event(ContextGiven, chat, late=True),
        event(TimedOut, chat, late=True, timer="session"),
        event(Began, chat, late=True),
    ]
    return [event(Said, chat, text="Restart"), event(Picked, chat, value="restart"), event(Began, chat, clear=True)] + (
        late if chat.state.over_at else []
    )


def said(result: Turn) -> list[str]:
    return [effect.message.text for effect in result.effects if isinstance(effect, Send)]


@pytest.mark.parametrize("flow", [OLD, OTHER, SAME_NAMES], ids=["old", "other", "same names"])
@pytest.mark.parametrize("talk", TALKS, ids=" ".join)
def test_another_version_runs_such_an_event_without_a_look_at_what_is_open(flow: Flow, talk: tuple[str, ...]) -> None:
    chat = talked(*talk)
    for happening in restarting_events(chat):
        assert restarts_chat(flow, chat.state, happening)
        result = turn(flow, chat.state, happening)
        assert not any(isinstance(effect, Failed) for effect in result.effects)
        assert {frame.key for frame in result.state.stack} <= flow.scripts.keys()
        assert all(not frame.ran or max(frame.ran) < len(flow.scripts[frame.key].nodes) for frame in result.state.stack)
        assert "a" not in result.state.entities
        if talk:
            ended = [effect for effect in result.effects if isinstance(effect, Ended)]
            assert ended[0].status == ("abandoned" if "book" in talk else "closed")


def test_other_events_go_on_with_what_is_open() -> None:
    chat = talked("book", "3", "Ada")
    for happening in (
        event(Said, chat, text="One"),
        event(Picked, chat, key="3.0"),
        event(Picked, chat, value="Two"),
        event(ContextGiven, chat),
        event(Began, chat),
        event(TimedOut, chat, timer="silence"),
    ):
        assert not restarts_chat(OLD, chat.state, happening)


def test_a_tap_on_a_restart_option_is_known_by_a_flow_without_that_question() -> None:
    chat = talked("book", "3", "Ada")
    [key] = [option.key for option in chat.messages[-1].replies if option.title == "From the start"]
    tap = event(Picked, chat, key=key)
    assert restarts_chat(OTHER, chat.state, tap)
    assert said(turn(OTHER, chat.state, tap)) == ["Help of the new one."]
    assert said(turn(SAME_NAMES, chat.state, tap)) == ["New.", "b?"]


def test_a_session_is_over_when_its_own_version_said_so() -> None:
    chat = talked("book")
    late = event(Said, chat, late=True, text="hm")
    assert restarts_chat(SAME_NAMES, chat.state, late)
    assert turn(SAME_NAMES, chat.state, late).state.stack == ()
