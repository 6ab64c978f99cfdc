"""A provider's published keys: which are taken, which passed over, and how the one for a token is found."""

from __future__ import annotations

from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import ec, rsa

from dialoom.auth.provider import UnknownKey, Wrong, read_keys
from dialoom.auth.provider.keys import MAX_KEYS
from tests.auth.provider.right import (
    ED448,
    ED25519,
    OTHER_RSA,
    P256,
    P384,
    P521,
    RSA,
    body,
    code_of,
    jwk,
    jwks,
    number,
)

SHORT = rsa.generate_private_key(65537, 1024)
SECP256K1 = ec.generate_private_key(ec.SECP256K1())


def refusal(data: bytes, status: int = 200) -> str:
    with pytest.raises(Wrong) as caught:
        read_keys(data, status)
    return code_of(caught)


@pytest.mark.parametrize(
    ("key", "algorithms"),
    [
        (RSA, {"RS256", "RS384", "RS512", "PS256", "PS384", "PS512"}),
        (P256, {"ES256"}),
        (P384, {"ES384"}),
        (P521, {"ES512"}),
        (ED25519, {"EdDSA", "Ed25519"}),
        (ED448, {"EdDSA", "Ed448"}),
    ],
)
def test_a_key_checks_the_algorithms_of_its_type(key: Any, algorithms: set[str]) -> None:
    (found,) = read_keys(jwks(jwk(key, "one"))).keys
    assert found.algorithms == algorithms
    assert found.kid == "one"


@pytest.mark.parametrize(
    ("key", "algorithm", "algorithms"),
    [
        (RSA, "RS256", {"RS256"}),
        (P256, "ES256", {"ES256"}),
        (ED25519, "EdDSA", {"EdDSA", "Ed25519"}),
        (ED25519, "Ed25519", {"EdDSA", "Ed25519"}),
    ],
)
def test_a_keys_own_algorithm_narrows_them(key: Any, algorithm: str, algorithms: set[str]) -> None:
    (found,) = read_keys(jwks(jwk(key, alg=algorithm))).keys
    assert found.algorithms == algorithms


UNFIT: list[dict[str, Any]] = [
    {"kty": "AKP", "alg": "ML-DSA-44", "pub": "AA"},
    {"kty": "oct", "k": "c2VjcmV0"},
    {"kty": ["RSA"]},
    {},
    jwk(RSA, use="enc"),
    jwk(RSA, use=None),
    jwk(RSA, key_ops=["sign"]),
    jwk(RSA, key_ops="verify"),
    jwk(RSA, alg="RSA-OAEP"),
    jwk(RSA, alg="HS256"),
    jwk(RSA, alg="EdDSA"),
    jwk(RSA, alg=["RS256"]),
    jwk(RSA, kid=7),
    jwk(RSA, kid="a" * 3000),
    jwk(RSA, d="AQAB"),
    jwk(SHORT),
    jwk(RSA, n=7),
    jwk(RSA, n=""),
    jwk(RSA, n="*" * 300),
    jwk(RSA, n=jwk(RSA)["n"] + "="),
    jwk(RSA, n=number(2**2048)),
    jwk(RSA, n=number(2**9000 + 1)),
    jwk(RSA, e="AQ"),
    jwk(RSA, e="Ag"),
    jwk(RSA, e=number(2**64 + 1)),
    jwk(P256, crv="P-384"),
    jwk(P256, crv="P-256K"),
    jwk(P256, y=jwk(P256)["x"]),
    jwk(P256, x="AA"),
    jwk(P256) | {"kty": "OKP"},
    jwk(SECP256K1, crv="secp256k1"),
    jwk(ED25519, x="AA"),
    jwk(ED25519, crv="X25519"),
    jwk(ED25519, crv="Ed448"),
    jwk(ED25519) | {"kty": "EC", "y": "AA"},
]


@pytest.mark.parametrize("key", UNFIT)
def test_a_key_that_can_or_should_check_nothing_is_passed_over(key: dict[str, Any]) -> None:
    assert refusal(jwks(key)) == "keys-none"
    (found,) = read_keys(jwks("no key", None, key, jwk(P256, "good"), [7])).keys
    assert found.kid == "good"


CASES: list[tuple[bytes, str]] = [
    (b"", "keys-json"),
    (b"[]", "keys-json"),
    (b"{}", "keys-json"),
    (b'{"keys": {}}', "keys-json"),
    (b'{"keys": null}', "keys-json"),
    (b'{"keys": [], "keys": []}', "keys-json"),
    (body({"keys": [jwk(P256, "one")] * (MAX_KEYS + 1)}), "keys-many"),
    (b'{"keys": []}', "keys-none"),
]


@pytest.mark.parametrize(("data", "code"), CASES)
def test_what_is_no_set_of_keys_is_refused(data: bytes, code: str) -> None:
    assert refusal(data) == code


def test_another_status_is_refused() -> None:
    assert refusal(jwks(jwk(P256)), 404) == "keys-status"


# -- finding


MANY = read_keys(
    jwks(
        jwk(RSA, "rsa", alg="RS256"),
        jwk(OTHER_RSA, "new", alg="RS256"),
        jwk(P256, "ec"),
        jwk(ED25519, "both"),
        jwk(P384, "both"),
    )
)


@pytest.mark.parametrize(
    ("kid", "algorithm"), [("rsa", "RS256"), ("ec", "ES256"), ("both", "EdDSA"), ("both", "ES384")]
)
def test_a_key_is_found_by_its_name_and_the_algorithm(kid: str, algorithm: str) -> None:
    (found,) = MANY.find(kid, algorithm)
    assert (found.kid, algorithm in found.algorithms) == (kid, True)


def test_a_token_that_names_no_key_is_taken_where_only_one_could_have_signed_it() -> None:
    (found,) = MANY.find(None, "ES256")
    assert found.kid == "ec"


LOST: list[tuple[str | None, str, str]] = [
    (None, "RS256", "id-token-kid"),
    (None, "ES512", "id-token-key"),
    ("old", "RS256", "id-token-key"),
    ("", "RS256", "id-token-key"),
    ("RSA", "RS256", "id-token-key"),
    ("rsa", "PS256", "id-token-key"),
    ("rsa", "ES256", "id-token-key"),
    ("ec", "HS256", "id-token-key"),
]


@pytest.mark.parametrize(("kid", "algorithm", "code"), LOST)
def test_a_key_that_is_not_there_is_told(kid: str | None, algorithm: str, code: str) -> None:
    with pytest.raises(Wrong) as caught:
        MANY.find(kid, algorithm)
    assert code_of(caught) == code
    # Only new keys could help, and only against a key that is not known.
    assert isinstance(caught.value, UnknownKey) is (code == "id-token-key")
