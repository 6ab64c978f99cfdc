"""What the authentication entity holds after a login (login.md, The flow, 4). All else that came stays in the vault."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dialoom.auth.provider.id_token import Claims
    from dialoom.auth.provider.social import Inspection
    from dialoom.auth.provider.token_answer import TokenAnswer


def entity_value(answer: TokenAnswer, claims: Claims | None, now: float) -> dict[str, Any]:
    """``now`` in seconds since 1970. ``claims``: those of the login where a refresh brought none."""
    return _value(answer, _after(answer, now), answer.scope, None if claims is None else claims.sub)


def social_value(answer: TokenAnswer, inspection: Inspection, now: float) -> dict[str, Any]:
    """The earlier of the two expiries that the network gives."""
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
