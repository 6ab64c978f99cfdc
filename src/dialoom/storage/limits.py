"""What the answer to a history query may take: time, over all that is done for it, and bytes that are here at once.

An imported record may have 8 MiB, so that a number of records says little about their size.
"""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Final

from dialoom.errors import RequestError
from dialoom.storage.store import TooSlow

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

MEBIBYTE: Final = 2**20
PAGE_BYTES: Final = 64 * MEBIBYTE
"""A page has no more."""
SORTED_BYTES: Final = 4 * PAGE_BYTES
"""So much is in hand where Python sorts: what is skipped is among it."""
WANTED_BYTES: Final = 8 * MEBIBYTE
"""Of a walk so much, and the record that passes it, comes at a time."""


@asynccontextmanager
async def within(seconds: float) -> AsyncIterator[None]:
    """All that is done in here has the one time, also waiting for a place. ``TooSlow`` when it is over."""
    try:
        async with asyncio.timeout(seconds) as limit:
            yield
    except TimeoutError as error:
        if not limit.expired():
            raise
        raise TooSlow("The query took too long and was stopped. Narrow it, or ask for an indexed property.") from error


def too_large() -> RequestError:
    detail = (
        f"These records have more than {PAGE_BYTES // MEBIBYTE} MiB together. Ask for fewer with limit, skip fewer, or "
        f"read them as a stream: with Accept: application/x-ndjson and without limit."
    )
    return RequestError(413, "page-too-large", detail)


def check_page(size: int, most: int = PAGE_BYTES) -> None:
    if size > most:
        raise too_large()


def size_of(texts: Sequence[bytes]) -> int:
    return sum(map(len, texts))


def rows_next(rows: int, size: int, wanted: int = WANTED_BYTES) -> int:
    """How many rows are likely to have the bytes that are wanted, where so many had this size."""
    return max(1, wanted * rows // max(size, 1))
