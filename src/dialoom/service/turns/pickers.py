"""Serves the hosted picker page: finds the question that a ticket is for, and puts its answer into the inbox."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from dialoom.errors import RequestError
from dialoom.flow.channels import row_of
from dialoom.messages import Profile
from dialoom.service.chat import chat_row
from dialoom.service.chat.inbound import InboundEvent
from dialoom.service.chat.transcript import said_again
from dialoom.storage.store import ChatKey, Dedupe, links_ended

if TYPE_CHECKING:
    from dialoom.auth.vault import Vault
    from dialoom.engine.events import Event
    from dialoom.flow.channels import Channel
    from dialoom.messages import ConversationRecord, Dialog
    from dialoom.service.bots.bots import Bots, Deployed
    from dialoom.service.chat.signed_links import PickerTicket, SignedLinks
    from dialoom.service.clock import Clock
    from dialoom.service.turns.runner import Runner
    from dialoom.storage.store import Store

MAX_SEARCHED_MESSAGES = 100
"""The last messages of a chat, in which that of an open question is looked for."""


class OpenQuestion(msgspec.Struct, frozen=True, kw_only=True):
    """Holds the question of a ticket with its chat, while it is open."""

    key: ChatKey
    ticket: PickerTicket
    deployed: Deployed
    channel: Channel
    record: ConversationRecord
    text: str
    dialog: Dialog

    @property
    def profile(self) -> Profile:
        """Return the user's profile from the chat's record; the page has none."""
        return chat_row.profile_of(self.key, self.channel, self.record)


class Pickers:
    def __init__(
        self, store: Store, bots: Bots, vault: Vault, runner: Runner, clock: Clock, addresses: SignedLinks
    ) -> None:
        self._store = store
        self._bots = bots
        self._vault = vault
        self._runner = runner
        self._clock = clock
        self._addresses = addresses

    async def question(self, bot: str, channel_id: str, text: str) -> OpenQuestion:
        """Return the open question of a ticket. Raises ``RequestError``: 404 for an unknown ticket, 410 for one that is
        over."""
        ticket = self._addresses.ticket(bot, channel_id, text)
        deployed = self._bots.active(bot)
        channel = deployed.channel(channel_id) if deployed is not None else None
        if ticket is None or deployed is None or channel is None:
            raise RequestError(
                "picker-unknown", "This is no address of a question. Open the one that stands in the chat."
            )
        key = ChatKey(bot, channel_id, ticket.user)
        now = self._clock.now()
        if ticket.expires <= now or await self._store.answered(key, _dedupe(ticket).key) is not None:
            raise _over()
        if ticket.made_at <= await links_ended(self._store):
            raise _over()
        kept = chat_row.open_chat(self._vault, key, await self._store.chat(key)).kept
        ask, over_at = kept.state.ask, kept.state.over_at
        if kept.record is None or ask is None or str(ask.number) != ticket.ask or 0 < over_at <= now:
            raise _over()
        for stored in reversed(await self._store.last_said(key, MAX_SEARCHED_MESSAGES)):
            message = said_again(self._vault, key, stored).message
            if stored.record.id == ticket.message and message.dialog is not None:
                return OpenQuestion(
                    key=key,
                    ticket=ticket,
                    deployed=deployed,
                    channel=channel,
                    record=kept.record,
                    text=message.text,
                    dialog=message.dialog,
                )
        raise _over()

    async def answer(self, question: OpenQuestion, event: Event) -> str | None:
        """Submit the answer to the chat; return the address of the chat once it is durable.

        The ticket is the event's key, whatever it brings: of all that come with it one has a turn, also after a crash,
        and the engine holds that one against the question that is open by then. Raises ``RequestError`` 410.
        """
        inbound = InboundEvent(
            event=event, channel_name=question.record.data.channel.name, dedupe=_dedupe(question.ticket)
        )
        taken = await self._runner.submit(question.key, inbound)
        if taken.is_repeat:
            raise _over()
        if row_of(question.channel).caller != "page":
            return None
        return self._addresses.chat(question.key.bot, question.key.channel)


def _dedupe(ticket: PickerTicket) -> Dedupe:
    return Dedupe(f"picker {ticket.message}", b"")


def _over() -> RequestError:
    return RequestError(
        "picker-over",
        "This question was answered already, or is not asked any more. Go back to the chat; it shows what is open.",
    )
