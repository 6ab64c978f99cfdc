"""The social login (login.md, Social login): dialog, exchange of the code, inspection of the token that it gives.

The exchange answers as a token endpoint does (``token_answer``); sending the calls is left to the service.
"""

from __future__ import annotations

import hashlib
import hmac
from typing import Any, Final
from urllib.parse import urlencode

import msgspec

from dialoom.auth.provider.answers import LATEST, is_visible, read_object
from dialoom.auth.provider.checks import Wrong
from dialoom.auth.provider.requests import DEADLINE, Asked
from dialoom.auth.secret import Secret
from dialoom.engine.effects import Request
from dialoom.strict_json import is_number

MAX_USER_CHARS: Final = 255
_JSON: Final = ("Accept", "application/json")


class SocialClient(msgspec.Struct, frozen=True, kw_only=True):
    """``settings.authentication.socialnet`` with its secret in hand, and the service's two base addresses."""

    app_id: str
    app_secret: Secret[str]
    dialog_url: str
    """Where the user logs in, as a whole."""
    graph_url: str
    """What calls begin with."""


class Inspection(msgspec.Struct, frozen=True, kw_only=True):
    """What the network says of a token."""

    user_id: str
    expires_at: float | None = None
    """Seconds since 1970; None for one that does not expire."""
    scope: str | None = None

    def __repr__(self) -> str:
        return "Inspection(***)"


def dialog_address(client: SocialClient, asked: Asked) -> str:
    query = {
        "client_id": client.app_id,
        "redirect_uri": asked.redirect_uri,
        "response_type": "code",
        "state": asked.state,
    }
    joint = "&" if "?" in client.dialog_url else "?"
    return f"{client.dialog_url}{joint}{urlencode(query)}"


def exchange_request(client: SocialClient, code: str, redirect_uri: str, *, trusted_host: bool = False) -> Request:
    """Return the request for a token, as a form: addresses end up in the logs of what lies between."""
    form = {
        "client_id": client.app_id,
        "client_secret": client.app_secret.reveal(),
        "redirect_uri": redirect_uri,
        "code": code,
    }
    return Request(
        method="POST",
        url=f"{client.graph_url.rstrip('/')}/oauth/access_token",
        headers=(_JSON, ("Content-Type", "application/x-www-form-urlencoded")),
        body=urlencode(form).encode(),
        timeout=DEADLINE,
        trusted_host=trusted_host,
    )


def inspection_request(client: SocialClient, token: str, *, trusted_host: bool = False) -> Request:
    """Return the request for ``debug_token``, asked with the app's own token and the proof that whoever holds that has
    the secret."""
    own = f"{client.app_id}|{client.app_secret.reveal()}"
    query = {"input_token": token, "access_token": own, "appsecret_proof": appsecret_proof(client, own)}
    return Request(
        method="GET",
        url=f"{client.graph_url.rstrip('/')}/debug_token?{urlencode(query)}",
        headers=(_JSON,),
        timeout=DEADLINE,
        trusted_host=trusted_host,
    )


def appsecret_proof(client: SocialClient, token: str) -> str:
    """Return the proof that goes with every call that bears this token: HMAC-SHA256 of it under the app's secret, in
    hex."""
    return hmac.new(client.app_secret.reveal().encode(), token.encode(), hashlib.sha256).hexdigest()


def read_inspection(status: int, body: bytes, client: SocialClient, now: float) -> Inspection:
    """Read what the network says of a token. ``now`` in seconds since 1970. Raises ``Wrong``."""
    if status != 200:
        raise Wrong("social-status", f"It was {status}.")
    data = read_object(body, "social-json").get("data")
    if not isinstance(data, dict):
        raise Wrong("social-json")
    # First, since of a token that the network does not know it says nothing else.
    if data.get("is_valid") is not True:
        raise Wrong("social-valid")
    if _id(data.get("app_id")) != client.app_id:
        raise Wrong("social-app")
    if data.get("type", "USER") != "USER":
        raise Wrong("social-type")
    expires_at = data.get("expires_at")
    if expires_at is not None and not (is_number(expires_at) and 0 <= expires_at <= LATEST):
        raise Wrong("social-expiry")
    # 0 says that it never does.
    if expires_at and expires_at <= now:
        raise Wrong("social-expiry")
    user_id = _id(data.get("user_id"))
    if user_id is None:
        raise Wrong("social-user")
    return Inspection(user_id=user_id, expires_at=float(expires_at) if expires_at else None, scope=_scope(data))


def _id(value: Any) -> str | None:
    """Return an id as text: ids come as text and as numbers."""
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 10**30:
        return str(value)
    return value if is_visible(value, MAX_USER_CHARS) and value.strip() else None


def _scope(data: dict[str, Any]) -> str | None:
    scopes = data.get("scopes")
    if not isinstance(scopes, list) or not 0 < len(scopes) <= 100 or not all(is_visible(one, 100) for one in scopes):
        return None
    return " ".join(scopes)
