"""ID tokens: what is taken, and every reason to refuse one."""

from __future__ import annotations

import hashlib
import hmac
from typing import Any

import pytest
from cryptography.hazmat.primitives import serialization

from dialoom.auth.provider import Claims, Expected, UnknownKey, Wrong, check_id_token, read_checked, read_keys
from dialoom.auth.provider.id_token import CLAIM_RULES, HEADER_RULES, MAX_ID_TOKEN_CHARS
from dialoom.auth.provider.keys import Keys
from tests.auth.provider.right import (
    ACCESS_TOKEN,
    CLAIMS,
    CLIENT_ID,
    CLIENT_SECRET,
    ED448,
    ED25519,
    GONE,
    HEADER,
    ISSUER,
    KEYS,
    NONCE,
    NOW,
    OTHER_RSA,
    P256,
    P384,
    P521,
    RSA,
    body,
    changed,
    code_of,
    expected,
    half_hash,
    jwk,
    jwks,
    signed,
)
from tests.auth.tokens import part


def check(text: str, keys: Keys = KEYS, **how: Any) -> Claims:
    return check_id_token(text, keys, expected(**how))


def refusal(text: str, keys: Keys = KEYS, **how: Any) -> str:
    with pytest.raises(Wrong) as caught:
        check(text, keys, **how)
    return code_of(caught)


def test_a_right_token_says_who_logged_in() -> None:
    claims = changed(CLAIMS, {"azp": CLIENT_ID, "auth_time": NOW - 5, "name": "Ada", "nbf": NOW})
    assert check(signed(claims)) == Claims(
        iss=ISSUER, sub="248289761001", nonce=NONCE, azp=CLIENT_ID, auth_time=NOW - 5, profile={"name": "Ada"}
    )


