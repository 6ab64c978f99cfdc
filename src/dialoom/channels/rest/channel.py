"""Implements the rest channel (channels.md 2): a POST a message, the bot's messages in its answer or a post."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any, Final

import msgspec
from msgspec import UNSET, Meta, UnsetType

from dialoom.auth.user_token import SignedUser, refused
from dialoom.channels._contract import limits
from dialoom.channels._contract.channel import UNSET_FIELDS, Channel, ChatEvent, Inbound
from dialoom.engine.effects import Request
from dialoom.engine.events import Attached, Attachment, ContextGiven, Event, Located, Picked, Said
from dialoom.errors import RequestError
from dialoom.flow import channels as flow
from dialoom.messages import BotMessage, Dialog, Option, Profile
from dialoom.messages.plain import plain_title
from dialoom.service.chat import inbound as inbound_events
from dialoom.service.chat.inbound import InboundEvent
from dialoom.service.chat.transcript import Spoken
from dialoom.service.outbox.bot_channel import BotChannel
from dialoom.service.outbox.channel_posts import Post

if TYPE_CHECKING:
    from dialoom.channels._contract.channel import InboundCall


class RestSender(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The user. Memory, order and history are kept per id and channel."""

    id: Annotated[str, Meta(description="The user's id, 1 to 256 characters.")]
    name: Annotated[str | None, Meta(description="First and last name; the first word is the first name.")] = None
    timezone: Annotated[str | None, Meta(description="Time zone, as in `Europe/Vienna`.")] = None
    locale: Annotated[str | None, Meta(description="Language, as in `de-AT`.")] = None
    token: Annotated[str | None, Meta(description="A user token of this user; its `sub` is `id`.")] = None


