"""Puts records in an order that Python makes, with no more of them in hand than a page needs."""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING, Any

import msgspec

from dialoom.storage.history_plan import ROWS_A_LOOK
from dialoom.storage.limits import PAGE_BYTES, SORTED_BYTES, SORTED_RECORDS, check_sorted, too_large

if TYPE_CHECKING:
    Held = bytes | str
    """A record's text, or its id where the texts are too many to be held."""


class _Named(msgspec.Struct):
    id: str = msgspec.field(name="_id")


id_of = msgspec.json.Decoder(_Named).decode
"""Reads nothing of a record's text but its id: ``id_of(text).id``."""


class FirstRecords:
    """The first ``end`` records of an order, which come in any; of None all."""

    def __init__(self, end: int | None) -> None:
        self._end = end
        self._most = None if end is None else min(2 * end + ROWS_A_LOOK, SORTED_RECORDS)
        self._kept: list[tuple[Any, Held, int]] = []
        self._bytes = 0
        self._is_by_id = False

    def take(self, key: Any, id: str, text: bytes) -> None:
        """Add a record. ``key``: its place in the order."""
        self._kept.append((key, id if self._is_by_id else text, len(text)))
        self._bytes += len(id if self._is_by_id else text)
        if self._most is not None and (len(self._kept) > self._most or self._bytes > SORTED_BYTES):
            self._make_room()

    def page(self, skip: int) -> list[Held]:
        """Return the records behind the first ``skip``, in their order. Raises ``PageTooLarge``."""
        page = sorted(self._kept, key=_first)[skip : self._end]
        if self._end is not None and sum(size for _, _, size in page) > PAGE_BYTES:
            raise too_large([(_id_of(held), size) for _, held, size in page])
        return [held for _, held, _ in page]

    def _make_room(self) -> None:
        assert self._end is not None
        self._kept = heapq.nsmallest(self._end, self._kept, key=_first)
        # By the half, so that it is not sorted again for each record.
        check_sorted(2 * len(self._kept))
        self._bytes = sum(len(held) for _, held, _ in self._kept)
        if self._bytes > SORTED_BYTES // 2:
            self._kept = [(key, _id_of(held), size) for key, held, size in self._kept]
            self._is_by_id = True
            self._bytes = sum(len(held) for _, held, _ in self._kept)


def _id_of(held: Held) -> str:
    return held if isinstance(held, str) else id_of(held).id


def _first(kept: tuple[Any, Held, int]) -> Any:
    return kept[0]
