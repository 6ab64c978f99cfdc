"""Checks the tokens with which the Bot Framework's connector signs its calls: two tables, one row a reason.

Source: https://learn.microsoft.com/azure/bot-service/rest-api/bot-framework-rest-connector-authentication. No I/O: how
the keys are fetched is left to the channel.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

import msgspec

from dialoom.auth.provider import Keys, UnknownKey, Wrong, read_keys
from dialoom.auth.provider.addresses import read_address
from dialoom.auth.provider.answers import read_object
from dialoom.auth.provider.id_token import is_time, object_of, parts_of, signer_of

ISSUER: Final = "https://api.botframework.com"
ALGORITHM: Final = "RS256"
SKEW_SECONDS: Final = 300.0
"""Seconds by which two clocks may differ."""


class ConnectorKeys(msgspec.Struct, frozen=True):
    """The keys that are published, and by their ids the channels that each may speak for."""

    keys: Keys
    endorsements: Mapping[str, frozenset[str]]


class ConnectorCall(NamedTuple):
    """What a token must fit. ``now`` in seconds since 1970."""

    app_id: str
    channel: str
    """``channelId`` of the activity."""
    service_url: str
    """``serviceUrl`` of the activity."""
    now: float


class Refused(Exception):
    """The reason, as a sentence."""


class UnknownSigner(Refused):
    """Other keys may have been published since these were read."""


class TokenRule(NamedTuple):
    reason: str
    is_broken: Callable[[dict[str, Any], ConnectorCall], bool]


HEADER_RULES: Final = (
    TokenRule(f"The token is not signed with {ALGORITHM}.", lambda header, _: header.get("alg") != ALGORITHM),
    TokenRule(
        "The token's header demands an extension, or brings a key.",
        lambda header, _: any(name in header for name in ("crit", "b64", "jwk", "jku", "x5u", "x5c")),
    ),
    TokenRule("The token does not say which key signed it.", lambda header, _: not isinstance(header.get("kid"), str)),
)

CLAIM_RULES: Final = (
    TokenRule(f"The token's issuer is not {ISSUER}.", lambda claims, _: claims.get("iss") != ISSUER),
    TokenRule(
        "The token is for another app than this channel's app-id.",
        lambda claims, call: claims.get("aud") not in (call.app_id, [call.app_id]),
    ),
    TokenRule(
        "The token's time is over, or it has none.",
        lambda claims, call: not is_time(claims.get("exp")) or claims["exp"] <= call.now - SKEW_SECONDS,
    ),
    TokenRule(
        "The token does not count yet.",
        lambda claims, call: (
            "nbf" in claims and (not is_time(claims["nbf"]) or claims["nbf"] > call.now + SKEW_SECONDS)
        ),
    ),
    TokenRule(
        "The token's serviceurl is not the serviceUrl of the activity.",
        lambda claims, call: not call.service_url or claims.get("serviceurl") != call.service_url,
    ),
)


def read_jwks_uri(body: bytes, metadata_url: str) -> str:
    """Return where the metadata says that the keys are: https, or http on loopback where the metadata is there itself.
    Raises ``Wrong``."""
    jwks_uri = read_object(body, "metadata-json").get("jwks_uri")
    address, metadata = read_address(jwks_uri), read_address(metadata_url)
    if address is None or not isinstance(jwks_uri, str):
        raise Wrong("metadata-missing")
    if address.scheme != "https" and not (
        address.is_plain_loopback and metadata is not None and metadata.is_plain_loopback
    ):
        raise Wrong("metadata-endpoint")
    return jwks_uri


def read_connector_keys(body: bytes) -> ConnectorKeys:
    """Read a key set with endorsements. Raises ``Wrong``. Not for the event loop, as ``read_keys``."""
    keys = read_keys(body)
    endorsements: dict[str, frozenset[str]] = {}
    for one in read_object(body, "keys-json")["keys"]:
        listed = one.get("endorsements") if isinstance(one, dict) else None
        if isinstance(listed, list) and isinstance(one.get("kid"), str):
            endorsements[one["kid"]] = frozenset(name for name in listed if isinstance(name, str))
    return ConnectorKeys(keys, endorsements)


def check_connector_token(text: str, published: ConnectorKeys, call: ConnectorCall) -> None:
    """Raises ``Refused``, and ``UnknownSigner`` where other keys might help."""
    try:
        head, claims = parts_of(text)
        header = object_of(head)
        _check(HEADER_RULES, header, call)
        key = signer_of(text, published.keys.find(header["kid"], ALGORITHM), ALGORITHM)
        _check(CLAIM_RULES, object_of(claims), call)
    except UnknownKey as unknown:
        raise UnknownSigner("The token is not signed by a published key.") from unknown
    except Wrong as wrong:
        raise Refused("It bears no signed token.") from wrong
    if call.channel not in published.endorsements.get(key.kid or "", frozenset()):
        raise Refused("The key that signed the token may not speak for the activity's channelId.")


def _check(rules: tuple[TokenRule, ...], part: dict[str, Any], call: ConnectorCall) -> None:
    for rule in rules:
        if rule.is_broken(part, call):
            raise Refused(rule.reason)
