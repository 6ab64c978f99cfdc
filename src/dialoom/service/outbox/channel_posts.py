"""Posts what a bot says to where its channel wants it: a platform's address, or the ``callback-url`` of a rest channel.

What is posted is the channel's (``Sender``); when it is posted, and again, is left to ``outbox``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

import msgspec

from dialoom.engine.effects import Request
from dialoom.errors import SettingError
from dialoom.flow.channels import row_of
from dialoom.service.access.rate import Limiter, read_rate
from dialoom.service.chat.transcript import Spoken
from dialoom.service.outbox.delivery import Draft, Receiver, decoded, judge

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from dialoom.engine.events import NoResponse, Response
    from dialoom.flow.channels import Channel
    from dialoom.service.bots.bots import Bots, Deployed
    from dialoom.service.chat.signed_links import SignedLinks
    from dialoom.service.outbox.bot_channel import BotChannel, BotChannels
    from dialoom.service.outbox.delivery import TurnDone, Verdict
    from dialoom.storage.store import ChatKey, Outgoing

KIND: Final = "callback"


class Post(NamedTuple):
    """Holds one delivery, ready to be sent."""

    id: str
    """The same at each attempt."""
    user: str
    """The user's id on the channel."""
    label: str | None
    """The caller's own label of a rest channel."""
    body: bytes
    """What ``Sender.render`` made."""
    reply_to: str = ""
    """Where the platform wants answers to this user, as its last event said (``InboundEvent.reply_to``)."""
    refusal: str = ""
    """What the attempt before met, as ``Verdict.reason`` says it; empty at the first."""


class Sender(Protocol):
    """Renders the bot's messages for a channel, and says where to send them: the outbound half of a channel."""

    def render(self, spoken: tuple[Spoken, ...], bot_channel: BotChannel) -> Sequence[bytes]:
        """Return the bodies that carry these messages, in the order in which they are sent: one for each call."""

    def answer(self, spoken: tuple[Spoken, ...], bot_channel: BotChannel, *, is_over: bool) -> bytes:
        """Return the answer to a call that waits for its turn, with all that the turn said. ``is_over``: what the user
        wanted is done or given to a person, and nothing is asked."""
        return b"".join(self.render(spoken, bot_channel))

    def groups(self, spoken: tuple[Spoken, ...]) -> Sequence[tuple[Spoken, ...]]:
        """Return the messages of a turn in groups that are rendered and sent each by itself: one message each."""
        return [(one,) for one in spoken]

    def address(self, bot_channel: BotChannel) -> str | None:
        """Return where messages are posted; None where none are."""

    async def request(self, post: Post, bot_channel: BotChannel) -> Request:
        """Return the call of an attempt. Raises ``SettingError`` where it can never be made, and ``RemoteError`` where
        it cannot be made now."""

    def judge(self, address: str, answer: Response | NoResponse, now: int) -> Verdict:
        """Return what an answer means: by its status, unless the platform says it in other words."""
        return judge(address, answer, now)

    async def renewed(self, request: Request, answer: Response | NoResponse, bot_channel: BotChannel) -> Request | None:
        """Return the same call with a newer token of the bot, where the answer refuses the one that was sent; it is
        made once more then. None: the answer counts. Raises as ``request``."""
        return None

    async def download(self, address: str, bot_channel: BotChannel) -> Request | None:
        """Return the call that fetches a file of a user; None for one that the platform gives to no bot. ``address``:
        that of a ``RemoteFile``; one that needs no token is reached like any address of a stranger. Raises as
        ``request``."""
        return Request(method="GET", url=address)

    def keeps_logins(self, bot_channel: BotChannel) -> bool:
        """Return whether the platform keeps a login of its own of users, which ``sign_out`` ends."""
        return False

    async def sign_out(self, reply_to: str, bot_channel: BotChannel) -> Request:
        """Return the call by which the platform forgets a user's login. Raises as ``request``."""
        raise SettingError(f"Channel {bot_channel.channel.id} keeps no logins. Drop this.")


class _Said(msgspec.Struct, frozen=True):
    """Stores messages, unmasked, until they are delivered. ``part``: which of the bodies made of them this one is.
    ``parts``: how many were made; None in rows of an earlier release."""

    name: str | None
    spoken: tuple[Spoken, ...]
    part: int = 0
    parts: int | None = None
    reply_to: str = ""


_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(_Said)


