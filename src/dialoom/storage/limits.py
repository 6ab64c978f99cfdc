"""What the answer to a history query may take: time, over all that is done for it, and bytes that are here at once.

An imported record may have 8 MiB, so that a number of records says little about their size. A page of more bytes than
are held at once is read in parts by who asked for it.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Final

from dialoom.storage.errors import PageTooLarge, TooSlow

MEBIBYTE: Final = 2**20
PAGE_BYTES: Final = 64 * MEBIBYTE
"""A page, or the part of one that is read at once, has no more."""
SORTED_BYTES: Final = PAGE_BYTES
"""So much text is in hand where Python sorts; of more only the ids are kept, and the page is read by them."""
SORTED_RECORDS: Final = 500_000
"""So many keys and ids are in hand there: what is skipped is among them."""
WANTED_BYTES: Final = 8 * MEBIBYTE
"""Of a walk so much, and the record that passes it, comes at a time."""


@asynccontextmanager
async def within(seconds: float) -> AsyncIterator[None]:
    """Give all that is done in here one time limit, also waiting for a place. Raises ``TooSlow`` when it is over."""
    try:
        async with asyncio.timeout(seconds) as limit:
            yield
    except TimeoutError as error:
        if not limit.expired():
            raise
        raise TooSlow("The query took too long and was stopped. Narrow it, or ask for an indexed property.") from error


def too_large(records: Sequence[tuple[str, int]] = ()) -> PageTooLarge:
    return PageTooLarge(f"The records of the page have more than {PAGE_BYTES // MEBIBYTE} MiB together.", records)


def check_page(size: int) -> None:
    if size > PAGE_BYTES:
        raise too_large()


def check_sorted(records: int) -> None:
    if records > SORTED_RECORDS:
        raise TooSlow("The query sorts too many records. Skip fewer, or sort by an indexed property.")


def size_of(texts: Sequence[bytes]) -> int:
    return sum(map(len, texts))


def rows_next(rows: int, size: int, wanted: int = WANTED_BYTES) -> int:
    """Return how many rows are likely to have the bytes that are wanted, where so many had this size."""
    return max(1, wanted * rows // max(size, 1))
