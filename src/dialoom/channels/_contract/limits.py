"""Checks what comes in by any channel against the limits (service.md, Limits and abuse): 400 that names the part."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from dialoom.auth.user_token import SignedUser
from dialoom.engine.events import Attached, Picked, Said
from dialoom.engine.options.chosen import MAX_TEXT_CHARS
from dialoom.errors import RequestError
from dialoom.messages import Profile
from dialoom.service.chat.inbound import MAX_KEY_CHARS as MAX_KEY_CHARS_OF_EVENT
from dialoom.service.chat.inbound import InboundEvent

MAX_ID_CHARS = 256
MAX_URL_CHARS = 2048
MAX_CONTEXT_BYTES = 65_536
"""Bytes of JSON of the context of one request."""

MAX_FILES = 10
"""Files of one message."""
MAX_REMOTE_FILES = 30
"""Files of one message of a platform, whose apps let users choose more at once than our page does; their bytes count
against the day of a user like all others."""
MAX_KEY_CHARS = 64
"""Characters of an option's key; ours have some ten."""
MAX_CHOSEN_OPTIONS = 1000
"""Options that one answer chooses."""
MAX_OPTION_BYTES = 65_536
"""Bytes of JSON of all values that one answer chooses."""

Reserved = Mapping[str, str]
"""Names that unsigned context may not set, each with its reason."""


