"""A process of its own that commits turns until it is killed; a line a round tells what is durable."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from dialoom.errors import StoreError
from dialoom.messages.records import MessageCounts
from dialoom.storage.sqlite.store import SqliteStore
from dialoom.storage.store import ChatKey
from tests.storage.row_makers import message, record, write


async def main(file: Path) -> None:
    store = SqliteStore(file)
    await store.open()
    keys = [ChatKey("salon", "web", f"user {number}") for number in range(8)]
    for revision in range(100_000):
        turns = []
        for number, key in enumerate(keys):
            said = tuple(message(2 * revision + place, key=key, conversation=f"c{number:06d}") for place in (1, 2))
            kept = record(number, key, counts=MessageCounts(revision + 1, revision + 1))
            turns.append(write(revision, key, records=(kept,), messages=said, position=2 * revision + 2))
        await asyncio.gather(*[store.commit(turn) for turn in turns])
        print(revision + 1, flush=True)


try:
    asyncio.run(main(Path(sys.argv[1])))
except StoreError as error:
    sys.exit(str(error))
