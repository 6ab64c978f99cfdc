"""The social login: its dialog, the exchange, the inspection of the token and what the entity holds afterwards."""

from __future__ import annotations

import hashlib
import hmac
from typing import Any
from urllib.parse import parse_qs, urlsplit

import msgspec
import pytest

from dialoom.auth.provider import (
    Asked,
    Inspection,
    SocialClient,
    TokenAnswer,
    Wrong,
    appsecret_proof,
    dialog_address,
    exchange_request,
    inspection_request,
    read_inspection,
    social_value,
)
from dialoom.auth.secret import Secret
from tests.auth.provider.right import GONE, NOW, body, changed, code_of

APP_SECRET = "the app's secret"
CLIENT = SocialClient(
    app_id="138483919580948",
    app_secret=Secret(APP_SECRET),
    dialog_url="https://social.example/v9/dialog/oauth",
    graph_url="https://graph.social.example/v9/",
)
REDIRECT = "https://bots.example/v1/account-linking"
ASKED = Asked(state="S", nonce="N", verifier="V", redirect_uri=REDIRECT)
DATA: dict[str, Any] = {
    "app_id": "138483919580948",
    "type": "USER",
    "application": "Clinic",
    "expires_at": NOW + 5_000_000,
    "is_valid": True,
    "issued_at": NOW,
    "scopes": ["email", "public_profile"],
    "user_id": "1207059",
}


def read(data: Any, status: int = 200) -> Inspection:
    return read_inspection(status, body({"data": data}), CLIENT, NOW)


def refusal(value: Any, status: int = 200) -> str:
    with pytest.raises(Wrong) as caught:
        read_inspection(status, body(value), CLIENT, NOW)
    return code_of(caught)


def proof(token: str) -> str:
    return hmac.new(APP_SECRET.encode(), token.encode(), hashlib.sha256).hexdigest()


def test_the_browser_is_sent_to_the_dialog_with_the_state() -> None:
    address = dialog_address(CLIENT, ASKED)
    assert address.startswith(f"{CLIENT.dialog_url}?")
    assert parse_qs(urlsplit(address).query) == {
        "client_id": ["138483919580948"],
        "redirect_uri": [REDIRECT],
        "response_type": ["code"],
        "state": ["S"],
    }


def test_a_query_of_the_dialogs_address_stays() -> None:
    client = msgspec.structs.replace(CLIENT, dialog_url="https://social.example/dialog?display=popup")
    assert dialog_address(client, ASKED).startswith("https://social.example/dialog?display=popup&client_id=")


def test_the_code_is_exchanged_with_the_secret_in_the_body() -> None:
    request = exchange_request(CLIENT, "the code", REDIRECT, trusted_host=True)
    assert (request.method, request.url) == ("POST", "https://graph.social.example/v9/oauth/access_token")
    assert (request.retries, request.timeout, request.trusted_host) == (0, 10.0, True)
    assert parse_qs((request.body or b"").decode()) == {
        "client_id": ["138483919580948"],
        "client_secret": [APP_SECRET],
        "redirect_uri": [REDIRECT],
        "code": ["the code"],
    }


def test_a_token_is_inspected_as_the_app_with_the_proof_of_its_secret() -> None:
    request = inspection_request(CLIENT, "the token")
    assert request.method == "GET"
    assert request.url.startswith("https://graph.social.example/v9/debug_token?")
    assert (request.retries, request.timeout, request.trusted_host) == (0, 10.0, False)
    own = f"138483919580948|{APP_SECRET}"
    assert parse_qs(urlsplit(request.url).query) == {
        "input_token": ["the token"],
        "access_token": [own],
        "appsecret_proof": [proof(own)],
    }
    assert appsecret_proof(CLIENT, "the token") == proof("the token")


def test_the_inspection_says_whose_token_it_is_and_until_when() -> None:
    assert read(DATA) == Inspection(user_id="1207059", expires_at=NOW + 5_000_000.0, scope="email public_profile")


