"""Defines a delivery to another server, and judges its answer: done, again later, or never.

Posting and storing deliveries belongs in ``outbox``, their content in each receiver.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import UTC
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from typing import Final, Literal, NamedTuple, Protocol, TypeVar
from urllib.parse import urlsplit

import msgspec

from dialoom.engine import Turn
from dialoom.engine.effects import Request
from dialoom.engine.events import NoResponse, Response
from dialoom.errors import VaultError
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
RETRIED_STATUSES: Final = frozenset({408, 425, 429})
"""Statuses after which a delivery is tried again, beside those from 500 on."""
RETRIED_FAILURES: Final = frozenset({"timeout", "refused", "name", "tls", "broken"})
"""Kinds of failure without an answer after which a delivery is tried again; all others are refusals of this service."""

B = TypeVar("B")


class TurnDone(msgspec.Struct, frozen=True, kw_only=True):
    """Describes a turn that is about to be stored to the receivers of deliveries."""

    key: ChatKey
    deployed: Deployed
    inbound: InboundEvent
    turn: Turn
    written: Written
    is_later: bool
    """Its messages are not part of an answer to the caller."""
    revoked: tuple[Login, ...] = ()
    """Logins whose tokens are to be revoked."""
    now: int


class Draft(NamedTuple):
    """Holds a delivery that has no row in the outbox yet. ``body``: for the receiver's request, in clear."""

    receiver: str
    body: bytes
    carries: int = 0


class Receiver(Protocol):
    """Makes the deliveries of one kind. Their ``Outgoing.receiver`` begins with the kind, then one of them by name.

    ``SettingError`` and ``VaultError`` say why a delivery cannot be made: the reason of a dead letter.
    """

    async def drafts(self, done: TurnDone) -> Sequence[Draft]:
        """Return the deliveries of a turn to this receiver, in order."""

    def address(self, serving: Deployed, delivery: Outgoing) -> str:
        """Return the address by the active version: a corrected ``bot.json`` applies to deliveries that wait."""

    async def request(self, serving: Deployed, delivery: Outgoing, body: bytes) -> Request:
        """Return the request of an attempt. Raises ``RemoteError`` where it needs an answer that is not available yet:
        the attempt is repeated."""

    async def renewed(
        self, serving: Deployed, delivery: Outgoing, request: Request, answer: Response | NoResponse
    ) -> Request | None:
        """Return the request with which the attempt is made once more, where the answer refuses what was sent only
        because a token in it counts no longer; None where the answer counts. Raises as ``request``."""
        return None

    def wait(self, serving: Deployed, delivery: Outgoing) -> float:
        """Return 0 and count the delivery, or the seconds after which it may be asked again whether it can go."""
        return 0.0

    def judge(
        self, serving: Deployed, delivery: Outgoing, address: str, answer: Response | NoResponse, now: int
    ) -> Verdict:
        """Return what an answer means: by its status, unless the receiver says it in other words."""
        return judge(address, answer, now)


class Verdict(NamedTuple):
    """Says what to do after an attempt. ``gone``: the user has left, and nobody has to see to it. ``pause``: seconds
    that the receiver asked for before the next one."""

    what: Literal["done", "again", "never", "gone"]
    reason: str = ""
    pause: float = 0.0


def judge(address: str, answer: Response | NoResponse, now: int) -> Verdict:
    if isinstance(answer, NoResponse):
        if answer.kind in RETRIED_FAILURES:
            return Verdict("again", answer.detail)
        return Verdict("never", f"{answer.detail} {_OURS.get(answer.kind, 'Mend bot.json')}, then resend it.")
    if 200 <= answer.status <= 299:
        return Verdict("done")
    reason = answered(address, answer)
    if answer.status in RETRIED_STATUSES or answer.status >= 500:
        return Verdict("again", reason, _asked(answer, now))
    if 300 <= answer.status <= 399:
        return Verdict(
            "never", f"{reason} Redirects are not followed: write the last address into bot.json, then resend it."
        )
    return Verdict("never", f"{reason} It refuses the delivery: mend it there, then resend it.")


_OURS: Final = {
    "egress": "Let the operator list its host in DIALOOM_EGRESS_ALLOW, or write another address into bot.json"
}


def decoded(decoder: msgspec.json.Decoder[B], body: bytes) -> B:
    """Decode the stored body of a delivery. Raises ``VaultError`` for one of another release."""
    try:
        return decoder.decode(body)
    except msgspec.DecodeError as error:
        detail = "Another release wrote this delivery, and this one cannot read it. Resend it there."
        raise VaultError(detail) from error


def pause(id: str, attempts: int) -> float:
    """Return the seconds to wait after so many failed attempts: 1, 2, 4 ... up to the longest, each shorter by up to a
    quarter, which the delivery's id decides, so that what failed together does not come back together."""
    drawn = hashlib.blake2b(f"{id} {attempts}".encode(), digest_size=4).digest()
    share = 1 - int.from_bytes(drawn, "big") / 2**32 / 4
    return float(min(2.0 ** min(attempts - 1, 12), MAX_PAUSE_SECONDS)) * share


def named(address: str) -> str:
    """Return scheme and host of an address; user info, path and query may hold secrets."""
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"[:300]


def answered(address: str, answer: Response) -> str:
    """Return a sentence on who answered and with which status."""
    return f"{named(address)} answered {_phrase(answer.status)}."


def _phrase(status: int) -> str:
    try:
        return f"{status} {HTTPStatus(status).phrase}"
    except ValueError:
        return str(status)


def _asked(answer: Response, now: int) -> float:
    """Return the seconds of ``Retry-After`` (RFC 9110 section 10.2.3: a number or a date); 0 for what is neither."""
    (text, *_) = answer.headers.get("retry-after") or [""]
    if text.isascii() and text.isdigit():
        return min(float(text[:9]), MAX_PAUSE_SECONDS)
    try:
        date = parsedate_to_datetime(text)
    except ValueError:
        return 0.0
    left = date.replace(tzinfo=date.tzinfo or UTC).timestamp() - now / 1000
    return min(max(left, 0.0), MAX_PAUSE_SECONDS)
