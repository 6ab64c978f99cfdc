"""Implements the turn's hook for logins: reads codes and logins before a turn, renews an expired login during it, and
says after it what is stored.

The decision what is stored belongs in ``login_outcome``, the browser's requests in ``links``.
"""

from __future__ import annotations

import asyncio
import hmac
import logging
import unicodedata
from typing import Any, Final, Protocol

import msgspec

from dialoom.auth.vault import Vault
from dialoom.engine import Turn
from dialoom.engine.effects import Refresh
from dialoom.engine.events import CodeRefused, Event, Fetched, LoggedIn, LoginFailed, NoResponse, Response, Said
from dialoom.errors import RemoteError, StoreError, VaultError
from dialoom.service.bots.bots import Bots, Deployed
from dialoom.service.chat import link_rows
from dialoom.service.chat.chat_row import StoredChat
from dialoom.service.chat.inbound import InboundEvent
from dialoom.service.chat.login_values import NO_LOGIN, Grant, LinkInfo, Login, LoginOutcome, Renewed, is_prompt
from dialoom.service.login import login_outcome
from dialoom.service.login.binding_rules import version_of
from dialoom.service.observe.instruments import Counts
from dialoom.storage.store import ChatKey, Store, links_ended

log = logging.getLogger(__name__)

CODE_DIGITS: Final = 6


class Refresher(Protocol):
    """Renews logins at their provider."""

    async def refresh(self, deployed: Deployed, grant: Grant, value: dict[str, Any]) -> Login:
        """Return the renewed login; what the provider leaves out stays as it is. Raises ``RemoteError``."""


