"""Checks that the keys of this process are those of the store: what one process seals, all others must open.

A store keeps a token that belongs to no bot and that nobody knows. The first process makes it; whose keys do not open
it, or do not find it, must not start. A service seals it again with its newest key, which tells a rotation that
services know that one. How keys are read is for ``auth.keys``.
"""

from __future__ import annotations

from pathlib import Path

from dialoom.auth.vault import Vault
from dialoom.errors import VaultError
from dialoom.service.access.tokens import Tokens
from dialoom.storage.store import Store, TokenRow

NO_BOT = ""
CHECK_ID = "keys"
"""Id of that token."""


async def check_keys(store: Store, tokens: Tokens) -> None:
    """Check that the keys open the store. Raises ``VaultError``: a data folder whose key was lost must not start as if
    it were new, nor a second process with keys of its own."""
    # Of two that start at once on a new store one makes the token; the other then reads it.
    await tokens.keep_first(NO_BOT, CHECK_ID, name="tells whether a process has the right keys")
    for bot in (NO_BOT, *await store.bots()):
        for row in await store.tokens(bot):
            try:
                _check(tokens, row)
            except VaultError as error:
                if not store.is_shared:
                    raise
                raise VaultError(
                    f"This process has other keys than those that use its database. {error} Set DIALOOM_KEYS to the "
                    f"same value for all of them."
                ) from error


async def refuse_new_key(store: Store, file: Path) -> None:
    """Refuse a new key where anything was sealed: the key file was lost. Raises ``VaultError``."""
    if await _token(store) is not None or await store.bots():
        raise VaultError(
            f"There is no key file {file}, and what is stored was sealed with its key. Put that key back from its "
            f"backup, or set DIALOOM_KEYS; no new one was made. If it is lost for good, so is what it sealed: begin "
            f"with a new data folder or database, and publish the bots again."
        )


async def note_keys(store: Store, tokens: Tokens) -> None:
    """Note that a service with these keys has started."""
    row = await _token(store)
    if row is not None and (change := tokens.resealed(row)) is not None:
        await store.reseal("tokens", NO_BOT, [change])


async def is_in_use(store: Store, vault: Vault) -> bool:
    """Return whether the service that started last had the newest of these keys in front."""
    row = await _token(store)
    return row is not None and row.sealed is not None and row.sealed.startswith(vault.mark)


async def _token(store: Store) -> TokenRow | None:
    return next((row for row in await store.tokens(NO_BOT) if row.id == CHECK_ID), None)


def _check(tokens: Tokens, row: TokenRow) -> None:
    if row.sealed is not None and not tokens.is_ours(row):
        raise VaultError(
            "The keys open what is stored, and a token was hashed with one that is gone. Put that one back to the end."
        )