ALGORITHMS = [
    *[(RSA, name, f"sha{name[2:]}") for name in ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512")],
    (P256, "ES256", "sha256"),
    (P384, "ES384", "sha384"),
    (P521, "ES512", "sha512"),
    (ED25519, "EdDSA", "sha512"),
    (ED25519, "Ed25519", "sha512"),
    (ED448, "EdDSA", "shake"),
    (ED448, "Ed448", "shake"),
]


@pytest.mark.parametrize(("key", "algorithm", "half"), ALGORITHMS)
def test_every_asymmetric_algorithm_is_checked_with_its_hash_of_the_access_token(
    key: Any, algorithm: str, half: str
) -> None:
    keys, header = read_keys(jwks(jwk(key, "one"))), {"alg": algorithm, "kid": "one"}
    token = signed(CLAIMS | {"at_hash": half_hash(half)}, header, key, algorithm)
    assert check(token, keys, algorithms=(algorithm,)).sub == CLAIMS["sub"]
    forged = signed(CLAIMS | {"at_hash": half_hash(half)}, header, key, algorithm)[:-8] + "AAAAAAAA"
    assert refusal(forged, keys, algorithms=(algorithm,)) == "id-token-signature"
    other = signed(CLAIMS | {"at_hash": half_hash(half, "another token")}, header, key, algorithm)
    assert refusal(other, keys, algorithms=(algorithm,)) == "id-token-access-token"


@pytest.mark.parametrize(
    "changes",
    [
        {"aud": [CLIENT_ID]},
        {"at_hash": GONE},
        {"exp": NOW - 59, "iat": NOW + 60, "nbf": NOW + 59.5},
        {"nonce": NONCE, "azp": CLIENT_ID},
        {"sub": "ä" * 255},
        {"groups": ["g"] * 3000},
    ],
)
def test_what_the_standard_allows_is_taken(changes: dict[str, Any]) -> None:
    assert check(signed(changed(CLAIMS, changes))).iss == ISSUER


@pytest.mark.parametrize(
    "changes",
    [{"typ": GONE}, {"typ": "jwt"}, {"typ": "application/JWT"}, {"x5t": "a" * 27}, {"x-own": "a" * 4000}, {"cty": "x"}],
)
def test_harmless_header_names_are_passed_over(changes: dict[str, Any]) -> None:
    assert check(signed(header=changed(HEADER, changes))).iss == ISSUER


HEADERS: list[tuple[dict[str, Any], str]] = [
    ({"alg": "none"}, "id-token-algorithm"),
    ({"alg": "None"}, "id-token-algorithm"),
    ({"alg": GONE}, "id-token-algorithm"),
    ({"alg": ["RS256"]}, "id-token-algorithm"),
    ({"alg": "HS256"}, "id-token-algorithm"),
    ({"alg": "PS256"}, "id-token-algorithm"),
    ({"crit": ["exp"], "exp": NOW}, "id-token-critical"),
    ({"crit": []}, "id-token-critical"),
    ({"b64": False}, "id-token-critical"),
    ({"b64": True}, "id-token-critical"),
    ({"jwk": jwk(RSA)}, "id-token-own-key"),
    ({"jku": "https://evil.example/keys"}, "id-token-own-key"),
    ({"x5u": "https://evil.example/cert"}, "id-token-own-key"),
    ({"x5c": ["AA"]}, "id-token-own-key"),
    ({"typ": "at+jwt"}, "id-token-type"),
    ({"typ": "logout+jwt"}, "id-token-type"),
    ({"typ": None}, "id-token-type"),
    ({"typ": 7}, "id-token-type"),
    ({"kid": 7}, "id-token-kid"),
    ({"kid": None}, "id-token-kid"),
    ({"kid": "old"}, "id-token-key"),
    ({"kid": "ec"}, "id-token-key"),
    ({"x5t": 7}, "id-token-format"),
    ({"x-own": "a" * 9000}, "id-token-format"),
]


@pytest.mark.parametrize(("changes", "code"), HEADERS)
def test_a_header_that_asks_for_something_else_is_refused(changes: dict[str, Any], code: str) -> None:
    assert refusal(signed(header=changed(HEADER, changes))) == code


CLAIMS_REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"iss": GONE}, "id-token-issuer"),
    ({"iss": ISSUER + "/"}, "id-token-issuer"),
    ({"iss": [ISSUER]}, "id-token-issuer"),
    ({"sub": GONE}, "id-token-subject"),
    ({"sub": ""}, "id-token-subject"),
    ({"sub": " "}, "id-token-subject"),
    ({"sub": 248289761001}, "id-token-subject"),
    ({"sub": "a" * 256}, "id-token-subject"),
    ({"aud": GONE}, "id-token-audience"),
    ({"aud": "another"}, "id-token-audience"),
    ({"aud": "another", "azp": CLIENT_ID}, "id-token-audience"),
    ({"aud": [CLIENT_ID, "another"]}, "id-token-audience"),
    ({"aud": [CLIENT_ID, "another"], "azp": CLIENT_ID}, "id-token-audience"),
    ({"aud": []}, "id-token-audience"),
    ({"aud": {"0": CLIENT_ID}}, "id-token-audience"),
    ({"azp": "another"}, "id-token-authorized-party"),
    ({"azp": None}, "id-token-authorized-party"),
    ({"azp": [CLIENT_ID]}, "id-token-authorized-party"),
    ({"exp": GONE}, "id-token-expiry"),
    ({"exp": NOW - 60}, "id-token-expiry"),
    ({"exp": str(NOW + 300)}, "id-token-expiry"),
    ({"exp": True}, "id-token-expiry"),
    ({"exp": -(10**400)}, "id-token-expiry"),
    ({"exp": 10**400}, "id-token-expiry"),
    ({"nbf": NOW + 61}, "id-token-not-before"),
    ({"nbf": None}, "id-token-not-before"),
    ({"iat": GONE}, "id-token-issued"),
    ({"iat": NOW + 61}, "id-token-issued"),
    ({"iat": NOW * 1000}, "id-token-issued"),
    ({"iat": "now"}, "id-token-issued"),
    ({"nonce": GONE}, "id-token-nonce"),
    ({"nonce": ""}, "id-token-nonce"),
    ({"nonce": NONCE + "x"}, "id-token-nonce"),
    ({"nonce": [NONCE]}, "id-token-nonce"),
    ({"auth_time": "now"}, "id-token-auth-time"),
    ({"at_hash": half_hash("sha256", "another token")}, "id-token-access-token"),
    ({"at_hash": half_hash("sha512")}, "id-token-access-token"),
    ({"at_hash": None}, "id-token-access-token"),
    ({"at_hash": ""}, "id-token-access-token"),
    ({"at_hash": "ä"}, "id-token-access-token"),
]


