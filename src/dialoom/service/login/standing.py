"""How a chat stands to a login link of its own: a login may still come of it, its user is logged in, or neither.

For the card in the chat, which no message tells that a link was used up in vain, and for the browser that comes once
more with a link that it used up itself. Opening and taking links is left to ``links``.
"""

from __future__ import annotations

import hmac
from typing import TYPE_CHECKING, Literal, NamedTuple

from dialoom.engine.login import is_valid
from dialoom.service import chats
from dialoom.service.login import rows
from dialoom.service.login.versions import version_of

if TYPE_CHECKING:
    from dialoom.auth.vault import Vault
    from dialoom.flow.model import Authentication, Channel
    from dialoom.service.addresses import Addresses
    from dialoom.service.bots import Bots, Deployed
    from dialoom.service.chats import Kept
    from dialoom.service.clock import Clock
    from dialoom.storage.store import ChatKey, Store

Standing = Literal["open", "through", "over"]
"""``open``: a login may still come of the link, or is just landing. ``through``: none any more, and the user is logged
in, by whichever login. ``over``: neither."""


class Used(NamedTuple):
    """A link that was used up, for the browser that did it: what its page needs to know."""

    standing: Standing
    deployed: Deployed
    channel: Channel
    authentication: Authentication


class Standings:
    """Raises ``StoreError`` and ``VaultError``."""

    def __init__(self, store: Store, bots: Bots, vault: Vault, clock: Clock, addresses: Addresses) -> None:
        self._store = store
        self._bots = bots
        self._vault = vault
        self._clock = clock
        self._addresses = addresses

    async def in_chat(self, key: ChatKey, link: str) -> Standing:
        """``link``: an id, as the chat's messages carry it."""
        kept = chats.open_chat(self._vault, key, await self._store.chat(key)).kept
        now = self._clock.now()
        if kept.link is not None and kept.link.id == link:
            row = await self._store.login(key, link)
            about = None if row is None else rows.about_of(self._vault, row)
            if kept.link.lives_until(about) > now:
                return "open"
        return "through" if await self._is_logged_in(key, kept, now) else "over"

    async def in_browser(self, state: str, browser: bytes) -> Used | None:
        """None: it was another browser, or nobody yet. ``browser``: SHA-256 of the secret that it has as a cookie."""
        read = self._addresses.read_state(state)
        row = None if read is None else await self._store.login(*read)
        if read is None or row is None or not row.is_taken:
            return None
        about = rows.about_of(self._vault, row)
        if about.browser is None or not hmac.compare_digest(about.browser, browser):
            return None
        key, link = read
        active, deployed = self._bots.active(key.bot), await version_of(self._bots, key.bot, about.version)
        channel = None if active is None else active.channel(key.channel)
        authentication = None if deployed is None else deployed.bot.flow.settings.authentication
        if deployed is None or channel is None or authentication is None:
            return None
        return Used(await self.in_chat(key, link), deployed, channel, authentication)

    async def _is_logged_in(self, key: ChatKey, kept: Kept, now: int) -> bool:
        """As the next protected step would find it."""
        active = self._bots.active(key.bot)
        deployed = await version_of(self._bots, key.bot, kept.version) if kept.version else active
        login = None if deployed is None else deployed.flow.login
        return login is not None and is_valid(kept.state.entities.get(login.entity), now)
