"""Reads all records of a bot that match, and writes them as lines, each as it is stored, in constant memory.

An import of these lines gives the same records.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from typing import Final

import msgspec

from dialoom.query import Selection
from dialoom.storage.store import Collection, Store

ROWS: Final = 1000
"""Records that the store looks at in one step."""


async def walk(
    store: Store, collection: Collection, bot: str, selection: Selection, rows: int = ROWS
) -> AsyncGenerator[list[bytes], None]:
    """Yield all that match, in the order of an index (``index_column``), some at a time, perhaps none. Each record that
    existed at the start comes once."""
    while True:
        step = await store.stretch(collection, bot, selection, rows)
        yield step.records
        if step.after is None:
            return
        selection = msgspec.structs.replace(selection, after=step.after)


async def write_records(
    store: Store,
    collection: Collection,
    bot: str,
    selection: Selection,
    write: Callable[[bytes], object],
    progress: Callable[[int], None] = lambda _: None,
) -> int:
    """Write all that match as lines. Return how many there were."""
    count = 0
    async for records in walk(store, collection, bot, selection):
        if records:
            write(b"\n".join([*records, b""]))
            count += len(records)
        progress(count)
    return count
