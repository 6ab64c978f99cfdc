"""The content of a file piece by piece: the same on every store."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import pytest

from dialoom.storage.rows import MAX_PIECE_BYTES
from dialoom.storage.store import FileLimit, FileRow
from tests.storage.row_makers import ANN

if TYPE_CHECKING:
    from dialoom.storage.store import Store

LIMIT = FileLimit(since=0, size=100, count=3, channel_size=1000, channel_count=100)
FILE = FileRow(ANN, "f1", b"sealed name", 10, 1000)


async def kept(store: Store, content: bytes) -> None:
    assert await store.keep_file(FILE, content, LIMIT)


@pytest.mark.parametrize("size", [1, MAX_PIECE_BYTES, MAX_PIECE_BYTES + 1, 3 * MAX_PIECE_BYTES])
async def test_pieces_come_one_by_one_and_make_the_whole(store: Store, size: int) -> None:
    content = (bytes(range(251)) * (size // 251 + 1))[:size]
    await kept(store, content)
    pieces: list[bytes] = []
    while (piece := await store.piece(FILE, len(pieces))) is not None:
        assert 0 < len(piece) <= MAX_PIECE_BYTES
        pieces.append(piece)
    assert b"".join(pieces) == content


async def test_a_file_that_was_sealed_anew_has_no_pieces_for_who_knows_the_old_one(store: Store) -> None:
    await kept(store, b"a" * (MAX_PIECE_BYTES + 1))
    assert await store.piece(FILE, 0) == b"a" * MAX_PIECE_BYTES
    assert await store.reseal_file(FILE, b"other name", b"b" * (MAX_PIECE_BYTES + 1))
    assert await store.piece(FILE, 1) is None
    assert await store.piece(msgspec.structs.replace(FILE, about=b"other name"), 1) == b"b"


async def test_a_file_that_is_gone_has_no_pieces(store: Store) -> None:
    assert await store.piece(FILE, 0) is None
    await kept(store, b"content")
    assert await store.forget_unsent(ANN.bot, 5000) == 1
    assert await store.piece(FILE, 0) is None
