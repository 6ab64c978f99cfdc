"""Webhook events of Messenger, as far as a chat of one person with the page needs them.

Sources below developers.facebook.com/documentation/business-messaging/messenger-platform: webhooks/webhook-events
(``messages``, ``messaging_postbacks``, ``messaging_referrals``, ``message_edits``), identity/user-profile.
"""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

import msgspec

from dialoom.channels._contract.channel import UNSET_FIELDS, from_platform, referred
from dialoom.channels._contract.files import with_files
from dialoom.channels._contract.taps import SAYS, SHORTENED, tapped
from dialoom.engine.events import Located, Said
from dialoom.messages import Profile
from dialoom.service.chat.inbound import MAX_KEY_CHARS

if TYPE_CHECKING:
    from dialoom.channels._contract.channel import ChatEvent
    from dialoom.service.outbox.bot_channel import BotChannel

GET_STARTED: Final = "dialoom:get-started"
"""Payload of the button with which a new chat begins."""
LIKES: Final = frozenset({"369239263222822", "369239343222814", "369239383222810"})
"""Ids of the thumb that is sent from beside the text field, in its three sizes; no page of the vendor lists them."""
_LIKE: Final = "👍"
_FILES: Final = frozenset({"image", "audio", "video", "file"})
_OURS: Final = re.compile(rf"\d+\.\w+|{SAYS}.*|{SHORTENED}[0-9a-f]+", re.DOTALL)
"""Payloads of ours; others are those of buttons that the page's owner has made elsewhere."""


class Party(msgspec.Struct, frozen=True):
    id: str = ""


class Coordinates(msgspec.Struct, frozen=True):
    lat: float
    long: float


class Payload(msgspec.Struct, frozen=True):
    url: str | None = None
    coordinates: Coordinates | None = None
    sticker_id: int | str | None = None


class Attached(msgspec.Struct, frozen=True):
    """A file, a sticker, a place or something that was shared."""

    type: str = ""
    payload: Payload | None = None


class QuickReply(msgspec.Struct, frozen=True):
    payload: str = ""


class Referral(msgspec.Struct, frozen=True):
    """Where the user came from. ``ref``: what a link ``m.me/<page>?ref=`` carries."""

    ref: str | None = None


class Message(msgspec.Struct, frozen=True):
    mid: str = ""
    text: str = ""
    is_echo: bool = False
    quick_reply: QuickReply | None = None
    attachments: tuple[Attached, ...] | None = None
    sticker_id: int | str | None = None
    referral: Referral | None = None

    @property
    def sticker(self) -> str | None:
        """Return the sticker's id; it stands in one of several places, and beside the picture of the sticker."""
        ids = [part.payload.sticker_id for part in self.attachments or () if part.payload is not None]
        found = next((id for id in (self.sticker_id, *ids) if id is not None), None)
        if found is None and any(part.type == "sticker" for part in self.attachments or ()):
            return ""
        return None if found is None else str(found)

    @property
    def files(self) -> list[tuple[str, str]]:
        """Return name and address of each file."""
        if self.sticker is not None:
            return []
        urls = [part.payload.url for part in self.attachments or () if part.type in _FILES and part.payload is not None]
        return [(urlsplit(url).path.rpartition("/")[2], url) for url in urls if url and _is_web(url)]


class Postback(msgspec.Struct, frozen=True):
    """A tap on a button of a card, of the page's menu, or on the one of a new chat."""

    mid: str | None = None
    title: str = ""
    payload: str = ""
    referral: Referral | None = None


class Edit(msgspec.Struct, frozen=True):
    mid: str = ""
    text: str = ""
    num_edit: int = 0


class Event(msgspec.Struct, frozen=True):
    """One event. Kinds that are not here, such as reads, deliveries and reactions, ask nothing of the bot."""

    sender: Party = Party()
    timestamp: int | str = 0
    message: Message | None = None
    postback: Postback | None = None
    referral: Referral | None = None
    message_edit: Edit | None = None


class Entry(msgspec.Struct, frozen=True):
    """The events of a page. Those of a chat that another app leads come as ``standby`` and are left alone."""

    id: str = ""
    messaging: tuple[Any, ...] = ()


class Body(msgspec.Struct, frozen=True):
    object: str = ""
    entry: tuple[Entry, ...] = ()


def profile_of(user: str, bot_channel: BotChannel) -> Profile:
    return Profile(id=user, channel=bot_channel.channel.id, provider=bot_channel.channel.type)


def id_of(mid: str) -> str:
    """Return a message's id, shortened where it would be too long beside what is put behind it."""
    return mid if len(mid) <= MAX_KEY_CHARS - 40 else hashlib.sha256(mid.encode()).hexdigest()


def events_of(event: Event, profile: Profile) -> list[ChatEvent]:
    """Return what an event says: one event, or none where it asks nothing of the bot."""
    common: dict[str, Any] = {**UNSET_FIELDS, "profile": profile}
    at = f"{event.timestamp}"
    if (message := event.message) is not None:
        return said_of(message, profile)
    if (postback := event.postback) is not None:
        id = id_of(postback.mid or f"postback {at} {postback.payload}")
        if postback.payload == GET_STARTED:
            found = referred(_ref(postback.referral), profile, id)
            return [] if found is None else [found]
        return [_tap_of(postback.payload, postback.title, profile, id)]
    if event.referral is not None:
        ref = _ref(event.referral)
        found = referred(ref, profile, id_of(f"referral {at} {ref}"))
        return [] if found is None else [found]
    if (edit := event.message_edit) is not None:
        return [from_platform(Said(**common, text=edit.text), f"{id_of(edit.mid)} {edit.num_edit}")]
    return []


def said_of(message: Message, profile: Profile) -> list[ChatEvent]:
    """Return what a message says: a choice, a place, files with the words beside them, or a text. A sticker is its sign
    where it has one, what was shared its address; what has neither is a message without words."""
    if message.is_echo:
        return []
    id, ref = id_of(message.mid), _ref(message.referral)
    common: dict[str, Any] = {**UNSET_FIELDS, "profile": profile, "context": {"referral": ref} if ref else {}}
    if message.quick_reply is not None:
        return [_tap_of(message.quick_reply.payload, message.text, profile, id)]
    for part in message.attachments or ():
        if part.payload is not None and (where := part.payload.coordinates) is not None:
            return [from_platform(Located(**common, latitude=where.lat, longitude=where.long), id)]
    if message.sticker is not None:
        return [from_platform(Said(**common, text=_LIKE if message.sticker in LIKES else ""), id)]
    if message.files:
        return [with_files(common, id, message.files, message.text)]
    shared = next((part.payload.url for part in message.attachments or () if part.payload and part.payload.url), None)
    return [from_platform(Said(**common, text=message.text or shared or ""), id)]


def _tap_of(payload: str, title: str, profile: Profile, id: str) -> ChatEvent:
    """Return what a tap on a button chooses or says."""
    if _OURS.fullmatch(payload):
        return tapped(payload, title, profile, id)
    return from_platform(Said(**UNSET_FIELDS, profile=profile, text=title or payload), id)


def _ref(referral: Referral | None) -> str:
    return referral.ref or "" if referral is not None else ""


def _is_web(url: str) -> bool:
    return url.lower().startswith(("http://", "https://"))
