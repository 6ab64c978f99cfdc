"""Callbacks of Viber, as far as a chat of one person with the bot needs them.

Sources: creators.viber.com/docs/bots-api/events and data-models/message (github.com/Viber/creators-hub).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec

from dialoom.channels._contract.channel import UNSET_FIELDS, from_platform
from dialoom.channels._contract.files import with_files
from dialoom.channels._contract.limits import MAX_ID_CHARS
from dialoom.engine.events import Located, Picked, Said
from dialoom.messages import Profile

if TYPE_CHECKING:
    from dialoom.channels._contract.channel import ChatEvent
    from dialoom.service.outbox.bot_channel import BotChannel

TAP: Final = "dialoom:"
"""Begins the text that a tap on a button sends; the key of its option stands behind it."""
FILES: Final = frozenset({"picture", "video", "file"})


class User(msgspec.Struct, frozen=True):
    id: str = ""
    name: str | None = None
    avatar: str | None = None
    language: str | None = None


class Location(msgspec.Struct, frozen=True):
    lat: float
    lon: float


class Contact(msgspec.Struct, frozen=True):
    phone_number: str = ""


class Message(msgspec.Struct, frozen=True):
    type: str = ""
    text: str | None = None
    media: str | None = None
    file_name: str | None = None
    location: Location | None = None
    contact: Contact | None = None

    @property
    def file(self) -> tuple[str, str] | None:
        """Return name and address of the file; None for a message without one."""
        if self.type not in FILES or not self.media or not self.media.lower().startswith(("http://", "https://")):
            return None
        return self.file_name or "", self.media


class Callback(msgspec.Struct, frozen=True):
    """A callback. ``silent``: what was tapped is not shown in the chat; also sent by buttons that open an address."""

    event: str = ""
    message_token: int | str = 0
    user: User = User()
    sender: User = User()
    message: Message = Message()
    context: str = ""
    subscribed: bool = False
    silent: bool = False
    desc: str = ""


def profile_of(user: User, bot_channel: BotChannel) -> Profile:
    first, _, last = (user.name or "").strip()[:MAX_ID_CHARS].partition(" ")
    return Profile(
        id=user.id,
        channel=bot_channel.channel.id,
        provider=bot_channel.channel.type,
        first_name=first or None,
        last_name=last.strip() or None,
        avatar=user.avatar or None,
        locale=(user.language or "")[:MAX_ID_CHARS] or None,
    )


def said_of(callback: Callback, profile: Profile) -> list[ChatEvent]:
    """Return what a message says: a choice, a place, a file with the words beside it, or a text. A contact is its
    telephone number, a shared page its address; a sticker is a message without words."""
    common: dict[str, Any] = {**UNSET_FIELDS, "profile": profile}
    message, id = callback.message, str(callback.message_token)
    text = message.text or ""
    if message.type == "text" and text.startswith(TAP):
        return [from_platform(Picked(**common, key=text.removeprefix(TAP)), id)]
    if callback.silent:
        return []
    if message.location is not None:
        return [from_platform(Located(**common, latitude=message.location.lat, longitude=message.location.lon), id)]
    if message.file is not None:
        return [with_files(common, id, [message.file], text)]
    if message.contact is not None:
        text = message.contact.phone_number
    elif message.type == "url":
        text = message.media or text
    return [from_platform(Said(**common, text=text), id)]
