"""What goes to a provider: each parameter in its place, the secret where it belongs, and nothing twice."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, unquote_plus, urlsplit

import msgspec
import pytest

from dialoom.auth.provider import (
    Asked,
    OidcClient,
    authorization_address,
    discovery_request,
    keys_request,
    max_age_of,
    refresh_request,
    revocation_request,
    token_request,
)
from dialoom.auth.secret import Secret
from tests.auth.provider.right import CLIENT, CLIENT_ID, CLIENT_SECRET, FOUND, ISSUER

if TYPE_CHECKING:
    from dialoom.engine.effects import Request

# The example of RFC 7636, appendix B.
VERIFIER = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
CHALLENGE = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
REDIRECT = "https://bots.example/v1/account-linking"
ASKED = Asked(state="S", nonce="N", verifier=VERIFIER, redirect_uri=REDIRECT)
POST = msgspec.structs.replace(FOUND, client_auth="post")


def client(**changes: Any) -> OidcClient:
    return msgspec.structs.replace(CLIENT, **changes)


def asked(**params: Any) -> list[tuple[str, str]]:
    return query(authorization_address(FOUND, client(params=params), ASKED))


def query(address: str) -> list[tuple[str, str]]:
    return parse_qsl(urlsplit(address).query, keep_blank_values=True, strict_parsing=True)


def form(request: Request) -> list[tuple[str, str]]:
    assert request.body is not None
    return parse_qsl(request.body.decode(), keep_blank_values=True, strict_parsing=True)


# -- the browser


def test_the_browser_is_sent_with_state_nonce_and_the_challenge_of_the_verifier() -> None:
    address = authorization_address(FOUND, CLIENT, ASKED)
    assert address.startswith(f"{FOUND.authorization_endpoint}?")
    assert query(address) == [
        ("response_type", "code"),
        ("client_id", CLIENT_ID),
        ("redirect_uri", REDIRECT),
        ("scope", "openid profile"),
        ("state", "S"),
        ("nonce", "N"),
        ("code_challenge", CHALLENGE),
        ("code_challenge_method", "S256"),
    ]
    assert VERIFIER not in address
    assert CLIENT_SECRET not in address


def test_the_endpoints_own_query_stays() -> None:
    endpoint = "https://id.example/authorize?tenant=clinic"
    address = authorization_address(msgspec.structs.replace(FOUND, authorization_endpoint=endpoint), CLIENT, ASKED)
    assert query(address)[:2] == [("tenant", "clinic"), ("response_type", "code")]


@pytest.mark.parametrize(
    ("scope", "params", "sent"),
    [
        (None, {}, "openid"),
        ("", {}, "openid"),
        ("email  openid profile", {}, "openid email profile"),
        ("email", {"scope": "offline_access email"}, "openid email offline_access"),
    ],
)
def test_the_scope_always_has_openid_and_each_word_once(scope: str | None, params: dict[str, Any], sent: str) -> None:
    found = query(authorization_address(FOUND, client(scope=scope, params=params), ASKED))
    assert [value for name, value in found if name == "scope"] == [sent]


@pytest.mark.parametrize(
    ("name", "value", "sent"),
    [
        ("claims", '{"userinfo": {}}', [("claims", '{"userinfo": {}}')]),
        ("claims", {"id_token": {"acr": None}}, [("claims", '{"id_token":{"acr":null}}')]),
        ("resources", ["https://a", "urn:b"], [("resource", "https://a"), ("resource", "urn:b")]),
        ("resources", "https://a", [("resource", "https://a")]),
        ("prompt", "select account & more", [("prompt", "select account & more")]),
        ("max_age", 600, [("max_age", "600")]),
        ("claims_lax", True, [("claims_lax", "true")]),
        ("factor", 0.5, [("factor", "0.5")]),
        ("ui_locales", ["de", "fr"], [("ui_locales", "de"), ("ui_locales", "fr")]),
        ("details", [{"type": "ä"}, ["x"]], [("details", '{"type":"ä"}'), ("details", '["x"]')]),
        ("login_hint", None, []),
        ("none", [], []),
    ],
)
def test_further_parameters_go_as_their_kind_says(name: str, value: Any, sent: list[tuple[str, str]]) -> None:
    if name == "resources":
        sent = [*sent, *(("resources", text) for _, text in sent)]
    assert asked(**{name: value})[8:] == sent


def test_what_belongs_to_the_login_is_never_overridden() -> None:
    own = ("client_id", "redirect_uri", "response_type", "state", "nonce", "code_challenge", "code_challenge_method")
    assert asked(**dict.fromkeys(own, "evil")) == asked()


@pytest.mark.parametrize(
    ("value", "seconds"),
    [(600, 600.0), ("600", 600.0), (0, 0.0), (None, None), (True, None), ("soon", None), (-1, None)],
)
def test_the_age_of_a_login_that_is_asked_for_is_known(value: Any, seconds: float | None) -> None:
    assert max_age_of(client(params={"max_age": value})) == seconds
    assert max_age_of(CLIENT) is None


# -- the service


REQUESTS = [
    discovery_request(ISSUER),
    keys_request(FOUND),
    token_request(FOUND, CLIENT, "the code", ASKED),
    refresh_request(FOUND, CLIENT, "the refresh token"),
    revocation_request("https://id.example/revoke", CLIENT, "the token", "refresh_token"),
]


@pytest.mark.parametrize("request_", REQUESTS)
def test_no_call_is_tried_again_or_has_more_than_ten_seconds(request_: Request) -> None:
    assert (request_.retries, request_.timeout, request_.idempotency_key, request_.trusted_host) == (
        0,
        10.0,
        None,
        False,
    )
    assert dict(request_.headers)["Accept"] == "application/json"


def test_metadata_and_keys_are_fetched_from_where_they_lie() -> None:
    assert discovery_request(ISSUER).url == f"{ISSUER}/.well-known/openid-configuration"
    assert keys_request(FOUND, trusted_host=True).url == FOUND.jwks_uri
    assert keys_request(FOUND, trusted_host=True).trusted_host is True


def test_the_code_goes_with_the_verifier_and_the_same_redirect_address() -> None:
    request = token_request(FOUND, CLIENT, "c/+ &", ASKED, trusted_host=True)
    assert (request.method, request.url, request.trusted_host) == ("POST", FOUND.token_endpoint, True)
    assert dict(request.headers)["Content-Type"] == "application/x-www-form-urlencoded"
    assert form(request) == [
        ("grant_type", "authorization_code"),
        ("code", "c/+ &"),
        ("redirect_uri", REDIRECT),
        ("code_verifier", VERIFIER),
    ]


def test_a_refresh_sends_the_refresh_token() -> None:
    request = refresh_request(FOUND, CLIENT, "8xLOxBtZp8")
    assert request.url == FOUND.token_endpoint
    assert form(request) == [("grant_type", "refresh_token"), ("refresh_token", "8xLOxBtZp8")]


def test_a_token_is_given_back_with_its_kind() -> None:
    request = revocation_request("https://id.example/revoke", CLIENT, "T", "access_token")
    assert (request.method, request.url) == ("POST", "https://id.example/revoke")
    assert form(request) == [("token", "T"), ("token_type_hint", "access_token")]


@pytest.mark.parametrize("request_", REQUESTS[2:])
def test_the_secret_goes_into_the_header(request_: Request) -> None:
    scheme, _, pair = dict(request_.headers)["Authorization"].partition(" ")
    id, _, secret = base64.b64decode(pair).decode().partition(":")
    assert (scheme, unquote_plus(id), unquote_plus(secret)) == ("Basic", CLIENT_ID, CLIENT_SECRET)
    assert not {"client_id", "client_secret"} & dict(form(request_)).keys()


@pytest.mark.parametrize(
    "request_",
    [
        token_request(POST, CLIENT, "c", ASKED),
        refresh_request(POST, CLIENT, "r"),
        revocation_request("https://id.example/revoke", CLIENT, "t", "access_token", client_auth="post"),
    ],
)
def test_the_secret_goes_into_the_body_where_only_that_is_offered(request_: Request) -> None:
    assert "Authorization" not in dict(request_.headers)
    assert form(request_)[-2:] == [("client_id", CLIENT_ID), ("client_secret", CLIENT_SECRET)]


@pytest.mark.parametrize(
    ("id", "secret", "header"),
    [
        # The example of RFC 6749, section 2.3.1.
        ("s6BhdRkqt3", "7Fjfp0ZBr1KtDRbnfVdmIw", "Basic czZCaGRSa3F0Mzo3RmpmcDBaQnIxS3REUmJuZlZkbUl3"),
        ("a:b c", "ä%+/", "Basic " + base64.b64encode(b"a%3Ab+c:%C3%A4%25%2B%2F").decode()),
    ],
)
def test_id_and_secret_are_form_encoded_before_basic_joins_them(id: str, secret: str, header: str) -> None:
    bot = client(client_id=id, client_secret=Secret(secret))
    assert dict(token_request(FOUND, bot, "c", ASKED).headers)["Authorization"] == header


@pytest.mark.parametrize(
    ("resources", "sent"),
    [(["https://a"], ["https://a"]), ("https://a", ["https://a"]), (["https://a", "https://b"], [])],
)
def test_an_access_token_is_for_the_one_resource_that_was_asked_for(resources: Any, sent: list[str]) -> None:
    bot = client(params={"resources": resources})
    for request in (token_request(FOUND, bot, "c", ASKED), refresh_request(FOUND, bot, "r")):
        assert [value for name, value in form(request) if name == "resource"] == sent


def test_neither_secret_nor_verifier_shows_in_what_is_printed() -> None:
    shown = repr((CLIENT, ASKED))
    assert CLIENT_SECRET not in shown
    assert VERIFIER not in shown
