"""Whatever a provider answers is either right or refused with a check, never a crash; and nothing unsigned is believed."""

from __future__ import annotations

import json
import string
from typing import Any

from hypothesis import assume, example, given
from hypothesis import strategies as st

from dialoom.auth.provider import (
    CallbackParams,
    Wrong,
    check_id_token,
    id_token_of,
    read_callback,
    read_checked,
    read_inspection,
    read_keys,
    read_metadata,
    read_token_answer,
    social_value,
)
from dialoom.auth.provider.addresses import read_address
from dialoom.auth.provider.id_token import SKEW
from dialoom.auth.provider.metadata import ALGORITHMS
from tests.auth.provider import test_social
from tests.auth.provider.drawn import BYTES, FEW, JSON, answers, changes, cut
from tests.auth.provider.right import (
    ANSWER,
    CLAIMS,
    CLIENT_ID,
    ED25519,
    HEADER,
    ISSUER,
    KEYS,
    METADATA,
    NONCE,
    NOW,
    P256,
    RSA,
    body,
    changed,
    expected,
    jwk,
    signed,
)
from tests.auth.tokens import part

STATUSES = st.sampled_from([200, 200, 200, 200, 201, 302, 400, 401, 500]) | st.integers(100, 599)

# -- metadata and keys


@FEW
@given(BYTES | cut(body(METADATA)) | changes(METADATA).map(lambda some: body(METADATA | some)))
def test_any_metadata_leads_to_endpoints_of_the_issuers_class_or_nowhere(data: bytes) -> None:
    try:
        found = read_metadata(data, ISSUER)
    except Wrong:
        return
    for endpoint in (found.authorization_endpoint, found.token_endpoint, found.jwks_uri, found.revocation_endpoint):
        address = read_address(endpoint)
        assert endpoint is None or (address is not None and address.scheme == "https")
    assert found.issuer == ISSUER
    assert set(found.algorithms) <= set(ALGORITHMS)
    assert found.algorithms


@FEW
@given(
    BYTES
    | cut(body({"keys": [jwk(RSA, "rsa"), jwk(P256, "ec"), jwk(ED25519, "ed")]}))
    | st.tuples(
        st.sampled_from([RSA, P256, ED25519]), changes(["kty", "n", "e", "crv", "x", "y", "alg", "kid", "use"])
    ).map(lambda how: body({"keys": [jwk(how[0]) | how[1]]}))
    | JSON.map(lambda value: body({"keys": value}))
)
@example(body({"keys": [jwk(RSA) | {"e": "AQAC"}]}))
@example(body({"keys": [jwk(P256) | {"x": "A" * 2048}]}))
def test_any_keys_are_read_or_refused(data: bytes) -> None:
    try:
        found = read_keys(data)
    except Wrong:
        return
    assert all(key.algorithms and key.algorithms <= set(ALGORITHMS) for key in found.keys)


# -- what a login brings


@FEW
@given(st.integers(100, 599), BYTES | cut(body(ANSWER)) | changes(ANSWER).map(lambda some: body(ANSWER | some)))
@example(200, body(ANSWER))
def test_any_token_answer_has_tokens_that_a_header_can_hold_or_is_refused(status: int, data: bytes) -> None:
    try:
        found = read_token_answer(status, data)
    except Wrong:
        return
    assert status == 200
    assert found.access_token.isascii()
    assert found.access_token.isprintable()
    assert found.token_type == "Bearer"
    assert found.id_token is None or id_token_of(found)
    assert found.expires_in is None or found.expires_in > 0


# -- the social login: exchange of the code, inspection of the token, what the entity holds of both

EXCHANGED: dict[str, Any] = {"access_token": "opaque", "token_type": "bearer", "expires_in": 5_184_000}
REFUSED: dict[str, Any] = {"error": {"message": "no such code", "type": "OAuthException", "code": 100}}


@FEW
@given(STATUSES, answers(EXCHANGED, "error", "scope", "id_token") | answers(REFUSED))
@example(200, body(EXCHANGED))
@example(200, body(REFUSED))
@example(200, b"access_token=opaque&expires=5184000")
def test_any_exchange_gives_a_token_that_a_header_can_hold_or_is_refused(status: int, data: bytes) -> None:
    try:
        found = read_token_answer(status, data)
    except Wrong:
        return
    assert status == 200
    assert found.access_token == json.loads(data)["access_token"]
    assert found.access_token.isascii()
    assert found.access_token.isprintable()
    assert found.expires_in is None or found.expires_in > 0