@pytest.mark.parametrize(("changes", "code"), CLAIMS_REFUSED)
def test_claims_that_are_missing_or_wrong_are_refused(changes: dict[str, Any], code: str) -> None:
    assert refusal(signed(changed(CLAIMS, changes))) == code


@pytest.mark.parametrize(
    ("auth_time", "is_right"), [(NOW - 659, True), (NOW - 661, False), (GONE, False), ("now", False), (NOW, True)]
)
def test_the_age_that_was_asked_for_is_held(auth_time: Any, is_right: bool) -> None:
    token = signed(changed(CLAIMS, {"auth_time": auth_time}))
    if is_right:
        assert check(token, max_age=600.0).sub == CLAIMS["sub"]
    else:
        assert refusal(token, max_age=600.0) == "id-token-auth-time"


# -- form and signature


GOOD = signed()
HEAD, PAYLOAD, SIGNATURE = GOOD.split(".")

TEXTS: list[tuple[str, str]] = [
    ("", "id-token-format"),
    ("x", "id-token-format"),
    (f"{HEAD}.{PAYLOAD}", "id-token-format"),
    (f"{HEAD}.{PAYLOAD}.", "id-token-format"),
    (f"{HEAD}..{SIGNATURE}", "id-token-format"),
    (f"{GOOD}.{SIGNATURE}.{SIGNATURE}", "id-token-format"),
    (f"{GOOD}=", "id-token-format"),
    (f"{GOOD}\n", "id-token-format"),
    (f" {GOOD}", "id-token-format"),
    (f"ä{GOOD}", "id-token-format"),
    (f"{part(b'[1]')}.{PAYLOAD}.{SIGNATURE}", "id-token-format"),
    (f"{part(b'{')}.{PAYLOAD}.{SIGNATURE}", "id-token-format"),
    (f"A.{PAYLOAD}.{SIGNATURE}", "id-token-format"),
    (signed(header=b'{"alg": "none", "alg": "RS256", "kid": "rsa"}'), "id-token-format"),
    (signed(b"[]"), "id-token-format"),
    (signed(b"not JSON"), "id-token-format"),
    (signed(b'{"sub": "eve", ' + body(CLAIMS)[1:]), "id-token-format"),
    (signed(b"[" * 5000), "id-token-format"),
    (signed(b'{"exp": ' + b"9" * 5000 + b"}"), "id-token-format"),
    (signed(CLAIMS | {"sub": "a\0b"}), "id-token-format"),
    (signed(CLAIMS | {"sub": "\ud800"}), "id-token-format"),
    (signed(CLAIMS | {"text": "a" * MAX_ID_TOKEN_CHARS}), "id-token-format"),
    (f"{HEAD}.{part(body(CLAIMS | {'sub': 'eve'}))}.{SIGNATURE}", "id-token-signature"),
    (f"{HEAD}.{PAYLOAD}.{part(bytes(256))}", "id-token-signature"),
    (f"{HEAD}.{PAYLOAD}.AA", "id-token-signature"),
    (signed(key=OTHER_RSA), "id-token-signature"),
    (signed(algorithm="PS256"), "id-token-signature"),
    (signed(header={"alg": "ES256", "kid": "ec"}, key=P384, algorithm="ES256"), "id-token-signature"),
]


@pytest.mark.parametrize(("text", "code"), TEXTS)
def test_what_is_no_token_of_a_published_key_is_refused(text: str, code: str) -> None:
    assert refusal(text) == code


def test_base64url_with_other_last_bits_is_another_text_and_refused() -> None:
    """256 bytes leave four bits over in the last character; a reader that ignores them has two texts for one token."""
    last = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    other = last[last.index(GOOD[-1]) + 1]
    assert refusal(GOOD[:-1] + other) == "id-token-signature"


@pytest.mark.parametrize(
    "secret",
    [
        CLIENT_SECRET.encode(),
        RSA.public_key().public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo),
    ],
)
def test_a_shared_secret_signs_nothing_even_where_the_metadata_lists_it(secret: bytes) -> None:
    """Else whoever knows the client secret, or the public key, could sign (RFC 8725 section 2.1)."""
    text = f"{part(body(HEADER | {'alg': 'HS256'}))}.{PAYLOAD}"
    token = f"{text}.{part(hmac.digest(secret, text.encode(), hashlib.sha256))}"
    assert refusal(token, algorithms=("HS256", "RS256")) == "id-token-algorithm"
    unsigned = f"{part(body({'alg': 'none'}))}.{PAYLOAD}.AA"
    assert refusal(unsigned, algorithms=("none", "RS256")) == "id-token-algorithm"


