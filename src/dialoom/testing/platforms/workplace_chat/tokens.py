"""Signs the tokens that the Bot Framework sends with activities, and publishes the keys with their endorsements.

Source: learn.microsoft.com/en-us/azure/bot-service/rest-api/bot-framework-rest-connector-authentication.
"""

from __future__ import annotations

import base64
import functools
import json
from collections.abc import Mapping
from typing import Any, Literal

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding, rsa

ISSUER = "https://api.botframework.com"
KeyName = Literal["right", "not-endorsed", "unknown", "forged"]
ENDORSEMENTS: Mapping[str, tuple[str, ...]] = {"right": ("msteams",), "not-endorsed": ("webchat", "emulator")}
"""Of each published key, the channels that it may speak for. The keys ``unknown`` and ``forged`` are not
published; a token of ``forged`` names the right key all the same."""


@functools.cache
def key(name: KeyName) -> rsa.RSAPrivateKey:
    """Return a key; making one takes a tenth of a second, so a process makes each once and when it is needed."""
    return rsa.generate_private_key(65537, 2048)


def published() -> dict[str, Any]:
    """Return the key set as the metadata's ``jwks_uri`` serves it."""
    keys = []
    for name, channels in ENDORSEMENTS.items():
        numbers = key(name).public_key().public_numbers()
        parts = {"n": _number(numbers.n), "e": _number(numbers.e)}
        keys.append({"kty": "RSA", "use": "sig", "kid": name, "x5t": name, **parts, "endorsements": list(channels)})
    return {"keys": keys}


def sign(claims: Mapping[str, Any], name: KeyName = "right", algorithm: str = "RS256") -> str:
    """Return a token. ``algorithm`` other than RS256 is only written into the head, for attacks."""
    id = "right" if name == "forged" else name
    head = {"alg": algorithm, "kid": id, "x5t": id, "typ": "JWT"}
    signed = ".".join(_text(json.dumps(part).encode()) for part in (head, claims))
    signature = key(name).sign(signed.encode(), padding.PKCS1v15(), hashes.SHA256())
    return f"{signed}.{_text(signature)}"


def _number(value: int) -> str:
    return _text(value.to_bytes((value.bit_length() + 7) // 8, "big"))


def _text(value: bytes) -> str:
    return base64.urlsafe_b64encode(value).rstrip(b"=").decode()
