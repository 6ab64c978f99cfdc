"""What a turn leaves of logins: the chat's link from then on, what came with its login, what is to be taken back.

Pure: what the turn looked up is handed in. The rows where browser and chat meet are left to ``login_hook`` and
``links``.
"""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from dialoom.engine.effects import LogIn, LogOut, Send
from dialoom.engine.events import CodeRefused, LoggedIn, LoginFailed
from dialoom.engine.steps.protected import held
from dialoom.service.login.login_values import LINK_LIVES, Grant, Link, Login, tokens_of

if TYPE_CHECKING:
    from dialoom.engine import Turn
    from dialoom.messages import Dialog
    from dialoom.service.chat.chat_row import StoredChat
    from dialoom.service.chat.inbound import InboundEvent

ID_BYTES = 16


class LoginOutcome(NamedTuple):
    """``link`` and ``grant`` are kept beside the engine's state."""

    link: Link | None = None
    grant: Grant | None = None
    taken_back: tuple[Login, ...] = ()
    """What the user had when they were logged out, and what the provider gave and no memory took: it came by a link
    that counts no more, or the turn could not take it. Never what the chat has from then on, since a provider may give
    the same token twice. What waited for a code is only dropped: it may be a stranger's (docs/why/login.md)."""


def left_by(
    kept: StoredChat,
    arrival: InboundEvent,
    turn: Turn,
    entity: str | None,
    now: int,
    *,
    renewed: Login | None = None,
    is_over: bool = False,
    late: Login | None = None,
) -> LoginOutcome:
    """``entity``: the authentication entity's name. ``renewed``: the login as it was renewed in this turn.
    ``is_over``: the link that the chat has can bring no login any more. ``late``: what came by one that counts no
    more."""
    is_logged_out = logs_out(turn)
    link = None if is_over or is_logged_out else _left(kept.link, arrival)
    if is_prompt(turn) and link is None:
        id = secrets.token_urlsafe(ID_BYTES)
        link = Link(id, now + LINK_LIVES, profile=arrival.event.profile, channel_name=arrival.channel_name)
    logins = _logins(kept, arrival, entity, renewed)
    value = None if entity is None else turn.state.entities.get(entity)
    grant = None
    if value:
        grant = next((login.grant for login in logins if login.value == value), None)
        if renewed is not None and grant is kept.grant and not isinstance(arrival.event, LoggedIn):
            # A fault kept the renewed value out of memory. The provider may take its own newest token alone.
            grant = renewed.grant
    taken_back = [] if late is None else [late]
    if is_logged_out or (_brings_login(arrival) and not logs_in(turn)):
        taken_back += logins[:1]
    stays = tokens_of(None if entity is None else held(turn.state, entity), grant)
    return LoginOutcome(link, grant, tuple(login for login in taken_back if set(stays).isdisjoint(login.tokens)))


def _left(link: Link | None, arrival: InboundEvent) -> Link | None:
    """The link behind the event: one that has served, or was typed a wrong code for too often, is no more."""
    if link is None or link.id != arrival.link:
        return link
    match arrival.event:
        case LoggedIn() | LoginFailed():
            return None
        case CodeRefused(left=left):
            return msgspec.structs.replace(link, left=left) if left > 0 else None
    return link


def _brings_login(arrival: InboundEvent) -> bool:
    return isinstance(arrival.event, LoggedIn) and arrival.grant is not None


def _logins(kept: StoredChat, arrival: InboundEvent, entity: str | None, renewed: Login | None) -> list[Login]:
    """What the user may be logged in by after the turn, the newest first. ``value`` tells which it is: whatever else
    changes that of the entity (its end, a correction, a command) ends the login."""
    found = [] if renewed is None else [renewed]
    event = arrival.event
    if isinstance(event, LoggedIn) and arrival.grant is not None:
        found.append(Login(event.value, msgspec.structs.replace(arrival.grant, link=arrival.link)))
    value = None if entity is None else kept.state.entities.get(entity)
    if kept.grant is not None and isinstance(value, dict):
        found.append(Login(value, kept.grant))
    return found


def current(kept: StoredChat, arrival: InboundEvent, entity: str | None) -> Login | None:
    """By what the user is logged in while the turn runs."""
    return next(iter(_logins(kept, arrival, entity, None)), None)


def logs_in(turn: Turn) -> bool:
    """Whether memory took a login, which the flow may have forgotten again since: that is its own affair."""
    return any(isinstance(effect, LogIn) for effect in turn.effects)


def logs_out(turn: Turn) -> bool:
    return any(isinstance(effect, LogOut) for effect in turn.effects)


# -- prompts


def is_prompt(turn: Turn) -> bool:
    return any(isinstance(effect, Send) and _is_login(effect.message.dialog) for effect in turn.effects)


def with_link(send: Send, link: Link | None) -> Send:
    """A prompt with the id of its link, from which its address is made when it is handed out."""
    dialog = send.message.dialog
    if link is None or dialog is None or not _is_login(dialog):
        return send
    message = msgspec.structs.replace(send.message, dialog=msgspec.structs.replace(dialog, key=link.id))
    return msgspec.structs.replace(send, message=message)


def _is_login(dialog: Dialog | None) -> bool:
    return dialog is not None and dialog.type == "login"
