"""Reads a provider's metadata (OpenID Connect Discovery 1.0). Fetching and keeping it is left to the service."""

from __future__ import annotations

from typing import Any, Final, Literal

import msgspec

from dialoom.auth.provider.addresses import Address, read_address
from dialoom.auth.provider.answers import read_object
from dialoom.auth.provider.checks import Wrong

ALGORITHMS: Final = (
    *("RS256", "RS384", "RS512", "PS256", "PS384", "PS512"),
    *("ES256", "ES384", "ES512", "EdDSA", "Ed25519", "Ed448"),
)
"""Those that a published key checks. None that takes a shared secret: whoever knows the client secret could sign."""

PAGES: Final = frozenset({"op_policy_uri", "op_tos_uri"})
"""What people may read, and no endpoints (Discovery 3)."""

ClientAuth = Literal["basic", "post"]


class Metadata(msgspec.Struct, frozen=True, kw_only=True):
    """What was found right, and nothing else of what the provider said."""

    issuer: str
    authorization_endpoint: str
    token_endpoint: str
    jwks_uri: str
    revocation_endpoint: str | None
    algorithms: tuple[str, ...]
    """Of ID tokens; asymmetric ones alone."""
    client_auth: ClientAuth
    requires_iss: bool
    """True if each redirect says which issuer sent it (RFC 9207)."""
    userinfo_endpoint: str | None = None


def discovery_address(issuer: str) -> str:
    """Return where the metadata lies (Discovery 4.1: a slash at the end goes before the rest is added)."""
    return issuer.removesuffix("/") + "/.well-known/openid-configuration"


def read_metadata(body: bytes, issuer: str, status: int = 200) -> Metadata:
    """Raises ``Wrong``. ``issuer``: as the bot's files have it."""
    if status != 200:
        raise Wrong("metadata-status", f"It was {status}.")
    found = read_object(body, "metadata-json")
    _check_issuer(found.get("issuer"), issuer)
    own = read_address(issuer)
    if own is None or not (own.scheme == "https" or own.is_plain_loopback):
        raise Wrong("metadata-endpoint", "It is the issuer itself.")
    response_types = _texts(found, "response_types_supported")
    # A required member that some leave out. Without it nothing says that the flow is not there.
    if response_types is not None and "code" not in response_types:
        raise Wrong("metadata-code-flow")
    _check_others(found, own)
    algorithms = tuple(
        name for name in ALGORITHMS if name in (_texts(found, "id_token_signing_alg_values_supported") or ())
    )
    if not algorithms:
        raise Wrong("metadata-algorithms")
    requires_iss = found.get("authorization_response_iss_parameter_supported", False)
    if not isinstance(requires_iss, bool):
        raise _mistyped("authorization_response_iss_parameter_supported")
    userinfo = found.get("userinfo_endpoint")
    return Metadata(
        issuer=issuer,
        authorization_endpoint=_endpoint(found, "authorization_endpoint", own),
        token_endpoint=_endpoint(found, "token_endpoint", own),
        jwks_uri=_endpoint(found, "jwks_uri", own),
        revocation_endpoint=(
            _endpoint(found, "revocation_endpoint", own) if found.get("revocation_endpoint") is not None else None
        ),
        algorithms=algorithms,
        client_auth=_client_auth(found),
        requires_iss=requires_iss,
        # ``_check_others`` has checked where it is.
        userinfo_endpoint=str(userinfo) if read_address(userinfo) is not None else None,
    )


def _check_issuer(said: object, issuer: str) -> None:
    if said == issuer:
        return
    # Shown where it is nothing but an address, since most of the time one slash is all that differs.
    address = read_address(said)
    is_plain = address is not None and not address.has_query and len(str(said)) <= 200
    raise Wrong("metadata-issuer", f"It says {said}" if is_plain else "")


def _endpoint(found: dict[str, Any], name: str, issuer: Address) -> str:
    """Return an endpoint of the issuer's own class: a public issuer never leads to plain http, nor to this
    machine's."""
    said = found.get(name)
    if said is None:
        raise Wrong("metadata-missing", f'It is "{name}".')
    address = read_address(said)
    if address is None or not (address.scheme == "https" or (address.is_plain_loopback and issuer.is_plain_loopback)):
        raise Wrong("metadata-endpoint", f'It is "{name}".')
    return str(said)


def _check_others(found: dict[str, Any], issuer: Address) -> None:
    """Check the endpoints that no login goes to: a provider that names one of another class is not set up as its issuer
    says."""
    for name, said in found.items():
        if name.endswith(("_endpoint", "_uri")) and name not in PAGES and read_address(said) is not None:
            _endpoint(found, name, issuer)


def _client_auth(found: dict[str, Any]) -> ClientAuth:
    methods = _texts(found, "token_endpoint_auth_methods_supported")
    if methods is None or "client_secret_basic" in methods:
        return "basic"
    if "client_secret_post" in methods:
        return "post"
    raise Wrong("metadata-client-auth")


def _texts(found: dict[str, Any], name: str) -> list[str] | None:
    value: list[str] | None = found.get(name)
    if value is not None and not (isinstance(value, list) and all(isinstance(one, str) for one in value)):
        raise _mistyped(name)
    return value


def _mistyped(name: str) -> Wrong:
    return Wrong("metadata-type", f'It is "{name}".')
