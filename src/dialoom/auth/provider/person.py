"""Reads who logged in: the profile in a checked ID token, and what UserInfo adds to it (Core 5.1, 5.3). Which role the
person has is left to the service.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from dialoom.auth.provider.answers import read_object
from dialoom.auth.provider.checks import Wrong
from dialoom.auth.provider.id_token import Claims

MAX_TEXT_CHARS: Final = 320
"""Of a name and of an address (RFC 5321 4.5.3.1 allows 64 + 1 + 255)."""


class Person(msgspec.Struct, frozen=True, kw_only=True):
    """``issuer`` and ``subject`` say who it is for good; everything else the person may change at the provider."""

    issuer: str
    subject: str
    name: str | None = None
    preferred_username: str | None = None
    email: str | None = None
    """One that the provider has verified; no other is read."""
    groups: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return "Person(***)"


def lacks_profile(claims: Claims) -> bool:
    """Return whether UserInfo may tell more than the ID token does."""
    found = claims.profile
    return found.get("groups") is None or _email(found) is None or not any(found.get(name) for name in _NAMES)


def read_userinfo(status: int, body: bytes, claims: Claims) -> dict[str, Any]:
    """Return what UserInfo says of the person that logged in. Raises ``Wrong``, also where it is of somebody else (Core
    5.3.2)."""
    if status != 200:
        raise Wrong("userinfo-status", f"It was {status}.")
    found = read_object(body, "userinfo-json")
    if found.get("sub") != claims.sub:
        raise Wrong("userinfo-subject")
    return found


def person_of(claims: Claims, userinfo: Mapping[str, Any]) -> Person:
    """Return the person. What the ID token says counts before UserInfo; an address is taken with its own
    ``email_verified`` alone."""
    given = {name: _text(claims.profile.get(name)) or _text(userinfo.get(name)) for name in _NAMES}
    groups = claims.profile.get("groups")
    if groups is None:
        groups = userinfo.get("groups")
    return Person(
        issuer=claims.iss,
        subject=claims.sub,
        email=_email(claims.profile) or _email(userinfo),
        groups=tuple(one for one in (groups if isinstance(groups, list) else [groups]) if isinstance(one, str)),
        **given,
    )


_NAMES: Final = ("name", "preferred_username")


def _text(value: object) -> str | None:
    """Return a text without characters that no name has, such as those that turn the direction of what follows."""
    if not isinstance(value, str):
        return None
    return " ".join("".join(sign if sign.isprintable() else " " for sign in value).split())[:MAX_TEXT_CHARS] or None


def _email(said: Mapping[str, Any]) -> str | None:
    email = said.get("email")
    # Nothing but true: a text that says so is what providers send that do not know the standard, and may be of a user.
    if said.get("email_verified") is not True or not isinstance(email, str) or len(email) > MAX_TEXT_CHARS:
        return None
    local, _, domain = email.partition("@")
    return email if local and domain and "@" not in domain and email.isprintable() and " " not in email else None
