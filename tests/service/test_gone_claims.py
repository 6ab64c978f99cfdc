"""A delivery that was on its way at a kill is posted again as soon as somebody can know of the kill, with its key."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from tests.data.far_ends import far_end
from tests.service.posting import ADA, Desk, posting

from dialoom.storage.memory import MemoryStore
from dialoom.storage.sqlite.store import SqliteStore

if TYPE_CHECKING:
    from pathlib import Path


async def test_a_service_on_sqlite_posts_at_its_start_what_was_on_its_way(tmp_path: Path) -> None:
    desk = Desk()
    desk.gate = asyncio.Event()
    store = SqliteStore(tmp_path / "data.sqlite")
    async with far_end(desk) as there:
        await store.open()
        async with posting(tmp_path, store, {"": there.url}) as killed:
            await killed.put(ADA, 1, 2)
            await killed.outbox.look()
            await desk.has(1)
        await store.close()
        desk.gate.set()
        await store.open()
        async with posting(tmp_path, store, {"": there.url}, killed.clock) as post:
            await post.go()
        assert desk.got == [b"1", b"1", b"2"]
        assert desk.keys == ["d000001", "d000001", "d000002"]
        await store.close()


async def test_another_process_posts_what_a_killed_one_had_on_its_way_and_its_late_word_settles_nothing(
    tmp_path: Path,
) -> None:
    desk = Desk("500 Oops", "204 No Content")
    desk.gate = asyncio.Event()
    first = MemoryStore()
    second = first.beside()
    await first.open()
    await second.open()
    async with (
        far_end(desk) as there,
        posting(tmp_path, first, {"": there.url}) as out_of_touch,
        posting(tmp_path, second, {"": there.url}, out_of_touch.clock) as other,
    ):
        await out_of_touch.put(ADA, 1)
        await out_of_touch.outbox.look()
        await desk.has(1)
        first.lose()
        await other.outbox.look()
        await desk.has(2)
        desk.gate.set()
        await asyncio.gather(out_of_touch.outbox.settled(), other.outbox.settled())
        # Whichever of the two was told of the failure: only who has it by now settles it.
        counts = await other.outbox.counts()
        other.clock.move(2)
        await other.go()
        assert await other.outbox.counts() == []
        assert len(desk.got) == (3 if counts else 2)
        assert set(desk.keys) == {"d000001"}
    await second.close()
    await first.close()
