"""The web and mobile channels (channels.md section 3): sessions of browsers, messages in, messages by events out."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
from msgspec import UNSET, UnsetType

from dialoom.channels import limits
from dialoom.engine.events import Attached, Began, Event, Located, Picked, Said, Told
from dialoom.errors import RequestError
from dialoom.messages import Profile
from dialoom.service.chat import inbound as inbound_events
from dialoom.service.chat.inbound import InboundEvent

if TYPE_CHECKING:
    from dialoom.auth.user_token import SignedUser
    from dialoom.channels.limits import Reserved
    from dialoom.engine.events import Attachment
    from dialoom.flow.model import Channel
    from dialoom.storage.store import StoredMessage


LABELS = frozenset({"web", "mobile"})
"""The types of channel that speak this protocol."""


class _User(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="camel"):
    id: str | None = None
    name: str | None = None
    avatar_url: str | None = None
    token: str | None = None


class SessionBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="camel"):
    """The body of ``POST .../web/sessions``."""

    user: _User = _User()
    context: dict[str, Any] = {}
    locale: str | None = None
    timezone: str | None = None
    clear: bool = False
    user_message: str | None = None
    resume: str | None = None


class _Choice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    key: str | None = None
    keys: tuple[str, ...] | None = None
    value: Any | UnsetType = UNSET


class MessageBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The body of ``POST .../web/messages``; ``id`` is made by the client and makes a retry harmless."""

    id: str
    ask: str | None = None
    """The ``Dialog.key`` that an option's value or a location answers."""
    text: str | UnsetType = UNSET
    option: _Choice | UnsetType = UNSET
    location: limits.Place | UnsetType = UNSET
    files: tuple[str, ...] | UnsetType = UNSET
    """Ids that ``POST web/files`` gave."""
    context: dict[str, Any] = {}


class ProofBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The body of ``POST .../web/login-proof``; ``challenge`` is what the start page of a login asks with."""

    challenge: str


class Visitor(msgspec.Struct, frozen=True):
    """What a session token says, signed: whose session it is and until when (milliseconds since 1970)."""

    bot: str
    channel: str
    user: str
    expires: int
    is_signed: bool = False
    """Whether a user token said who the user is."""
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
    """A page's own user id only goes to ``ExternalId``; it never selects memory (channels.md section 3).

    What a signed token says of the user counts before what the page says.
    """
    given = body.user
    limits.check_length(given.id, "/user/id")
    limits.check_length(body.locale, "/locale")
    limits.check_length(body.timezone, "/timezone")
    if given.avatar_url:
        limits.check_url(given.avatar_url, "/user/avatarUrl")
    first, last = limits.names(given.name, "/user/name")
    page = Visitor(
        bot=bot,
        channel=channel,
        user=user,
        expires=expires,
        is_signed=signed is not None,
        external_id=given.id,
        first_name=first,
        last_name=last,
        avatar=given.avatar_url,
        locale=body.locale,
        timezone=body.timezone,
    )
    return page if signed is None else limits.vouched(page, signed)


def context(body: SessionBody, reserved: Reserved, signed: SignedUser | None = None) -> dict[str, Any]:
    """The page's context under the signed one, which may set what the page's may not."""
    told = limits.check_page_context(body.context, reserved, "/context")
    return told if signed is None else told | signed.context


def opening(body: SessionBody, visitor: Visitor, channel: Channel, context: dict[str, Any]) -> InboundEvent:
    """The opening event, which runs ``welcome`` where a session begins with it."""
    return InboundEvent(event=Began(**_common(visitor, channel, context), clear=body.clear))


def first_text(body: SessionBody, visitor: Visitor, channel: Channel, context: dict[str, Any]) -> InboundEvent:
    """``userMessage``: what the page says in the user's name when it opens the chat."""
    assert body.user_message is not None
    text = limits.check_text(body.user_message, "/userMessage")
    return InboundEvent(event=Said(**_common(visitor, channel, context), text=text))


