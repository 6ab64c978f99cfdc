"""What is kept of a chat between its turns, and how it is sealed: the engine's state, with the open record and what
belongs to logins beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from dialoom.engine import State, begin
from dialoom.errors import VaultError
from dialoom.messages import ConversationRecord, Profile
from dialoom.service.chat.encoding import Part, encode_parts
from dialoom.service.chat.masked_values import NO_SECRETS, Secrets
from dialoom.service.login.login_values import Grant, Link
from dialoom.storage.store import Chat, ChatKey

if TYPE_CHECKING:
    from collections.abc import Mapping

    from dialoom.auth.vault import Vault
    from dialoom.flow.model import Channel


class StoredChat(msgspec.Struct, frozen=True, kw_only=True):
    """``record`` is the open conversation record, None between two; ``sequence`` counts its messages."""

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


class Loaded(msgspec.Struct, frozen=True):
    """A chat as the store has it, opened."""

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
    """The user as the chat's open record knows them: for what comes from elsewhere and says nothing of them."""
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
    """The name that binds a sealed value to its place, so that a row that was swapped does not open."""
    return "\0".join((kind, *key))


def seal(vault: Vault, key: ChatKey, kept: StoredChat) -> bytes:
    return vault.seal(_encoder.encode(kept), row_name("chat", key))


def seal_again(vault: Vault, key: ChatKey, kept: StoredChat, loaded: Loaded) -> tuple[bytes, Mapping[str, Part] | None]:
    """The same of a chat that was loaded, with its parts for the next time."""
    if loaded.parts is None:
        sealed = seal(vault, key, kept)
        return sealed, {} if len(sealed) > LARGE_BYTES else None
    plain, parts = encode_parts(kept, loaded.parts)
    return vault.seal(plain, row_name("chat", key)), parts or None


def mark_of(state: bytes) -> bytes:
    """Its last bytes, which authenticate the rest."""
    return state[-MARK:]


def open_chat(vault: Vault, key: ChatKey, chat: Chat | None) -> Loaded:
    """Raises ``VaultError`` when the key that sealed it is missing."""
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
