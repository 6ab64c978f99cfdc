"""Keeps what users think of a conversation that has ended, in its record (``Data.rating``)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from dialoom.errors import RequestError
from dialoom.service.clock import iso

if TYPE_CHECKING:
    from dialoom.messages.records import Rating
    from dialoom.service.clock import Clock
    from dialoom.storage.store import ChatKey, Store

_decode = msgspec.json.Decoder(dict[str, Any]).decode


class Ratings:
    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    async def ended(self, key: ChatKey) -> str | None:
        """Return the id of the conversation that the chat's last message belongs to, if it had a goal, has ended and is
        not rated yet."""
        document = await self._store.record_of(key, None)
        if document is None:
            return None
        record = _decode(document)
        is_open = record["EndedAt"] is None or record["Goal"] is None or "rating" in record["Data"]
        return None if is_open else str(record["_id"])

    async def rate(self, key: ChatKey, id: str, rating: Rating) -> None:
        """Keep the rating of a conversation of this chat, in the place of an earlier one. Raises ``RequestError``
        ``not-found`` when it has no ended conversation of this id."""
        while (document := await self._store.record_of(key, id)) is not None:
            record = _decode(document)
            if record["EndedAt"] is None:
                break
            record["Data"]["rating"] = msgspec.to_builtins(rating)
            record["UpdatedAt"] = iso(self._clock.now())
            after = msgspec.json.encode(record).decode()
            # Another rating, or an erasure, may come between: of two at once the last counts.
            if await self._store.change_record(key, id, document, after, record["UpdatedAt"]):
                return
        raise RequestError("not-found", f'This chat has no conversation "{id[:80]}" that has ended.')
