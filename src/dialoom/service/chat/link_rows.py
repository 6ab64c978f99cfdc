"""Opens, seals and changes the row of a login link, which the browser's requests and the chat's turns share."""

from __future__ import annotations

import hmac
from typing import Final

import msgspec

from dialoom.auth.vault import Vault
from dialoom.errors import VaultError
from dialoom.service.chat.chat_row import row_name
from dialoom.service.chat.login_values import LOGINS, LinkInfo, LoginEvent, LoginState
from dialoom.storage.store import ChatKey, LoginRow, Store

MAX_RACES: Final = 8
"""Times that a row that was changed meanwhile is read again: by another tie, or sealed by a new key."""
_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(LinkInfo)


def login_row_name(key: ChatKey, link: str) -> str:
    """Return the name that binds the sealed part to its row."""
    return row_name("login", key) + "\0" + link


def seal(vault: Vault, key: ChatKey, link: str, about: LinkInfo) -> bytes:
    return vault.seal(_encoder.encode(about), login_row_name(key, link))


def about_of(vault: Vault, row: LoginRow) -> LinkInfo:
    """Return the sealed part of a row. Raises ``VaultError`` when the key that sealed it is missing."""
    plain = vault.open(row.about, login_row_name(row.key, row.link))
    try:
        return _decoder.decode(plain)
    except msgspec.DecodeError as error:
        raise VaultError(
            f"A login link of bot {row.key.bot} was written by another release and cannot be read. Ask for a new one "
            f"in the chat."
        ) from error


def is_of(about: LinkInfo, browser: bytes | None) -> bool:
    """Return whether the link is tied to this browser. ``browser``: SHA-256 of the secret that it has as a cookie."""
    return about.browser is not None and browser is not None and hmac.compare_digest(about.browser, browser)


def state_of(row: LoginRow, about: LinkInfo) -> LoginState:
    """Return the state of a link that its chat still has. ``about``: what is sealed on the row."""
    if row.is_taken:
        return "taken" if about.code is None else "code-shown"
    return "opened" if about.tied_by is None else "tied"


def changed(vault: Vault, row: LoginRow, about: LinkInfo, event: LoginEvent | None = None) -> LoginRow:
    """Return the row with another sealed part, after an event that the link's state allows, where there is one."""
    sealed, is_taken = seal(vault, row.key, row.link, about), row.is_taken
    if event is not None:
        is_taken = LOGINS.after(state_of(row, about_of(vault, row)), event) in {"taken", "code-shown"}
    return msgspec.structs.replace(row, about=sealed, is_taken=is_taken)


async def forget_code(store: Store, vault: Vault, key: ChatKey, link: str) -> None:
    """Delete a login that waits for its code. Raises ``StoreError`` and ``VaultError``."""
    for _ in range(MAX_RACES):
        row = await store.login(key, link)
        if row is None:
            return
        about = about_of(vault, row)
        if about.code is None and about.login is None:
            return
        about = msgspec.structs.replace(about, code=None, login=None)
        if await store.change_login(row, changed(vault, row, about)):
            return