@FEW
@given(
    STATUSES,
    answers({"data": test_social.DATA}, "error")
    | answers(test_social.DATA, "error").map(lambda data: b'{"data": ' + data + b"}")
    | answers(REFUSED),
)
@example(200, body({"data": test_social.DATA}))
def test_any_inspection_is_of_our_app_and_a_user_or_refused(status: int, data: bytes) -> None:
    try:
        found = read_inspection(status, data, test_social.CLIENT, NOW)
    except Wrong:
        return
    assert status == 200
    told = json.loads(data)["data"]
    assert told["is_valid"] is True
    assert str(told["app_id"]) == test_social.CLIENT.app_id
    assert told.get("type", "USER") == "USER"
    assert found.user_id == str(told["user_id"])
    assert found.expires_at is None or found.expires_at > NOW


@FEW
@given(answers(EXCHANGED, "scope"), answers(test_social.DATA).map(lambda data: b'{"data": ' + data + b"}"))
@example(body(EXCHANGED), body({"data": test_social.DATA}))
def test_any_two_answers_that_are_taken_make_a_value_that_memory_can_hold(exchange: bytes, inspection: bytes) -> None:
    try:
        answer = read_token_answer(200, exchange)
        value = social_value(answer, read_inspection(200, inspection, test_social.CLIENT, NOW), NOW)
    except Wrong:
        return
    assert value["access_token"] == answer.access_token
    assert value["sub"].strip()
    assert isinstance(value.get("scope", ""), str)
    assert isinstance(value.get("expires_at", NOW + 1), int)
    assert value.get("expires_at", NOW + 1) >= NOW
    assert json.loads(json.dumps(value)) == value


@FEW
@given(st.lists(st.tuples(st.sampled_from(["code", "state", "iss", "error", "x"]), st.text(max_size=20)), max_size=6))
def test_any_redirect_has_a_code_or_an_error_or_is_refused(params: list[tuple[str, str]]) -> None:
    try:
        found = read_callback(params)
    except Wrong:
        return
    assert isinstance(found, CallbackParams)
    assert (found.code is None) != (found.error is None)


# -- ID tokens


LETTERS = string.ascii_letters + string.digits + "-_"


@FEW
@given(st.text(max_size=100) | st.lists(BYTES.map(part), min_size=2, max_size=4).map(".".join))
def test_no_text_is_a_token_by_chance(text: str) -> None:
    assert not believes(text)


@FEW
@given(st.integers(0, len(signed()) - 1), st.sampled_from(LETTERS + ".=+/ \n"))
def test_a_token_with_one_other_character_is_refused(at: int, letter: str) -> None:
    token = signed()
    assume(token[at] != letter)
    assert not believes(token[:at] + letter + token[at + 1 :])


@FEW
@given(changes([*HEADER, "crit", "b64", "jwk"]), changes([*CLAIMS, "azp"]))
def test_other_header_or_claims_under_a_right_signature_of_the_right_ones_are_refused(
    header: dict[str, Any], claims: dict[str, Any]
) -> None:
    head, payload, signature = signed().split(".")
    other_head, other_payload = part(body(changed(HEADER, header))), part(body(changed(CLAIMS, claims)))
    assume((other_head, other_payload) != (head, payload))
    assert not believes(f"{other_head}.{other_payload}.{signature}")


@FEW
@given(changes([*HEADER, "crit", "b64", "jwk", "x5c"]))
def test_any_header_that_is_rightly_signed_keeps_the_algorithm_and_the_key(header: dict[str, Any]) -> None:
    if believes(signed(header=HEADER | header)):
        assert header.get("alg", "RS256") == "RS256"
        assert header.get("kid", "rsa") == "rsa"


@FEW
@given(changes([*CLAIMS, "azp", "nbf", "auth_time"]) | JSON)
def test_any_claims_that_are_rightly_signed_are_those_of_this_login_or_refused(claims: Any) -> None:
    all_claims = CLAIMS | claims if isinstance(claims, dict) else claims
    if believes(signed(all_claims)):
        assert (all_claims["iss"], all_claims["nonce"], all_claims["at_hash"]) == (ISSUER, NONCE, CLAIMS["at_hash"])
        assert all_claims["aud"] in (CLIENT_ID, [CLIENT_ID])
        assert all_claims["exp"] > NOW - SKEW
        assert all_claims["sub"].strip()


@FEW
@given(st.text(max_size=100) | st.lists(BYTES.map(part), min_size=3, max_size=3).map(".".join) | JSON.map(signed))
def test_reading_what_was_checked_earlier_never_crashes(text: str) -> None:
    try:
        found = read_checked(text)
    except Wrong:
        return
    assert found.sub.strip()


def believes(token: str) -> bool:
    try:
        check_id_token(token, KEYS, expected())
    except Wrong:
        return False
    return True
