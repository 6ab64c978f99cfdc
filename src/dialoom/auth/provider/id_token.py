"""Checks an ID token (OpenID Connect Core 1.0 sections 3.1.3.7, 3.1.3.8 and 12.2): two tables, one row a claim.

The first broken rule is what it is refused for. Keys come in; reading them once more where one is unknown is left to
the service.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import re
from collections.abc import Callable
from typing import Any, Final, NamedTuple

import msgspec

from dialoom import strict_json
from dialoom.auth.provider.answers import LATEST, MAX_DEPTH
from dialoom.auth.provider.checks import UnknownKey, Wrong
from dialoom.auth.provider.keys import Key, Keys
from dialoom.auth.provider.metadata import ALGORITHMS
from dialoom.strict_json import Unfit, is_number

MAX_ID_TOKEN_CHARS: Final = 64 * 1024
"""Characters. Those of providers that list a user's hundreds of groups have 20,000."""
MAX_SUBJECT_CHARS: Final = 255
SKEW: Final = 60.0
"""Seconds by which two clocks may differ (login.md, What is checked)."""

PROFILE: Final = ("name", "preferred_username", "email", "email_verified", "groups")

_is_compact = re.compile(r"[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+").fullmatch


class Claims(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Of a token that was checked, under the standard's own names."""

    iss: str
    sub: str
    nonce: str | None = None
    azp: str | None = None
    auth_time: float | None = None
    profile: dict[str, Any] = {}
    """The claims of ``PROFILE`` that it has, of whatever type. What they say is not checked but signed."""

    def __repr__(self) -> str:
        return "Claims(***)"


class Expected(msgspec.Struct, frozen=True, kw_only=True):
    """What a token must fit: of a login ``nonce``, of a refresh ``earlier``, exactly one of them."""

    issuer: str
    client_id: str
    algorithms: tuple[str, ...]
    """Those of the metadata."""
    access_token: str
    """The one that came with it."""
    now: float
    """Seconds since 1970."""
    nonce: str | None
    earlier: Claims | None = None
    """Of the login that is refreshed (``read_checked``)."""
    max_age: float | None = None
    """Seconds, where the authorization request had one."""

    def __post_init__(self) -> None:
        if (self.nonce is None) == (self.earlier is None):
            raise ValueError("an ID token is checked against a login's nonce, or against the claims of the login")

    def __repr__(self) -> str:
        return "Expected(***)"


class TokenRule(NamedTuple):
    """What an ID token has to keep to. ``code`` of its row in ``CHECKS``; ``is_broken`` looks at the header or at the
    claims."""

    code: str
    is_broken: Callable[[dict[str, Any], Expected], bool]


HEADER_RULES: Final = (
    TokenRule(
        "id-token-algorithm",
        lambda header, expected: header.get("alg") not in expected.algorithms or header.get("alg") not in ALGORITHMS,
    ),
    # No extension is known here, so that each one is unknown.
    TokenRule("id-token-critical", lambda header, _: "crit" in header or "b64" in header),
    TokenRule("id-token-own-key", lambda header, _: any(name in header for name in ("jwk", "jku", "x5u", "x5c"))),
    TokenRule("id-token-type", lambda header, _: "typ" in header and not _is_jwt(header["typ"])),
    TokenRule("id-token-kid", lambda header, _: not isinstance(header.get("kid", ""), str)),
)

CLAIM_RULES: Final = (
    TokenRule("id-token-issuer", lambda claims, expected: claims.get("iss") != expected.issuer),
    TokenRule("id-token-subject", lambda claims, _: not _is_subject(claims.get("sub"))),
    TokenRule(
        "id-token-audience",
        lambda claims, expected: claims.get("aud") not in (expected.client_id, [expected.client_id]),
    ),
    TokenRule(
        "id-token-authorized-party",
        lambda claims, expected: claims.get("azp", expected.client_id) != expected.client_id,
    ),
    TokenRule(
        "id-token-expiry",
        lambda claims, expected: not is_time(claims.get("exp")) or claims["exp"] <= expected.now - SKEW,
    ),
    TokenRule(
        "id-token-not-before",
        lambda claims, expected: (
            "nbf" in claims and (not is_time(claims["nbf"]) or claims["nbf"] > expected.now + SKEW)
        ),
    ),
    TokenRule(
        "id-token-issued",
        lambda claims, expected: not is_time(claims.get("iat")) or claims["iat"] > expected.now + SKEW,
    ),
    TokenRule(
        "id-token-nonce",
        lambda claims, expected: expected.nonce is not None and not _is_same(claims.get("nonce"), expected.nonce),
    ),
    TokenRule(
        "id-token-auth-time",
        lambda claims, expected: (
            ("auth_time" in claims and not is_time(claims["auth_time"]))
            or (expected.max_age is not None and _is_stale(claims.get("auth_time"), expected.max_age, expected.now))
        ),
    ),
    TokenRule(
        "id-token-renewed",
        lambda claims, expected: expected.earlier is not None and not _is_of(claims, expected.earlier),
    ),
)


def check_id_token(text: str, keys: Keys, expected: Expected) -> Claims:
    """Raises ``Wrong``, and ``UnknownKey`` where other keys might help."""
    head, payload_text = parts_of(text)
    header = object_of(head)
    _check(HEADER_RULES, header, expected)
    algorithm = header["alg"]
    key = signer_of(text, keys.find(header.get("kid"), algorithm), algorithm)
    claims = object_of(payload_text)
    _check(CLAIM_RULES, claims, expected)
    if "at_hash" in claims and not _is_same(
        claims["at_hash"], _access_token_hash(expected.access_token, algorithm, key.curve)
    ):
        raise Wrong("id-token-access-token")
    return _claims(claims)


def read_checked(text: str) -> Claims:
    """Return the claims of an ID token that was checked when it came and lay sealed since. Raises ``Wrong``."""
    claims = object_of(parts_of(text)[1])
    if not isinstance(claims.get("iss"), str) or not _is_subject(claims.get("sub")):
        raise Wrong("id-token-format")
    return _claims(claims)


def _claims(claims: dict[str, Any]) -> Claims:
    def text(name: str) -> str | None:
        return claims[name] if isinstance(claims.get(name), str) else None

    auth_time = claims.get("auth_time")
    return Claims(
        iss=claims["iss"],
        sub=claims["sub"],
        nonce=text("nonce"),
        azp=text("azp"),
        auth_time=auth_time if is_time(auth_time) else None,
        profile={name: claims[name] for name in PROFILE if name in claims},
    )


def _check(rules: tuple[TokenRule, ...], part: dict[str, Any], expected: Expected) -> None:
    for rule in rules:
        if rule.is_broken(part, expected):
            raise Wrong(rule.code)


# -- form and signature


def parts_of(text: str) -> tuple[str, str]:
    """Return header and claims, still encoded."""
    if len(text) > MAX_ID_TOKEN_CHARS or not _is_compact(text):
        raise Wrong("id-token-format")
    head, payload, _ = text.split(".")
    return head, payload


def object_of(part: str) -> dict[str, Any]:
    try:
        value = strict_json.read(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)), MAX_DEPTH)
    except (binascii.Error, Unfit):
        raise Wrong("id-token-format") from None
    if not isinstance(value, dict):
        raise Wrong("id-token-format")
    return value


