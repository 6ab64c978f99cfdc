"""Reads the answer of a token endpoint (RFC 6749 section 5), of OpenID Connect and of the social login alike."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from dialoom.auth.provider.answers import is_visible, read_object
from dialoom.auth.provider.checks import Wrong
from dialoom.auth.provider.id_token import MAX_ID_TOKEN_CHARS, Claims
from dialoom.auth.provider.social import Inspection
from dialoom.strict_json import is_number

MAX_TOKEN_CHARS: Final = 16 * 1024
"""Characters. It goes out in a header, and servers take 8 to 16 kB of all headers."""
MAX_SCOPE_CHARS: Final = 4 * 1024
MAX_LIFETIME_SECONDS: Final = 10**10
"""Seconds: three hundred years."""

BEARER: Final = "Bearer"
"""The one type, in one spelling, as it stands in a header."""

TOKEN_ERRORS: Final = frozenset(
    {
        *("invalid_request", "invalid_client", "invalid_grant", "unauthorized_client", "unsupported_grant_type"),
        *("invalid_scope", "access_denied", "server_error", "temporarily_unavailable", "invalid_target"),
        *("interaction_required", "login_required", "consent_required", "invalid_dpop_proof", "use_dpop_nonce"),
        *("invalid_authorization_details", "unsupported_token_type"),
    }
)
"""Those that are registered (IANA, OAuth Extensions Error), and told to the operator. Any other text could be anything,
even what the provider was sent."""


class TokenAnswer(msgspec.Struct, frozen=True, kw_only=True):
    access_token: str
    token_type: str = BEARER
    expires_in: float | None = None
    """Seconds until it expires, as the answer says."""
    refresh_token: str | None = None
    id_token: str | None = None
    """Not yet checked."""
    scope: str | None = None

    def __repr__(self) -> str:
        return "TokenAnswer(***)"


def read_token_answer(status: int, body: bytes) -> TokenAnswer:
    """Raises ``Wrong``."""
    if status != 200:
        raise _refusal(status, body)
    found = read_object(body, "token-json")
    if not is_visible(found.get("access_token"), MAX_TOKEN_CHARS):
        raise Wrong("token-access-token")
    token_type = found.get("token_type")
    if not isinstance(token_type, str) or token_type.lower() != BEARER.lower():
        raise Wrong("token-type")
    refresh_token, id_token, scope = (found.get(name) for name in ("refresh_token", "id_token", "scope"))
    if refresh_token is not None and not is_visible(refresh_token, MAX_TOKEN_CHARS):
        raise Wrong("token-refresh-token")
    if scope is not None and not (isinstance(scope, str) and len(scope) <= MAX_SCOPE_CHARS):
        raise Wrong("token-scope")
    if id_token is not None and not is_visible(id_token, MAX_ID_TOKEN_CHARS):
        raise Wrong("token-id-token")
    return TokenAnswer(
        access_token=found["access_token"],
        expires_in=_seconds(found.get("expires_in")),
        refresh_token=refresh_token,
        id_token=id_token,
        scope=scope or None,
    )


def id_token_of(answer: TokenAnswer) -> str:
    """Return the ID token of a login by OpenID Connect, which alone needs one: a refresh may do without (Core 12.2).
    Raises ``Wrong``."""
    if answer.id_token is None:
        raise Wrong("token-id-token")
    return answer.id_token


def _seconds(value: Any) -> float | None:
    if value is None:
        return None
    # Some providers write the number as a text.
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 16:
        value = int(value)
    # A token that is dead on arrival would ask the user to log in again at once, and again.
    if not is_number(value) or not 0 < value <= MAX_LIFETIME_SECONDS:
        raise Wrong("token-expires-in")
    return float(value)


def _refusal(status: int, body: bytes) -> Wrong:
    try:
        said = read_object(body, "token-json").get("error")
    except Wrong:
        said = None
    if isinstance(said, str) and said in TOKEN_ERRORS:
        return Wrong("token-error", f'It said "{said}".')
    return Wrong("token-status", f"It was {status}.")


def entity_value(answer: TokenAnswer, claims: Claims | None, now: float) -> dict[str, Any]:
    """Return the value of the login's entity. ``now`` in seconds since 1970. ``claims``: those of the login where a
    refresh brought none."""
    return _value(answer, _after(answer, now), answer.scope, None if claims is None else claims.sub)


def social_value(answer: TokenAnswer, inspection: Inspection, now: float) -> dict[str, Any]:
    """Return the earlier of the two expiries that the network gives."""
    known = [time for time in (_after(answer, now), inspection.expires_at) if time is not None]
    return _value(answer, min(known, default=None), answer.scope or inspection.scope, inspection.user_id)


def _after(answer: TokenAnswer, now: float) -> float | None:
    return None if answer.expires_in is None else now + answer.expires_in


def _value(answer: TokenAnswer, expires_at: float | None, scope: str | None, sub: str | None) -> dict[str, Any]:
    value = {
        "access_token": answer.access_token,
        "token_type": answer.token_type,
        "expires_at": None if expires_at is None else int(expires_at),
        "scope": scope,
        "sub": sub,
    }
    return {name: one for name, one in value.items() if one is not None}
