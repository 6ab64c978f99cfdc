"""A login that is over is renewed without a word where the flow wants that (login.md, The flow, 1)."""

from typing import Any

import pytest

from dialoom.engine.effects import Refresh
from dialoom.engine.events import LoggedIn, NoResponse, Response
from dialoom.messages import Profile
from tests.engine.steps.test_protected_steps import LOGIN, NOW, PROMPT, jwt
from tests.engine.talking import Chat, bot, goal, hook, q, say, support, trait

WORDS = trait(go=["go"], aside=["aside"])
OVER = {"access_token": "old", "expires_at": NOW - 1}
NEW = {"access_token": "new", "expires_at": NOW + 3600}
FAILURE = "We are experiencing technical difficulties at this moment."


def chatting(*steps: dict, renewed: Any = None, refresh: bool = True, **conversations: dict) -> Chat:
    flow = bot({"go": goal(*steps), **conversations}, WORDS, authentication={**LOGIN, "refresh": refresh})
    chat = Chat(flow)
    if renewed is not None:
        chat.renewed = renewed
    return chat


def with_expired_login(chat: Chat, **value: Any) -> Chat:
    """The user has logged in once, and that is over."""
    chat.happen(LoggedIn(id="login", now=chat.now, seed=1, profile=Profile(id="u1"), value=value or OVER))
    return chat


SECRET = say("Secret of {{auth.access_token}}.", protected=True)


def test_it_is_renewed_and_the_step_acts() -> None:
    chat = with_expired_login(chatting(say("Hi."), SECRET, renewed=NEW))
    assert chat.say("go") == ["Hi.", "Secret of new."]
    assert chat.memory["auth"] == NEW
    assert chat.renewals == [Refresh("e2:login", "go/1")]


def test_a_token_that_says_itself_that_it_is_over_is_renewed_too() -> None:
    chat = with_expired_login(chatting(SECRET, renewed=NEW), access_token=jwt(exp=NOW - 1))
    assert chat.say("go") == ["Secret of new."]


def test_where_it_cannot_be_renewed_the_user_is_asked() -> None:
    chat = with_expired_login(chatting(SECRET))
    assert chat.say("go") == PROMPT
    assert chat.failures == []
    assert len(chat.renewals) == 1
    assert chat.log_in(access_token="mine") == ["Thanks.", "Secret of mine."]


@pytest.mark.parametrize(
    "renewed",
    [
        NoResponse("timeout", "No answer."),
        Response(status=200, body=b""),
        Response(status=200, body=b"null"),
        Response(status=200, body=b"[1]"),
        Response(status=200, body=b"\xff"),
        Response(status=200, body=b"{" * 5000),
        Response(status=200, body=b'{"access_token":""}'),
        Response(status=200, body=b'{"access_token":"still over","expires_at":1}'),
    ],
)
def test_what_gives_no_login_is_asked_for_once_a_turn(renewed: Any) -> None:
    chat = with_expired_login(chatting(SECRET, renewed=renewed))
    assert chat.say("go") == PROMPT
    assert len(chat.renewals) == 1


def test_each_further_turn_tries_again() -> None:
    chat = with_expired_login(chatting(SECRET))
    assert chat.say("go") == chat.say("well?") == PROMPT
    assert [wanted.key for wanted in chat.renewals] == ["e2:login", "e3:login"]
    chat.renewed = NEW
    assert chat.say("well?") == ["Secret of new."]


def test_several_protected_steps_are_one_renewal() -> None:
    chat = with_expired_login(chatting(SECRET, SECRET, q("n"), SECRET, renewed=NEW))
    assert chat.say("go") == ["Secret of new.", "Secret of new.", "n?"]
    assert len(chat.renewals) == 1


@pytest.mark.parametrize("value", [{"access_token": ""}, {"access_token": None}])
def test_what_never_was_a_login_is_not_renewed(value: dict) -> None:
    chat = with_expired_login(chatting(SECRET, renewed=NEW), **value)
    assert chat.say("go") == PROMPT
    assert chat.renewals == []


def test_without_a_login_nothing_is_renewed() -> None:
    chat = chatting(SECRET, renewed=NEW)
    assert chat.say("go") == PROMPT
    assert chat.renewals == []


def test_a_login_that_still_holds_is_not_renewed() -> None:
    chat = with_expired_login(chatting(SECRET, renewed=NEW), access_token="mine", expires_at=NOW + 60)
    assert chat.say("go") == ["Secret of mine."]
    assert chat.renewals == []


def test_without_the_setting_nothing_is_renewed() -> None:
    chat = with_expired_login(chatting(SECRET, renewed=NEW, refresh=False))
    assert chat.say("go") == PROMPT
    assert chat.renewals == []


def test_a_step_that_is_passed_renews_nothing() -> None:
    chat = with_expired_login(chatting(q("n", "Number", protected=True), say("{{n}}"), renewed=NEW))
    assert chat.say("go", context={"n": 3}) == ["3"]
    assert chat.renewals == []


def test_nothing_that_came_of_the_login_is_undone() -> None:
    chat = chatting(hook("me", "https://api.test/me", protected=True), say("Hi {{me}}."), q("n"), SECRET, renewed=NEW)
    chat.answers["https://api.test/me"] = "Ada"
    with_expired_login(chat, access_token="mine", expires_at=NOW + 60)
    assert chat.say("go") == ["Hi Ada.", "n?"]
    chat.now += 120_000
    assert chat.say("x") == ["Secret of new."]
    assert len(chat.calls) == 1


def test_outside_calls_before_and_after_it_are_made_once() -> None:
    chat = chatting(hook("a", "https://api.test/a"), hook("b", "https://api.test/b", protected=True), say("{{a}}{{b}}"))
    chat.renewed = NEW
    chat.answers |= {"https://api.test/a": 1, "https://api.test/b": 2}
    with_expired_login(chat)
    assert chat.say("go") == ["12"]
    assert [call.request.url for call in chat.calls] == ["https://api.test/a", "https://api.test/b"]
    assert len(chat.renewals) == 1


def test_a_step_that_a_login_wakes_up_may_renew_it_as_well() -> None:
    chat = chatting(SECRET, renewed=NEW)
    assert chat.say("go") == PROMPT
    assert chat.log_in(**OVER) == ["Thanks.", "Secret of new."]


def test_a_protected_step_of_welcome_renews_it_on_the_way() -> None:
    chat = with_expired_login(chatting(say("Go!"), renewed=NEW, welcome=support(SECRET)))
    assert chat.say("go") == ["Secret of new.", "Go!"]


def test_a_renewed_login_that_memory_cannot_hold_stops_the_turn() -> None:
    deep: dict[str, Any] = {}
    for _ in range(150):
        deep = {"a": deep}
    chat = with_expired_login(chatting(SECRET, renewed={**NEW, "claims": deep}))
    assert chat.say("go") == [FAILURE]
    assert chat.failures == [("go/0", "What the login gave is nested deeper than 100 levels.")]
    chat = with_expired_login(chatting(SECRET, renewed={**NEW, "access_token": "x" * (5 * 1024 * 1024)}))
    assert chat.say("go") == [FAILURE]
    assert "auth" not in chat.memory
    assert chat.say("well?") == PROMPT
