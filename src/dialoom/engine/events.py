"""What can happen to a chat: the events that the engine takes. Time, seed and identity come in with them."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from dialoom.messages import Profile


class Happening(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What every event brings with it."""

    id: str
    """Of the inbound event; stable over reruns. Keys of outside calls are made from it."""
    now: int
    """Milliseconds since 1970-01-01T00:00Z."""
    seed: int
    """For the choice among alternative texts; made from conversation and turn, so that a replay chooses alike."""
    profile: Profile
    context: dict[str, Any] = {}
    """Merged at the top of memory before anything else; already checked against what its source may set."""


class Said(Happening, frozen=True, kw_only=True, tag="said"):
    """The user typed a text."""

    text: str


class Picked(Happening, frozen=True, kw_only=True, tag="picked"):
    """The user chose. Either ``key`` (an ``Option.key``) or ``value`` (one value, or a list for a multi-select)."""

    value: Any = None
    key: str | None = None
    keys: tuple[str, ...] = ()
    """Several keys: a multi-select answered by keys."""
    ask: str | None = None
    """The ``Dialog.key`` that a ``value`` answers; of an earlier asking it is stale."""


class Located(Happening, frozen=True, kw_only=True, tag="located"):
    latitude: float
    longitude: float
    name: str | None = None
    ask: str | None = None
    """The ``Dialog.key`` that it answers; of an earlier asking it is stale."""


class Attachment(msgspec.Struct, frozen=True, omit_defaults=True, rename="camel"):
    url: str
    mime_type: str | None = None
    name: str | None = None
    labels: tuple[str, ...] = ()


class Attached(Happening, frozen=True, kw_only=True, tag="attached"):
    files: tuple[Attachment, ...]
    text: str = ""
    """What the user wrote beside the files: words of the same message."""


class Began(Happening, frozen=True, kw_only=True, tag="began"):
    """The chat was opened without a message: runs ``welcome`` when a session begins with it (flow-language.md 5.1)."""

    clear: bool = False
    """Forget memory and end what is open first."""
    is_said_again: bool = False
    """In a session that runs, ask the open question again, or run ``welcome`` where none is open: where users hear, the
    bot's last words are gone."""


class ContextGiven(Happening, frozen=True, kw_only=True, tag="told"):
    """Only context came; nothing is said."""


class TimedOut(Happening, frozen=True, kw_only=True, tag="timed-out"):
    """A stored timer is due. ``timer`` is its name: ``session`` or ``silence``."""

    timer: str


class LoggedIn(Happening, frozen=True, kw_only=True, tag="logged-in"):
    """A login that the service has checked. ``value``: what the authentication entity holds from now on."""

    value: dict[str, Any]
    is_typed: bool = False
    """The user typed the code of the login's page to complete it: a message of theirs, whose text nobody keeps."""
    is_renewed: bool = False
    """The user was logged in before, and their platform brings a newer token: nothing is said of it."""


class CodeRefused(Happening, frozen=True, kw_only=True, tag="code-refused"):
    """The user typed six digits while the code of a login's page was awaited, and they were not it."""

    left: int
    """Tries that are left; with none the login is void."""


class LoginFailed(Happening, frozen=True, kw_only=True, tag="login-failed"):
    """A login link was used up without a login."""

    reason: str = ""
    """What the provider did wrong, for the record; empty where nothing is counted, as when the user cancelled."""


class LoggedOut(Happening, frozen=True, kw_only=True, tag="logged-out"):
    """The operator logs the user out."""


PersonAction = Literal["take", "answer", "note", "pass-on", "give-back"]


class PersonActed(Happening, frozen=True, kw_only=True, tag="person-acted"):
    """A person who works on a hand-off did something in the chat. What does not reach the user is the service's."""

    action: PersonAction
    person: str
    """Who, by an id that the service knows."""
    name: str
    """As users read it."""
    text: str = ""
    """What an answer says, or a note."""
    queue: str = ""
    """Where ``pass-on`` puts the chat."""
    since: int = 0
    """When the hand-off began that is meant, in milliseconds since 1970; 0: whichever there is."""
    silent_ms: int = 0
    """For how long the bot goes on to be silent after an answer; put in by the service."""
    refused: str = ""
    """Why it may not be done, put in by the service: nothing happens then."""


class Response(msgspec.Struct, frozen=True, omit_defaults=True):
    """The answer to an outside call. ``headers`` have lower-case names; ``body`` is whole and decompressed."""

    status: int
    reason: str = ""
    headers: dict[str, list[str]] = {}
    body: bytes = b""


class NoResponse(msgspec.Struct, frozen=True):
    """An outside call that got no answer. ``kind``: ``timeout``, ``refused``, ``egress``, ``too-large`` ..."""

    kind: str
    detail: str
    """A sentence for the flow's author: what was called (no query, no secrets) and why it failed."""


class Fetched(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag="fetched"):
    """The result of the outside call that the last ``Turn`` asked for. Resumes that turn."""

    key: str
    response: Response | None = None
    failure: NoResponse | None = None
    milliseconds: int | None = None
    """What the call took, for a trace; None where nobody measured it."""


Event = (
    Said
    | Picked
    | Located
    | Attached
    | Began
    | ContextGiven
    | TimedOut
    | LoggedIn
    | CodeRefused
    | LoginFailed
    | LoggedOut
    | PersonActed
)
"""What begins a turn."""
