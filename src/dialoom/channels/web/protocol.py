"""Translates for web and mobile (channels.md section 3): sessions of browsers, messages in, messages by events out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, NamedTuple

import msgspec
from msgspec import UNSET, Meta, UnsetType

from dialoom.auth.user_token import SignedUser
from dialoom.channels._contract import limits
from dialoom.channels._contract.channel import UNSET_FIELDS
from dialoom.channels._contract.limits import Reserved
from dialoom.engine.events import Attached, Attachment, Began, ContextGiven, Event, Located, Picked, Said
from dialoom.errors import RequestError
from dialoom.flow.channels import Channel
from dialoom.messages import Profile
from dialoom.messages.records import Comment
from dialoom.service.chat import inbound as inbound_events
from dialoom.service.chat.inbound import InboundEvent
from dialoom.storage.store import StoredMessage


class SessionUser(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="camel"):
    """The user of a page."""

    id: Annotated[
        str | None, Meta(description="The page's own id of the user: becomes `ExternalId`, never selects anything.")
    ] = None
    name: Annotated[str | None, Meta(description="First and last name.")] = None
    avatar_url: Annotated[str | None, Meta(description="Address of a picture.")] = None
    token: Annotated[str | None, Meta(description="A user token: says who the user is.")] = None


class SessionBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="camel"):
    """A browser that opens the chat."""

    user: Annotated[SessionUser, Meta(description="Who it is, as far as the page knows.")] = SessionUser()
    context: Annotated[
        dict[str, Any],
        Meta(description="Merged into memory; may not set what the flow relies on. At most 64 KiB of JSON."),
    ] = {}
    locale: Annotated[str | None, Meta(description="Language, as in `de-AT`.")] = None
    timezone: Annotated[str | None, Meta(description="Time zone, as in `Europe/Vienna`.")] = None
    clear: Annotated[bool, Meta(description="Begin again: forget the open talk.")] = False
    user_message: Annotated[str | None, Meta(description="What the page says in the user's name.")] = None
    resume: Annotated[
        str | None, Meta(description="The secret of this browser from its last session: goes on with the same chat.")
    ] = None


class Choice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A choice of the user: give one of the three."""

    key: Annotated[str | None, Meta(description="The option's key.")] = None
    keys: Annotated[tuple[str, ...] | None, Meta(description="The keys of several.")] = None
    value: Annotated[Any | UnsetType, Meta(description="A value, as in a date.")] = UNSET


class MessageBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A message from the chat: one of `text`, `option`, `location` and `files`; or `context` alone."""

    id: Annotated[str, Meta(description="Made by the client, 1 to 64 characters: the same again is harmless.")]
    ask: Annotated[str | None, Meta(description="The `key` of the dialog that a value or a location answers.")] = None
    text: Annotated[str | UnsetType, Meta(description="What the user typed, at most 8,000 characters.")] = UNSET
    option: Annotated[Choice | UnsetType, Meta(description="What was chosen.")] = UNSET
    location: Annotated[limits.Place | UnsetType, Meta(description="A place.")] = UNSET
    files: Annotated[tuple[str, ...] | UnsetType, Meta(description="Ids that `web/files` gave, 1 to 10.")] = UNSET
    context: Annotated[
        dict[str, Any], Meta(description="Merged into memory; may not set what the flow relies on.")
    ] = {}


class ProofBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A login's start page asks whose login it is."""

    challenge: Annotated[str, Meta(description="What the page asks with.")]


class RatingBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A user rates a conversation that has ended."""

    conversation: Annotated[str, Meta(description="Its id, as `ended` gave it.")]
    score: Annotated[int, Meta(description="1 (bad) to 5 (good).", ge=1, le=5)]
    comment: Annotated[Comment | UnsetType, Meta(description="In the user's words.")] = UNSET


class Visitor(msgspec.Struct, frozen=True):
    """Holds what a session token says, signed: whose session it is and until when (milliseconds since 1970)."""

    bot: str
    channel: str
    user: str
    expires: int
    is_signed: bool = False
    """True if a user token said who the user is."""
    external_id: str | None = None
    first_name: str | None = None
    last_name: str | None = None
    avatar: str | None = None
    locale: str | None = None
    timezone: str | None = None

    def profile(self, channel: Channel) -> Profile:
        return Profile(
            id=self.user,
            channel=channel.id,
            provider=channel.type,
            external_id=self.external_id,
            first_name=self.first_name,
            last_name=self.last_name,
            avatar=self.avatar,
            locale=self.locale,
            timezone=self.timezone,
        )


def visitor(
    bot: str, channel: str, user: str, expires: int, body: SessionBody, signed: SignedUser | None = None
) -> Visitor:
    """Return who opens a session. A page's own user id only goes to ``ExternalId``; it never selects memory
    (channels.md section 3).

    What a signed token says of the user counts before what the page says.
    """
    given = body.user
    limits.check_length(given.id, "/user/id")
    limits.check_length(body.locale, "/locale")
    limits.check_length(body.timezone, "/timezone")
    if given.avatar_url:
        limits.check_url(given.avatar_url, "/user/avatarUrl")
    first, last = limits.names(given.name, "/user/name")
    said = Profile(
        id=user,
        external_id=given.id,
        first_name=first,
        last_name=last,
        avatar=given.avatar_url,
        locale=body.locale,
        timezone=body.timezone,
    )
    if signed is not None:
        said = limits.vouched(said, signed)
    return Visitor(
        bot=bot,
        channel=channel,
        user=user,
        expires=expires,
        is_signed=signed is not None,
        external_id=said.external_id,
        first_name=said.first_name,
        last_name=said.last_name,
        avatar=said.avatar,
        locale=said.locale,
        timezone=said.timezone,
    )


def context(body: SessionBody, reserved: Reserved, signed: SignedUser | None = None) -> dict[str, Any]:
    """Return the page's context under the signed one, which may set what the page's may not."""
    context = limits.check_page_context(body.context, reserved, "/context")
    return context if signed is None else context | signed.context


def opening(body: SessionBody, visitor: Visitor, channel: Channel, context: dict[str, Any]) -> InboundEvent:
    """Return the opening event, which runs ``welcome`` where a session begins with it."""
    return InboundEvent(event=Began(**_common(visitor, channel, context), clear=body.clear))


def first_text(body: SessionBody, visitor: Visitor, channel: Channel, context: dict[str, Any]) -> InboundEvent:
    """Return ``userMessage``: what the page says in the user's name when it opens the chat."""
    assert body.user_message is not None
    text = limits.check_text(body.user_message, "/userMessage")
    return InboundEvent(event=Said(**_common(visitor, channel, context), text=text))


def message(
    body: MessageBody, visitor: Visitor, channel: Channel, reserved: Reserved, files: tuple[Attachment, ...] = ()
) -> InboundEvent:
    """Return the event of a message. Raises ``RequestError`` 400 for what no event can be made of. ``files``: those
    that the body names."""
    if not 1 <= len(body.id) <= 64:
        raise RequestError("bad-id", "A message id has 1 to 64 characters.", pointer="/id")
    given = [kind for kind in ("text", "option", "location", "files") if getattr(body, kind) is not UNSET]
    if len(given) > 1 or not (given or body.context):
        raise RequestError("bad-message", "A message is one of text, option, location, files (or context alone).")
    limits.check_length(body.ask, "/ask")
    has_value = body.option is not UNSET and body.option.value is not UNSET
    if body.ask is not None and not has_value and body.location is UNSET:
        detail = "ask goes with a location or an option's value alone: a key names its question itself."
        raise RequestError("bad-message", detail, pointer="/ask")
    common = _common(visitor, channel, limits.check_page_context(body.context, reserved, "/context"))
    return InboundEvent(
        event=_event(body, common, files),
        client_id=body.id,
        dedupe=inbound_events.dedupe(body.id, body),
        files=file_ids(body),
    )