class LoginHook:
    def __init__(self, store: Store, vault: Vault, bots: Bots, refresher: Refresher, counted: Counts) -> None:
        """Count logins by outcome in ``counted``."""
        self._store = store
        self._vault = vault
        self._bots = bots
        self._refresher = refresher
        self._counted = counted

    # -- before the turn

    async def before(
        self, key: ChatKey, stored_chat: StoredChat, inbound: InboundEvent
    ) -> tuple[InboundEvent, Login | None]:
        """Return the event for the engine (a typed code becomes a login or a refusal), and the login of an event whose
        link is over."""
        if not inbound.link:
            return await self._typed(key, stored_chat, inbound), None
        if stored_chat.link is not None and stored_chat.link.id == inbound.link:
            return inbound, None
        # The newest link wins (login.md, The flow, 3); and who was erased meanwhile had none.
        failed = LoginFailed(**_common(inbound.event))
        return msgspec.structs.replace(inbound, event=failed, grant=None), _login_in_event(inbound)

    async def _typed(self, key: ChatKey, stored_chat: StoredChat, inbound: InboundEvent) -> InboundEvent:
        """Turn a message that is an awaited code into a login or a refusal."""
        code, link = typed_code(inbound.event), stored_chat.link
        if code is None or link is None or link.latest_end <= inbound.event.now:
            return inbound
        about = await self._about(key, link.id)
        if about is None or about.code is None or about.login is None:
            return inbound
        if link.lives_until(about) <= inbound.event.now:
            return inbound
        common = _common(inbound.event)
        if not hmac.compare_digest(about.code, code):
            refused = CodeRefused(**common, left=link.left - 1)
            return msgspec.structs.replace(inbound, event=refused, link=link.id)
        landed = LoggedIn(**common, value=about.login.value, is_typed=True)
        return msgspec.structs.replace(inbound, event=landed, link=link.id, grant=about.login.grant)

    # -- during the turn

    async def during(
        self, deployed: Deployed, stored_chat: StoredChat, inbound: InboundEvent, refresh: Refresh, deadline: float
    ) -> Renewed:
        """Renew the login of the chat. ``deadline``: time of the event loop."""
        current = login_outcome.current(stored_chat, inbound, entity_of(deployed))
        try:
            login = await self._renewed(deployed, current, deadline)
        except (RemoteError, VaultError, TimeoutError) as error:
            # Refresh tokens end by themselves: that is no fault of anybody's.
            reason = "its time is used up" if isinstance(error, TimeoutError) else str(error)
            log.info("a login of bot %s was not renewed, so that its user is asked again: %s", deployed.bot.id, reason)
            self._counted.add("not-renewed")
            return Renewed(Fetched(key=refresh.key, failure=NoResponse("login", reason)))
        self._counted.add("renewed")
        return Renewed(Fetched(key=refresh.key, response=Response(200, body=msgspec.json.encode(login.value))), login)

    async def _renewed(self, deployed: Deployed, current: Login | None, deadline: float) -> Login:
        if current is None or current.grant.refresh_token is None:
            raise RemoteError("login", "The provider gave no refresh token.")
        old = current.grant
        issuing = await version_of(self._bots, deployed.bot.id, old.version)
        if issuing is None:
            raise RemoteError("login", "The version of the bot that it came by is gone.")
        async with asyncio.timeout_at(deadline):
            return await self._refresher.refresh(issuing, old, current.value)

    # -- after the turn

    async def after(
        self,
        key: ChatKey,
        deployed: Deployed,
        stored_chat: StoredChat,
        inbound: InboundEvent,
        turn: Turn,
        renewed: Login | None,
        late: Login | None,
        now: int,
    ) -> LoginOutcome:
        """Return what is stored of logins. ``late``: what ``before`` returned beside the event."""
        link, entity = stored_chat.link, entity_of(deployed)
        if entity is None and link is None and stored_chat.grant is None and inbound.grant is None and late is None:
            return NO_LOGIN  # nothing logs in here
        is_over = link is not None and link.latest_end <= now
        if link is not None and not is_over and is_prompt(turn):
            is_over = link.lives_until(await self._about(key, link.id)) <= now
            is_over = is_over or link.made_at <= await links_ended(self._store)
        return login_outcome.next_login_values(
            stored_chat, inbound, turn, entity, now, renewed=renewed, is_over=is_over, late=late
        )

    async def _about(self, key: ChatKey, link: str) -> LinkInfo | None:
        row = await self._store.login(key, link)
        return None if row is None else link_rows.about_of(self._vault, row)

    async def stored(
        self, key: ChatKey, stored_chat: StoredChat, inbound: InboundEvent, stored_now: StoredChat
    ) -> None:
        """Delete a login that waited for the code of a link that the chat has no more."""
        event, link = inbound.event, stored_chat.link
        if isinstance(event, CodeRefused):
            self._counted.add("code-refused")
        elif isinstance(event, LoggedIn) and event.is_typed:
            self._counted.add("done")
        if link is None:
            return
        if stored_now.link is not None and stored_now.link.id == link.id:
            return
        try:
            await link_rows.forget_code(self._store, self._vault, key, link.id)
        except (StoreError, VaultError) as error:
            # No code of it is asked for any more, and its row goes in a day.
            log.warning("what waited for a code stays sealed on a link of bot %s for a day: %s", key.bot, error)


def typed_code(event: Event) -> str | None:
    """Return the six digits of a message that is nothing else, in whatever script they are written."""
    text = event.text.strip() if isinstance(event, Said) else ""
    if len(text) != CODE_DIGITS or not text.isdecimal():
        return None
    return "".join(str(unicodedata.decimal(digit)) for digit in text)


def _login_in_event(inbound: InboundEvent) -> Login | None:
    """Return the login of an event."""
    event = inbound.event
    return Login(event.value, inbound.grant) if isinstance(event, LoggedIn) and inbound.grant is not None else None


def entity_of(deployed: Deployed) -> str | None:
    """Return the name of the authentication entity."""
    login = deployed.flow.login
    return None if login is None else login.entity


def _common(event: Event) -> dict[str, Any]:
    """Return the fields that every event has."""
    return {
        "id": event.id,
        "now": event.now,
        "seed": event.seed,
        "profile": event.profile,
        "context": event.context,
    }