def message(
    body: MessageBody, visitor: Visitor, channel: Channel, reserved: Reserved, files: tuple[Attachment, ...] = ()
) -> InboundEvent:
    """Raises ``RequestError`` 400 for what no message can be made of. ``files``: those that the body names."""
    if not 1 <= len(body.id) <= 64:
        raise RequestError(400, "bad-id", "A message id has 1 to 64 characters.", pointer="/id")
    given = [kind for kind in ("text", "option", "location", "files") if getattr(body, kind) is not UNSET]
    if len(given) > 1 or not (given or body.context):
        raise RequestError(400, "bad-message", "A message is one of text, option, location, files (or context alone).")
    limits.check_length(body.ask, "/ask")
    has_value = body.option is not UNSET and body.option.value is not UNSET
    if body.ask is not None and not has_value and body.location is UNSET:
        detail = "ask goes with a location or an option's value alone: a key names its question itself."
        raise RequestError(400, "bad-message", detail, pointer="/ask")
    common = _common(visitor, channel, limits.check_page_context(body.context, reserved, "/context"))
    return InboundEvent(
        event=_event(body, common, files),
        client_id=body.id,
        dedupe=inbound_events.dedupe(body.id, body),
        files=file_ids(body),
    )


def file_ids(body: MessageBody) -> tuple[str, ...]:
    """The files that a message names."""
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
    return Told(**common)


def _picked(choice: _Choice, ask: str | None, common: dict[str, Any]) -> Event:
    if sum((choice.key is not None, choice.keys is not None, choice.value is not UNSET)) > 1:
        raise RequestError(400, "bad-message", "An option names one of key, keys, value.", pointer="/option")
    if choice.key is not None:
        limits.check_length(choice.key, "/option/key", limits.MAX_KEY_CHARS)
        return Picked(**common, key=choice.key)
    if choice.keys is not None:
        return Picked(**common, keys=limits.check_keys(choice.keys, "/option/keys"))
    if choice.value is not UNSET:
        return Picked(**common, value=limits.check_option(choice.value, "/option/value"), ask=ask)
    raise RequestError(400, "bad-message", "An option names its key, keys or value.", pointer="/option")


def _common(visitor: Visitor, channel: Channel, context: dict[str, Any]) -> dict[str, Any]:
    return {"id": "", "now": 0, "seed": 0, "profile": visitor.profile(channel), "context": context}


class Links(NamedTuple):
    """The addresses that a message gets when it is read."""

    file: Callable[[str], str]
    """That of a file signed anew for whoever reads the chat now."""
    login: Callable[[str], str]
    """Where the user logs in, by the login link of this id."""


def form(stored: StoredMessage, links: Links) -> dict[str, Any]:
    """A stored message as the chat's front end reads it."""
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
    if stored.client_id is not None:
        message["clientId"] = stored.client_id
    payload = record.payload
    if record.from_ == "bot" and isinstance(payload, dict):
        message |= {name: payload[name] for name in ("replies", "dialog", "wants", "loggedIn") if name in payload}
        dialog = message.get("dialog")
        if isinstance(dialog, dict) and dialog.get("type") == "login" and dialog.get("key"):
            message["dialog"] = dialog | {"url": links.login(str(dialog["key"]))}
    elif record.type == "location" and isinstance(payload, dict):
        message["location"] = payload
    elif record.type == "file" and isinstance(payload, list):
        message["files"] = [file | {"url": links.file(file["url"])} for file in payload]
    return message


_encoder = msgspec.json.Encoder()


def event(stored: StoredMessage, links: Links) -> bytes:
    """A server-sent event (WHATWG HTML section 9.2); its id is the message's position in the chat."""
    return b"event: message\nid: %d\ndata: %b\n\n" % (stored.position, _encoder.encode(form(stored, links)))
