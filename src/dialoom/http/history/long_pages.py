"""Reads pages whose records are too many bytes to be in memory at once: first their ids, then the records in parts.

The headers name the next page, so the ids are known before they are sent. The records are then read by their ids, some
megabytes at a time, as fast as the client takes them: one that was deleted meanwhile is left out, one that was changed
is sent as it is then.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterator, Sequence
from typing import Any

import msgspec

from dialoom.query import Selection, parse_query, place_of
from dialoom.storage.first_records import id_of
from dialoom.storage.history_plan import HISTORY_SECONDS
from dialoom.storage.limits import PAGE_BYTES, WANTED_BYTES, rows_next, size_of, within
from dialoom.storage.store import Collection, PageTooLarge, Store, TooSlow

FIRST_ROWS = 32
"""Records that are read before it is known how long they are."""
MAX_IDS = 300
"""Ids in one query, which has at most 16 KiB."""


class Listed(msgspec.Struct, frozen=True):
    """Lists the records of a page. ``last``: the text of the last one; ``has_more``: the list goes on behind it."""

    records: list[tuple[str, int]]
    """Ids, with the bytes that each had."""
    last: bytes
    has_more: bool


_decode = msgspec.json.Decoder(dict[str, Any]).decode


async def list_page(
    store: Store, collection: Collection, bot: str, selection: Selection, known: Sequence[tuple[str, int]]
) -> Listed:
    """List the records of the page; the selection has a limit above 0. ``known``: those of the page and the next one,
    if the store has found them already (``PageTooLarge``)."""
    assert selection.limit
    if known:
        records = list(known[: selection.limit])
        return Listed(records, await _last(store, collection, bot, records), len(known) > selection.limit)
    place_in = place_of(selection.sort)
    records = []
    last, left, rows = b"", selection.limit + 1, FIRST_ROWS
    while left:
        part = msgspec.structs.replace(selection, limit=min(rows, left))
        try:
            async with within(HISTORY_SECONDS):
                found = await store.find(collection, bot, part)
        except PageTooLarge:
            if rows == 1:
                raise
            rows = max(1, rows // 8)
            continue
        given = found[: selection.limit - len(records)]
        records += [(id_of(text).id, len(text)) for text in given]
        last = given[-1] if given else last
        if len(found) < min(rows, left):
            return Listed(records, last, has_more=False)
        left -= len(found)
        # Each part may cost a sort of all that match: the fewer the better.
        rows = rows_next(len(found), size_of(found), PAGE_BYTES // 2)
        selection = msgspec.structs.replace(selection, skip=0, after=place_in(_decode(found[-1])))
    return Listed(records, last, has_more=True)


async def _last(store: Store, collection: Collection, bot: str, records: list[tuple[str, int]]) -> bytes:
    """Return the text of the last of these that still exists."""
    for id, _ in reversed(records):
        for text in await _read(store, collection, bot, [id]):
            return text
    raise TooSlow("All records of the page were deleted meanwhile.")


async def read_page(
    store: Store, collection: Collection, bot: str, listed: Listed
) -> AsyncGenerator[list[bytes], None]:
    """Yield the records of the page in its order, some at a time."""
    for ids in _parts(listed.records):
        try:
            yield await _read(store, collection, bot, ids)
        except PageTooLarge:  # they have grown
            for id in ids:
                yield await _read(store, collection, bot, [id])


def _parts(records: list[tuple[str, int]]) -> Iterator[list[str]]:
    ids: list[str] = []
    size = 0
    for id, bytes in records:
        if ids and (size + bytes > WANTED_BYTES or len(ids) == MAX_IDS):
            yield ids
            ids, size = [], 0
        ids.append(id)
        size += bytes
    if ids:
        yield ids


async def _read(store: Store, collection: Collection, bot: str, ids: list[str]) -> list[bytes]:
    where = parse_query(msgspec.json.encode({"_id": {"$in": ids}}).decode())
    async with within(HISTORY_SECONDS):
        found = await store.find(collection, bot, Selection(where, limit=len(ids)))
    texts = {id_of(text).id: text for text in found}
    return [texts[id] for id in ids if id in texts]
