"""Defines the protocol of a channel: it checks calls, reads the events in them, renders messages and sends them.

Where calls come in and which are answered is left to ``http.chat.calls``, retries and order to ``service.outbox``, the
way back after a login to the channel's row (``flow.channels``).
"""

from __future__ import annotations

import hashlib
import hmac
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol, TypedDict, TypeVar

from dialoom.errors import RequestError
from dialoom.service.chat.inbound import InboundEvent
from dialoom.service.outbox.channel_posts import Sender
from dialoom.storage.store import Dedupe

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dialoom.auth.user_token import SignedUser
    from dialoom.engine.events import Event
    from dialoom.service.outbox.channel_posts import BotChannel

T = TypeVar("T")

FORGED: Final = "bad-signature"
"""The code of the refusal of a call that does not come from the platform."""


class UnsetFields(TypedDict):
    """Holds the fields of an event that the service sets when it accepts it."""

    id: str
    now: int
    seed: int


UNSET_FIELDS: Final[UnsetFields] = {"id": "", "now": 0, "seed": 0}


class InboundCall(Protocol):
    """Holds a call as it came. Nothing in it is true before ``Channel.verify`` has returned."""

    @property
    def raw(self) -> bytes:
        """Return the body as it came."""

    @property
    def label(self) -> str:
        """Return what stands in the path behind the channel's type; empty where nothing does."""

    def header(self, name: str) -> str | None:
        """Return a header; the name in lower case."""

    def read(self, type: type[T]) -> T:
        """Return the JSON of the body as this type. Raises ``RequestError`` 400 or 415."""

    def signed_user(self, token: str | None, pointer: str) -> SignedUser | None:
        """Return the user that a user token names; None without one. Raises ``RequestError`` 401."""


class ChatEvent(NamedTuple):
    """Holds one event of a call, and whose it is."""

    user: str
    """The user's id on the channel: memory, order and history are kept by it."""
    inbound: InboundEvent
    """With ``is_answered`` the call waits for its turn, and the answer carries what the bot says."""


class Reply(NamedTuple):
    """Answers a call that waits for no turn."""

    body: bytes = b""
    content_type: str = "application/json"


class Inbound(NamedTuple):
    """Holds the events of a call, any number, and the answer for when they are stored."""

    events: Sequence[ChatEvent] = ()
    reply: Reply = Reply()


class Channel(Sender, Protocol):
    """Translates for one channel. It holds no state: one object serves all bots."""

    def verify(self, call: InboundCall, place: BotChannel) -> None:
        """Check that the call comes from the platform. Raises ``RequestError`` 401, as ``forged`` makes it."""

    def parse(self, call: InboundCall, place: BotChannel) -> Inbound:
        """Return what a verified call brings. Raises ``RequestError`` 400 where it cannot be read."""


def forged(detail: str) -> RequestError:
    """Return the refusal of a call whose signature or secret is missing or wrong."""
    return RequestError(FORGED, f"{detail} Nothing of the call was taken.")


def check_hmac(given: str | None, secret: str, body: bytes) -> None:
    """Compare a hexadecimal signature with the body's HMAC-SHA256 in constant time. Raises ``RequestError`` 401."""
    expected = hmac.digest(secret.encode(), body, hashlib.sha256).hex()
    if given is None or not hmac.compare_digest(given.encode("utf-8", "replace"), expected.encode()):
        raise forged("The signature is missing, or is not that of this body with this channel's secret.")


def from_platform(event: Event, id: str) -> ChatEvent:
    """Return an event of a platform's user, who is its profile's. ``id``: the platform's own id of the event, which is
    dropped when it comes again within 24 hours."""
    return ChatEvent(event.profile.id, InboundEvent(event=event, dedupe=Dedupe(id, b"")))
