"""Defines the protocol of a channel: it checks calls, reads the events in them, renders messages and sends them.

Where calls come in and which are answered is left to ``http.chat.calls``, retries and order to ``service.outbox``, the
way back after a login to the channel's row (``flow.channels``).
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping, Sequence
from typing import Final, Literal, NamedTuple, Protocol, TypedDict, TypeVar

from dialoom.auth.user_token import SignedUser
from dialoom.engine.effects import Request
from dialoom.engine.events import Began, Event
from dialoom.errors import RequestError, SettingError
from dialoom.messages import Profile
from dialoom.service.chat.inbound import InboundEvent
from dialoom.service.chat.transcript import Spoken
from dialoom.service.outbox.bot_channel import BotChannel
from dialoom.service.outbox.channel_posts import Sender
from dialoom.service.outbox.signals import Signal
from dialoom.storage.store import Dedupe

T = TypeVar("T")

FORGED: Final = "bad-signature"
"""The code of the refusal of a call that does not come from the platform, where the platform wants no other status."""


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

    @property
    def may_be_unsigned(self) -> bool:
        """Return whether the operator lets such a call in without a signature: ``DIALOOM_UNSIGNED_CALLS=allow``, from
        this machine to a local service. For test clients."""

    def header(self, name: str) -> str | None:
        """Return a header; the name in lower case."""

    def check_rate(self) -> None:
        """Raise ``RequestError`` 429 where the address has sent too many forged calls: for what costs more than a
        comparison, so that true calls that come through the same proxy are taken all the same."""

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
    account_token: str | None = None
    """Access token of the account that the user has linked on the platform, empty where none is linked; None: the
    platform says nothing of accounts. A change logs the user in or out before the event has its turn."""
    suggestion: str = ""
    """Short key of the suggestion that was tapped (``taps.short_key``), whose words the event gets before its turn."""


class Reply(NamedTuple):
    """Answers a call that waits for no turn."""

    body: bytes = b""
    content_type: str = "application/json"
    status: int = 200


class ShowMore(NamedTuple):
    """A tap that shows more of the open question and has no turn: a list that a button opens, the next card."""

    event: ChatEvent
    """What the tap counts as where its question is not open any more: a ``Picked`` with the key of the old question,
    which the bot answers with the one that is open."""
    ask: str
    """The ``Dialog.key`` of the question that the tap is of."""
    what: str
    """What to show, in the channel's own words."""
    message: str = ""
    """The platform's id of the message that was tapped."""


class Continuation(NamedTuple):
    """Asks for the part that comes next of what the bot has said to a user, where one answer could not hold it all."""

    user: str
    first: str
    """Id of the first message of it, and of the last."""
    last: str
    at: bytes
    """What comes next, in the channel's own words."""


class SetUp(NamedTuple):
    """One thing that a channel needs on its platform's side, as ``dialoom channel`` prints it."""

    state: Literal["ok", "wrong", "by-hand"]
    """Done or right; wrong, with the platform's own words; or to be done by a person on the platform's pages."""
    text: str
    """What it is, and where it is not right what to do."""
    file: tuple[str, bytes] | None = None
    """Name and content of a file that the person needs for it."""


def run_connect(bot_channel: BotChannel) -> str:
    """Return what a person runs who finds the platform not set up."""
    return f"Run: dialoom channel connect {bot_channel.bot.id} {bot_channel.channel.id}"


def calls_address(platform: str, called: str, address: str, bot_channel: BotChannel) -> SetUp:
    """Return whether a platform calls the channel at its address. ``called``: what it calls, empty where nothing."""
    if called == address:
        return SetUp("ok", f"{platform} calls {address}.")
    return SetUp("wrong", f"{platform} calls {called or 'no address'}, not {address}. {run_connect(bot_channel)}")


class Inbound(NamedTuple):
    """Holds the events of a call, any number, and the answer for when they are stored."""

    events: Sequence[ChatEvent] = ()
    reply: Reply = Reply()
    signals: Sequence[Signal] = ()
    """Calls to make once the events are stored: a typing indicator, the answer to a tap."""
    show_more: Sequence[ShowMore] = ()
    continuation: Continuation | None = None
    """Answered with ``Channel.go_on``, in place of ``reply``."""
    waiting_signals: Sequence[Signal] = ()
    """Calls to make when the answer to the call has to wait: the bot is at work."""