class Place(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A place on earth."""

    latitude: Annotated[Annotated[float, Meta(ge=-90, le=90)], Meta(description="Degrees north.")]
    longitude: Annotated[Annotated[float, Meta(ge=-180, le=180)], Meta(description="Degrees east.")]
    name: Annotated[Annotated[str, Meta(max_length=256)] | None, Meta(description="What it is called.")] = None


def check_text(text: str, pointer: str) -> str:
    if len(text) > MAX_TEXT_CHARS:
        detail = f"A text has at most {MAX_TEXT_CHARS} characters; this one has {len(text)}."
        raise RequestError("text-too-long", detail, pointer=pointer)
    return text


def check_id(id: str, pointer: str) -> str:
    if not id or len(id) > MAX_ID_CHARS:
        raise RequestError("bad-id", f"An id has 1 to {MAX_ID_CHARS} characters.", pointer=pointer)
    return id


def check_path_id(id: str, pointer: str) -> str:
    """Check an id that becomes a segment of an address that is called: one that leads elsewhere is none."""
    if not id.strip() or id.strip() in (".", "..") or not id.isprintable():
        raise RequestError("bad-id", "An id here is no empty text, no dots alone, and printable.", pointer=pointer)
    return check_id(id, pointer)


def check_length(text: str | None, pointer: str, most: int = MAX_ID_CHARS) -> None:
    if text is not None and len(text) > most:
        raise RequestError("too-long", f"At most {most} characters here.", pointer=pointer)


def check_option(value: Any, pointer: str) -> Any:
    """Check a chosen value, or a list of them. It may be an object, since a flow may give its options such values."""
    size = len(msgspec.json.encode(value))
    if size > MAX_OPTION_BYTES:
        detail = f"An option has at most {MAX_OPTION_BYTES} bytes of JSON; this one has {size}."
        raise RequestError("too-long", detail, pointer=pointer)
    if isinstance(value, str):
        return check_text(value, pointer)
    if isinstance(value, list):
        check_number(len(value), pointer)
        for index, one in enumerate(value):
            if isinstance(one, list):
                raise RequestError("bad-message", "A value is no list of lists.", pointer=f"{pointer}/{index}")
            if isinstance(one, str):
                check_text(one, f"{pointer}/{index}")
    return value


def check_keys(keys: tuple[str, ...], pointer: str) -> tuple[str, ...]:
    check_number(len(keys), pointer)
    for index, key in enumerate(keys):
        check_length(key, f"{pointer}/{index}", MAX_KEY_CHARS)
    return keys


def check_number(chosen: int, pointer: str) -> None:
    if not 1 <= chosen <= MAX_CHOSEN_OPTIONS:
        raise RequestError("bad-message", f"An answer chooses 1 to {MAX_CHOSEN_OPTIONS} options.", pointer=pointer)


def check_files(number: int, pointer: str, most: int = MAX_FILES) -> None:
    if not 1 <= number <= most:
        raise RequestError("bad-message", f"A message has 1 to {most} files.", pointer=pointer)


def check_url(url: str, pointer: str) -> None:
    """Check an address that people's browsers and labellers may be given: http(s) only."""
    check_length(url, pointer, MAX_URL_CHARS)
    if not url.lower().startswith(("http://", "https://")):
        raise RequestError("bad-url", "An address here begins with http:// or https://.", pointer=pointer)


def check_platform_event(user: str, inbound: InboundEvent) -> None:
    """Check an event that a platform brings, whatever its channel has made of it."""
    event, dedupe = inbound.event, inbound.dedupe
    check_id(user, "/user")
    if dedupe is not None and not 1 <= len(dedupe.key) <= MAX_KEY_CHARS_OF_EVENT:
        raise RequestError("bad-id", f"An event's id has 1 to {MAX_KEY_CHARS_OF_EVENT} characters.", pointer="/id")
    profile = event.profile
    for name in (profile.first_name, profile.last_name, profile.locale, profile.timezone):
        check_length(name, "/profile")
    if isinstance(event, Said):
        check_text(event.text, "/text")
    elif isinstance(event, Picked):
        check_length(event.key, "/key", MAX_KEY_CHARS)
        if event.keys:
            check_keys(event.keys, "/keys")
        if event.value is not None:
            check_option(event.value, "/value")
    elif isinstance(event, Attached):
        check_files(len(event.files) or len(inbound.remote_files), "/files", MAX_REMOTE_FILES)
        check_text(event.text, "/text")
        for file in event.files:
            check_url(file.url, "/files")


def names(name: str | None, pointer: str) -> tuple[str | None, str | None]:
    """Split a name into first and last name: the first word, and the rest."""
    check_length(name, pointer)
    first, _, last = (name or "").strip().partition(" ")
    return first or None, last.strip() or None


def vouched(said: Profile, signed: SignedUser) -> Profile:
    """Return a profile with what a user token says (OpenID Connect Core section 5.1) before what anybody else says."""
    first, last = signed.given_name, signed.family_name
    if first is None and last is None:
        first, last = names(signed.name, "")
    has_name = first is not None or last is not None
    return msgspec.structs.replace(
        said,
        # An id that a page alone says may be anybody's.
        external_id=signed.id,
        first_name=first if has_name else said.first_name,
        last_name=last if has_name else said.last_name,
        avatar=signed.picture or said.avatar,
        locale=signed.locale or said.locale,
        timezone=signed.zoneinfo or said.timezone,
    )


def check_trusted_context(context: dict[str, Any], pointer: str) -> dict[str, Any]:
    """Check context of the rest channel: it sets no name that begins with ``_`` (flow-language.md section 5)."""
    if not context:
        return context
    size = len(msgspec.json.encode(context))
    if size > MAX_CONTEXT_BYTES:
        detail = f"A context has at most {MAX_CONTEXT_BYTES} bytes of JSON; this one has {size}."
        raise RequestError("context-too-large", detail, pointer=pointer)
    for name in context:
        if name.startswith("_"):
            raise _refused(name, pointer, "names that begin with _ belong to the service")
    return context


def check_page_context(context: dict[str, Any], reserved: Reserved, pointer: str) -> dict[str, Any]:
    """Check context from a page: forgeable, it sets nothing that the flow relies on (flow-language.md section 5)."""
    for name in check_trusted_context(context, pointer):
        if name in reserved:
            raise _refused(name, pointer, reserved[name])
    return context


def _refused(name: str, pointer: str, reason: str) -> RequestError:
    detail = f'The context may not set "{name}": {reason}. Leave it out.'
    return RequestError("context-refused", detail, pointer=f"{pointer}/{name}")
