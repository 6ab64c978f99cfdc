"""The rest channel (channels.md section 2): one POST a message, the bot's messages in the answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import UNSET, UnsetType

from dialoom.channels import limits
from dialoom.engine.events import Attached, Attachment, Event, Located, Picked, Said, Told
from dialoom.errors import RequestError
from dialoom.messages import BotMessage, Profile
from dialoom.messages.plain import plain_title
from dialoom.service import arrival as arrivals
from dialoom.service.arrival import Arrival
from dialoom.storage.store import ChatKey

if TYPE_CHECKING:
    from dialoom.flow.model import Channel
    from dialoom.messages import Dialog, Option
    from dialoom.service.transcript import Spoken


class _Sender(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    id: str
    name: str | None = None
    timezone: str | None = None
    locale: str | None = None
    token: str | None = None


class _Payload(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    url: str


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="camel"):
    payload: _Payload
    mime_type: str | None = None
    name: str | None = None


class _Event(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    type: str
    data: Any = None


class _Message(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    id: str | None = None
    text: str | UnsetType = UNSET
    option: Any | UnsetType = UNSET
    location: limits.Place | UnsetType = UNSET
    attachments: tuple[_File, ...] | UnsetType = UNSET
    event: _Event | UnsetType = UNSET
    context: dict[str, Any] = {}


class RestBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The body of the POST."""

    sender: _Sender
    message: _Message


_KINDS = ("text", "option", "location", "attachments", "event")


def read(bot: str, channel: Channel, name: str, body: RestBody, idempotency_key: str | None) -> tuple[ChatKey, Arrival]:
    """Raises ``RequestError`` 400 for what no message can be made of."""
    sender, message = body.sender, body.message
    limits.check_id(sender.id, "/sender/id")
    if sender.token is not None:
        raise RequestError(
            400, "not-yet", "Signed user tokens are not supported yet. Leave sender.token out.", pointer="/sender/token"
        )
    limits.check_trusted_context(message.context, "/message/context")
    given = [kind for kind in _KINDS if getattr(message, kind) is not UNSET]
    if len(given) > 1:
        raise RequestError(
            400,
            "bad-message",
            f"A message is one of {', '.join(_KINDS)}; this one has {' and '.join(given)}.",
            pointer="/message",
        )
    if not given and not message.context:
        raise RequestError(
            400, "bad-message", f"The message is empty. Give one of {', '.join(_KINDS)} or context.", pointer="/message"
        )
    if message.id is not None and idempotency_key not in (None, message.id):
        raise RequestError(
            400, "bad-id", "message.id and the header Idempotency-Key differ. Give one of them.", pointer="/message/id"
        )
    limits.check_length(name, "")
    client_key = message.id if message.id is not None else idempotency_key
    if client_key is not None and not 1 <= len(client_key) <= arrivals.LONGEST_KEY:
        raise RequestError(
            400, "bad-id", f"A message id has 1 to {arrivals.LONGEST_KEY} characters.", pointer="/message/id"
        )
    return ChatKey(bot, channel.id, sender.id), Arrival(
        event=_event(message, _profile(sender, channel)),
        channel_name=name,
        dedupe=None if client_key is None else arrivals.dedupe(client_key, body),
    )


def _profile(sender: _Sender, channel: Channel) -> Profile:
    limits.check_length(sender.locale, "/sender/locale")
    limits.check_length(sender.timezone, "/sender/timezone")
    first, last = limits.names(sender.name, "/sender/name")
    return Profile(
        id=sender.id,
        channel=channel.id,
        provider=channel.type,
        first_name=first,
        last_name=last,
        locale=sender.locale,
        timezone=sender.timezone,
    )


def _event(message: _Message, profile: Profile) -> Event:
    common: dict[str, Any] = {"id": "", "now": 0, "seed": 0, "profile": profile, "context": message.context}
    if message.text is not UNSET:
        return Said(**common, text=limits.check_text(message.text, "/message/text"))
    if message.option is not UNSET:
        return Picked(**common, value=message.option)
    if message.location is not UNSET:
        place = message.location
        return Located(**common, latitude=place.latitude, longitude=place.longitude, name=place.name)
    if message.attachments is not UNSET:
        if not message.attachments:
            raise RequestError(400, "bad-message", "attachments is an empty list.", pointer="/message/attachments")
        for index, file in enumerate(message.attachments):
            limits.check_url(file.payload.url, f"/message/attachments/{index}/payload/url")
        files = tuple(
            Attachment(url=file.payload.url, mime_type=file.mime_type, name=file.name) for file in message.attachments
        )
        return Attached(**common, files=files)
    if message.event is not UNSET and message.event.type != "authentication":
        raise RequestError(
            400,
            "unknown-event",
            f'There is no event "{message.event.type}". The one event is "authentication".',
            pointer="/message/event/type",
        )
    return Told(**common)


def form(said: BotMessage, id: str = "") -> dict[str, Any]:
    """One message of the bot as rest clients (and conversation tests) read it."""
    message: dict[str, Any] = {"id": id} if id else {}
    if said.text:
        message["text"] = said.text
    if said.replies:
        message["quickReplies"] = [plain_title(reply.title) for reply in said.replies]
        message["richQuickReplies"] = [_rich(reply) for reply in said.replies]
    if said.dialog is not None:
        message["v2template"] = _template(said.dialog)
    return message


def _rich(reply: Option) -> dict[str, Any]:
    rich = {"title": plain_title(reply.title), "value": reply.value}
    return rich | {"image": reply.image} if reply.image else rich


def _template(dialog: Dialog) -> dict[str, Any]:
    template: dict[str, Any] = {"type": dialog.type}
    if dialog.options:
        template["items"] = [
            {
                "title": plain_title(option.title),
                "value": option.value,
                **({"subtitle": option.subtitle} if option.subtitle else {}),
                **({"imageUrl": option.image} if option.image else {}),
            }
            for option in dialog.options
        ]
    template["buttons"] = [{"title": title} for title in (dialog.title, dialog.button_text) if title]
    return template


def answer(spoken: tuple[Spoken, ...]) -> bytes:
    """The body of the answer, and what is stored for a repeated message."""
    return _encoder.encode([form(said.message, said.id) for said in spoken])


_encoder = msgspec.json.Encoder()
