"""Logs users in and out by the account that they have linked on their platform, whose access token comes with each
event (channels.md section 5, Alexa). That the platform made the call is checked by its channel."""

from __future__ import annotations

from typing import Any

from dialoom.auth.vault import Vault
from dialoom.engine.events import LoggedIn, LoggedOut
from dialoom.engine.values.logins import login_of
from dialoom.service.bots.bots import Bots
from dialoom.service.chat import chat_row
from dialoom.service.chat.inbound import InboundEvent
from dialoom.service.clock import Clock
from dialoom.storage.store import ChatKey, Store


class LinkedAccounts:
    def __init__(self, store: Store, bots: Bots, vault: Vault, clock: Clock) -> None:
        self._store = store
        self._bots = bots
        self._vault = vault
        self._clock = clock

    async def change(self, key: ChatKey, inbound: InboundEvent, token: str) -> InboundEvent | None:
        """Return the login or logout that comes before an event, since its token is another than the chat's; None where
        nothing changes. ``token``: empty where no account is linked."""
        deployed = self._bots.active(key.bot)
        login = None if deployed is None else deployed.flow.login
        if deployed is None or login is None:
            return None
        kept = chat_row.open_chat(self._vault, key, await self._store.chat(key)).kept
        common: dict[str, Any] = {"id": "", "now": 0, "seed": 0, "profile": inbound.event.profile}
        if not token:
            return InboundEvent(event=LoggedOut(**common), is_linked=False) if kept.is_linked else None
        value = login_of(deployed.flow, kept.state, self._clock.now())
        if isinstance(value, dict) and value.get("access_token") == token:
            return None
        event = LoggedIn(**common, value={"access_token": token, "token_type": "Bearer"}, is_renewed=kept.is_linked)
        return InboundEvent(event=event, is_linked=True)
