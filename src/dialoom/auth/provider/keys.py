"""Reads the keys that a provider publishes (RFC 7517), and finds those that a token may be signed with.

Whatever cannot check a signature is passed over: providers publish keys of many ends in one set. The bytes of a token
are left to ``id_token``.
"""

from __future__ import annotations

import base64
import binascii
from typing import Any, Final

import msgspec

from dialoom.auth.provider.answers import read_object
from dialoom.auth.provider.checks import UnknownKey, Wrong

MAX_KEYS: Final = 100
MIN_RSA_BITS: Final = 2048
MAX_RSA_BITS: Final = 8192
"""Bits. Checking with a longer key holds the event loop for milliseconds."""
_MAX_EXPONENT_BYTES: Final = 4
"""Bytes. Nearly all have three."""
_MAX_NUMBER_BYTES: Final = 2048
"""Characters of any member of a key."""

_PARTS: Final = {"RSA": ("n", "e"), "EC": ("crv", "x", "y"), "OKP": ("crv", "x")}
"""Members of a public key, by type."""
_PRIVATE: Final = ("d", "p", "q", "dp", "dq", "qi", "oth", "k")
_RSA: Final = frozenset({"RS256", "RS384", "RS512", "PS256", "PS384", "PS512"})
_CURVES: Final = {
    ("EC", "P-256"): frozenset({"ES256"}),
    ("EC", "P-384"): frozenset({"ES384"}),
    ("EC", "P-521"): frozenset({"ES512"}),
    ("OKP", "Ed25519"): frozenset({"EdDSA", "Ed25519"}),
    ("OKP", "Ed448"): frozenset({"EdDSA", "Ed448"}),
}


class Key(msgspec.Struct, frozen=True):
    """A public key that may check signatures."""

    kid: str | None
    algorithms: frozenset[str]
    """Those that it may check."""
    curve: str | None
    public: Any
    """As ``signature`` knows it."""


class Keys(msgspec.Struct, frozen=True):
    keys: tuple[Key, ...]

    def find(self, kid: str | None, algorithm: str) -> tuple[Key, ...]:
        """Return the keys that may have signed a token, one at least. Several of one ``kid`` differ in type (RFC 7517
        section 4.5). Raises ``Wrong``."""
        fitting = tuple(key for key in self.keys if algorithm in key.algorithms and kid in (None, key.kid))
        if not fitting:
            raise UnknownKey("id-token-key")
        if kid is None and len(fitting) > 1:
            raise Wrong("id-token-kid")
        return fitting


def read_keys(body: bytes, status: int = 200) -> Keys:
    """Raises ``Wrong``. Loads the JOSE library when it is first called: not for the event loop."""
    if status != 200:
        raise Wrong("keys-status", f"It was {status}.")
    listed = read_object(body, "keys-json").get("keys")
    if not isinstance(listed, list):
        raise Wrong("keys-json")
    if len(listed) > MAX_KEYS:
        raise Wrong("keys-many", f"At most {MAX_KEYS} are read.")
    keys = tuple(key for one in listed if isinstance(one, dict) and (key := _read(one)) is not None)
    if not keys:
        raise Wrong("keys-none")
    return Keys(keys)


def _read(jwk: dict[str, Any]) -> Key | None:
    """Return a key of a JWK; None for what cannot check a signature, or should not."""
    from dialoom.auth.provider.signature import import_key

    kind = str(jwk.get("kty"))
    parts = _PARTS.get(kind)
    if parts is None or not all(_is_part(jwk.get(name)) for name in parts) or not _is_for_signatures(jwk):
        return None
    curve = None if kind == "RSA" else jwk["crv"]
    algorithms = _allowed(jwk.get("alg"), _RSA if curve is None else _CURVES.get((kind, curve), frozenset()))
    if not algorithms or (curve is None and not _is_strong(jwk["n"], jwk["e"])):
        return None
    public = import_key({"kty": kind} | {name: jwk[name] for name in parts})
    return None if public is None else Key(jwk.get("kid"), algorithms, curve, public)


def _is_part(value: Any) -> bool:
    return isinstance(value, str) and len(value) <= _MAX_NUMBER_BYTES


def _allowed(said: Any, algorithms: frozenset[str]) -> frozenset[str]:
    """Return those of the key's type that its own ``alg`` leaves. EdDSA and its two curves are names of one thing."""
    if said is None:
        return algorithms
    if not isinstance(said, str) or said not in algorithms:
        return frozenset()
    return algorithms if "EdDSA" in algorithms else frozenset({said})


def _is_for_signatures(jwk: dict[str, Any]) -> bool:
    operations = jwk.get("key_ops")
    return (
        jwk.get("use", "sig") == "sig"
        and (jwk.get("kid") is None or _is_part(jwk["kid"]))
        and (operations is None or (isinstance(operations, list) and "verify" in operations))
        # Whoever reads a published private key signs with it.
        and not any(name in jwk for name in _PRIVATE)
    )


def _is_strong(modulus: str, exponent: str) -> bool:
    """Return whether a key is long enough, and not too long. Looked at before a library does: it warns of short keys
    instead of refusing them, and computes with long ones."""
    if len(modulus) > MAX_RSA_BITS // 6 + 4 or len(exponent) > _MAX_EXPONENT_BYTES * 4 // 3 + 1:
        return False
    n, e = _number(modulus), _number(exponent)
    return MIN_RSA_BITS <= n.bit_length() <= MAX_RSA_BITS and n % 2 == 1 and e > 2 and e % 2 == 1


def _number(text: str) -> int:
    try:
        return int.from_bytes(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)), "big")
    except (binascii.Error, ValueError):
        return 0
