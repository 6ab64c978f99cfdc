"""A provider that does everything right, as values; tests change one thing of it."""

from __future__ import annotations

import base64
import hashlib
import json
from typing import Any

import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, ed448, ed25519, padding, rsa
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature

from dialoom.auth.provider import Expected, OidcClient, Wrong, read_keys, read_metadata
from dialoom.auth.secret import Secret
from tests.auth.tokens import part

ISSUER = "https://id.example/clinic"
CLIENT_ID = "clinic-bot"
CLIENT_SECRET = "the secret of the clinic's bot"
NONCE = "n-0S6_WzA2Mj"
NOW = 1_800_000_000
ACCESS_TOKEN = "jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y"
AT_HASH = "77QmUPtjPfzWtF2AnpK9RQ"
"""Both of the example in OpenID Connect Core 1.0, appendix A.3."""
GONE = object()
"""Stands for a member that is not there."""

RSA = rsa.generate_private_key(65537, 2048)
OTHER_RSA = rsa.generate_private_key(65537, 2048)
P256 = ec.generate_private_key(ec.SECP256R1())
P384 = ec.generate_private_key(ec.SECP384R1())
P521 = ec.generate_private_key(ec.SECP521R1())
ED25519 = ed25519.Ed25519PrivateKey.generate()
ED448 = ed448.Ed448PrivateKey.generate()

METADATA: dict[str, Any] = {
    "issuer": ISSUER,
    "authorization_endpoint": "https://id.example/clinic/authorize",
    "token_endpoint": "https://tokens.id.example/clinic/token",
    "jwks_uri": "https://id.example/clinic/keys",
    "revocation_endpoint": "https://id.example/clinic/revoke",
    "response_types_supported": ["code", "code id_token"],
    "subject_types_supported": ["public"],
    "id_token_signing_alg_values_supported": ["HS256", "RS256", "ES256"],
    "token_endpoint_auth_methods_supported": ["client_secret_post", "client_secret_basic"],
    "authorization_response_iss_parameter_supported": True,
}
HEADER: dict[str, Any] = {"alg": "RS256", "kid": "rsa", "typ": "JWT"}
CLAIMS: dict[str, Any] = {
    "iss": ISSUER,
    "sub": "248289761001",
    "aud": CLIENT_ID,
    "exp": NOW + 300,
    "iat": NOW - 1,
    "nonce": NONCE,
    "at_hash": AT_HASH,
}
ANSWER: dict[str, Any] = {
    "access_token": ACCESS_TOKEN,
    "token_type": "Bearer",
    "expires_in": 3600,
    "refresh_token": "8xLOxBtZp8",
    "scope": "openid profile",
    "id_token": "eyJ.eyJ.sig",
}


def changed(right: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in (right | changes).items() if value is not GONE}


def body(value: Any) -> bytes:
    return value if isinstance(value, bytes) else json.dumps(value).encode()


def jwk(key: Any, kid: str | None = None, **more: Any) -> dict[str, Any]:
    """The public key as providers publish it."""
    made: dict[str, Any] = {} if kid is None else {"kid": kid}
    if isinstance(key, rsa.RSAPrivateKey):
        numbers = key.public_key().public_numbers()
        made |= {"kty": "RSA", "n": number(numbers.n), "e": number(numbers.e)}
    elif isinstance(key, ec.EllipticCurvePrivateKey):
        point, size = key.public_key().public_numbers(), (key.key_size + 7) // 8
        made |= {"kty": "EC", "crv": f"P-{key.key_size}", "x": number(point.x, size), "y": number(point.y, size)}
    else:
        name = "Ed25519" if isinstance(key, ed25519.Ed25519PrivateKey) else "Ed448"
        made |= {"kty": "OKP", "crv": name, "x": part(key.public_key().public_bytes_raw())}
    return made | more


def number(value: int, size: int | None = None) -> str:
    return part(value.to_bytes(size or (value.bit_length() + 7) // 8, "big"))


def jwks(*keys: Any) -> bytes:
    return body({"keys": list(keys)})


def signature(key: Any, data: bytes, algorithm: str) -> bytes:
    if isinstance(key, ed25519.Ed25519PrivateKey | ed448.Ed448PrivateKey):
        return key.sign(data)
    kind = {"256": hashes.SHA256, "384": hashes.SHA384, "512": hashes.SHA512}[algorithm[2:]]()
    if isinstance(key, rsa.RSAPrivateKey):
        if algorithm.startswith("PS"):
            return key.sign(data, padding.PSS(padding.MGF1(kind), kind.digest_size), kind)
        return key.sign(data, padding.PKCS1v15(), kind)
    size = (key.key_size + 7) // 8
    return b"".join(one.to_bytes(size, "big") for one in decode_dss_signature(key.sign(data, ec.ECDSA(kind))))


def signed(claims: Any = CLAIMS, header: Any = HEADER, key: Any = RSA, algorithm: str = "RS256") -> str:
    """Anything can stand in it; bytes go as they are. The signature is always right."""
    text = f"{part(body(header))}.{part(body(claims))}"
    return f"{text}.{part(signature(key, text.encode(), algorithm))}"


def half_hash(name: str, text: str = ACCESS_TOKEN) -> str:
    digest = (
        hashlib.shake_256(text.encode()).digest(114) if name == "shake" else hashlib.new(name, text.encode()).digest()
    )
    return base64.urlsafe_b64encode(digest[: len(digest) // 2]).decode().rstrip("=")


KEYS = read_keys(jwks(jwk(RSA, "rsa", use="sig", alg="RS256"), jwk(P256, "ec")))
FOUND = read_metadata(body(METADATA), ISSUER)
CLIENT = OidcClient(issuer=ISSUER, client_id=CLIENT_ID, client_secret=Secret(CLIENT_SECRET), scope="profile")


def expected(**changes: Any) -> Expected:
    right: dict[str, Any] = {
        "issuer": ISSUER,
        "client_id": CLIENT_ID,
        "algorithms": ("RS256", "ES256"),
        "access_token": ACCESS_TOKEN,
        "now": float(NOW),
        "nonce": NONCE,
    }
    return Expected(**right | changes)


def code_of(caught: pytest.ExceptionInfo[Wrong]) -> str:
    """Of the check; what it says must be a sentence."""
    assert str(caught.value).startswith(caught.value.check.sentence)
    return caught.value.check.code
