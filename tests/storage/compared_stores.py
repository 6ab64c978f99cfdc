"""Several stores side by side, for tests that draw many cases."""

from __future__ import annotations

import asyncio
import itertools
import secrets
import threading
from typing import TYPE_CHECKING, Any

import msgspec

from dialoom.query import Selection, matcher, place_key, place_of, sort_key
from dialoom.storage.store import Stretch
from tests.stores import TemporaryStore

if TYPE_CHECKING:
    from collections.abc import Coroutine

    from dialoom.storage.store import Collection, Store


class ExactStore(TemporaryStore):
    """Answers history queries from all records, by the predicate and the order in Python alone: what SQL finds is
    compared with it."""

    async def find(self, collection: Collection, bot: str, selection: Selection) -> list[bytes]:
        end = None if selection.limit is None else selection.skip + selection.limit
        return [text for _, text in await self._ordered(collection, bot, selection)][selection.skip : end]

    async def stretch(self, collection: Collection, bot: str, selection: Selection, rows: int) -> Stretch:
        found = await self._ordered(collection, bot, selection)
        after = place_of(selection.sort)(found[rows - 1][0]) if len(found) >= rows else None
        return Stretch([text for _, text in found[:rows]], after)

    async def count(self, collection: Collection, bot: str, selection: Selection) -> int:
        return len(await self._ordered(collection, bot, Selection(selection.where)))

    async def _ordered(
        self, collection: Collection, bot: str, selection: Selection
    ) -> list[tuple[dict[str, Any], bytes]]:
        """Return the records behind the selection's place, in its order."""
        is_match, key = matcher(selection.where), sort_key(selection.sort)
        records = [(msgspec.json.decode(text), text) for text in await super().find(collection, bot, Selection())]
        keyed = [(key(document), document, text) for document, text in records if is_match(document)]
        if selection.after is not None:
            least = place_key(selection.sort)(selection.after)
            keyed = [one for one in keyed if least < one[0]]
        return [(document, text) for _, document, text in sorted(keyed, key=lambda one: one[0])]


class Stores:
    """Several, on an event loop of their own that goes on between the drawn cases (PostgreSQL's beats with it)."""

    def __init__(self, *stores: Store) -> None:
        self.stores = stores
        # The database is not this file's alone.
        run = secrets.token_hex(4)
        self.bots = (f"bot {run} {number}" for number in itertools.count())
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever)
        self._thread.start()
        for store in stores:
            self.run(store.open())

    def run(self, work: Coroutine[Any, Any, Any]) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    def close(self) -> None:
        try:
            for store in self.stores:
                self.run(store.close())
        finally:
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()
            self._loop.close()
