"""Tells whether a login is there, whether it is still good, and when it is forgotten (login.md, The flow, 1 and 4)."""

from __future__ import annotations

import base64
import re
from datetime import UTC, datetime
from typing import Any

import msgspec

from dialoom.engine.compiled import Flow
from dialoom.engine.state import State
from dialoom.flow.channels import CHANNEL_ROWS
from dialoom.messages import Profile
from dialoom.strict_json import is_number
from dialoom.template.values import is_true, read_number

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECONDS_FROM = 100_000_000_000
"""From here on a number of ``expires_at`` counts milliseconds: in seconds it would be the year 5138."""
_MAX_TOKEN_CHARS = 65_536
_PART = re.compile(r"[A-Za-z0-9_-]+", re.ASCII)


def is_logged_in(flow: Flow, state: State, now: int) -> bool:
    """Return whether a protected step would act at once if a message came now. A login that would have to be renewed
    for that does not count."""
    return is_valid(login_of(flow, state, now), now)


def login_of(flow: Flow, state: State, now: int) -> Any:
    """Return what the authentication entity will hold when a message comes now; None where it is forgotten by then."""
    if flow.login is None or 0 < state.login_over_at <= now:
        return None
    value = held(state, flow.login.entity)
    is_kept = flow.login.is_refreshed or flow.login.entity in flow.persistent or is_valid(value, now)
    return value if is_kept or not 0 < state.over_at <= now else None


def forgotten_after(flow: Flow, profile: Profile) -> int | None:
    """Return after how many milliseconds of silence the login of this user is forgotten; None: never. An entity that
    the flow keeps for good outlives a browser's session."""
    login, row = flow.login, CHANNEL_ROWS.get(profile.provider)
    if login is None:
        return None
    browser = None if row is None or login.entity in flow.persistent else row.login_ms
    return min((one for one in (login.forget_ms, browser) if one is not None), default=None)


def held(state: State, entity: str) -> Any:
    """Return what the authentication entity holds, as an entity or as context."""
    value = state.entities.get(entity)
    return state.context.get(entity) if value is None else value


def is_valid(value: Any, now: int) -> bool:
    """Return whether the authentication entity holds a login that has not expired. ``now`` in milliseconds.

    A token that cannot be read counts as valid, as does one that says nothing about its end: whether it is any good is
    for the endpoint to tell that gets it. Nothing that a token holds may raise here.
    """
    if not is_there(value):
        return False
    if not isinstance(value, dict):
        return not _is_over(_end_of_jwt(value), now)
    return not (
        _is_over(_end_of_jwt(value.get("access_token")), now) or _is_over(_moment(value.get("expires_at")), now)
    )


def is_there(value: Any) -> bool:
    """Return whether there is a login, expired or not."""
    if not isinstance(value, dict):
        return is_true(value)
    return bool(value) and is_true(value) and ("access_token" not in value or is_true(value["access_token"]))


def _is_over(end: float | None, now: int) -> bool:
    """Return whether a token has expired: the current time must be before ``exp`` (RFC 7519 section 4.1.4). ``end`` in
    seconds."""
    return end is not None and now >= end * 1000


def _end_of_jwt(token: Any) -> float | None:
    """Return ``exp`` of a signed JSON Web Token (RFC 7519), its signature unchecked; None for all else."""
    if not isinstance(token, str) or len(token) > _MAX_TOKEN_CHARS:
        return None
    parts = token.strip().split(".")
    if len(parts) != 3:
        return None
    header, claims = map(_object, parts[:2])
    end = None if header is None or claims is None else claims.get("exp")
    return end if is_number(end) else None


def _object(part: str) -> dict[str, Any] | None:
    """Return a JSON object from base64url without padding; None for all else."""
    if not _PART.fullmatch(part):
        return None
    try:
        document = msgspec.json.decode(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))
    except (ValueError, msgspec.DecodeError, RecursionError):  # ValueError: no base64, no UTF-8
        return None
    return document if isinstance(document, dict) else None


def _moment(value: Any) -> float | None:
    """Return ``expires_at`` in seconds: a number, a text that spells one, or an ISO 8601 time (UTC where it names no
    zone); None for all else."""
    number = read_number(value)
    if number is not None:
        return number if abs(number) < _MILLISECONDS_FROM else number / 1000
    if not isinstance(value, str):
        return None
    try:
        moment = datetime.fromisoformat(value.strip())
        return ((moment if moment.tzinfo else moment.replace(tzinfo=UTC)) - _EPOCH).total_seconds()
    except (ValueError, OverflowError):
        return None
