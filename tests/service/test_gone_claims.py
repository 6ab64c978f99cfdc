"""A delivery that was on its way when a service on SQLite was killed is posted again at its start, with its key."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from tests.data.far_ends import far_end
from tests.service.outbox_process import ADA, ReceivingServer, posting

from dialoom.storage.sqlite.store import SqliteStore

if TYPE_CHECKING:
    from pathlib import Path


async def test_a_service_on_sqlite_posts_at_its_start_what_was_on_its_way(tmp_path: Path) -> None:
    desk = ReceivingServer()
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