@pytest.mark.parametrize(
    ("text", "may_help"),
    [
        (signed(key=OTHER_RSA), True),
        (signed(header=HEADER | {"kid": "new"}), True),
        (signed(CLAIMS | {"nonce": "x"}), False),
        (signed(header=HEADER | {"alg": "none"}), False),
        ("x", False),
    ],
)
def test_only_an_unknown_key_or_a_bad_signature_is_worth_reading_the_keys_again(text: str, may_help: bool) -> None:
    with pytest.raises(Wrong) as caught:
        check(text)
    assert isinstance(caught.value, UnknownKey) is may_help


def test_keys_of_one_name_are_tried_in_turn() -> None:
    keys = read_keys(jwks(jwk(OTHER_RSA, "rsa"), jwk(RSA, "rsa")))
    assert check(GOOD, keys).sub == CLAIMS["sub"]


# -- refresh


LOGIN = Claims(iss=ISSUER, sub=CLAIMS["sub"], nonce=NONCE, azp=CLIENT_ID, auth_time=NOW - 3600)
RENEWED = CLAIMS | {"azp": CLIENT_ID}


@pytest.mark.parametrize("changes", [{}, {"nonce": GONE}, {"auth_time": NOW - 3600}, {"auth_time": NOW - 3600.0}])
def test_a_refresh_may_bring_an_id_token_of_the_same_login(changes: dict[str, Any]) -> None:
    assert check(signed(changed(RENEWED, changes)), nonce=None, earlier=LOGIN).sub == LOGIN.sub


RENEWED_REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"sub": "eve"}, "id-token-renewed"),
    ({"nonce": "another"}, "id-token-renewed"),
    ({"nonce": [NONCE]}, "id-token-renewed"),
    ({"azp": GONE}, "id-token-renewed"),
    ({"auth_time": NOW}, "id-token-renewed"),
    ({"iss": "https://evil.example"}, "id-token-issuer"),
    ({"aud": "another"}, "id-token-audience"),
    ({"exp": NOW - 61}, "id-token-expiry"),
]


@pytest.mark.parametrize(("changes", "code"), RENEWED_REFUSED)
def test_the_id_token_of_a_refresh_that_is_of_another_login_is_refused(changes: dict[str, Any], code: str) -> None:
    assert refusal(signed(changed(RENEWED, changes)), nonce=None, earlier=LOGIN) == code


def test_a_refresh_of_a_login_whose_claims_are_half_known_takes_no_nonce() -> None:
    known = Claims(iss=ISSUER, sub=CLAIMS["sub"])
    assert refusal(signed(), nonce=None, earlier=known) == "id-token-renewed"
    assert check(signed(changed(CLAIMS, {"nonce": GONE})), nonce=None, earlier=known).sub == known.sub


@pytest.mark.parametrize("how", [{"nonce": None}, {"earlier": LOGIN}])
def test_a_token_is_never_checked_without_either_a_nonce_or_the_login_before(how: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="nonce"):
        expected(**how)


def test_a_token_that_was_checked_once_is_read_without_its_key() -> None:
    assert read_checked(GOOD) == check(GOOD)


@pytest.mark.parametrize(
    "text", ["", "x", signed([]), signed({}), signed({"iss": ISSUER}), signed(CLAIMS | {"iss": 7})]
)
def test_what_cannot_have_been_checked_is_not_read(text: str) -> None:
    with pytest.raises(Wrong) as caught:
        read_checked(text)
    assert code_of(caught) == "id-token-format"


def test_nothing_secret_shows_in_what_is_printed() -> None:
    shown = repr((expected(), check(GOOD), Expected))
    assert not any(secret in shown for secret in (NONCE, ACCESS_TOKEN, CLAIMS["sub"]))
    with pytest.raises(Wrong) as caught:
        check(signed(CLAIMS | {"nonce": "s3cret"}))
    assert "s3cret" not in f"{caught.value}{caught.value.detail}{caught.value!r}"


def test_every_rule_has_a_case() -> None:
    cases = {code for _, code in (*HEADERS, *CLAIMS_REFUSED, *RENEWED_REFUSED)}
    assert cases >= {rule.code for rule in (*HEADER_RULES, *CLAIM_RULES)}
