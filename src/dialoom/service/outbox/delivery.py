"""What a delivery to the outside is made of, and what an answer to it means: done, again later, or never.

When one is posted, and what is kept of it, is left to ``outbox``; each receiver says itself what it gets.
"""

from __future__ import annotations

import hashlib
from datetime import UTC
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, Protocol
from urllib.parse import urlsplit

import msgspec

from dialoom.engine.events import NoResponse

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dialoom.engine import Turn
    from dialoom.engine.effects import Request
    from dialoom.engine.events import Response
    from dialoom.service.bots.bots import Deployed
    from dialoom.service.chat.inbound import InboundEvent
    from dialoom.service.chat.login_values import Login
    from dialoom.service.chat.transcript import Written
    from dialoom.storage.store import ChatKey, Outgoing

ATTEMPT_SECONDS: Final = 10.0
"""Of one attempt, the whole answer included."""
MAX_PAUSE_SECONDS: Final = 3600.0
"""Seconds between two attempts; also the most that a receiver's ``Retry-After`` is listened to."""
MAX_ATTEMPTS: Final = 35
"""With a pause that doubles from 1 s to the longest, the last one comes about a day after the first."""
PASSING: Final = frozenset({408, 425, 429})
"""Statuses that mend themselves; so do those from 500 on."""
UNREACHED: Final = frozenset({"timeout", "refused", "name", "tls", "broken"})
"""Why there was no connection or no answer over it: such a delivery is tried again. All else is a refusal of ours."""


class TurnDone(msgspec.Struct, frozen=True, kw_only=True):
    """A turn that is about to be stored, for those who deliver something of it."""

    key: ChatKey
    deployed: Deployed
    inbound: InboundEvent
    turn: Turn
    written: Written
    is_later: bool
    """No answer carries what the bot says in it."""
    revoked: tuple[Login, ...] = ()
    """What the provider gave and is to be taken back there."""
    now: int


class Draft(NamedTuple):
    """A delivery without its place in the outbox. ``body``: what the receiver makes the request from, in clear."""

    receiver: str
    body: bytes
    carries: int = 0


class Receiver(Protocol):
    """Where deliveries of one kind go. Their ``Outgoing.receiver`` begins with the kind, then one of them by name.

    ``SettingError`` and ``VaultError`` say why a delivery cannot be made: the reason of a dead letter.
    """

    async def drafts(self, done: TurnDone) -> Sequence[Draft]:
        """What a turn leaves for this receiver, in order."""

    def address(self, serving: Deployed, delivery: Outgoing) -> str:
        """Where it goes, by the version that is active now, so that a mended ``bot.json`` counts for what waits."""

    async def request(self, serving: Deployed, delivery: Outgoing, body: bytes) -> Request:
        """The attempt, made anew each time. ``RemoteError`` where that takes something from outside which is not to be
        had now: it is tried again."""


class Verdict(NamedTuple):
    """``pause``: seconds that the receiver asked for before the next attempt."""

    what: Literal["done", "again", "never"]
    reason: str = ""
    pause: float = 0.0


def judge(address: str, answer: Response | NoResponse, now: int) -> Verdict:
    if isinstance(answer, NoResponse):
        if answer.kind in UNREACHED:
            return Verdict("again", answer.detail)
        return Verdict("never", f"{answer.detail} {_OURS.get(answer.kind, 'Mend bot.json')}, then resend it.")
    if 200 <= answer.status <= 299:
        return Verdict("done")
    told = answered(address, answer)
    if answer.status in PASSING or answer.status >= 500:
        return Verdict("again", told, _asked(answer, now))
    if 300 <= answer.status <= 399:
        return Verdict(
            "never", f"{told} Redirects are not followed: write the last address into bot.json, then resend it."
        )
    return Verdict("never", f"{told} It refuses the delivery: mend it there, then resend it.")


_OURS: Final = {
    "egress": "Let the operator list its host in DIALOOM_EGRESS_ALLOW, or write another address into bot.json"
}


def pause(id: str, attempts: int) -> float:
    """Seconds after so many failed attempts: 1, 2, 4 ... up to the longest, each shorter by up to a quarter, which the
    delivery's id decides, so that what failed together does not come back together."""
    drawn = hashlib.blake2b(f"{id} {attempts}".encode(), digest_size=4).digest()
    share = 1 - int.from_bytes(drawn, "big") / 2**32 / 4
    return float(min(2.0 ** min(attempts - 1, 12), MAX_PAUSE_SECONDS)) * share


def named(address: str) -> str:
    """An address for people: no user info, path or query, where secrets may stand."""
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"[:300]


def answered(address: str, answer: Response) -> str:
    """Who answered, and with which status, for people."""
    return f"{named(address)} answered {_phrase(answer.status)}."


def _phrase(status: int) -> str:
    try:
        return f"{status} {HTTPStatus(status).phrase}"
    except ValueError:
        return str(status)


def _asked(answer: Response, now: int) -> float:
    """Seconds of ``Retry-After`` (RFC 9110 section 10.2.3: a number or a date); 0 for what is neither."""
    (text, *_) = answer.headers.get("retry-after") or [""]
    if text.isascii() and text.isdigit():
        return min(float(text[:9]), MAX_PAUSE_SECONDS)
    try:
        date = parsedate_to_datetime(text)
    except ValueError:
        return 0.0
    left = date.replace(tzinfo=date.tzinfo or UTC).timestamp() - now / 1000
    return min(max(left, 0.0), MAX_PAUSE_SECONDS)
