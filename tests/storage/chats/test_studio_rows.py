"""Rows of the studio: of two writers one is told, pages go from the greatest id on, what is over goes."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import msgspec

from dialoom.storage.store import StudioRow

if TYPE_CHECKING:
    from dialoom.storage.store import Store

ROW = StudioRow("salon", "draft", "d1", 1, b"sealed", 10, 10, None)


async def test_a_row_is_added_once_and_read_back(store: Store) -> None:
    assert await store.studio_row("salon", "draft", "d1") is None
    assert await store.put_studio_row(ROW, None)
    assert not await store.put_studio_row(msgspec.structs.replace(ROW, body=b"other"), None)
    assert await store.studio_row("salon", "draft", "d1") == ROW
    assert await store.studio_row("salon", "try-out", "d1") is None
    assert await store.studio_row("other", "draft", "d1") is None


async def test_of_two_changes_to_one_revision_one_is_put(store: Store) -> None:
    await store.put_studio_row(ROW, None)
    changes = [
        msgspec.structs.replace(ROW, revision=2, body=body, updated_at=20, expires_at=99)
        for body in (b"mine", b"theirs")
    ]
    assert sorted(await asyncio.gather(*(store.put_studio_row(one, 1) for one in changes))) == [False, True]
    assert await store.studio_row("salon", "draft", "d1") in changes
    assert not await store.put_studio_row(msgspec.structs.replace(ROW, id="d2"), 1)


async def test_pages_go_from_the_greatest_id_on(store: Store) -> None:
    for id in ("a", "c", "b"):
        await store.put_studio_row(msgspec.structs.replace(ROW, id=id), None)
    await store.put_studio_row(msgspec.structs.replace(ROW, kind="audit", id="z"), None)
    assert [row.id for row in await store.studio_rows("salon", "draft", None, 2)] == ["c", "b"]
    assert [row.id for row in await store.studio_rows("salon", "draft", "b", 2)] == ["a"]


async def test_what_is_over_goes_and_the_rest_stays(store: Store) -> None:
    for number in range(250):
        over = 100 if number < 210 else None if number % 2 else 101
        await store.put_studio_row(msgspec.structs.replace(ROW, id=f"{number:03}", expires_at=over), None)
    assert await store.forget_studio_rows(101) == 210
    assert len(await store.studio_rows("salon", "draft", None, 500)) == 40


async def test_a_row_is_deleted_once(store: Store) -> None:
    await store.put_studio_row(ROW, None)
    assert await store.delete_studio_row("salon", "draft", "d1")
    assert not await store.delete_studio_row("salon", "draft", "d1")
