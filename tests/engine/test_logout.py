"""The command logout: the login is forgotten (flow-language.md section 4)."""

from tests.engine.talking import Chat, bot, do, goal, hook, q, say, trait
from tests.engine.test_protected import LOGIN, PROMPT

START = trait(go=["go"], leave=["leave"])
AUTH = {"access_token": "opaque"}


def test_it_forgets_the_login_wherever_that_came_from() -> None:
    flow = bot({"leave": goal(say("Bye."), do("logout"), say("Logged out."))}, START, authentication=LOGIN)
    chat = Chat(flow)
    assert chat.say("leave", context={"auth": AUTH}) == ["Bye.", "Logged out."]
    assert "auth" not in chat.memory
    assert "auth" not in chat.state.context


def test_a_protected_step_after_it_asks_for_the_login_again() -> None:
    flow = bot(
        {"go": goal(say("In.", protected=True), do("logout"), say("Again.", protected=True))},
        START,
        authentication=LOGIN,
    )
    assert Chat(flow).say("go", context={"auth": AUTH}) == ["In.", *PROMPT]


def test_what_came_before_it_is_not_run_again_and_what_comes_later_is() -> None:
    flow = bot(
        {
            "go": goal(
                hook("me", "https://api.test/me"),
                q("x"),
                do("logout"),
                hook("me", "https://api.test/me"),
                say("{{me}}"),
            )
        },
        START,
        authentication=LOGIN,
    )
    chat = Chat(flow, {"https://api.test/me": 1})
    chat.say("go", context={"auth": AUTH})
    chat.say("y")
    assert len(chat.calls) == 2


def test_without_a_login_there_is_nothing_to_forget() -> None:
    flow = bot({"go": goal(do("logout"), say("Fine."))}, START, authentication=LOGIN)
    assert Chat(flow).say("go") == ["Fine."]
    assert Chat(bot({"go": goal(do("logout"), say("Fine."))}, START)).say("go") == ["Fine."]


def test_a_persistent_login_is_forgotten_too() -> None:
    flow = bot({"go": goal(do("logout"), say("Fine."))}, START, authentication=LOGIN, persist_entities=["auth"])
    chat = Chat(flow)
    assert chat.say("go", context={"auth": AUTH}) == ["Fine."]
    assert not chat.state.context
