"""Which version of a bot a login belongs to: the one that it began with, whatever is active by now."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dialoom.service.bots import Bots, Deployed


async def version_of(bots: Bots, bot: str, version: str) -> Deployed | None:
    """None when it is not to be had any more. Raises ``VaultError``."""
    active = bots.active(bot)
    if active is not None and active.version == version:
        return active
    return await bots.pinned(bot, version)