class Channel(Sender, Protocol):
    """Translates for one channel. It holds no state: one object serves all bots."""

    async def verify(self, call: InboundCall, bot_channel: BotChannel) -> None:
        """Check that the call comes from the platform. Raises ``ForgedCall``, as ``forged`` makes it: 401 or the
        status of its code; ``SettingError`` where ``bot.json`` lacks what it takes, and ``RemoteError`` where the
        platform does not give it now: the call is answered with 404 and 503."""

    def challenge(self, query: Mapping[str, str], bot_channel: BotChannel) -> Reply | None:
        """Return the answer to a GET by which the platform has the address prove itself; None where it makes none.
        Raises ``RequestError`` 401, as ``forged`` makes it, for one that is not the platform's."""
        return None

    async def parse(self, call: InboundCall, bot_channel: BotChannel) -> Inbound:
        """Return what a verified call brings. Raises ``RequestError`` 400 where it cannot be read; else as
        ``verify``."""

    def show_more(self, tap: ShowMore, spoken: Spoken, bot_channel: BotChannel) -> Sequence[Signal]:
        """Return what shows more of the open question, whose message is ``spoken``."""
        return ()

    def go_on(self, continuation: Continuation, spoken: tuple[Spoken, ...], bot_channel: BotChannel) -> bytes:
        """Return the answer with what comes next of these messages; none of them is left where they were erased."""
        return b""

    async def signal(self, signal: Signal, bot_channel: BotChannel) -> Request:
        """Return the call of a signal. Raises ``SettingError`` and ``RemoteError`` where it cannot be made."""
        raise SettingError(f"Channel {bot_channel.channel.id} makes no calls beside its messages.")

    async def connect(self, bot_channel: BotChannel, address: str) -> Sequence[SetUp]:
        """Set the platform up to call the channel at ``address``, as far as calls can do it; the rest is said. What is
        done again changes nothing. Raises ``SettingError`` and ``RemoteError``."""
        return ()

    async def check(self, bot_channel: BotChannel, address: str) -> Sequence[SetUp]:
        """Ask the platform whether tokens, rights and addresses are right; change nothing. Raises as ``connect``."""
        return ()

    async def profile(self, user: str, bot_channel: BotChannel) -> Profile | None:
        """Ask the platform who a user is, once a user, where the channel's row says so; None where it does not say."""
        return None

    def late(self, event: ChatEvent, bot_channel: BotChannel) -> bytes:
        """Return the answer to a call whose turn takes longer than the row's ``answer_seconds``. What the bot says then
        goes out with the next event that ``takes_waiting``."""
        return b""


WAY_BACK: Final = "login"
"""What a link carries that leads from the login's page, or the hosted picker page, back into the chat."""


def referred(payload: str, profile: Profile, id: str, reply_to: str = "") -> ChatEvent | None:
    """Return the event of a link into the chat, or of a chat that begins without one: what the link carries stands in
    memory as ``referral``, and in a talk that runs already the open question is asked again. None for the way back from
    a page of ours, whose result comes by itself."""
    if payload == WAY_BACK:
        return None
    context = {"referral": payload} if payload else {}
    return from_platform(Began(**UNSET_FIELDS, profile=profile, context=context, is_said_again=True), id, reply_to)


class ForgedCall(RequestError):
    """A call that the platform did not make. It is counted, and too many from one address have to wait."""


def forged(detail: str, code: str = FORGED) -> ForgedCall:
    """Return the refusal of a call whose signature or secret is missing or wrong."""
    return ForgedCall(code, f"{detail} Nothing of the call was taken.")


def check_hmac(given: str | None, secret: str, body: bytes) -> None:
    """Compare a hexadecimal signature with the body's HMAC-SHA256 in constant time. Raises ``RequestError`` 401."""
    expected = hmac.digest(secret.encode(), body, hashlib.sha256).hex()
    if given is None or not hmac.compare_digest(given.encode("utf-8", "replace"), expected.encode()):
        raise forged("The signature is missing, or is not that of this body with this channel's secret.")


def from_platform(event: Event, id: str, reply_to: str = "") -> ChatEvent:
    """Return an event of a platform's user, who is its profile's. ``id``: the platform's own id of the event, which is
    dropped when it comes again within 24 hours. ``reply_to``: where the platform wants what the bot says, where it says
    so with each event."""
    return ChatEvent(event.profile.id, InboundEvent(event=event, dedupe=Dedupe(id, b""), reply_to=reply_to))