class ChannelPosts(Receiver):
    """Delivers what no answer carries. ``senders``: by the type of channel; those that send nothing have none."""

    def __init__(
        self, bots: Bots, addresses: SignedLinks, bot_channels: BotChannels, senders: Mapping[str, Sender]
    ) -> None:
        self._bots = bots
        self._addresses = addresses
        self._bot_channels = bot_channels
        self._senders = senders
        self._limiters: dict[str, Limiter | None] = {}
        """By the text of the rate."""

    async def drafts(self, done: TurnDone) -> Sequence[Draft]:
        if not done.is_later or not done.written.spoken:
            return ()
        serving = self._bots.active(done.key.bot) or done.deployed
        channel = serving.channel(done.key.channel)
        sender = None if channel is None else self._senders.get(channel.type)
        if channel is None or sender is None:
            return ()
        bot_channel = self._bot_channels.of(serving.bot, channel)
        if sender.address(bot_channel) is None:
            return ()
        record = done.written.records[-1] if done.written.records else None
        name = done.inbound.channel_name or (record.data.channel.name if record is not None else None)
        counted = [
            (group, len(self._rendered(sender, done.key, group, bot_channel)))
            for group in sender.groups(done.written.spoken)
        ]
        reply_to = done.written.kept.reply_to
        bodies = [
            _encoder.encode(_Said(name, group, part, parts, reply_to))
            for group, parts in counted
            for part in range(parts)
        ]
        # The turn's messages count as delivered with the last of them.
        carried = [*[0] * (len(bodies) - 1), done.written.position]
        return [Draft(KIND, body, carries) for body, carries in zip(bodies, carried, strict=False)]

    def address(self, serving: Deployed, delivery: Outgoing) -> str:
        channel, sender = self._channel(serving, delivery)
        address = sender.address(self._bot_channels.of(serving.bot, channel))
        if address is None:
            raise SettingError(
                f'Channel "{channel.id}" of bot.json has no address to post to any more. Write it there and resend '
                f"this, or drop it."
            )
        return address

    async def request(self, serving: Deployed, delivery: Outgoing, body: bytes) -> Request:
        said = decoded(_decoder, body)
        channel, sender = self._channel(serving, delivery)
        bot_channel = self._bot_channels.of(serving.bot, channel)
        bodies = self._rendered(sender, delivery.key, said.spoken, bot_channel)
        parts = len(bodies) if said.parts is None else said.parts
        if len(bodies) != parts or said.part >= parts:
            # A part of other bounds would repeat a piece of the text or leave one out.
            raise SettingError(
                f"Another release cut this message into {parts} parts, and this one cuts it into {len(bodies)}. "
                f"Resend it there, or drop it."
            )
        post = Post(delivery.id, delivery.key.user, said.name, bodies[said.part], said.reply_to, delivery.reason or "")
        return await sender.request(post, bot_channel)

    def judge(
        self, serving: Deployed, delivery: Outgoing, address: str, answer: Response | NoResponse, now: int
    ) -> Verdict:
        _, sender = self._channel(serving, delivery)
        return sender.judge(address, answer, now)

    async def renewed(
        self, serving: Deployed, delivery: Outgoing, request: Request, answer: Response | NoResponse
    ) -> Request | None:
        channel, sender = self._channel(serving, delivery)
        return await sender.renewed(request, answer, self._bot_channels.of(serving.bot, channel))

    def wait(self, serving: Deployed, delivery: Outgoing) -> float:
        """Hold messages to the rates of their channel's row."""
        channel, key = serving.channel(delivery.key.channel), delivery.key
        if channel is None:
            return 0.0
        row = row_of(channel)
        limiters = [
            (limiter, name)
            for limiter, name in (
                (self._limiter(row.bot_rate), (key.bot, key.channel)),
                (self._limiter(row.chat_rate), tuple(key)),
            )
            if limiter is not None
        ]
        seconds = max((limiter.wait(name) for limiter, name in limiters), default=0.0)
        if not seconds:
            for limiter, name in limiters:
                limiter.take(name)
        return seconds

    def _limiter(self, text: str) -> Limiter | None:
        if text not in self._limiters:
            rate = read_rate(text)
            self._limiters[text] = None if rate is None else Limiter(rate)
        return self._limiters[text]

    def _rendered(
        self, sender: Sender, key: ChatKey, spoken: tuple[Spoken, ...], bot_channel: BotChannel
    ) -> Sequence[bytes]:
        """Render messages with the addresses that they need, which no row holds."""
        return sender.render(tuple(self._addresses.put_in(key, one) for one in spoken), bot_channel)

    def _channel(self, serving: Deployed, delivery: Outgoing) -> tuple[Channel, Sender]:
        channel = serving.channel(delivery.key.channel)
        sender = None if channel is None else self._senders.get(channel.type)
        if channel is None or sender is None:
            raise SettingError(
                f'bot.json has no channel "{delivery.key.channel}" any more that posts. Write it there and resend '
                f"this, or drop it."
            )
        return channel, sender
