"""Seals what the user of a chat is shown of a message whose record masks a part of it (history-api.md, masking).

The copy is sealed and lies beside the record, so that it goes with it. Only who shows the chat to its user opens it.
"""

from __future__ import annotations

import logging
from typing import Any

import msgspec

from dialoom.auth.vault import Vault
from dialoom.errors import VaultError
from dialoom.service.chat.chat_row import row_name
from dialoom.storage.store import ChatKey, StoredMessage

log = logging.getLogger(__name__)


class _Shown(msgspec.Struct, frozen=True, array_like=True):
    text: str | None
    payload: Any


_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(_Shown)


def whole_row_name(key: ChatKey, position: int) -> str:
    """Return the name that binds a copy to its message."""
    return f"{row_name('whole', key)}\0{position}"


def seal_whole(vault: Vault, key: ChatKey, position: int, text: str | None, payload: Any) -> bytes:
    return vault.seal(_encoder.encode(_Shown(text, payload)), whole_row_name(key, position))


def whole(vault: Vault, key: ChatKey, stored: StoredMessage) -> StoredMessage:
    """Return the message as its user is shown it; as its record has it where the key of the copy is lost."""
    if stored.whole is None:
        return stored
    try:
        shown = _decoder.decode(vault.open(stored.whole, whole_row_name(key, stored.position)))
    except VaultError as error:
        log.warning("a message of a chat of bot %s is shown masked: %s", key.bot, error)
        return stored
    payload = stored.record.payload
    if isinstance(shown.payload, dict):
        payload = (payload if isinstance(payload, dict) else {}) | shown.payload
    record = msgspec.structs.replace(stored.record, text=shown.text, payload=payload)
    return msgspec.structs.replace(stored, record=record, whole=None)
