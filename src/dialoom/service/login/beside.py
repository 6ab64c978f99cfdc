"""What a turn leaves of logins beside the engine's state: the link, what came with the login, what is to be taken back.

Pure: what the turn looked up is handed in. The rows where browser and chat meet are left to ``in_turn`` and ``links``.
"""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from dialoom.engine.effects import LogOut, Send
from dialoom.engine.events import CodeRefused, LoggedIn, LoginFailed
from dialoom.service.login.values import LINK_LIVES, Grant, Link, Login

if TYPE_CHECKING:
    from dialoom.engine import Turn
    from dialoom.messages import Dialog
    from dialoom.service.arrival import Arrival
    from dialoom.service.chats import Kept

ID_BYTES = 16


class Beside(NamedTuple):
    link: Link | None = None
    grant: Grant | None = None
    logged_out: tuple[Login, ...] = ()
    """What the user had when they were logged out, and what waited for its code."""


def beside(
    kept: Kept,
    arrival: Arrival,
    turn: Turn,
    entity: str | None,
    now: int,
    *,
    renewed: Login | None = None,
    is_over: bool = False,
    waiting: Login | None = None,
) -> Beside:
    """``entity``: the authentication entity's name. ``renewed``: the login as it was renewed in this turn.
    ``is_over``: the link that the chat has can bring no login any more. ``waiting``: what waits for its code."""
    had = _left(kept.link, arrival)
    is_logged_out = logs_out(turn)
    link = None if is_over or is_logged_out else had
    if is_prompt(turn) and link is None:
        link = Link(secrets.token_urlsafe(ID_BYTES), now + LINK_LIVES)
    logins = [*_logins(kept, arrival, entity, renewed)]
    value = None if entity is None else turn.state.entities.get(entity)
    grant = None
    if value:
        grant = next((login.grant for login in logins if login.value == value), None)
        if renewed is not None and grant is kept.grant and not isinstance(arrival.event, LoggedIn):
            # A fault kept the renewed value out of memory. The provider may take its own newest token alone.
            grant = renewed.grant
    if not is_logged_out:
        return Beside(link, grant)
    return Beside(link, grant, (*logins[:1], *([] if had is None or waiting is None else [waiting])))


def _left(link: Link | None, arrival: Arrival) -> Link | None:
    """The link behind the event: one that has served, or was typed a wrong code for too often, is no more."""
    if link is None or link.id != arrival.link:
        return link
    match arrival.event:
        case LoggedIn() | LoginFailed():
            return None
        case CodeRefused(left=left):
            return msgspec.structs.replace(link, left=left) if left > 0 else None
    return link


def _logins(kept: Kept, arrival: Arrival, entity: str | None, renewed: Login | None) -> list[Login]:
    """What the user may be logged in by after the turn, the newest first. ``value`` tells which it is: whatever else
    changes that of the entity (its end, a correction, a command) ends the login."""
    found = [] if renewed is None else [renewed]
    event = arrival.event
    if isinstance(event, LoggedIn) and arrival.grant is not None:
        found.append(Login(event.value, arrival.grant))
    value = None if entity is None else kept.state.entities.get(entity)
    if kept.grant is not None and isinstance(value, dict):
        found.append(Login(value, kept.grant))
    return found


def current(kept: Kept, arrival: Arrival, entity: str | None) -> Login | None:
    """By what the user is logged in while the turn runs."""
    return next(iter(_logins(kept, arrival, entity, None)), None)


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
