from __future__ import annotations

from typing import Any

import pytest

from dialoom.flow import check_files
from tests.flow.files import said, texts


def of_channel(rule: str, **keys: Any) -> list[str]:
    channel = {"id": "a", "type": "web"} | {key.replace("_", "-"): value for key, value in keys.items()}
    return said(check_files(texts({"id": "bot", "channels": [channel]}, {"conversations": {}})), rule)


def test_a_key_of_another_platform_is_told() -> None:
    assert of_channel("platform-key", bot_name="x", token="t") == [
        'channels/0/bot-name: "bot-name" belongs to a messenger-3 channel; this one is web. Remove it, or change the type.'
    ]
    assert of_channel("platform-key", type="messenger-3", bot_name="x") == []


@pytest.mark.parametrize("origin", ["https://example.com", "http://localhost:8080", "https://[::1]:443"])
def test_an_origin_is_scheme_host_and_port(origin: str) -> None:
    assert of_channel("bad-origin", allowed_origins=[origin]) == []


@pytest.mark.parametrize(
    ("origin", "words"),
    [
        ("*", "List each origin"),
        ("https://*.example.com", "List each origin"),
        ("https://example.com/", 'Did you mean "https://example.com"?'),
        ("https://example.com/chat", "without a path"),
        ("example.com", "is no origin"),
        ("null", "is no origin"),
    ],
)
def test_what_is_no_single_origin_is_refused(origin: str, words: str) -> None:
    (message,) = of_channel("bad-origin", allowed_origins=["https://example.com", origin])
    assert message.startswith("channels/0/allowed-origins/1: ")
    assert words in message


@pytest.mark.parametrize("type", ["web", "mobile", "rest"])
def test_user_tokens_need_the_key_that_checks_them(type: str) -> None:
    secret = {"env": "BOT_KEY"}
    assert of_channel("user-token", type=type, user_secret=secret, require_user_token=True) == []
    assert of_channel("user-token", type=type, require_user_token=False) == []
    assert of_channel("user-token", type=type, require_user_token=True, user_token_algorithm="ES256") == [
        f'channels/0/{key}: "{key}" needs "user-secret", the key that checks the tokens. Add it, or remove "{key}".'
        for key in ("require-user-token", "user-token-algorithm")
    ]


def test_a_platform_that_knows_its_users_takes_no_user_tokens() -> None:
    (message,) = of_channel("user-token", type="messenger-3", user_secret={"env": "BOT_KEY"})
    assert message.startswith('channels/0/user-secret: "user-secret" is for web, mobile, rest channels')


def test_a_login_that_any_page_can_set_is_warned_of() -> None:
    (message,) = of_channel("login-from-page", login_from_page=True)
    assert "Prefer user-secret" in message
    assert of_channel("login-from-page", login_from_page=False) == []


def test_a_public_key_is_no_secret() -> None:
    pem = "-----BEGIN PUBLIC KEY-----"
    assert of_channel("literal-secret", user_secret=pem, user_token_algorithm="ES256") == []
    assert len(of_channel("literal-secret", user_secret="x" * 32)) == 1


def test_a_callback_has_an_address_and_a_secret_and_stands_on_a_rest_channel() -> None:
    url, secret = "https://example.com/bot", {"env": "BOT_CALLBACK"}
    assert of_channel("callback", type="rest", callback_url=url, callback_secret=secret) == []
    assert of_channel("callback", type="rest") == []
    (alone,) = of_channel("callback", type="rest", callback_url=url)
    assert alone.startswith('channels/0/callback-url: "callback-url" needs "callback-secret"')
    (alone,) = of_channel("callback", type="rest", callback_secret=secret)
    assert alone.startswith('channels/0/callback-secret: "callback-secret" signs what is posted')
    elsewhere = of_channel("platform-key", type="web", callback_url=url, callback_secret=secret)
    assert len(elsewhere) == 2
    assert all("belongs to a rest channel; this one is web" in message for message in elsewhere)


@pytest.mark.parametrize(
    ("address", "is_right"),
    [
        ("https://example.com", True),
        ("http://127.0.0.1:8080/in?key=1", True),
        ("https://example.com:65535", True),
        ("https://example.com/in#a", False),
        ("https://example.com#a", False),
        ("https://example.com:65536/in", False),
        ("https://example.com:99999999999/in", False),
        ("https://example.com:0/in", False),
        ("https://example.com:https/in", False),
        ("https://:443/in", False),
        ("https://[::1/in", False),
        ("https:///in", False),
        ("https://[::1]:443/", True),
        ("example.com/in", False),
        ("ftp://example.com/", False),
        ("https://ada:word@example.com/", False),
        ("https://{{host}}/in", False),
        ("https://example.com/{{user.id}}", False),
        ("https://", False),
    ],
)
def test_where_is_posted_is_a_whole_literal_address(address: str, is_right: bool) -> None:
    of_a_channel = of_channel("post-address", type="rest", callback_url=address)
    bot = {"id": "bot", "live-agents": {"desk": address}}
    of_an_agent = said(check_files(texts(bot, {"conversations": {}})), "post-address")
    assert [bool(found) for found in (of_a_channel, of_an_agent)] == [not is_right] * 2
    if not is_right:
        assert of_an_agent[0].startswith("live-agents/desk: Nothing can be posted there")
