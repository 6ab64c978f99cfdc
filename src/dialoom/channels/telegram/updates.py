"""Updates of Telegram (core.telegram.org/bots/api#update), as far as a chat of one person with the bot needs them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

import msgspec

from dialoom.channels._contract.channel import UNSET_FIELDS, ShowMore, from_platform, referred
from dialoom.channels._contract.files import with_files
from dialoom.channels._contract.taps import tapped
from dialoom.engine.events import Located, Picked, Said
from dialoom.messages import Profile

if TYPE_CHECKING:
    from dialoom.channels._contract.channel import ChatEvent
    from dialoom.service.outbox.bot_channel import BotChannel

SHOW_MORE: Final = "?"
"""Begins the data of a button that shows more of its question."""
PHOTO: Final = ":photo"
"""Follows the id of a message that has a picture."""
_COMMAND = re.compile(r"/([A-Za-z0-9_]{1,32})(?:@\w+)?(?:\s+(.*))?", re.DOTALL)
"""A command (core.telegram.org/bots/api#botcommand), with the bot's name where a client adds it, and what follows."""


class From(msgspec.Struct, frozen=True):
    """A user of Telegram."""

    id: int
    first_name: str = ""
    last_name: str | None = None
    language_code: str | None = None


class Chat(msgspec.Struct, frozen=True):
    id: int
    type: str = "private"


class Location(msgspec.Struct, frozen=True):
    latitude: float
    longitude: float


class Venue(msgspec.Struct, frozen=True):
    location: Location
    title: str = ""


class Contact(msgspec.Struct, frozen=True):
    phone_number: str


class File(msgspec.Struct, frozen=True):
    """A file of any kind; of a sticker also the emoji that it stands for."""

    file_id: str
    file_name: str | None = None
    emoji: str | None = None


class Button(msgspec.Struct, frozen=True):
    text: str = ""
    callback_data: str = ""


class Markup(msgspec.Struct, frozen=True):
    """The buttons of a message of the bot."""

    inline_keyboard: tuple[tuple[Button, ...], ...] = ()


class Message(msgspec.Struct, frozen=True):
    """A message of a user, or the message of the bot whose button was tapped."""

    message_id: int
    chat: Chat
    from_: From | None = msgspec.field(name="from", default=None)
    text: str | None = None
    caption: str | None = None
    location: Location | None = None
    venue: Venue | None = None
    contact: Contact | None = None
    photo: tuple[File, ...] = ()
    """One picture in several sizes, the largest last."""
    sticker: File | None = None
    document: File | None = None
    voice: File | None = None
    audio: File | None = None
    video: File | None = None
    video_note: File | None = None
    animation: File | None = None
    reply_markup: Markup = Markup()

    @property
    def file(self) -> File | None:
        """Return the file of the message; an animation comes as a document too."""
        kinds = (self.document, self.voice, self.audio, self.video, self.video_note, self.animation)
        return self.photo[-1] if self.photo else next((file for file in kinds if file is not None), None)


class Callback(msgspec.Struct, frozen=True):
    """A tap on an inline button."""

    id: str
    from_: From = msgspec.field(name="from")
    data: str = ""
    message: Message | None = None


class Update(msgspec.Struct, frozen=True):
    """One update. Kinds that are not here are no part of a chat."""

    update_id: int
    message: Message | None = None
    edited_message: Message | None = None
    callback_query: Callback | None = None


def profile_of(user: From, bot_channel: BotChannel) -> Profile:
    return Profile(
        id=str(user.id),
        channel=bot_channel.channel.id,
        provider=bot_channel.channel.type,
        first_name=user.first_name or None,
        last_name=user.last_name,
        locale=user.language_code,
    )


def event_of(message: Message, id: str, profile: Profile) -> ChatEvent | None:
    """Return the event of a message; None for one that asks nothing of the bot.

    A link into the chat comes as ``/start`` with what the link carries. A sticker is its emoji, a contact its telephone
    number, a command the word behind its slash.
    """
    common: dict[str, Any] = {**UNSET_FIELDS, "profile": profile}
    if message.file is not None:
        return with_files(common, id, [(message.file.file_name or "", message.file.file_id)], message.caption or "")
    if message.venue is not None:
        where = message.venue.location
        event = Located(**common, latitude=where.latitude, longitude=where.longitude, name=message.venue.title or None)
        return from_platform(event, id)
    if message.location is not None:
        where = message.location
        return from_platform(Located(**common, latitude=where.latitude, longitude=where.longitude), id)
    if message.contact is not None:
        return from_platform(Said(**common, text=message.contact.phone_number), id)
    if message.sticker is not None:
        return from_platform(Said(**common, text=message.sticker.emoji or ""), id)
    if message.text is None:
        return None
    command = _COMMAND.fullmatch(message.text)
    if command is None:
        return from_platform(Said(**common, text=message.text), id)
    word, rest = command.groups()
    if word.lower() == "start":
        return referred(rest or "", profile, id)
    return from_platform(Said(**common, text=f"{word.replace('_', ' ')} {rest or ''}".strip()), id)


def tap_of(callback: Callback, id: str, profile: Profile) -> ChatEvent | ShowMore:
    """Return what a tap on a button chooses, or shows."""
    common: dict[str, Any] = {**UNSET_FIELDS, "profile": profile}
    if not callback.data.startswith(SHOW_MORE):
        return tapped(callback.data, _title_of(callback), profile, id)
    ask, _, at = callback.data.removeprefix(SHOW_MORE).partition(".")
    stale = from_platform(Picked(**common, key=f"{ask}.0"), id)
    message = callback.message
    where = "" if message is None else f"{message.message_id}{PHOTO if message.photo else ''}"
    return ShowMore(stale, ask, at, where)


def _title_of(callback: Callback) -> str:
    """Return the title of the button that was tapped, as the message with it shows."""
    rows = callback.message.reply_markup.inline_keyboard if callback.message is not None else ()
    return next((button.text for row in rows for button in row if button.callback_data == callback.data), "")
