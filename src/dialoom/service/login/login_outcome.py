"""Decides what is stored of logins with a turn: the chat's link, what came with its login, which tokens to revoke.

These are pure functions. Reading and writing the rows of links belongs in ``login_hook`` and ``links``.
"""

from __future__ import annotations

import secrets

import msgspec

from dialoom.engine import Turn
from dialoom.engine.effects import LogOut
from dialoom.engine.events import CodeRefused, LoggedIn, LoginFailed
from dialoom.engine.values.logins import held
from dialoom.service.chat.chat_row import StoredChat
from dialoom.service.chat.inbound import InboundEvent
from dialoom.service.chat.login_values import (
    LINK_LIFETIME_MS,
    LOGINS,
    Link,
    Login,
    LoginEvent,
    LoginOutcome,
    is_prompt,
    logs_in,
    tokens_of,
)

ID_BYTES = 16


def next_login_values(
    kept: StoredChat,
    inbound: InboundEvent,
    turn: Turn,
    entity: str | None,
    now: int,
    *,
    renewed: Login | None = None,
    is_over: bool = False,
    late: Login | None = None,
) -> LoginOutcome:
    """Return what a turn leaves of logins. ``entity``: the authentication entity's name. ``renewed``: the login as it
    was renewed in this turn. ``is_over``: the link that the chat has can bring no login any more. ``late``: what came
    by one that counts no more."""
    is_logged_out = logs_out(turn)
    link = _next_link(kept.link, inbound, is_over=is_over or is_logged_out)
    if is_prompt(turn) and link is None:
        id = secrets.token_urlsafe(ID_BYTES)
        link = Link(id, now + LINK_LIFETIME_MS, profile=inbound.event.profile, channel_name=inbound.channel_name)
    logins = _logins(kept, inbound, entity, renewed)
    value = None if entity is None else turn.state.entities.get(entity)
    grant = None
    if value:
        grant = next((login.grant for login in logins if login.value == value), None)
        if renewed is not None and grant is kept.grant and not isinstance(inbound.event, LoggedIn):
            # A fault kept the renewed value out of memory. The provider may take its own newest token alone.
            grant = renewed.grant
    revoked = [] if late is None else [late]
    if is_logged_out or (isinstance(inbound.event, LoggedIn) and inbound.grant is not None and not logs_in(turn)):
        revoked += logins[:1]
    stays = tokens_of(None if entity is None else held(turn.state, entity), grant)
    return LoginOutcome(link, grant, tuple(login for login in revoked if set(stays).isdisjoint(login.tokens)))


def _next_link(link: Link | None, inbound: InboundEvent, *, is_over: bool) -> Link | None:
    """Return the link as the chat has it after the event."""
    event = None if link is None else _event(link, inbound, is_over=is_over)
    if link is None or event is None:
        return link
    if LOGINS.ends(event):
        return None
    return msgspec.structs.replace(link, left=link.left - 1)  # a wrong code


def _event(link: Link, inbound: InboundEvent, *, is_over: bool) -> LoginEvent | None:
    """Return what the turn is in the life of the chat's link."""
    if is_over:
        return "end"
    if link.id != inbound.link:
        return None
    match inbound.event:
        case LoggedIn():
            return "log-in"
        case LoginFailed():
            return "fail"
        case CodeRefused(left=left):
            return "wrong-code" if left > 0 else "last-wrong-code"
    return None


def _logins(kept: StoredChat, inbound: InboundEvent, entity: str | None, renewed: Login | None) -> list[Login]:
    """Return the logins that the user may have after the turn, the newest first. ``value`` tells which it is: whatever
    else changes that of the entity (its end, a correction, a command) ends the login."""
    found = [] if renewed is None else [renewed]
    event = inbound.event
    if isinstance(event, LoggedIn) and inbound.grant is not None:
        found.append(Login(event.value, msgspec.structs.replace(inbound.grant, link=inbound.link)))
    value = None if entity is None else kept.state.entities.get(entity)
    if kept.grant is not None and isinstance(value, dict):
        found.append(Login(value, kept.grant))
    return found


def current(kept: StoredChat, inbound: InboundEvent, entity: str | None) -> Login | None:
    """Return the login of the user while the turn runs."""
    return next(iter(_logins(kept, inbound, entity, None)), None)


def logs_out(turn: Turn) -> bool:
    return any(isinstance(effect, LogOut) for effect in turn.effects)
