"""Has the platform of a channel forget the login that it keeps of a user who was logged out.

Revoking tokens at the login's provider is left to ``service.login.revoke``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

from dialoom.engine.effects import LogOut, Request
from dialoom.engine.events import NoResponse, Response
from dialoom.errors import SettingError
from dialoom.service.bots.bots import Bots, Deployed
from dialoom.service.outbox.bot_channel import BotChannel, BotChannels
from dialoom.service.outbox.channel_posts import Sender
from dialoom.service.outbox.delivery import Draft, Receiver, TurnDone, decoded
from dialoom.storage.store import Outgoing

KIND: Final = "sign-out"


class _User(msgspec.Struct, frozen=True):
    """Stores where the platform knows the user."""

    reply_to: str


_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(_User)


class SignOuts(Receiver):
    """Delivers sign-outs. ``senders``: by the type of channel."""

    def __init__(self, bots: Bots, bot_channels: BotChannels, senders: Mapping[str, Sender]) -> None:
        self._bots = bots
        self._bot_channels = bot_channels
        self._senders = senders

    async def drafts(self, done: TurnDone) -> Sequence[Draft]:
        if not any(isinstance(effect, LogOut) for effect in done.turn.effects):
            return ()
        found = self._found(self._bots.active(done.key.bot) or done.deployed, done.key.channel)
        reply_to = done.written.kept.reply_to
        if found is None or not reply_to or not found[0].keeps_logins(found[1]):
            return ()
        return [Draft(KIND, _encoder.encode(_User(reply_to)))]

    def address(self, serving: Deployed, delivery: Outgoing) -> str:
        sender, bot_channel = self._named(serving, delivery)
        return sender.address(bot_channel) or ""

    async def request(self, serving: Deployed, delivery: Outgoing, body: bytes) -> Request:
        sender, bot_channel = self._named(serving, delivery)
        return await sender.sign_out(decoded(_decoder, body).reply_to, bot_channel)

    async def renewed(
        self, serving: Deployed, delivery: Outgoing, request: Request, answer: Response | NoResponse
    ) -> Request | None:
        sender, place = self._named(serving, delivery)
        return await sender.renewed(request, answer, place)

    def _found(self, serving: Deployed, id: str) -> tuple[Sender, BotChannel] | None:
        channel = serving.channel(id)
        sender = None if channel is None else self._senders.get(channel.type)
        return None if channel is None or sender is None else (sender, self._bot_channels.of(serving.bot, channel))

    def _named(self, serving: Deployed, delivery: Outgoing) -> tuple[Sender, BotChannel]:
        found = self._found(serving, delivery.key.channel)
        if found is None:
            raise SettingError(f'bot.json has no channel "{delivery.key.channel}" any more. Drop this.')
        return found
