"""Defines what is stored of a try-out, and packs it into the body of its row."""

from __future__ import annotations

import hashlib
import zlib
from typing import Any, Final, Literal

import msgspec

from dialoom.authoring.scenarios import UserTurn
from dialoom.engine.effects import Request
from dialoom.engine.events import NoResponse, Response
from dialoom.errors import VaultError

Calls = Literal["real", "mocked", "recorded"]
"""How outside calls are answered: by the far end; by the author's table; by the far end once, then by that answer. A
write goes to the far end unasked in a new turn of ``real`` alone."""
Mocks = dict[str, dict[str, Any]]

UNKNOWN: Final = NoResponse("unknown", "It was sent once, and what came of it is not known.")
"""What came of a write that is about to be made."""
FIRST_SERVER_ERROR: Final = 500
"""Status from which on the far end says that it failed itself (RFC 9110 section 15.6): what was done is not known."""


class KeptCall(msgspec.Struct, frozen=True, omit_defaults=True):
    """Holds an outside call with what came of it: a response or a failure."""

    method: str
    url: str
    body: str
    """SHA-256 of the request's body in hexadecimal digits; "" without one."""
    source: Calls
    milliseconds: int
    response: Response | None = None
    failure: NoResponse | None = None
    turn: int = 0
    """Serial of the turn that made it."""
    idempotency_key: str = ""
    """Of a write that was sent: the header that it was first sent with."""

    @property
    def key(self) -> str:
        """Return what two calls have in common that may have the same answer."""
        return f"{self.method} {self.url} {self.body}"

    @property
    def is_answered(self) -> bool:
        """Return whether it is known what came of the call."""
        return self.failure is None or self.failure.kind != UNKNOWN.kind

    @property
    def has_failed(self) -> bool:
        """Return whether there is no response, or one by which the far end failed itself."""
        return self.response is None or self.response.status >= FIRST_SERVER_ERROR

    @property
    def is_settled(self) -> bool:
        """Return whether the far end has said what it did: sent again, the same call would be another deed."""
        return self.source == "real" and not self.has_failed

    @property
    def digest(self) -> str:
        """Return the hash of what the call is: by it an author says which one may be made."""
        return hashlib.sha256(self.key.encode()).hexdigest()

    @property
    def answer(self) -> Response | NoResponse:
        return self.response or self.failure or NoResponse("broken", "What came of the call was not kept.")

    @property
    def request(self) -> Request:
        """Return the call as a test writes it down."""
        return Request(method=self.method, url=self.url)


class Picked(msgspec.Struct, frozen=True):
    """Names an option that a key stood for: an option of another flow, with another key, may be the same one."""

    title: str
    value: Any


class KeptTurn(msgspec.Struct, frozen=True, omit_defaults=True):
    at: int
    """The moment by the try-out's clock, in milliseconds since 1970."""
    serial: int
    """Counts the turns of the try-out, also those that were taken back: no two turns have the same keys of calls."""
    user: UserTurn
    messages: list[dict[str, Any]]
    """Documents of the web protocol."""
    trace: list[dict[str, Any]]
    """Masked."""
    calls: tuple[KeptCall, ...]
    outside: list[dict[str, Any]]
    """The calls as they are shown: masked."""
    said: list[dict[str, Any]]
    """The bot's messages as a test expects them."""
    memory: dict[str, Any]
    """Masked, after the turn."""
    position: int
    """Of the last message."""
    chat: msgspec.Raw
    """A ``StoredChat``: what the service would keep of the chat after the turn."""
    picked: tuple[Picked, ...] = ()
    """What the keys of the user's option stood for."""


class Waiting(msgspec.Struct, frozen=True, omit_defaults=True):
    """Holds a turn that is to be played, or played again: what the user did, and what is known of the time before."""

    at: int
    serial: int
    user: UserTurn
    shown: dict[str, Any] = {}
    """What the user did, masked; empty as long as nobody knows what of it is a secret."""
    calls: tuple[KeptCall, ...] = ()
    picked: tuple[Picked, ...] | None = None
    """What the keys of the user's option stood for; None before the turn was played."""
    messages: list[dict[str, Any]] | None = None
    """What was said; None before the turn was played."""


class Asks(msgspec.Struct, frozen=True, omit_defaults=True):
    """Describes the write at which a play has stopped, masked."""

    call: str
    """Digest of the call."""
    method: str
    url: str
    body: str
    tried: str = ""
    """Why nobody knows what came of it, where it was made before."""


class KeptTryOut(msgspec.Struct, frozen=True, omit_defaults=True):
    on: str
    """``draft`` or a version."""
    files: str
    """Id of the row with the texts of the files."""
    channel: str
    calls: Calls
    mocks: Mocks = {}
    moment: int | None = None
    """The moment that the clock was set to, in milliseconds since 1970; None: the clock is the service's."""
    moment_set_at: int = 0
    """When that was."""
    timezone: str | None = None
    context: dict[str, Any] = {}
    """What each turn brings."""
    conversation: str | None = None
    """Id of the conversation that it was begun from."""
    serial: int = 0
    recordings: dict[str, KeptCall] = {}
    """The answers that replays take, by the keys of their calls: of a read with ``recorded`` the first, of a write the
    last, real or given by the author. A write is added before it is made, with ``UNKNOWN``."""
    turns: tuple[KeptTurn, ...] = ()
    waiting: tuple[Waiting, ...] = ()
    """The turns behind those, which a play that stopped has not come to."""
    asks: Asks | None = None
    """Why it stopped; None where a turn broke off."""
    differs_at: int | None = None
    before: list[dict[str, Any]] | None = None

    def now(self, now: int) -> int:
        """Return the moment by the try-out's clock. ``now``: by the service's."""
        return now if self.moment is None else self.moment + max(0, now - self.moment_set_at)


_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(KeptTryOut)


def pack(kept: KeptTryOut) -> bytes:
    """Return the try-out as compressed JSON: the chats after each turn differ little."""
    return zlib.compress(_encoder.encode(kept), 1)


def unpack(packed: bytes) -> KeptTryOut:
    """Read a packed try-out. Raises ``VaultError`` for one of another release that this one cannot read."""
    try:
        return _decoder.decode(zlib.decompress(packed))
    except (zlib.error, msgspec.DecodeError) as error:
        raise VaultError(f"A try-out was written by another release and cannot be read: {error}.") from error