def signer_of(text: str, candidates: tuple[Key, ...], algorithm: str) -> Key:
    """Return the key that signed the token."""
    from dialoom.auth.provider.signature import Malformed, has_signed

    try:
        for key in candidates:
            if has_signed(key.public, text, algorithm):
                return key
    except Malformed:
        raise Wrong("id-token-format") from None
    raise UnknownKey("id-token-signature")


# -- claims


def _is_jwt(typ: Any) -> bool:
    return isinstance(typ, str) and typ.lower().removeprefix("application/") == "jwt"


def _is_subject(sub: Any) -> bool:
    return isinstance(sub, str) and len(sub) <= MAX_SUBJECT_CHARS and bool(sub.strip())


def is_time(value: Any) -> bool:
    """Return whether a value is a NumericDate (RFC 7519 section 2)."""
    return is_number(value) and 0 <= value <= LATEST


def _is_same(said: Any, own: str) -> bool:
    return isinstance(said, str) and hmac.compare_digest(said.encode(), own.encode())


def _is_stale(auth_time: Any, max_age: float, now: float) -> bool:
    return auth_time is None or auth_time + max_age < now - SKEW


def _is_of(claims: dict[str, Any], earlier: Claims) -> bool:
    """Return whether the claims of a refreshed token fit the earlier one (section 12.2); issuer and audience have rows
    of their own."""
    return (
        claims["sub"] == earlier.sub
        and claims.get("azp") == earlier.azp
        and claims.get("nonce") in (None, earlier.nonce)
        and ("auth_time" not in claims or earlier.auth_time in (None, claims["auth_time"]))
    )


def _access_token_hash(access_token: str, algorithm: str, curve: str | None) -> str:
    """Return the left half of the hash that the signature's algorithm uses (section 3.1.3.6)."""
    data = access_token.encode()
    if curve == "Ed448":
        digest = hashlib.shake_256(data).digest(114)
    elif curve == "Ed25519":
        digest = hashlib.sha512(data).digest()
    else:
        digest = hashlib.new(f"sha{algorithm[2:]}", data).digest()
    return base64.urlsafe_b64encode(digest[: len(digest) // 2]).rstrip(b"=").decode()
