"""Protected steps: when the login is asked for, and what counts as logged in (login.md, The flow, 1 and 2)."""

import base64
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dialoom.engine import compile_flow
from dialoom.engine.values.logins import is_valid
from dialoom.messages import Dialog
from tests.engine.talking import (
    NOON,
    Chat,
    bot,
    confirm,
    goal,
    hook,
    q,
    quick,
    run,
    say,
    support,
    talk,
    trait,
    unchecked,
)

START = trait(go=["go"], aside=["aside"])
NOW = NOON // 1000
LOGIN = {
    "entity": "auth",
    "messages": [["One moment.", "Please log in."]],
    "acknowledgements": ["Thanks."],
    "display": {"type": "login", "template": {"title": "Log in, {{user.FirstName}}", "image": "https://a.test/i.png"}},
    "oidc": {"issuer": "https://id.test", "client-id": "b", "client-secret": {"env": "BOT_S"}},
}
PROMPT = ["One moment.", "Please log in. <login: >"]


def base64url(value: Any) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")


def jwt(**claims: Any) -> str:
    return f"{base64url({'alg': 'RS256'})}.{base64url(claims)}.c2lnbmF0dXJl"


def secured(*steps: dict, **conversations: dict):
    return bot({"go": goal(*steps), **conversations}, START, authentication=LOGIN)


def test_without_a_login_the_prompt_comes_and_the_turn_ends() -> None:
    chat = talk(secured(say("Hi."), say("Secret.", protected=True), say("Bye.")), [("go", ["Hi.", *PROMPT])])
    [_, _, last] = chat.messages
    assert last.dialog == Dialog("login", "Log in, Ada", image="https://a.test/i.png")
    assert chat.steps == ["go/0", "go/1", "go/1"]


def test_with_a_login_the_step_just_acts() -> None:
    chat = Chat(secured(say("Secret.", protected=True)))
    assert chat.say("go", context={"auth": {"access_token": "opaque"}}) == ["Secret."]


def test_a_login_that_context_brings_is_seen_by_the_next_message() -> None:
    chat = talk(secured(say("Hi."), say("Secret.", protected=True)), [("go", ["Hi.", *PROMPT])])
    assert chat.tell(auth={"access_token": "opaque"}) == []
    assert chat.say("done") == ["Secret."]


def test_the_prompt_comes_again_each_time_the_step_is_reached_again() -> None:
    flow = secured(say("Secret.", protected=True), aside=support(say("Aside.")))
    chat = talk(flow, [("go", PROMPT), ("banana", PROMPT)])
    assert chat.say("aside") == ["Aside.", "I am going back to go now.", *PROMPT]


def test_what_is_typed_meanwhile_is_understood_as_usual() -> None:
    flow = secured(hook("account", "https://api.test/me", protected=True), q("n", "Number"), say("{{n}}"))
    chat = talk(flow, [("go", PROMPT), ("3", PROMPT)])
    assert chat.memory["n"] == 3
    chat.answers["https://api.test/me"] = {"id": 1}
    assert chat.say("now", context={"auth": True}) == ["3"]


def test_a_webhook_is_not_called_before_the_login() -> None:
    chat = Chat(secured(hook("account", "https://api.test/me", protected=True)))
    assert chat.say("go") == PROMPT
    assert chat.calls == []


def test_a_question_is_asked_and_its_options_are_fetched_after_the_login_only() -> None:
    display = quick(data_source={"endpoint": "https://api.test/accounts"})
    flow = secured(q("from", display=display, protected=True), say("{{from}}"))
    chat = Chat(flow, {"https://api.test/accounts": ["A", "B"]})
    assert chat.say("go") == PROMPT
    assert chat.calls == []
    assert chat.say("now", context={"auth": True}) == ["from? [A] [B]"]


@pytest.mark.parametrize(
    "step",
    [
        confirm("ok", protected=True),
        {"type": "entities-confirmation", "entity": "ok", "entities": [], "messages": ["All?"], "protected": True},
        {"type": "command", "command": "set-entity", "entity": "x", "data": 1, "protected": True},
    ],
)
def test_every_type_of_step_asks_for_the_login(step: dict) -> None:
    chat = Chat(secured(step))
    assert chat.say("go") == PROMPT
    assert "x" not in chat.memory


def test_a_step_that_is_passed_by_its_value_or_its_condition_needs_no_login() -> None:
    flow = secured(
        q("x", protected=True), say("Never.", protected=True, conditions=["{{$eq x 'y'}}"]), say("{{x}} it is.")
    )
    assert Chat(flow).say("go", context={"x": "z"}) == ["z it is."]


def test_a_protected_conversation_step_protects_all_that_runs_inside_of_it() -> None:
    flow = secured(run("inner", protected=True), say("Bye."), inner=support(run("deep")), deep=support(say("Secret.")))
    chat = talk(flow, [("go", PROMPT)])
    assert chat.say("x", context={"auth": True}) == ["Secret.", "Bye."]
    assert Chat(flow).say("x") == ["I am not sure I understood what you said."]


def test_a_protected_conversation_step_without_anything_to_do_needs_no_login() -> None:
    flow = secured(run("inner", protected=True), say("Bye."), inner=support(q("x")))
    assert Chat(flow).say("go", context={"x": 1}) == ["Bye."]


