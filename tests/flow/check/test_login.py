from __future__ import annotations

from typing import Any

import pytest

from dialoom.flow import Finding
from tests.flow.files import said, steps

OIDC = {"issuer": "https://id.example.com", "client-id": "bot", "client-secret": {"env": "BOT_S"}}
SOCIALNET = {"app-id": "1", "app-secret": {"env": "BOT_S"}}


def of_login(**keys: Any) -> list[Finding]:
    authentication = {
        "entity": "auth",
        "messages": ["Log in."],
        "acknowledgements": ["Thanks."],
        "display": {"type": "login", "template": {"title": "Log in"}},
        **{key.replace("_", "-"): value for key, value in keys.items()},
    }
    return steps(settings={"authentication": authentication})


def test_exactly_one_provider_is_accepted() -> None:
    assert of_login(oidc=OIDC) == of_login(socialnet=SOCIALNET) == []


def test_none_and_two_providers_are_wrong() -> None:
    assert "No provider" in said(of_login(), "login-provider")[0]
    assert "cannot stand together" in said(of_login(oidc=OIDC, socialnet=SOCIALNET), "login-provider")[0]


def test_the_strategy_of_workchat_names_the_provider() -> None:
    workchat = {"connection-name": "c", "strategy": "socialnet"}
    assert said(of_login(oidc=OIDC, workchat=workchat), "login-provider") == [
        'settings/authentication/workchat/strategy: The strategy must be "oidc", as that provider is given.'
    ]
    assert of_login(socialnet=SOCIALNET, workchat=workchat) == []


@pytest.mark.parametrize(
    "name", ["client_id", "redirect_uri", "response_type", "state", "nonce", "code_challenge", "code_challenge_method"]
)
def test_what_the_service_sends_cannot_be_overridden(name: str) -> None:
    (message,) = said(of_login(oidc={**OIDC, "authorization-params": {name: "x", "prompt": "login"}}), "login-reserved")
    assert f'"{name}" is sent by the service itself' in message


@pytest.mark.parametrize(
    ("issuer", "is_right"),
    [
        ("https://id.example.com/tenant", True),
        ("http://localhost:9000", True),
        ("http://127.0.0.1", True),
        ("http://[::1]:9000/x", True),
        ("http://id.example.com", False),
        ("http://localhost.example.com", False),
        ("id.example.com", False),
    ],
)
def test_an_issuer_is_https_or_on_loopback(issuer: str, is_right: bool) -> None:
    assert (said(of_login(oidc={**OIDC, "issuer": issuer}), "login-issuer") == []) is is_right


@pytest.mark.parametrize(
    "address", ["https://{{host}}/", "/done", "javascript:alert(1)", "https://a.at/?u={{user.Id}}"]
)
def test_the_page_after_a_login_is_a_literal_address(address: str) -> None:
    assert len(said(of_login(oidc=OIDC, confirmation_page_redirect_url_web=address), "login-redirect")) == 1


def test_binding_is_given_by_channel_label() -> None:
    assert of_login(oidc=OIDC, binding="code") == []
    (message,) = said(of_login(oidc=OIDC, binding={"messenger-1": "confirm", "mesenger-2": "off"}), "login-binding")
    assert message.endswith('"mesenger-2" is no channel label. Did you mean "messenger-2"?')


def test_a_protected_step_needs_authentication() -> None:
    assert len(said(steps({"type": "message", "protected": True}), "login-missing")) == 1
    assert said(steps({"type": "message", "protected": False}), "login-missing") == []
