"""What context from a page may not set, per bot and channel."""

from __future__ import annotations

import json
from typing import Any

import pytest

from dialoom.channels._contract.limits import check_page_context, check_trusted_context
from dialoom.errors import RequestError
from dialoom.flow import read_files
from dialoom.service.bots.reserved_names import page_reserved, reserved_on

STEPS: list[dict[str, Any]] = [
    {"type": "question", "entity": "kind", "entity-type": "Text", "messages": ["Which?"]},
    {"type": "webhook", "entity": "order", "data-source": {"endpoint": "https://shop.example/order"}},
    {"type": "confirmation", "entity": "sure", "messages": ["Sure?"]},
    {"type": "entities-confirmation", "entity": "reviewed", "entities": ["kind"], "messages": ["All right?"]},
    {"type": "command", "command": "set-entity", "entity": "price", "data": "5"},
    {"type": "command", "command": "invalidate-entity kind"},
    {"type": "webhook", "data-source": {"endpoint": "https://shop.example/log"}},
]
LOGIN = {
    "entity": "login",
    "messages": ["Log in."],
    "acknowledgements": ["Thanks."],
    "display": {"type": "login", "template": {"title": "Log in"}},
    "oidc": {"issuer": "https://id.example", "client-id": "a", "client-secret": {"env": "BOT_SECRET"}},
}
CHANNELS = [
    {"id": "web", "type": "web"},
    {"id": "open", "type": "web", "login-from-page": True},
]


def reserved(channel: str = "web", **settings: Any) -> Any:
    goal = {"type": "goal", "display-name": "an order", "steps": STEPS}
    flow = {"conversations": {"order": goal}, "settings": {"persist-entities": ["name", "login"]} | settings}
    files = {"bot.json": json.dumps({"id": "shop", "channels": CHANNELS}), "flow.json": json.dumps(flow)}
    files["training.json"] = json.dumps({"entity-definitions": []})
    bot = read_files(files)
    return reserved_on(bot, page_reserved(bot), next(c for c in bot.channels if c.id == channel))


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("user", "profile"),
        ("conversation", "open goal"),
        ("login", "login-from-page"),
        ("name", "persist-entities"),
        ("order", "a step of type webhook writes it"),
        ("sure", "a step of type confirmation writes it"),
        ("reviewed", "a step of type entities-confirmation writes it"),
        ("price", "a set-entity step writes it"),
        ("_system", "belong to the service"),
        ("_", "belong to the service"),
    ],
)
@pytest.mark.parametrize("value", [1, None])
def test_a_page_never_sets_what_the_flow_relies_on(name: str, words: str, value: Any) -> None:
    with pytest.raises(RequestError, match=words) as caught:
        check_page_context({"shop": "x", name: value}, reserved(authentication=LOGIN), "/context")
    assert caught.value.code == "context-refused"
    assert caught.value.pointer == f"/context/{name}"
    assert f'"{name}"' in caught.value.detail


def test_a_page_sets_what_a_question_asks_for_and_what_no_step_knows() -> None:
    told = {"kind": "green", "shop": {"id": 1}, "User": 1}
    assert check_page_context(told, reserved(authentication=LOGIN), "/context") == told


def test_login_from_page_opens_the_login_on_that_channel_alone() -> None:
    assert "login" in reserved("web", authentication=LOGIN)
    opened = reserved("open", authentication=LOGIN)
    assert "login" not in opened
    assert {"user", "conversation", "name", "order"} <= set(opened)
    assert "login" in reserved("open")


def test_signed_context_sets_all_but_names_of_the_service() -> None:
    told = {"user": {"FirstName": "Ada"}, "order": {"number": 1}, "login": {"access_token": "x"}}
    assert check_trusted_context(told, "/context") == told
    with pytest.raises(RequestError, match='"_names"'):
        check_trusted_context({"_names": 1}, "/context")
