"""What goes to an OpenID Connect provider: the address the browser is sent to, and the calls of the service.

Calls are values; sending them is left to the service. None is ever tried again: a code serves once, and a provider that
sees it twice may take back all that came by it (RFC 6749 section 4.1.2).
"""

from __future__ import annotations

import base64
import hashlib
import json
from typing import Any, Final, Literal
from urllib.parse import quote_plus, urlencode

import msgspec

from dialoom.auth.provider.metadata import ClientAuth, Metadata, discovery_address
from dialoom.auth.secret import Secret
from dialoom.engine.effects import Request

DEADLINE: Final = 10.0
"""Seconds of one call, from its start to its last byte (login.md, What is checked)."""

_OWN: Final = ("client_id", "redirect_uri", "response_type", "state", "nonce")
"""Never overridden, nor is ``code_challenge*`` (login.md, The flow, 2). The check of bot files says so too."""


class OidcClient(msgspec.Struct, frozen=True, kw_only=True):
    """The bot as the provider knows it: ``settings.authentication.oidc`` with its secret in hand."""

    issuer: str
    client_id: str
    client_secret: Secret[str]
    scope: str | None = None
    params: dict[str, Any] = {}
    """``authorization-params``."""


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """What is this one login's own."""

    state: str
    nonce: str
    verifier: str
    """Of PKCE (RFC 7636)."""
    redirect_uri: str

    def __repr__(self) -> str:
        return "Asked(***)"


# -- the browser


def authorization_address(metadata: Metadata, client: OidcClient, asked: Asked) -> str:
    pairs = [
        ("response_type", "code"),
        ("client_id", client.client_id),
        ("redirect_uri", asked.redirect_uri),
        ("scope", _scope(client)),
        ("state", asked.state),
        ("nonce", asked.nonce),
        ("code_challenge", challenge_of(asked.verifier)),
        ("code_challenge_method", "S256"),
    ]
    for name, value in client.params.items():
        pairs += _further(name, value)
    # The endpoint may have a query of its own, which stays (RFC 6749 section 3.1).
    joint = "&" if "?" in metadata.authorization_endpoint else "?"
    return f"{metadata.authorization_endpoint}{joint}{urlencode(pairs)}"


def challenge_of(verifier: str) -> str:
    """Return the S256 challenge of a verifier (RFC 7636 section 4.2)."""
    return base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()


def max_age_of(client: OidcClient) -> float | None:
    """Return seconds since the user's last login at the provider that the request allows."""
    said = str(client.params.get("max_age"))
    return float(said) if said.isascii() and said.isdigit() else None


def _scope(client: OidcClient) -> str:
    also = client.params.get("scope")
    words = ["openid", *(client.scope or "").split(), *(also.split() if isinstance(also, str) else ())]
    return " ".join(dict.fromkeys(words))


def _further(name: str, value: Any) -> list[tuple[str, str]]:
    """Return the parameters that one of ``authorization-params`` becomes (login.md, The flow, 2)."""
    if name in _OWN or name == "scope" or name.startswith("code_challenge"):
        return []
    texts = [_text(one) for one in (value if isinstance(value, list) else [value]) if one is not None]
    names = ("resource", "resources") if name == "resources" else (name,)
    return [(one, text) for one in names for text in texts]


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, separators=(",", ":"))


# -- the service


def discovery_request(issuer: str, *, trusted_host: bool = False) -> Request:
    return _get(discovery_address(issuer), trusted_host)


def keys_request(metadata: Metadata, *, trusted_host: bool = False) -> Request:
    return _get(metadata.jwks_uri, trusted_host)


def userinfo_request(endpoint: str, access_token: str, *, trusted_host: bool = False) -> Request:
    """Return the request for what the provider says of the person (Core 5.3.1)."""
    request = _get(endpoint, trusted_host)
    headers = (*request.headers, ("Authorization", f"Bearer {access_token}"))
    return msgspec.structs.replace(request, headers=headers)


def token_request(
    metadata: Metadata, client: OidcClient, code: str, asked: Asked, *, trusted_host: bool = False
) -> Request:
    """Return the request that changes the code into tokens (RFC 6749 section 4.1.3)."""
    form = [
        ("grant_type", "authorization_code"),
        ("code", code),
        ("redirect_uri", asked.redirect_uri),
        ("code_verifier", asked.verifier),
        *_resource(client),
    ]
    return _post(metadata.token_endpoint, client, form, metadata.client_auth, trusted_host)


def refresh_request(
    metadata: Metadata, client: OidcClient, refresh_token: str, *, trusted_host: bool = False
) -> Request:
    """Return the request for a new token of the scope that was granted (RFC 6749 section 6)."""
    form = [("grant_type", "refresh_token"), ("refresh_token", refresh_token), *_resource(client)]
    return _post(metadata.token_endpoint, client, form, metadata.client_auth, trusted_host)


def revocation_request(
    endpoint: str,
    client: OidcClient,
    token: str,
    hint: Literal["access_token", "refresh_token"],
    *,
    client_auth: ClientAuth = "basic",
    trusted_host: bool = False,
) -> Request:
    """Gives a token back (RFC 7009 section 2.1). Its answer is the status alone."""
    form = [("token", token), ("token_type_hint", hint)]
    return _post(endpoint, client, form, client_auth, trusted_host)


def _resource(client: OidcClient) -> list[tuple[str, str]]:
    """Return the parameter ``resource``. An access token is for one, so that of several none is named here (RFC 8707
    section 2.2)."""
    texts = [text for name, text in _further("resources", client.params.get("resources")) if name == "resource"]
    return [("resource", texts[0])] if len(texts) == 1 else []


def _get(url: str, trusted_host: bool) -> Request:
    headers = (("Accept", "application/json"),)
    return Request(method="GET", url=url, headers=headers, timeout=DEADLINE, trusted_host=trusted_host)


def _post(
    url: str, client: OidcClient, form: list[tuple[str, str]], client_auth: ClientAuth, trusted_host: bool
) -> Request:
    headers = [("Accept", "application/json"), ("Content-Type", "application/x-www-form-urlencoded")]
    if client_auth == "basic":
        headers.append(("Authorization", _basic(client)))
    else:
        form = [*form, ("client_id", client.client_id), ("client_secret", client.client_secret.reveal())]
    return Request(
        method="POST",
        url=url,
        headers=tuple(headers),
        body=urlencode(form).encode(),
        timeout=DEADLINE,
        trusted_host=trusted_host,
    )


def _basic(client: OidcClient) -> str:
    """Return the Basic header. Id and secret are form-encoded first (RFC 6749 section 2.3.1), so that a colon in the id
    ends nothing."""
    pair = f"{quote_plus(client.client_id)}:{quote_plus(client.client_secret.reveal())}"
    return "Basic " + base64.b64encode(pair.encode()).decode()
