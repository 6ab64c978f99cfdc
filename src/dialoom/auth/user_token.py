"""Signed user tokens (channels.md section 3): a page's server says who the user is, as a JWT (RFC 7519).

What makes a token bad stands in two tables, one row a reason; the first broken rule is what the client is told. The key
is always the channel's own. Which chat the user then has is left to the channels, where the key comes from to the
service.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from dialoom import strict_json
from dialoom.auth.secret import Secret
from dialoom.errors import RequestError, SettingError
from dialoom.strict_json import Unfit, is_number

if TYPE_CHECKING:
    from joserfc.jwk import ECKey, OctKey, RSAKey

MAX_TOKEN_CHARS = 16_384
"""Characters. The context claim of a page's server fits; a token that carries documents does not."""
MAX_SUBJECT_CHARS = 256
MAX_CLAIM_CHARS = 256
MAX_ADDRESS_CHARS = 2048
MAX_DEPTH = 32
"""Levels of nesting of the claims."""
SKEW = 60.0
"""Seconds by which two clocks may differ."""
MAX_LIFETIME_SECONDS = 366 * 24 * 3600.0
"""Seconds. An ``exp`` further away is nearly always one in milliseconds, that is a token for ever."""
MIN_SECRET_BYTES = 32
"""Bytes of an HS256 secret (RFC 7518 section 3.2)."""
MIN_RSA_BITS = 2048
ANONYMOUS = re.compile(r"web_[0-9a-f]{32}")
"""Ids that the service makes for users it does not know. No token may name one: their chats belong to browsers."""

_IS_COMPACT = re.compile(r"[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+")
_PROFILE = ("name", "given_name", "family_name", "picture", "locale", "zoneinfo")


class SignedUser(msgspec.Struct, frozen=True, kw_only=True):
    """Who the user is, as the page's server vouches for it. Names of the profile are OpenID Connect's."""

    id: str
    context: dict[str, Any] = {}
    name: str | None = None
    given_name: str | None = None
    family_name: str | None = None
    picture: str | None = None
    locale: str | None = None
    zoneinfo: str | None = None


class Expected(NamedTuple):
    """What a token must fit. ``now`` in seconds since 1970."""

    algorithm: str
    audience: str
    now: float


class Rule(NamedTuple):
    """``reason`` goes to the client; ``is_broken`` looks at the header or at the claims."""

    reason: str
    is_broken: Callable[[dict[str, Any], Expected], bool]


HEADER_RULES = (
    Rule(
        'its "alg" is not {algorithm}, the one algorithm of this channel (user-token-algorithm)',
        lambda header, expected: header.get("alg") != expected.algorithm,
    ),
    Rule(
        'its header demands an extension ("crit", "b64"), and none is known here',
        lambda header, _: "crit" in header or "b64" in header,
    ),
    Rule(
        "its header brings a key or the address of one, and only the channel's own key counts",
        lambda header, _: any(name in header for name in ("jwk", "jku", "x5c", "x5u")),
    ),
    Rule(
        'its "typ" is not JWT, so that it was made for something else',
        lambda header, _: "typ" in header and str(header["typ"]).upper() != "JWT",
    ),
)

CLAIM_RULES = (
    Rule(
        'its "sub" is missing or no text of 1 to 256 characters',
        lambda claims, _: not _is_text(claims.get("sub"), MAX_SUBJECT_CHARS) or not claims["sub"].strip(),
    ),
    Rule(
        'its "sub" has the form of an anonymous user\'s id (web_...)',
        lambda claims, _: ANONYMOUS.fullmatch(claims["sub"]) is not None,
    ),
    Rule(
        'its "aud" is not "{audience}", the id of this channel, nor a list that holds it',
        lambda claims, expected: not _is_for(claims.get("aud"), expected.audience),
    ),
    Rule('its "exp" is missing or no number of seconds', lambda claims, _: not is_number(claims.get("exp"))),
    Rule(
        'its "exp" has passed; sign a new one for each page',
        lambda claims, expected: claims["exp"] <= expected.now - SKEW,
    ),
    Rule(
        'its "exp" is more than a year away; it counts seconds since 1970, not milliseconds',
        lambda claims, expected: claims["exp"] > expected.now + MAX_LIFETIME_SECONDS,
    ),
    Rule('its "nbf" is no number of seconds', lambda claims, _: "nbf" in claims and not is_number(claims["nbf"])),
    Rule(
        'its "nbf" lies in the future: it does not count yet',
        lambda claims, expected: claims.get("nbf", 0) > expected.now + SKEW,
    ),
    Rule('its "iat" is no number of seconds', lambda claims, _: "iat" in claims and not is_number(claims["iat"])),
    Rule(
        'its "iat" lies in the future; compare the clocks (60 s are allowed)',
        lambda claims, expected: claims.get("iat", 0) > expected.now + SKEW,
    ),
    Rule(
        'its "context" is no object',
        lambda claims, _: not isinstance(claims.get("context", {}), dict),
    ),
    Rule(
        'its "context" sets a name that begins with _, and those belong to the service',
        lambda claims, _: any(name.startswith("_") for name in claims.get("context", {})),
    ),
    Rule(
        'its "name", "given_name", "family_name", "picture", "locale" or "zoneinfo" is no text, or too long',
        lambda claims, _: any(
            claims.get(name) is not None and not _is_profile(name, claims[name]) for name in _PROFILE
        ),
    ),
    Rule(
        'its "picture" is no http(s) address',
        lambda claims, _: not (claims.get("picture") or "https://").lower().startswith(("http://", "https://")),
    ),
)

