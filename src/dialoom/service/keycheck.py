"""Whether the keys of this process are those of the store: what one process seals, all others must open.

A store keeps a token that belongs to no bot and that nobody knows. The first process makes it; whose keys do not open
it, or hash it to something else, must not start. How keys are read is for ``auth.keys``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dialoom.errors import VaultError

if TYPE_CHECKING:
    from dialoom.service.tokens import Tokens
    from dialoom.storage.store import Store, TokenRow

NO_BOT = ""
CHECK = "keys"
"""Id of that token."""


async def check_keys(store: Store, tokens: Tokens) -> None:
    """Raises ``VaultError``. A data folder whose key was lost must not start as if it were new, nor a second process
    with keys of its own."""
    # Of two that start at once on a new store one makes the token; the other then reads it.
    await tokens.keep_first(NO_BOT, CHECK, name="tells whether a process has the right keys")
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


def _check(tokens: Tokens, row: TokenRow) -> None:
    if row.sealed is not None and not tokens.is_ours(row):
        raise VaultError(
            "The keys are there, and the oldest is another than before (it stands last). Put it back to the end."
        )
