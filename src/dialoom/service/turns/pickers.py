"""Serves the hosted picker page: finds the question that a ticket is for, and puts its answer into the inbox."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from dialoom.auth.vault import Vault
from dialoom.engine.events import Event
from dialoom.errors import RequestError
from dialoom.flow.channels import Channel, row_of
from dialoom.messages import ConversationRecord, Dialog, Option, Profile
from dialoom.service.bots.bots import Bots, Deployed
from dialoom.service.chat import chat_row
from dialoom.service.chat.inbound import InboundEvent
from dialoom.service.chat.signed_links import PickerTicket, SignedLinks
from dialoom.service.chat.transcript import Spoken, said_again
from dialoom.service.clock import Clock
from dialoom.service.turns.runner import Runner
from dialoom.storage.store import ChatKey, Dedupe, Store, links_ended

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
        found = self._bots.channel(bot, channel_id)
        if ticket is None or found is None or channel_id in found[0].closed:
            raise RequestError(
                "picker-unknown", "This is no address of a question. Open the one that stands in the chat."
            )
        deployed, channel = found
        key = ChatKey(bot, channel_id, ticket.user)
        if ticket.expires <= self._clock.now() or await self._store.answered(key, _dedupe(ticket).key) is not None:
            raise _over()
        if ticket.made_at <= await links_ended(self._store):
            raise _over()
        record = await self._open_record(key, ticket.ask)
        spoken = None if record is None else await self._said(key, lambda said: said.id == ticket.message)
        if record is None or spoken is None or spoken.message.dialog is None:
            raise _over()
        return OpenQuestion(
            key=key,
            ticket=ticket,
            deployed=deployed,
            channel=channel,
            record=record,
            text=spoken.message.text,
            dialog=spoken.message.dialog,
        )

    async def asked(self, key: ChatKey, ask: str) -> Spoken | None:
        """Return the last message that asks the open question, with its addresses; None where that question is not the
        open one. ``ask``: its ``Dialog.key``."""
        if await self._open_record(key, ask) is None:
            return None
        spoken = await self._said(key, lambda said: said.message.dialog is not None and said.message.dialog.key == ask)
        return None if spoken is None else self._addresses.put_in(key, spoken)

    async def suggestion(self, key: ChatKey, is_wanted: Callable[[Option], bool]) -> Option | None:
        """Return the suggestion of the chat that is wanted, the latest of those that the bot made with its last
        messages; None where it is none of them."""

        def suggested(spoken: Spoken) -> Option | None:
            return next((one for one in spoken.message.replies if not one.key and is_wanted(one)), None)

        spoken = await self._said(key, lambda spoken: suggested(spoken) is not None)
        return None if spoken is None else suggested(spoken)

    async def _open_record(self, key: ChatKey, ask: str) -> ConversationRecord | None:
        """Return the open record of the chat where this question is its open one."""
        kept = chat_row.open_chat(self._vault, key, await self._store.chat(key)).kept
        asked, over_at = kept.state.ask, kept.state.over_at
        if asked is None or str(asked.number) != ask or 0 < over_at <= self._clock.now():
            return None
        return kept.record

    async def _said(self, key: ChatKey, is_wanted: Callable[[Spoken], bool]) -> Spoken | None:
        for stored in reversed(await self._store.last_said(key, MAX_SEARCHED_MESSAGES)):
            spoken = said_again(self._vault, key, stored)
            if is_wanted(spoken):
                return spoken
        return None

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
        return self.chat_address(question.key.bot, question.channel)

    def chat_address(self, bot: str, channel: Channel) -> str | None:
        """Return the address that leads from a picker page to the chat: our own page, or the platform's app; None where
        neither is known."""
        row = row_of(channel)
        return self._addresses.chat(bot, channel.id) if row.caller == "page" else row.address_after_login(channel)


def _dedupe(ticket: PickerTicket) -> Dedupe:
    return Dedupe(f"picker {ticket.message}", b"")


def _over() -> RequestError:
    return RequestError(
        "picker-over",
        "This question was answered already, or is not asked any more. Go back to the chat; it shows what is open.",
    )
