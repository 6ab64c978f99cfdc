"""JSON Web Tokens and keys as a provider makes them, and as a forger does: nothing here refuses anything."""

from __future__ import annotations

import base64
import functools
import hashlib
import hmac
import json
from collections.abc import Callable
from typing import Any

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

Sign = Callable[[bytes], bytes]


def b64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def number(value: int, size: int | None = None) -> str:
    return b64(value.to_bytes(size or (value.bit_length() + 7) // 8, "big"))


def part(value: Any) -> str:
    return b64(value if isinstance(value, bytes) else json.dumps(value).encode())


def compact(header: Any, payload: Any, sign: Sign) -> str:
    signed = f"{part(header)}.{part(payload)}"
    return f"{signed}.{b64(sign(signed.encode()))}"


# -- keys, made once: an RSA key takes 0.1 s


@functools.cache
def rsa_key(name: str = "provider", bits: int = 2048) -> rsa.RSAPrivateKey:
    """Return a key, the same for the same ``name``."""
    return rsa.generate_private_key(65537, bits)


@functools.cache
def ec_key(name: str = "provider") -> ec.EllipticCurvePrivateKey:
    return ec.generate_private_key(ec.SECP256R1())


@functools.cache
def ed_key(name: str = "provider") -> ed25519.Ed25519PrivateKey:
    return ed25519.Ed25519PrivateKey.generate()


def rsa_jwk(key: rsa.RSAPrivateKey, kid: str, **more: Any) -> dict[str, Any]:
    public = key.public_key().public_numbers()
    return {"kty": "RSA", "kid": kid, "n": number(public.n), "e": number(public.e), **more}


def ec_jwk(key: ec.EllipticCurvePrivateKey, kid: str, **more: Any) -> dict[str, Any]:
    public = key.public_key().public_numbers()
    return {"kty": "EC", "crv": "P-256", "kid": kid, "x": number(public.x, 32), "y": number(public.y, 32), **more}


def pem(key: rsa.RSAPrivateKey) -> bytes:
    return key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)


# -- signatures


def rs256(key: rsa.RSAPrivateKey) -> Sign:
    return lambda data: key.sign(data, padding.PKCS1v15(), hashes.SHA256())


def ps256(key: rsa.RSAPrivateKey) -> Sign:
    return lambda data: key.sign(data, padding.PSS(padding.MGF1(hashes.SHA256()), 32), hashes.SHA256())


def es256(key: ec.EllipticCurvePrivateKey) -> Sign:
    def sign(data: bytes) -> bytes:
        r, s = decode_dss_signature(key.sign(data, ec.ECDSA(hashes.SHA256())))
        return r.to_bytes(32, "big") + s.to_bytes(32, "big")

    return sign


def es256_as_der(key: ec.EllipticCurvePrivateKey) -> Sign:
    """Sign as OpenSSL encodes it, and as RFC 7518 section 3.4 does not."""
    return lambda data: key.sign(data, ec.ECDSA(hashes.SHA256()))


def hs256(secret: bytes) -> Sign:
    return lambda data: hmac.digest(secret, data, "sha256")


def eddsa(key: ed25519.Ed25519PrivateKey) -> Sign:
    return key.sign


def nothing(_: bytes) -> bytes:
    return b""


def at_hash(token: str) -> str:
    """Return the hash of an access token (OpenID Connect Core 3.1.3.6), for the algorithms with SHA-256."""
    return b64(hashlib.sha256(token.encode()).digest()[:16])
