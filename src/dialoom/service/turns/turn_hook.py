"""Lets a part of the service take part in each turn of a chat: by a call before, during and after it. Logging in is the
one user of it (``login.login_hook``); the runner and the turn know this protocol alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from dialoom.engine import Turn
    from dialoom.engine.effects import Refresh
    from dialoom.service.bots.bots import Deployed
    from dialoom.service.chat.chat_row import StoredChat
    from dialoom.service.chat.inbound import InboundEvent
    from dialoom.service.chat.login_values import Login, LoginOutcome, Renewed
    from dialoom.storage.store import ChatKey


class TurnHook(Protocol):
    """Takes part in a turn, which may be computed several times before it is stored: ``before`` and ``after`` return
    the same each time. ``stored_chat`` is the chat as it was before the turn."""

    async def before(
        self, key: ChatKey, stored_chat: StoredChat, inbound: InboundEvent
    ) -> tuple[InboundEvent, Login | None]:
        """Return the event that the engine gets, and a login that arrived too late to be used."""

    async def during(
        self, deployed: Deployed, stored_chat: StoredChat, inbound: InboundEvent, refresh: Refresh, deadline: float
    ) -> Renewed:
        """Make the call that the engine asks for with ``refresh``. ``deadline``: time of the event loop, in seconds.
        The result is written to the journal, so that a turn that is run again does not repeat the call."""

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
        """Return what is stored of logins with the turn. ``late``: what ``before`` returned; ``renewed``: what
        ``during`` returned."""

    async def stored(
        self, key: ChatKey, stored_chat: StoredChat, inbound: InboundEvent, stored_now: StoredChat
    ) -> None:
        """Do what depends on the turn being stored."""
