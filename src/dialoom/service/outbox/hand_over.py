"""Hands a chat over to a live agent that has an address: posts the conversation so far (flow-language.md 1).

When it is posted, and again, is left to ``outbox``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec

from dialoom.engine import effects
from dialoom.engine.effects import Request
from dialoom.errors import SettingError
from dialoom.messages import ConversationRecord, MessageRecord
from dialoom.service.bots.bots import Bots, Deployed
from dialoom.service.clock import iso
from dialoom.service.outbox.delivery import Draft, Receiver, TurnDone, decoded
from dialoom.storage.store import Outgoing, Store

KIND: Final = "live-agent"
MAX_MESSAGES: Final = 50
"""Of the conversation, the last ones; the rest stands in the history."""


class HandedOver(msgspec.Struct, frozen=True, kw_only=True):
    """Holds the body of a post, masked like records. ``id`` is filled in when it is posted."""

    id: str = ""
    type: str = "hand-over"
    agent: str
    step: str
    at: str
    conversation: ConversationRecord
    messages: tuple[MessageRecord, ...]


_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(HandedOver)


class HandOvers(Receiver):
    def __init__(self, store: Store, bots: Bots) -> None:
        self._store = store
        self._bots = bots

    async def drafts(self, done: TurnDone) -> Sequence[Draft]:
        drafts, ended = [], 0
        for effect in done.turn.effects:
            if isinstance(effect, effects.Ended):
                ended += 1
            elif isinstance(effect, effects.HandOver) and done.written.records:
                serving = self._bots.active(done.key.bot) or done.deployed
                if effect.agent in serving.bot.file.live_agents:
                    # Records that ended in this turn come first, in their order.
                    record = done.written.records[min(ended, len(done.written.records) - 1)]
                    drafts.append(await self._draft(done, effect, record))
        return drafts

    async def _draft(self, done: TurnDone, effect: effects.HandOver, record: ConversationRecord) -> Draft:
        earlier = await self._store.last_said(done.key, MAX_MESSAGES)
        said = [one.record for one in (*earlier, *done.written.messages) if one.record.conversation == record.id]
        body = HandedOver(
            agent=effect.agent,
            step=effect.step,
            at=iso(done.now),
            conversation=record,
            messages=tuple(said[-MAX_MESSAGES:]),
        )
        return Draft(f"{KIND} {effect.agent}", _encoder.encode(body))

    def address(self, serving: Deployed, delivery: Outgoing) -> str:
        agent = delivery.receiver.removeprefix(f"{KIND} ")
        address = serving.bot.file.live_agents.get(agent)
        if address is None:
            raise SettingError(
                f'bot.json has no address "{agent}" under live-agents any more. Write it there and resend this, or '
                f"drop it."
            )
        return address

    async def request(self, serving: Deployed, delivery: Outgoing, body: bytes) -> Request:
        handed = msgspec.structs.replace(decoded(_decoder, body), id=delivery.id)
        return Request(
            method="POST",
            url=self.address(serving, delivery),
            headers=(("Content-Type", "application/json"),),
            body=_encoder.encode(handed),
            trusted_host=True,
            idempotency_key=delivery.id,
            ignores_body=True,
        )
