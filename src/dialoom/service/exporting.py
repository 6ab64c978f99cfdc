"""Writes records of a bot as lines, each as it is stored; at constant memory, however many there are.

An import of what is written here gives the same records.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import msgspec

if TYPE_CHECKING:
    from collections.abc import Callable

    from dialoom.query import Selection
    from dialoom.storage.store import Collection, Store

ROWS: Final = 1000
"""Records that one step looks at."""


async def write_records(
    store: Store,
    collection: Collection,
    bot: str,
    selection: Selection,
    write: Callable[[bytes], object],
    progress: Callable[[int], None] = lambda _: None,
) -> int:
    """All that match, in the order asked for (``is_sql_order``); gives how many. What was there when it began is in it,
    each record once."""
    count = 0
    while True:
        step = await store.stretch(collection, bot, selection, ROWS)
        if step.records:
            write(b"\n".join([*step.records, b""]))
            count += len(step.records)
        progress(count)
        if step.after is None:
            return count
        selection = msgspec.structs.replace(selection, after=step.after)
