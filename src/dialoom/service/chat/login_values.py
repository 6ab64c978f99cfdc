"""Defines what is stored of a login: in the chat's sealed state, and sealed on the row of its link."""

from __future__ import annotations

from typing import Any, Final, Literal, NamedTuple

import msgspec

from dialoom.engine import Turn
from dialoom.engine.effects import LogIn, Send
from dialoom.engine.events import Fetched
from dialoom.flow.channels import Binding
from dialoom.messages import Dialog, Profile
from dialoom.service.state_table import StateTable

LINK_LIFETIME_MS = 10 * 60 * 1000
"""Milliseconds (login.md, The flow, 3)."""
LINK_USE_TIMEOUT_MS = 20 * 1000
"""Milliseconds after which the use of a link that brought nothing counts as broken off, as by a process that was
killed: its page would answer that it is over, and so a prompt needs another. The use itself takes 15 s at most."""
CODE_LIFETIME_MS = 3 * 60 * 1000
"""Milliseconds at least that a code has to be typed in, however late in its link's life it came."""
MAX_CODE_TRIES = 3
"""Of a code (login.md, The forwarded link)."""


LoginState = Literal["offered", "opened", "tied", "taken", "code-shown", "done", "over"]
"""Of the login link that a chat has: its prompt was said; its start page was opened; it is tied to a browser; that
browser came back from the provider; its login waits for a code; its login is in the chat; no login comes of it."""
LoginEvent = Literal["open", "tie", "take", "show-code", "log-in", "wrong-code", "last-wrong-code", "fail", "end"]
"""``end``: another link took its place, its time is over, or its user was logged out."""
LOGINS: Final = StateTable[LoginState, LoginEvent](
    "offered",
    {
        "offered": {"open": "opened", "end": "over"},
        "opened": {"open": "opened", "tie": "tied", "end": "over"},
        "tied": {"open": "tied", "tie": "tied", "take": "taken", "end": "over"},
        "taken": {"log-in": "done", "show-code": "code-shown", "fail": "over", "end": "over"},
        "code-shown": {
            "show-code": "code-shown",
            "log-in": "done",
            "wrong-code": "code-shown",
            "last-wrong-code": "over",
            "end": "over",
        },
    },
)


class Link(msgspec.Struct, frozen=True, omit_defaults=True):
    """Describes the newest login link of a chat, which alone is valid. Stored beside the engine's state."""

    id: str
    expires: int
    """Milliseconds since 1970."""
    left: int = MAX_CODE_TRIES
    """Tries of the code."""
    profile: Profile | None = None
    """The user as the event of its prompt knew them: by the time that a login comes the record that knows them too may
    have ended."""
    channel_name: str | None = None
    """Likewise, the caller's own label on rest."""

    @property
    def made_at(self) -> int:
        return self.expires - LINK_LIFETIME_MS

    def lives_until(self, about: LinkInfo | None) -> int:
        """Return when the link expires, in milliseconds since 1970. ``about``: of its row, where it has one."""
        if about is None or not about.taken_at:
            return self.expires
        if about.code is None:
            return about.taken_at + LINK_USE_TIMEOUT_MS  # just landing, so that no prompt in between may drop it
        return max(self.expires, about.taken_at + CODE_LIFETIME_MS)

    @property
    def latest_end(self) -> int:
        """Return the time after which the link is over whatever its row says, so that the row need not be read."""
        return self.expires + CODE_LIFETIME_MS


class Grant(msgspec.Struct, frozen=True, omit_defaults=True):
    """Holds what the provider gave besides the access token. Stored beside the engine's state, never in memory, for as
    long as the authentication entity has the value that came with it."""

    version: str
    """Of the bot, whose provider block it came by."""
    refresh_token: str | None = None
    id_token: str | None = None
    revocation_endpoint: str | None = None
    """Where the provider takes tokens back (RFC 7009), if it does."""
    link: str = ""
    """Id of the login link that brought it. Whoever used another link has nothing to do with this login."""

    def __repr__(self) -> str:
        return "Grant(***)"


class Login(msgspec.Struct, frozen=True):
    """Carries a login that was checked. ``value``: of the authentication entity, with ``access_token`` and, where they
    are known, ``token_type``, ``expires_at`` (seconds since 1970), ``scope`` and ``sub``."""

    value: dict[str, Any]
    grant: Grant

    @property
    def tokens(self) -> tuple[str, ...]:
        """Return the tokens that a provider can revoke, the refresh token first: many providers revoke all with it (RFC
        7009 section 2.1)."""
        return tokens_of(self.value, self.grant)

    def __repr__(self) -> str:
        return "Login(***)"


def tokens_of(value: Any, grant: Grant | None) -> tuple[str, ...]:
    """Return refresh and access token. ``value``: of the authentication entity; ``grant``: what came with it."""
    found = (
        None if grant is None else grant.refresh_token,
        value.get("access_token") if isinstance(value, dict) else value,
    )
    return tuple(token for token in found if isinstance(token, str) and token)


class LinkInfo(msgspec.Struct, frozen=True, omit_defaults=True):
    """Holds the sealed part of a ``LoginRow``."""

    version: str
    """Of the bot, whose provider block counts."""
    nonce: str
    verifier: str
    """Of PKCE."""
    tied_by: Binding | None = msgspec.field(default=None, name="rule")
    """The rule under which a browser was tied to it last; None until one was. Stored under the name that earlier
    releases gave it: while a release is rolled out, one process reads what another wrote."""
    browser: bytes | None = None
    """SHA-256 of the secret that the tied browser has as a cookie. Under ``code``, where any browser may come back: of
    the one that did, which alone is shown the code again."""
    code: str | None = None
    """Six digits that the user has to type into the chat."""
    login: Login | None = None
    """What waits for the code."""
    taken_at: int = 0
    """When its one use began, in milliseconds since 1970; 0 before."""

    def __repr__(self) -> str:
        return "LinkInfo(***)"


class LoginOutcome(NamedTuple):
    """Holds the login values that a turn leaves. ``link`` and ``grant`` are stored beside the engine's state."""

    link: Link | None = None
    grant: Grant | None = None
    revoked: tuple[Login, ...] = ()
    """Logins whose tokens are to be revoked: that of a user who was logged out, and one that came by a link that is
    over or that the turn could not store. Never one that the chat still has, since a provider may give the same token
    twice. A login that waited for a code is only dropped: it may be a stranger's (docs/why/login.md)."""


NO_LOGIN = LoginOutcome()


class Renewed(msgspec.Struct, frozen=True):
    """Holds the result of a renewal as the journal stores it: an answer for the engine, and the login."""

    fetched: Fetched
    login: Login | None = None


def logs_in(turn: Turn) -> bool:
    """Return whether the turn put a login into memory (the flow may have removed it again)."""
    return any(isinstance(effect, LogIn) for effect in turn.effects)


def is_prompt(turn: Turn) -> bool:
    return any(isinstance(effect, Send) and _is_login(effect.message.dialog) for effect in turn.effects)


def with_link(send: Send, link: Link | None) -> Send:
    """Return a login prompt with the id of its link; the address is made from it when the message is sent."""
    dialog = send.message.dialog
    if link is None or dialog is None or not _is_login(dialog):
        return send
    message = msgspec.structs.replace(send.message, dialog=msgspec.structs.replace(dialog, key=link.id))
    return msgspec.structs.replace(send, message=message)


def _is_login(dialog: Dialog | None) -> bool:
    return dialog is not None and dialog.type == "login"