_MALFORMED = "it is no signed token: three parts of base64url, header and claims each a JSON object"
_TOO_LONG = f"it has more than {MAX_TOKEN_CHARS} characters"
_UNFIT = "something in it cannot be stored (NUL, half a character, too large a number), or is nested too deeply"
_FORGED = "its signature does not fit the channel's key (user-secret), or its header is wrong"


def read_user_token(text: str, key: Secret[str], expected: Expected, pointer: str | None = None) -> SignedUser:
    """Raises ``RequestError`` 401 with the reason, and ``SettingError`` for a key that cannot be used.

    ``pointer``: where in the request the token stands.
    """
    try:
        return _read(text, key, expected)
    except _Refused as refusal:
        raise refused(str(refusal), pointer) from None


def _read(text: str, key: Secret[str], expected: Expected) -> SignedUser:
    if len(text) > MAX_TOKEN_CHARS:
        raise _Refused(_TOO_LONG)
    if not _IS_COMPACT.fullmatch(text):
        raise _Refused(_MALFORMED)
    claims = _verified(text, key, expected)
    _check(CLAIM_RULES, claims, expected)
    profile = {name: claims.get(name) or None for name in _PROFILE}
    return SignedUser(id=claims["sub"], context=claims.get("context", {}), **profile)


def check_user_key(key: Secret[str], algorithm: str) -> None:
    """Raises ``SettingError`` saying what ``user-secret`` must be. Loads libraries: not for the event loop."""
    _import(key, algorithm)


def refused(reason: str, pointer: str | None = None) -> RequestError:
    headers = {"WWW-Authenticate": "Bearer"}
    detail = f"The user token is refused: {reason}."
    return RequestError("bad-user-token", detail, pointer=pointer, headers=headers)


class _Refused(Exception):
    """The reason, as the end of a sentence."""


def _check(rules: tuple[Rule, ...], part: dict[str, Any], expected: Expected) -> None:
    for rule in rules:
        if rule.is_broken(part, expected):
            raise _Refused(rule.reason.format(algorithm=expected.algorithm, audience=expected.audience))


def _verified(text: str, key: Secret[str], expected: Expected) -> dict[str, Any]:
    from joserfc import jws
    from joserfc.errors import JoseError

    head = text.partition(".")[0]
    try:
        header = _object(base64.urlsafe_b64decode(head + "=" * (-len(head) % 4)))
    except binascii.Error:
        raise _Refused(_MALFORMED) from None
    _check(HEADER_RULES, header, expected)
    # Header names of other issuers that nobody knows are harmless; those that are not have a rule.
    registry = jws.JWSRegistry(algorithms=[expected.algorithm], strict_check_header=False)
    own = _import(key, expected.algorithm)
    try:
        token = jws.deserialize_compact(text, own, [expected.algorithm], registry)
    except (JoseError, ValueError):
        raise _Refused(_FORGED) from None
    return _object(token.payload or b"")


def _object(data: bytes) -> dict[str, Any]:
    try:
        value = strict_json.read(data, MAX_DEPTH)
    except Unfit as unfit:
        raise _Refused(_MALFORMED if unfit.fault == "json" else _UNFIT) from None
    if not isinstance(value, dict):
        raise _Refused(_MALFORMED)
    return value


def _is_text(value: Any, most: int) -> bool:
    return isinstance(value, str) and 1 <= len(value) <= most


def _is_profile(name: str, value: Any) -> bool:
    return isinstance(value, str) and len(value) <= (MAX_ADDRESS_CHARS if name == "picture" else MAX_CLAIM_CHARS)


def _is_for(given: Any, audience: str) -> bool:
    many = given if isinstance(given, list) else [given]
    return audience in many and all(isinstance(one, str) for one in many)


# -- the channel's key


def _import(key: Secret[str], algorithm: str) -> OctKey | ECKey | RSAKey:
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.asymmetric import ec, rsa
    from cryptography.hazmat.primitives.serialization import load_pem_public_key
    from joserfc.jwk import ECKey, OctKey, RSAKey

    # A variable of the environment often holds a PEM on one line.
    text = key.reveal().strip().replace("\\n", "\n") if algorithm != "HS256" else key.reveal()
    if algorithm == "HS256":
        if text.lstrip().startswith("-----BEGIN"):
            # Else whoever has the public key could sign with it as a secret (RFC 8725 section 2.1).
            raise SettingError(
                "user-secret is a PEM key, and HS256 takes a shared secret. Set user-token-algorithm to ES256 or RS256"
            )
        if len(text.encode()) < MIN_SECRET_BYTES:
            raise SettingError(
                f"user-secret has less than {MIN_SECRET_BYTES} bytes, too few for HS256. Make one: "
                "openssl rand -base64 32"
            )
        return OctKey.import_key(text.encode())
    try:
        public = load_pem_public_key(text.encode())
    except (ValueError, UnsupportedAlgorithm) as error:
        raise SettingError(
            f'user-secret is no public key, and {algorithm} takes one in PEM ("-----BEGIN PUBLIC KEY-----"). Print it: '
            f"openssl pkey -in key.pem -pubout."
        ) from error
    if algorithm == "ES256":
        if not isinstance(public, ec.EllipticCurvePublicKey) or not isinstance(public.curve, ec.SECP256R1):
            raise SettingError("user-secret is no public key on the curve P-256, which ES256 takes.")
        return ECKey.import_key(text)
    if not isinstance(public, rsa.RSAPublicKey) or public.key_size < MIN_RSA_BITS:
        raise SettingError(f"user-secret is no RSA public key of at least {MIN_RSA_BITS} bits, which RS256 takes.")
    return RSAKey.import_key(text)
