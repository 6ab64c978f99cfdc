"""Seals and opens what is stored of a chat between turns: the engine's state, with the open record and what
belongs to logins beside it. Of a large chat only what changed since its last turn is encoded again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from dialoom.auth.vault import Vault
from dialoom.engine import State, begin
from dialoom.errors import VaultError
from dialoom.flow.channels import Channel
from dialoom.messages import ConversationRecord, Profile
from dialoom.service.bots.masking import NO_SECRETS, Secrets
from dialoom.service.chat.login_values import Grant, Link
from dialoom.service.hand_off import HandOff
from dialoom.storage.store import Chat, ChatKey


class StoredChat(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Holds what is stored of a chat. ``record``: the open one, or None; ``sequence`` counts its messages."""

    state: State
    version: str = ""
    """Of the flow that the open record began with."""
    release: str = ""
    """Of this package, by whose rule the open record is masked."""
    record: ConversationRecord | None = None
    sequence: int = 0
    timers: dict[str, int] = {}
    """Name to due time, as the store has them."""
    link: Link | None = None
    """The newest login link. One whose time is over may stay until there is another."""
    grant: Grant | None = None
    """What came with the value of the authentication entity."""
    reply_to: str = ""
    """``InboundEvent.reply_to`` of the last event that had one."""
    is_linked: bool = False
    """The last event that said so came with an account that the user has linked on the platform."""
    asked: str = ""
    """Id of the bot's last message with replies that answer a question: another page of them takes its place."""
    profile: Profile | None = None
    """The user's profile, where a platform has told a name: for events that bring none."""
    hand_off: HandOff | None = None
    """While the chat waits for a person, or one has it."""


class Loaded(msgspec.Struct, frozen=True):
    """Holds a stored chat after it was unsealed and decoded."""

    kept: StoredChat
    revision: int = 0
    position: int = 0
    mark: bytes = b""
    """Of the sealed memory, no two of which are alike: revisions of a user who was erased and came back are."""
    secrets: tuple[Secrets, Secrets] = (NO_SECRETS, NO_SECRETS)
    """Those of the context and of the entities, as far as a turn has looked for them."""
    parts: Mapping[str, Part] | None = None
    """Of a large chat: what of it is there encoded as well."""


MARK = 16
LARGE_BYTES = 65_536
"""Sealed memory above which a chat is a large one."""
_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(StoredChat)


def profile_of(key: ChatKey, channel: Channel, record: ConversationRecord | None) -> Profile:
    """Return the user's profile from the chat's open record, for events that carry none."""
    if record is None:
        return Profile(id=key.user, channel=channel.id, provider=channel.type)
    user = record.data.user
    return Profile(
        id=key.user,
        channel=channel.id,
        provider=channel.type,
        first_name=user.first_name,
        last_name=user.last_name,
        external_id=user.external_id,
        avatar=user.avatar,
        locale=user.locale,
        timezone=user.timezone,
    )


def row_name(kind: str, key: ChatKey) -> str:
    """Return the name that binds a sealed value to its row, so that a swapped row does not open."""
    return "\0".join((kind, *key))


def seal(vault: Vault, key: ChatKey, kept: StoredChat) -> bytes:
    return vault.seal(_encoder.encode(kept), row_name("chat", key))


def seal_again(vault: Vault, key: ChatKey, kept: StoredChat, loaded: Loaded) -> tuple[bytes, Mapping[str, Part] | None]:
    """Seal a loaded chat, and return its large parts for the next turn as well."""
    if loaded.parts is None:
        sealed = seal(vault, key, kept)
        return sealed, {} if len(sealed) > LARGE_BYTES else None
    plain, parts = encode_parts(kept, loaded.parts)
    return vault.seal(plain, row_name("chat", key)), parts or None


def mark_of(state: bytes) -> bytes:
    """Return the last bytes of a sealed state, which authenticate the rest."""
    return state[-MARK:]


def open_chat(vault: Vault, key: ChatKey, chat: Chat | None) -> Loaded:
    """Unseal and decode a stored chat. Raises ``VaultError`` when the key that sealed it is missing."""
    if chat is None:
        return Loaded(StoredChat(state=begin()))
    plain = vault.open(chat.state, row_name("chat", key))
    try:
        kept = _decoder.decode(plain)
    except msgspec.DecodeError as error:
        raise VaultError(
            f"The memory of a chat of bot {key.bot} was written by another release and cannot be read: {error}. "
            f"Start the release that wrote it, or erase the chat."
        ) from error
    parts: dict[str, Part] | None = {} if len(chat.state) > LARGE_BYTES else None
    return Loaded(kept, chat.revision, chat.position, mark_of(chat.state), parts=parts)


MIN_PART_BYTES = 16 * 1024
"""Of a part that is kept encoded beside its value."""


class Part(msgspec.Struct, frozen=True):
    value: Any
    encoded: msgspec.Raw


_encode = msgspec.json.Encoder().encode


def encode_parts(kept: StoredChat, before: Mapping[str, Part]) -> tuple[bytes, dict[str, Part]]:
    """Encode a chat, reusing the large parts that did not change; return the bytes and the large parts. ``before``: the
    parts of the last turn, reused where their values are still the same objects."""
    state, parts = kept.state, dict[str, Part]()

    def part(name: str, value: Any) -> Any:
        known = before.get(name)
        if known is None or known.value is not value:
            encoded = _encode(value)
            if len(encoded) < MIN_PART_BYTES:
                return value
            known = Part(value, msgspec.Raw(encoded))
        parts[name] = known
        return known.encoded

    large = {
        name: part(f"entities/{name}", value)
        for name, value in state.entities.items()
        if isinstance(value, dict | list) or (isinstance(value, str) and len(value) >= MIN_PART_BYTES // 4)
    }
    with_context = msgspec.structs.replace(
        state,
        entities={**state.entities, **large},
        context=part("context", state.context),
        past=part("past", state.past),
        ask=part("ask", state.ask),
    )
    return _encode(msgspec.structs.replace(kept, state=with_context)), parts
