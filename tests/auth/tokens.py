"""User tokens as a page's server would sign them, and as nobody should."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from typing import Any

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from joserfc import jwt
from joserfc.jwk import ECKey, RSAKey

SECRET = "a secret of at least thirty-two bytes"
NOW = 1_800_000_000
CLAIMS: dict[str, Any] = {"sub": "ada", "aud": "web", "exp": NOW + 300}


def part(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def signed(claims: Any, header: Any = None, secret: str = SECRET) -> str:
    """HS256 by hand, so that anything can stand in it. Bytes go as they are."""
    parts = ({"alg": "HS256"} if header is None else header, claims)
    head, body = (part(value if isinstance(value, bytes) else json.dumps(value).encode()) for value in parts)
    return f"{head}.{body}.{part(hmac.digest(secret.encode(), f'{head}.{body}'.encode(), hashlib.sha256))}"


def signed_by(key: ec.EllipticCurvePrivateKey | rsa.RSAPrivateKey, claims: dict[str, Any], algorithm: str) -> str:
    own = ECKey if algorithm == "ES256" else RSAKey
    return jwt.encode({"alg": algorithm}, claims, own.import_key(private_pem(key)), [algorithm])


def private_pem(key: ec.EllipticCurvePrivateKey | rsa.RSAPrivateKey) -> str:
    plain = serialization.NoEncryption()
    return key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, plain).decode()


def public_pem(key: ec.EllipticCurvePrivateKey | rsa.RSAPrivateKey) -> str:
    public = key.public_key()
    form = serialization.PublicFormat.SubjectPublicKeyInfo
    return public.public_bytes(serialization.Encoding.PEM, form).decode()
