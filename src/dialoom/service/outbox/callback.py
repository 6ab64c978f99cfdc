"""The ``callback-url`` of a rest channel: what else waits to be fetched is posted there, signed (channels.md 2).

When it is posted, and again, is left to ``outbox``.
"""

from __future__ import annotations

import hashlib
import hmac
from typing import TYPE_CHECKING, Final

import msgspec

from dialoom.engine.effects import Request
from dialoom.errors import SettingError, VaultError
from dialoom.service.chat.transcript import AnswerForm, Spoken
from dialoom.service.outbox.delivery import Draft

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from dialoom.flow.model import Channel
    from dialoom.service.bots.bots import Bots, Deployed
    from dialoom.service.chat.signed_links import SignedLinks
    from dialoom.service.clock import Clock
    from dialoom.service.outbox.delivery import TurnDone
    from dialoom.storage.store import Outgoing

KIND: Final = "callback"
SIGNATURE: Final = "Dialoom-Signature"


class _Said(msgspec.Struct, frozen=True):
    """Stores messages, unmasked, until they are delivered."""

    name: str | None
    spoken: tuple[Spoken, ...]


class _Sender(msgspec.Struct, frozen=True):
    id: str


class Posted(msgspec.Struct, frozen=True):
    """Holds the body of a post. ``messages`` have the form of a rest answer."""

    id: str
    bot: str
    channel: str
    name: str | None
    sender: _Sender
    messages: msgspec.Raw


_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(_Said)


class Callback:
    """Delivers messages to a ``callback-url``. ``forms``: channel type to the encoder of its answers."""

    def __init__(self, bots: Bots, addresses: SignedLinks, clock: Clock, forms: Mapping[str, AnswerForm]) -> None:
        self._bots = bots
        self._addresses = addresses
        self._clock = clock
        self._forms = forms

    async def drafts(self, done: TurnDone) -> Sequence[Draft]:
        if not done.is_later or not done.written.spoken:
            return ()
        serving = self._bots.active(done.key.bot) or done.deployed
        channel = serving.channel(done.key.channel)
        if channel is None or channel.callback_url is None:
            return ()
        record = done.written.records[-1] if done.written.records else None
        name = done.inbound.channel_name or (record.data.channel.name if record is not None else None)
        return (Draft(KIND, _encoder.encode(_Said(name, done.written.spoken)), done.written.position),)

    def address(self, serving: Deployed, delivery: Outgoing) -> str:
        channel = _channel(serving, delivery)
        if channel.callback_url is None:
            raise SettingError(
                f'Channel "{channel.id}" of bot.json has no callback-url any more. Write it there and resend this, or '
                f"drop it."
            )
        return channel.callback_url

    async def request(self, serving: Deployed, delivery: Outgoing, body: bytes) -> Request:
        try:
            said = _decoder.decode(body)
        except msgspec.DecodeError as error:
            raise VaultError(
                "Another release wrote this delivery, and this one cannot read it. Resend it there."
            ) from error
        channel, key = _channel(serving, delivery), delivery.key
        spoken = tuple(self._addresses.put_in(key, one) for one in said.spoken)
        messages = msgspec.Raw(self._forms[channel.type](spoken))
        posted = _encoder.encode(Posted(delivery.id, key.bot, key.channel, said.name, _Sender(key.user), messages))
        return Request(
            method="POST",
            url=self.address(serving, delivery),
            headers=(
                ("Content-Type", "application/json"),
                (SIGNATURE, self._signature(serving.bot.id, channel, posted)),
            ),
            body=posted,
            trusted_host=True,
            idempotency_key=delivery.id,
            ignores_body=True,
        )

    def _signature(self, bot: str, channel: Channel, body: bytes) -> str:
        if channel.callback_secret is None:
            raise SettingError(
                f'Channel "{channel.id}" of bot.json has no callback-secret, and nothing is posted unsigned. Write one '
                f"there, then resend this."
            )
        return signature(self._bots.secret(bot, channel.callback_secret), self._clock.now() // 1000, body)


def _channel(serving: Deployed, delivery: Outgoing) -> Channel:
    channel = serving.channel(delivery.key.channel)
    if channel is None:
        raise SettingError(
            f'bot.json has no channel "{delivery.key.channel}" any more. Write it there and resend this, or drop it.'
        )
    return channel


def signature(secret: str, seconds: int, body: bytes) -> str:
    """Sign time and body, so that a post that was intercepted cannot be sent again later."""
    code = hmac.digest(secret.encode(), b"%d." % seconds + body, hashlib.sha256)
    return f"t={seconds},v1={code.hex()}"
