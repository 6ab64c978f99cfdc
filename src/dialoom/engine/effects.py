"""What a turn wants done, as values. ``service.turns.runner`` is the one place that does it."""

from __future__ import annotations

from typing import Any

import msgspec

from dialoom.messages import BotMessage
from dialoom.messages.records import Status


class Heard(msgspec.Struct, frozen=True, tag="heard"):
    """How the user's message was understood; at most one a turn, first.

    ``understanding``: ``{"<type>": [{"value", "confidence", "start", "end", "text"}]}``. ``entity``: that of the
    question that was open when the message came, so that its answer is masked where the rule says so. ``text``: what
    the user's message reads like in the transcript (the title of a chosen option, the typed text).
    ``is_understood``: False where the bot could only say that it did not understand, and ask again or help, or ask what
    was meant. ``offered``: what it asked about then. ``chosen``, ``has_refused``: what the answer to that chose, or
    that it was none of it.
    """

    understanding: dict[str, Any]
    entity: str | None = None
    text: str | None = None
    is_understood: bool = True
    offered: tuple[tuple[str, str], ...] = ()
    """Type and value of each."""
    chosen: tuple[str, str] | None = None
    has_refused: bool = False


class Send(msgspec.Struct, frozen=True, tag="send"):
    message: BotMessage
    step: str
    """``conversation/index`` of the step that says it; the conversation key alone for system texts."""
    is_page: bool = False
    """It shows another page of the open question's replies; nothing of it is new but they."""
    person: str | None = None
    """Name of the person who says it, instead of the bot."""


class GoalStarted(msgspec.Struct, frozen=True, tag="goal-started"):
    goal: str


class Ended(msgspec.Struct, frozen=True, tag="ended"):
    """The record ends here; what follows in the same turn belongs to the next record.

    ``entities`` and ``context``: memory as the record shows it, before what the end forgets is gone. It comes before
    ``Heard`` when a session had timed out unnoticed: the message then belongs to the next record.
    """

    status: Status
    entities: dict[str, Any] | None = None
    context: dict[str, Any] | None = None


class Failed(msgspec.Struct, frozen=True, tag="failed"):
    """The flow stopped with an error: ``Errors`` grows by 1 and the record's status is ``failure``."""

    step: str
    reason: str
    """For the flow's author and the record; never shown to the user; without values of memory."""


class SetTimer(msgspec.Struct, frozen=True, tag="set-timer"):
    """Start or restart the chat's timer of this name: ``session`` or ``silence``."""

    name: str
    seconds: float


class HandOver(msgspec.Struct, frozen=True, tag="hand-over"):
    """A person takes over: the record's status is ``handed-over`` and the bot says nothing for a while."""

    agent: str
    """The name after ``live-agent``; an address of ``bot.json``'s ``live-agents`` may stand under it."""
    step: str


class Request(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An outside call, fully rendered.

    ``trusted_host``: scheme, host and port stand literally in the flow, so that a private address may be reached where
    the operator allows it (flow-language.md 7, egress guard). ``credential`` names an entry of ``bot.json``'s
    ``credentials``; the runner puts its secret in. Header names are as the author wrote them; values that are secrets
    by reference are resolved by the runner from ``secret_headers``.
    """

    method: str
    url: str
    headers: tuple[tuple[str, str], ...] = ()
    secret_headers: tuple[tuple[str, str], ...] = ()
    """(header name, name of the environment variable)."""
    body: bytes | None = None
    timeout: float = 10.0
    trusted_host: bool = False
    credential: str | None = None
    idempotency_key: str | None = None
    """Set for POST and PATCH unless the flow set its own header; goes out as ``Idempotency-Key``."""
    retries: int = 0
    """Further tries after a connection error or 502, 503, 504."""
    retries_statuses: bool = True
    """True if those statuses are tried again too; not in ``full`` mode, where the flow wants to see them."""
    ignores_body: bool = False
    """Nobody reads what comes behind the answer's headers."""


class Fetch(msgspec.Struct, frozen=True, tag="fetch"):
    """Call this and resume the turn with ``Fetched(key=...)``. Always the last effect of a turn that is not done."""

    key: str
    request: Request
    step: str


class Refresh(msgspec.Struct, frozen=True, tag="refresh"):
    """Renew the expired login and resume the turn with ``Fetched(key=...)``: its response's body is the new value of
    the authentication entity as JSON; a failure means that the user has to log in. Always the last effect, as
    ``Fetch``."""

    key: str
    step: str


class WaitingForCall(Exception):
    """The turn needs what comes of an effect, and is run again from its start when that is there."""

    def __init__(self, wanted: Fetch | Refresh) -> None:
        super().__init__(wanted.key)
        self.wanted = wanted


class LogIn(msgspec.Struct, frozen=True, tag="log-in"):
    """Memory took the login that came, whatever the rest of the turn made of it. A login whose turn is without it came
    into no hands, and what the provider gave is to be taken back there."""


class LogOut(msgspec.Struct, frozen=True, tag="log-out"):
    """The user was logged out (not merely forgotten): what the provider gave is to be revoked there."""


Effect = Heard | Send | GoalStarted | Ended | Failed | SetTimer | HandOver | Fetch | Refresh | LogIn | LogOut