@pytest.mark.parametrize(
    ("changes", "found"),
    [
        ({"app_id": 138483919580948, "user_id": 1207059}, Inspection(user_id="1207059")),
        ({"type": GONE, "scopes": ["a\nb"]}, Inspection(user_id="1207059")),
        ({"scopes": "email", "expires_at": GONE}, Inspection(user_id="1207059")),
        ({"scopes": ["s"] * 101}, Inspection(user_id="1207059")),
    ],
)
def test_ids_may_be_numbers_and_a_token_may_never_expire(changes: dict[str, Any], found: Inspection) -> None:
    assert read(changed(DATA, {"expires_at": 0, "scopes": []} | changes)) == found


CASES: list[tuple[dict[str, Any], str]] = [
    ({"is_valid": False}, "social-valid"),
    ({"is_valid": GONE}, "social-valid"),
    ({"is_valid": "true"}, "social-valid"),
    ({"is_valid": 1}, "social-valid"),
    ({"app_id": "666"}, "social-app"),
    ({"app_id": GONE}, "social-app"),
    ({"app_id": ["138483919580948"]}, "social-app"),
    ({"app_id": 138483919580948.0}, "social-app"),
    ({"type": "PAGE"}, "social-type"),
    ({"type": None}, "social-type"),
    ({"expires_at": NOW}, "social-expiry"),
    ({"expires_at": -1}, "social-expiry"),
    ({"expires_at": "soon"}, "social-expiry"),
    ({"expires_at": True}, "social-expiry"),
    ({"expires_at": 10**400}, "social-expiry"),
    ({"user_id": GONE}, "social-user"),
    ({"user_id": ""}, "social-user"),
    ({"user_id": " "}, "social-user"),
    ({"user_id": True}, "social-user"),
    ({"user_id": 10**400}, "social-user"),
    ({"user_id": "a" * 256}, "social-user"),
    ({"user_id": "a\nb"}, "social-user"),
]


@pytest.mark.parametrize(("changes", "code"), CASES)
def test_an_inspection_that_is_wrong_in_one_point_is_refused(changes: dict[str, Any], code: str) -> None:
    assert refusal({"data": changed(DATA, changes)}) == code


BODIES: list[tuple[int, Any, str]] = [
    (200, b"", "social-json"),
    (200, b"<html>", "social-json"),
    (200, DATA, "social-json"),
    (200, {"data": [DATA]}, "social-json"),
    (200, {"data": None}, "social-json"),
    (200, {"data": {"error": {"code": 190}, "is_valid": False}}, "social-valid"),
    (400, {"error": {"message": "s3cret", "code": 190}}, "social-status"),
    (302, {"data": DATA}, "social-status"),
]


@pytest.mark.parametrize(("status", "value", "code"), BODIES)
def test_what_is_no_inspection_is_refused(status: int, value: Any, code: str) -> None:
    assert refusal(value, status) == code


@pytest.mark.parametrize(
    ("expires_in", "expires_at", "held"),
    [
        (3600.0, NOW + 5000.0, NOW + 3600),
        (9000.0, NOW + 5000.0, NOW + 5000),
        (None, NOW + 5000.0, NOW + 5000),
        (3600.0, None, NOW + 3600),
        (None, None, None),
    ],
)
def test_the_entity_holds_the_earlier_of_the_two_expiries(
    expires_in: float | None, expires_at: float | None, held: int | None
) -> None:
    value = social_value(
        TokenAnswer(access_token="T", expires_in=expires_in),
        Inspection(user_id="1207059", expires_at=expires_at, scope="email"),
        NOW,
    )
    assert value.pop("expires_at", None) == held
    assert value == {"access_token": "T", "token_type": "Bearer", "scope": "email", "sub": "1207059"}


def test_no_secret_shows_in_what_is_printed() -> None:
    shown = repr((CLIENT, read(DATA)))
    assert APP_SECRET not in shown
    assert "1207059" not in shown