def file_ids(body: MessageBody) -> tuple[str, ...]:
    """Return the ids of the files that a message names."""
    if body.files is UNSET:
        return ()
    limits.check_files(len(body.files), "/files")
    return body.files


def _event(body: MessageBody, common: dict[str, Any], files: tuple[Attachment, ...]) -> Event:
    if body.files is not UNSET:
        return Attached(**common, files=files)
    if body.text is not UNSET:
        return Said(**common, text=limits.check_text(body.text, "/text"))
    if body.location is not UNSET:
        place = body.location
        return Located(**common, latitude=place.latitude, longitude=place.longitude, name=place.name, ask=body.ask)
    if body.option is not UNSET:
        return _picked(body.option, body.ask, common)
    return ContextGiven(**common)


def _picked(choice: Choice, ask: str | None, common: dict[str, Any]) -> Event:
    if sum((choice.key is not None, choice.keys is not None, choice.value is not UNSET)) > 1:
        raise RequestError("bad-message", "An option names one of key, keys, value.", pointer="/option")
    if choice.key is not None:
        limits.check_length(choice.key, "/option/key", limits.MAX_KEY_CHARS)
        return Picked(**common, key=choice.key)
    if choice.keys is not None:
        return Picked(**common, keys=limits.check_keys(choice.keys, "/option/keys"))
    if choice.value is not UNSET:
        return Picked(**common, value=limits.check_option(choice.value, "/option/value"), ask=ask)
    raise RequestError("bad-message", "An option names its key, keys or value.", pointer="/option")


def _common(visitor: Visitor, channel: Channel, context: dict[str, Any]) -> dict[str, Any]:
    return {**UNSET_FIELDS, "profile": visitor.profile(channel), "context": context}


class Links(NamedTuple):
    """Makes the addresses that a message gets when it is read."""

    file: Callable[[str], str]
    """That of a file signed again for whoever reads the chat now."""
    login: Callable[[str], str]
    """Where the user logs in, by the login link of this id."""
    place: Callable[[Any], Any]
    """A dialog with what a location picker can do at this service."""


_OF_THE_BOT = ("replies", "dialog", "wants", "loggedIn", "replaces")


def form(stored: StoredMessage, links: Links) -> dict[str, Any]:
    """Return a stored message as the chat's front end reads it."""
    record = stored.record
    message: dict[str, Any] = {
        "id": record.id,
        "position": stored.position,
        "from": record.from_,
        "type": record.type,
        "createdAt": record.created_at,
    }
    if record.text is not None:
        message["text"] = record.text
    if record.person is not UNSET:
        message["person"] = record.person
    if stored.client_id is not None:
        message["clientId"] = stored.client_id
    payload = record.payload
    if record.from_ == "bot" and isinstance(payload, dict):
        message |= {name: payload[name] for name in _OF_THE_BOT if name in payload}
        dialog = message.get("dialog")
        if isinstance(dialog, dict) and dialog.get("type") == "login" and dialog.get("key"):
            message["dialog"] = dialog | {"url": links.login(str(dialog["key"]))}
        elif isinstance(dialog, dict) and dialog.get("type") == "location-picker":
            message["dialog"] = links.place(dialog)
    elif record.type == "location" and isinstance(payload, dict):
        message["location"] = payload
    elif record.type == "file" and isinstance(payload, list):
        message["files"] = [file | {"url": links.file(file["url"])} for file in payload]
    return message


_encoder = msgspec.json.Encoder()


def event(stored: StoredMessage, links: Links) -> bytes:
    """Return a server-sent event (WHATWG HTML section 9.2); its id is the message's position in the chat."""
    return b"event: message\nid: %d\ndata: %b\n\n" % (stored.position, _encoder.encode(form(stored, links)))