class RestFilePayload(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where a file lies."""

    url: Annotated[str, Meta(description="An http or https address, at most 2,048 characters.")]


class RestFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="camel"):
    """A file."""

    payload: Annotated[RestFilePayload, Meta(description="Where it lies.")]
    mime_type: Annotated[str | None, Meta(description="Its type.")] = None
    name: Annotated[str | None, Meta(description="What it is called.")] = None


class RestEvent(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Something that happened."""

    type: Annotated[str, Meta(description="`authentication`.")]
    data: Annotated[Any, Meta(description="Not used.")] = None


class RestSaid(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One of `text`, `option`, `location`, `attachments` and `event`; or `context` alone."""

    id: Annotated[
        str | None,
        Meta(
            description="Your own id of the message, 1 to 256 characters: the same again within 24 hours "
            "gives the stored answer and runs nothing."
        ),
    ] = None
    text: Annotated[str | UnsetType, Meta(description="What the user typed, at most 8,000 characters.")] = UNSET
    option: Annotated[
        Any | UnsetType, Meta(description="A chosen option's value, or a list of them; a date is `YYYY-MM-DD`.")
    ] = UNSET
    location: Annotated[limits.Place | UnsetType, Meta(description="A place.")] = UNSET
    attachments: Annotated[tuple[RestFile, ...] | UnsetType, Meta(description="Files, 1 to 10.")] = UNSET
    event: Annotated[RestEvent | UnsetType, Meta(description="`authentication` asks for what waits.")] = UNSET
    context: Annotated[
        dict[str, Any],
        Meta(description="Merged into memory before the turn; no name may begin with `_`. At most 64 KiB of JSON."),
    ] = {}


class RestBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A message of a user, from your own program."""

    sender: Annotated[RestSender, Meta(description="Who says it.")]
    message: Annotated[RestSaid, Meta(description="What it is.")]


SIGNATURE: Final = "Dialoom-Signature"


class PostedSender(msgspec.Struct, frozen=True):
    """The user whose chat a post is of."""

    id: str


class Posted(msgspec.Struct, frozen=True):
    """The body of a post to the ``callback-url``. ``messages`` have the form of an answer."""

    id: str
    bot: str
    channel: str
    name: str | None
    sender: PostedSender
    messages: msgspec.Raw


_encoder = msgspec.json.Encoder()
_KINDS = ("text", "option", "location", "attachments", "event")


class RestChannel(Channel):
    """Translates for the rest channel. That a call has the channel's token is checked before, as its row says."""

    async def verify(self, call: InboundCall, bot_channel: BotChannel) -> None:
        """Accept every call: that it has the channel's token was checked before, and nothing else proves it."""

    async def parse(self, call: InboundCall, bot_channel: BotChannel) -> Inbound:
        body = call.read(RestBody)
        signed = call.signed_user(body.sender.token, "/sender/token")
        inbound = _inbound(bot_channel.channel, call.label, body, call.header("idempotency-key"), signed)
        return Inbound((ChatEvent(body.sender.id, inbound),))

    def groups(self, spoken: tuple[Spoken, ...]) -> Sequence[tuple[Spoken, ...]]:
        """Return all messages of the turn as one group, which goes into one post."""
        return (spoken,)

    def render(self, spoken: tuple[Spoken, ...], bot_channel: BotChannel) -> Sequence[bytes]:
        """Return one array of messages: the body of an answer, and part of a post's."""
        return (_encoder.encode(_all(spoken)),)

    def address(self, bot_channel: BotChannel) -> str | None:
        return bot_channel.channel.callback_url

    async def request(self, post: Post, bot_channel: BotChannel) -> Request:
        secret, channel = bot_channel.secret("callback-secret"), bot_channel.channel
        posted = Posted(
            post.id, bot_channel.bot.id, channel.id, post.label, PostedSender(post.user), msgspec.Raw(post.body)
        )
        body = _encoder.encode(posted)
        return Request(
            method="POST",
            url=channel.callback_url or "",
            headers=(
                ("Content-Type", "application/json"),
                (SIGNATURE, signature(secret, bot_channel.now // 1000, body)),
            ),
            body=body,
            trusted_host=True,
            idempotency_key=post.id,
            ignores_body=True,
        )


CHANNEL: Final = RestChannel()


def signature(secret: str, seconds: int, body: bytes) -> str:
    """Sign time and body, so that a post that was intercepted cannot be sent again later."""
    code = hmac.digest(secret.encode(), b"%d." % seconds + body, hashlib.sha256)
    return f"t={seconds},v1={code.hex()}"


def _inbound(
    channel: flow.Channel, name: str, body: RestBody, idempotency_key: str | None, signed: SignedUser | None
) -> InboundEvent:
    """Return the event. Raises ``RequestError`` 400 for what no message can be made of."""
    sender, message = body.sender, body.message
    limits.check_id(sender.id, "/sender/id")
    if signed is not None and signed.id != sender.id:
        raise refused('its "sub" is not sender.id; send the token of this user', "/sender/token")
    limits.check_trusted_context(message.context, "/message/context")
    given = [kind for kind in _KINDS if getattr(message, kind) is not UNSET]
    if len(given) > 1:
        raise RequestError(
            "bad-message",
            f"A message is one of {', '.join(_KINDS)}; this one has {' and '.join(given)}.",
            pointer="/message",
        )
    if not given and not message.context:
        raise RequestError(
            "bad-message", f"The message is empty. Give one of {', '.join(_KINDS)} or context.", pointer="/message"
        )
    if message.id is not None and idempotency_key not in (None, message.id):
        raise RequestError(
            "bad-id", "message.id and the header Idempotency-Key differ. Give one of them.", pointer="/message/id"
        )
    limits.check_length(name, "")
    client_key = message.id if message.id is not None else idempotency_key
    if client_key is not None and not 1 <= len(client_key) <= inbound_events.MAX_KEY_CHARS:
        raise RequestError(
            "bad-id", f"A message id has 1 to {inbound_events.MAX_KEY_CHARS} characters.", pointer="/message/id"
        )
    return InboundEvent(
        event=_event(message, _profile(sender, channel, signed), signed),
        channel_name=name,
        is_answered=True,
        takes_waiting=message.event is not UNSET,
        dedupe=None if client_key is None else inbound_events.dedupe(client_key, _without_token(body)),
    )


def _without_token(body: RestBody) -> RestBody:
    """Return what makes a message the same when it is sent again: its user token may have been signed again."""
    if body.sender.token is None:
        return body
    return msgspec.structs.replace(body, sender=msgspec.structs.replace(body.sender, token=None))


def _profile(sender: RestSender, channel: flow.Channel, signed: SignedUser | None) -> Profile:
    """Return the user's profile: what the token says counts before what the caller says."""
    limits.check_length(sender.locale, "/sender/locale")
    limits.check_length(sender.timezone, "/sender/timezone")
    first, last = limits.names(sender.name, "/sender/name")
    profile = Profile(
        id=sender.id,
        channel=channel.id,
        provider=channel.type,
        first_name=first,
        last_name=last,
        locale=sender.locale,
        timezone=sender.timezone,
    )
    return profile if signed is None else limits.vouched(profile, signed)


def _event(message: RestSaid, profile: Profile, signed: SignedUser | None) -> Event:
    context = message.context if signed is None else message.context | signed.context
    common: dict[str, Any] = {**UNSET_FIELDS, "profile": profile, "context": context}
    if message.text is not UNSET:
        return Said(**common, text=limits.check_text(message.text, "/message/text"))
    if message.option is not UNSET:
        return Picked(**common, value=limits.check_option(message.option, "/message/option"))
    if message.location is not UNSET:
        place = message.location
        return Located(**common, latitude=place.latitude, longitude=place.longitude, name=place.name)
    if message.attachments is not UNSET:
        limits.check_files(len(message.attachments), "/message/attachments")
        for index, file in enumerate(message.attachments):
            pointer = f"/message/attachments/{index}"
            limits.check_url(file.payload.url, f"{pointer}/payload/url")
            limits.check_length(file.name, f"{pointer}/name")
            limits.check_length(file.mime_type, f"{pointer}/mimeType")
        files = tuple(
            Attachment(url=file.payload.url, mime_type=file.mime_type, name=file.name) for file in message.attachments
        )
        return Attached(**common, files=files)
    if message.event is not UNSET and message.event.type != "authentication":
        raise RequestError(
            "unknown-event",
            f'There is no event "{message.event.type}". The one event is "authentication".',
            pointer="/message/event/type",
        )
    return ContextGiven(**common)


def forms(said: BotMessage, id: str = "", picker: str | None = None) -> list[dict[str, Any]]:
    """Return a message of the bot as rest clients (and conversation tests) read it; a location picker is one of its
    own.

    ``picker``: address of the hosted page where its dialog can be answered.
    """
    message: dict[str, Any] = {"id": id} if id else {}
    if said.text:
        message["text"] = said.text
    if said.replies:
        message["quickReplies"] = [plain_title(reply.title) for reply in said.replies]
        message["richQuickReplies"] = [_rich(reply) for reply in said.replies]
    dialog = said.dialog
    if dialog is None:
        return [message]
    if dialog.type == "location-picker":
        template = {"type": dialog.type, "buttons": _buttons(dialog)}
        if not said.text:
            return [message | {"template": template}]
        # Clients tell messages apart by their ids, and of the two this one is not the record's.
        return [message, ({"id": f"{id}-picker"} if id else {}) | {"template": template}]
    message["template"] = _fallback(dialog, picker)
    message["v2template"] = _template(dialog)
    return [message]


def _rich(reply: Option) -> dict[str, Any]:
    rich = {"title": plain_title(reply.title), "value": reply.value}
    return rich | {"image": reply.image} if reply.image else rich


def _fallback(dialog: Dialog, picker: str | None) -> dict[str, Any]:
    """Return the button, for clients that know only those, that leads to the hosted picker page, or to the login."""
    url = dialog.url if dialog.type == "login" else picker
    button = {"title": dialog.title or dialog.button_text}
    return {"type": "button", "buttons": [{"url": url} | button if url else button]}


def _template(dialog: Dialog) -> dict[str, Any]:
    template: dict[str, Any] = {"type": dialog.type}
    if dialog.type == "login":
        template["items"] = [{"title": dialog.title} | ({"imageUrl": dialog.image} if dialog.image else {})]
    elif dialog.type != "date-picker":
        template["items"] = [_item(option) for option in dialog.options]
    template["buttons"] = _buttons(dialog)
    return template


def _item(option: Option) -> dict[str, Any]:
    item = {"title": plain_title(option.title), "value": option.value}
    if option.subtitle:
        item["subtitle"] = option.subtitle
    if option.image:
        item["imageUrl"] = option.image
    return item


def _buttons(dialog: Dialog) -> list[dict[str, Any]]:
    """Return the buttons to open and to submit; of a carousel to select, of a login to log in."""
    match dialog.type:
        case "login":
            return [{"title": dialog.title} | ({"url": dialog.url} if dialog.url else {})]
        case "carousel":
            return [{"title": dialog.button_text}]
        case _:
            return [{"title": dialog.title}, {"title": dialog.button_text}]


def later(spoken: tuple[Spoken, ...], cursor: str) -> bytes:
    """Return the body of the answer to whoever fetches what no answer has carried yet."""
    return _encoder.encode({"messages": _all(spoken), "next": cursor})


def _all(spoken: tuple[Spoken, ...]) -> list[dict[str, Any]]:
    return [message for said in spoken for message in forms(said.message, said.id, said.picker)]
