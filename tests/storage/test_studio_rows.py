"""Rows of the studio: who is faster puts, they are listed by id, and what is over is deleted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dialoom.storage.store import StudioRow

if TYPE_CHECKING:
    from dialoom.storage.store import Store


def row(id: str, revision: int = 1, *, kind: str = "draft", bot: str = "tea", over: int | None = None) -> StudioRow:
    return StudioRow(kind, bot, id, revision, f"{id} {revision}".encode(), 1, revision, over)


async def test_a_row_is_put_in_the_place_of_the_revision_that_was_read(store: Store) -> None:
    assert await store.put_studio_row(row("a"), None)
    assert not await store.put_studio_row(row("a"), None)
    assert await store.put_studio_row(row("a", 2), 1)
    assert not await store.put_studio_row(row("a", 2), 1)
    assert not await store.put_studio_row(row("b", 2), 1)
    assert await store.studio_row("draft", "tea", "a") == row("a", 2)
    assert await store.studio_row("draft", "tea", "b") is None


async def test_rows_are_listed_by_id_the_greatest_first(store: Store) -> None:
    for id in ("b", "a", "C", "ä"):
        await store.put_studio_row(row(id), None)
    await store.put_studio_row(row("d", kind="filter"), None)
    await store.put_studio_row(row("d", bot="other"), None)
    listed = await store.studio_rows("draft", "tea", before=None, limit=3)
    assert [one.id for one in listed] == ["ä", "b", "a"]
    assert [one.id for one in await store.studio_rows("draft", "tea", before="b", limit=3)] == ["a", "C"]


async def test_a_row_is_deleted_while_it_has_the_revision(store: Store) -> None:
    await store.put_studio_row(row("a", 3), None)
    assert not await store.delete_studio_row("draft", "tea", "a", 2)
    assert await store.delete_studio_row("draft", "tea", "a", 3)
    assert not await store.delete_studio_row("draft", "tea", "a")


async def test_what_is_over_is_deleted_a_few_at_a_time(store: Store) -> None:
    for number, over in enumerate((10, 20, 30, None)):
        await store.put_studio_row(row(str(number), over=over), None)
    assert await store.forget_studio_rows(20, 1) == 1
    assert await store.forget_studio_rows(20, 5) == 1
    assert [one.id for one in await store.studio_rows("draft", "tea", before=None, limit=9)] == ["3", "2"]