def test_the_same_conversation_run_elsewhere_without_protection_is_open() -> None:
    flow = secured(run("inner"), q("y"), run("inner", protected=True), inner=support(say("Inner.")))
    talk(flow, [("go", ["Inner.", "y?"]), ("z", PROMPT)])


def test_a_login_that_ends_on_the_way_is_asked_for_again() -> None:
    flow = secured(say("One.", protected=True), q("x"), say("Two.", protected=True))
    chat = Chat(flow)
    assert chat.say("go", context={"auth": {"access_token": jwt(exp=NOW + 60)}}) == ["One.", "x?"]
    chat.now += 60_000
    assert chat.say("y") == PROMPT


def test_the_first_message_is_not_held_up_by_a_protected_step_of_welcome() -> None:
    flow = secured(say("Go!"), welcome=support(say("Hello."), say("Secret.", protected=True)))
    assert Chat(flow).say("go") == ["Hello.", "Go!"]
    chat = Chat(flow)
    assert chat.open() == ["Hello.", *PROMPT]


def test_a_question_chosen_at_an_entities_confirmation_is_protected_too() -> None:
    review = {"type": "entities-confirmation", "entity": "ok", "entities": ["n"], "messages": ["All?"]}
    chat = Chat(secured(q("n", "Number", protected=True), review))
    assert chat.say("go", context={"n": 3}) == ["All? [Confirm] [3]"]
    assert chat.tap("3") == PROMPT
    assert chat.say("now", context={"auth": True}) == ["n?"]
    assert chat.say("4") == ["All? [Confirm] [4]"]


def test_without_the_settings_a_protected_step_fails() -> None:
    chat = Chat(compile_flow(unchecked({"go": goal(say("Secret.", protected=True))}, START)))
    assert chat.say("go") == ["We are experiencing technical difficulties at this moment."]
    assert chat.failures == [("go/0", 'The step is protected, and the settings have no "authentication".')]


# ---- what counts as logged in ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "value",
    [
        None,
        False,
        0,
        "",
        "false",
        "0",
        "null",
        "undefined",
        [],
        {},
        {"access_token": None},
        {"access_token": ""},
        {"access_token": jwt(exp=NOW)},
        {"access_token": jwt(exp=NOW - 0.5)},
        {"access_token": jwt(exp=-(10**30))},
        jwt(exp=NOW - 1),
        {"access_token": "opaque", "expires_at": NOW},
        {"access_token": "opaque", "expires_at": str(NOW)},
        {"access_token": "opaque", "expires_at": NOON},
        {"access_token": "opaque", "expires_at": "2026-11-20T12:00:00Z"},
        {"access_token": "opaque", "expires_at": "2026-11-20T13:59:59+02:00"},
        {"access_token": "opaque", "expires_at": "2026-11-20"},
        {"access_token": jwt(exp=NOW + 60), "expires_at": NOW - 1},
    ],
)
def test_missing_false_and_expired_is_no_login(value: Any) -> None:
    assert not is_valid(value, NOON)


@pytest.mark.parametrize(
    "value",
    [
        True,
        "opaque",
        {"id": 5},
        {"access_token": "opaque"},
        {"access_token": 7},
        {"access_token": jwt(exp=NOW + 1)},
        {"access_token": jwt()},
        {"access_token": jwt(exp=str(NOW - 1))},
        {"access_token": jwt(exp=True)},
        {"access_token": jwt(exp=None)},
        {"access_token": jwt(exp=[1])},
        {"access_token": f"{base64url([])}.{base64url({'exp': 1})}.x"},
        {"access_token": f"{base64url({})}.{base64url({'exp': 1})}"},
        {"access_token": f"{base64url({})}.{base64url({'exp': 1})}.x.y.z"},
        {"access_token": "eyJ.***.x"},
        {"access_token": "a.b.c"},
        {"access_token": "e30.////.c"},
        {"access_token": "e30." + "W1tb" * 2000 + ".c"},
        {"access_token": f"e30.{base64.urlsafe_b64encode(bytes([255, 254])).decode()}.c"},
        {"access_token": "opaque", "expires_at": NOW + 1},
        {"access_token": "opaque", "expires_at": NOON + 1000},
        {"access_token": "opaque", "expires_at": "soon"},
        {"access_token": "opaque", "expires_at": {"at": 1}},
        {"access_token": "opaque", "expires_at": None},
        {"access_token": "opaque", "expires_at": "9999-12-31T23:59:59-23:59"},
    ],
)
def test_a_value_without_an_expiry_in_the_past_is_a_valid_login(value: Any) -> None:
    assert is_valid(value, NOON)


@settings(max_examples=150, deadline=None)
@given(
    st.one_of(
        st.recursive(st.none() | st.booleans() | st.floats() | st.text(), lambda inner: st.lists(inner, max_size=3)),
        st.text(alphabet="eyJabc.-_=/0", max_size=40),
        st.binary(max_size=40).map(lambda raw: f"e30.{base64.urlsafe_b64encode(raw).decode().rstrip('=')}.x"),
        st.dictionaries(st.text(max_size=4), st.floats() | st.text(max_size=9), max_size=3).map(lambda it: jwt(**it)),
    ),
    st.none() | st.floats() | st.integers() | st.text(max_size=30),
)
def test_nothing_that_a_token_contains_raises(token: Any, expires_at: Any) -> None:
    assert is_valid({"access_token": token, "expires_at": expires_at}, NOON) in (True, False)
