"""Logging out, by the command or by the operator: the login is forgotten and given back (flow-language.md 4)."""

from dialoom.engine.effects import Ended, LogOut
from dialoom.engine.events import LoggedOut
from dialoom.messages import Profile
from tests.engine.steps.test_protected_steps import LOGIN, PROMPT
from tests.engine.talking import SESSION, Chat, bot, do, goal, hook, q, say, trait

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


def count_of_logouts(chat: Chat) -> int:
    return sum(isinstance(effect, LogOut) for effect in chat.last.effects)


def test_the_logout_command_revokes_the_login_and_an_invalidation_does_not() -> None:
    flow = bot({"leave": goal(do("logout")), "go": goal(do("invalidate-entity auth"))}, START, authentication=LOGIN)
    chat = Chat(flow)
    chat.log_in()
    chat.say("leave")
    assert count_of_logouts(chat) == 1
    chat.log_in()
    chat.say("go")
    assert "auth" not in chat.memory
    assert count_of_logouts(chat) == 0


def test_the_end_of_a_session_gives_nothing_back() -> None:
    chat = Chat(bot({"go": goal(q("n"))}, START, authentication=LOGIN))
    chat.say("go")
    chat.log_in()
    chat.wait(24 * 60)
    assert "auth" not in chat.memory
    assert count_of_logouts(chat) == 0


def test_the_operators_logout_says_nothing_and_leaves_the_rest_as_it_is() -> None:
    flow = bot(
        {"go": goal(hook("me", "https://api.test/me", protected=True), q("n", "Number"), say("In.", protected=True))},
        START,
        authentication=LOGIN,
    )
    chat = Chat(flow, {"https://api.test/me": 1})
    chat.say("go")
    chat.log_in()
    assert chat.send(LoggedOut) == []
    assert chat.last.effects == (LogOut(),)
    assert chat.memory == {"me": 1}
    assert chat.say("3") == PROMPT
    assert len(chat.calls) == 1


def test_the_operators_logout_forgets_a_login_of_the_context_and_a_persistent_one() -> None:
    flow = bot({"go": goal(q("n"))}, START, authentication=LOGIN, persist_entities=["auth"])
    chat = Chat(flow)
    chat.say("go", context={"auth": AUTH})
    chat.send(LoggedOut)
    assert "auth" not in chat.state.context
    chat.log_in()
    chat.send(LoggedOut)
    assert "auth" not in chat.memory
    assert count_of_logouts(chat) == 1


def test_the_operators_logout_between_two_sessions_keeps_none_alive() -> None:
    flow = bot({"go": goal(q("n"))}, START, authentication=LOGIN, persist_entities=["auth"])
    chat = Chat(flow)
    chat.say("go")
    chat.log_in()
    chat.now += SESSION
    assert chat.send(LoggedOut) == []
    assert [type(effect) for effect in chat.last.effects] == [Ended, LogOut]
    assert "auth" not in chat.memory
    assert chat.state.over_at == 0


def test_a_logout_takes_back_what_was_still_to_be_said_of_the_login() -> None:
    teams = Profile(id="u1", provider="workplace-chat")
    chat = Chat(bot({"go": goal(say("In.", protected=True))}, START, authentication=LOGIN))
    chat.say("go", profile=teams)
    chat.log_in(profile=teams)
    chat.send(LoggedOut, profile=teams)
    assert chat.say("well?", profile=teams) == PROMPT


def test_a_logout_in_a_version_without_a_login_gives_back_all_the_same() -> None:
    chat = Chat(bot({"go": goal(q("n"))}, START))
    chat.say("go")
    chat.send(LoggedOut)
    assert chat.last.effects == (LogOut(),)


def test_a_goal_that_a_turn_only_passes_leaves_no_record_for_its_logout() -> None:
    flow = bot(
        {
            "go": goal(do("go-to leave")),
            "leave": goal(do("logout"), do("go-to after")),
            "after": {"type": "support", "steps": []},
        },
        START,
        authentication=LOGIN,
    )
    chat = Chat(flow)
    chat.say("go")
    assert count_of_logouts(chat) == 1
    assert chat.records == ["abandoned"]
    assert not chat.state.has_record
