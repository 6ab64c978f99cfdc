"""Encodes an event as a channel submits it and as the inbox stores it, with what the channel knows beside it."""

from __future__ import annotations

import hashlib

import msgspec

from dialoom.engine.events import Event
from dialoom.errors import VaultError
from dialoom.service.chat.login_values import Grant
from dialoom.storage.store import Dedupe

MAX_KEY_CHARS = 200
"""Characters of a client's own message id or ``Idempotency-Key``."""


class RemoteFile(msgspec.Struct, frozen=True, omit_defaults=True):
    """Names a file that still lies with the platform."""

    name: str
    address: str
    """Its address, or its id there: what the channel makes the call from that fetches it (``Sender.download``)."""


class InboundEvent(msgspec.Struct, frozen=True, omit_defaults=True):
    """Carries an event to its turn. ``event`` comes from its channel without id, time and seed; the runner puts them in
    when it is accepted."""

    event: Event
    client_id: str | None = None
    """The id that a web client made for its message; echoed with it."""
    channel_name: str | None = None
    """The caller's own label on rest; kept as ``Data.channel.Name``."""
    dedupe: Dedupe | None = None
    is_answered: bool = False
    """An answer carries what the bot says to it (a rest call waits for that); else it waits to be fetched."""
    takes_waiting: bool = False
    """That answer carries what waited as well."""
    files: tuple[str, ...] = ()
    """Ids of the files of ours that it names; they stay when it is accepted."""
    remote_files: tuple[RemoteFile, ...] = ()
    """Files of an ``Attached`` that has none yet: they are fetched once the event is accepted, before its turn."""
    link: str = ""
    """Id of the login link that it comes by; it counts while the chat keeps that."""
    grant: Grant | None = None
    """What a login brings besides its value."""
    is_linked: bool | None = None
    """The user has linked an account on the platform, or has no more; None: the event says nothing of it."""
    reply_to: str = ""
    """Where the platform wants what the bot says to this user, for platforms that say it with each event."""


_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(InboundEvent)


def encode(inbound: InboundEvent) -> bytes:
    return _encoder.encode(inbound)


def decode(data: bytes) -> InboundEvent:
    """Decode a stored event. Raises ``VaultError`` for one that another release wrote and this one cannot read."""
    try:
        return _decoder.decode(data)
    except msgspec.DecodeError as error:
        raise VaultError(f"A waiting event was written by another release and cannot be read: {error}.") from error


def dedupe(key: str, body: object) -> Dedupe:
    """Return the client's key with a hash of the body, so that another body under the same key is noticed."""
    return Dedupe(key, hashlib.sha256(_encoder.encode(body)).digest())


def seed(event_id: str) -> int:
    """Return the seed for a turn's random choices, made from the event's id: a rerun of the turn has the same."""
    return int(event_id[-12:], 16)
