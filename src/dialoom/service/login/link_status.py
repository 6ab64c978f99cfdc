"""Tells whether a login may still come of a chat's login link, whether its user is logged in, or neither.

The card in the chat asks this, and a browser that opens once more a link that it used. Opening and using links belongs
in ``links``.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from dialoom.auth.vault import Vault
from dialoom.engine.values.logins import is_logged_in
from dialoom.service.bots.bots import Bots, Deployed
from dialoom.service.chat import chat_row, link_rows
from dialoom.service.chat.chat_row import StoredChat
from dialoom.service.chat.signed_links import SignedLinks
from dialoom.service.clock import Clock
from dialoom.service.login.binding_rules import Terms, terms_of, version_of
from dialoom.storage.store import ChatKey, Store, links_ended

LinkStatus = Literal["open", "through", "over"]
"""``open``: a login may still come of the link, or is just landing. ``through``: none any more, and the user is logged
in. ``over``: neither."""


class Used(NamedTuple):
    """Describes a used link to the browser that used it."""

    status: LinkStatus
    terms: Terms


class LinkStatuses:
    """Reads the status of login links. Raises ``StoreError`` and ``VaultError``."""

    def __init__(self, store: Store, bots: Bots, vault: Vault, clock: Clock, addresses: SignedLinks) -> None:
        self._store = store
        self._bots = bots
        self._vault = vault
        self._clock = clock
        self._addresses = addresses

    async def for_card(self, key: ChatKey, link: str) -> LinkStatus:
        """Return the status for the chat's own user: ``through`` by any login. ``link``: an id from a message."""
        return await self._status(key, link, is_by_it=False)

    async def for_browser(self, state: str, browser: bytes) -> Used | None:
        """Return the status for a browser: ``through`` by this link alone, since who was sent the link must not learn
        of the chat's other logins. None: another browser used it, or none yet. ``browser``: SHA-256 of the secret that
        it has as a cookie."""
        read = self._addresses.read_state(state)
        row = None if read is None else await self._store.login(*read)
        if read is None or row is None or not row.is_taken:
            return None
        about = link_rows.about_of(self._vault, row)
        terms = await terms_of(self._bots, read[0], about.version) if link_rows.is_of(about, browser) else None
        return None if terms is None else Used(await self._status(*read, is_by_it=True), terms)

    async def _status(self, key: ChatKey, link: str, *, is_by_it: bool) -> LinkStatus:
        kept = chat_row.open_chat(self._vault, key, await self._store.chat(key)).kept
        now = self._clock.now()
        if kept.link is not None and kept.link.id == link:
            row = await self._store.login(key, link)
            about = None if row is None else link_rows.about_of(self._vault, row)
            if kept.link.lives_until(about) > now and kept.link.made_at > await links_ended(self._store):
                return "open"
        if is_by_it and (kept.grant is None or kept.grant.link != link):
            return "over"
        return "through" if await self._is_logged_in(key, kept, now) else "over"

    async def _is_logged_in(self, key: ChatKey, kept: StoredChat, now: int) -> bool:
        deployed = await self._serving(key, kept, now)
        return deployed is not None and is_logged_in(deployed.flow, kept.state, now)

    async def _serving(self, key: ChatKey, kept: StoredChat, now: int) -> Deployed | None:
        """Return the version that a message would run on (``Turns.load``): that of the open record, until its session
        is over."""
        active = self._bots.active(key.bot)
        if kept.record is None or (active is not None and 0 < kept.state.over_at <= now):
            return active
        return await version_of(self._bots, key.bot, kept.version) or active
