"""The first look after a start tries to write: whoever starts on a full disk has met no failure yet."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from dialoom.storage.errors import DiskFull
from dialoom.storage.postgres.store import PostgresStore
from dialoom.storage.sqlite.store import SqliteStore
from tests.postgres import query
from tests.storage.disks import small_disk
from tests.storage.row_makers import write

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import apsw

NO_LIMIT = 1 << 40
FULL_DISK = """
create function public.full_disk() returns event_trigger language plpgsql as $$
begin raise exception 'no room' using errcode = '53100'; end $$;
"""
FROM_NOW_ON = (
    "create event trigger full_disk on ddl_command_start when tag in ('CREATE TABLE AS') "
    "execute function public.full_disk()"
)


async def test_who_starts_on_a_full_disk_is_not_ready_though_nothing_was_refused_yet(tmp_path: Path) -> None:
    with small_disk() as disk:
        store = SqliteStore(tmp_path / "data.sqlite")
        await store.open()
        await store.commit(write())
        await store.close()
        store = SqliteStore(tmp_path / "data.sqlite")
        await store.open()
        disk.room = 0
        for _ in range(2):
            with pytest.raises(DiskFull):
                await store.check()
        disk.room = NO_LIMIT
        await store.check()
        await store.close()


async def test_after_the_first_look_nothing_is_written_to_find_out(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "data.sqlite")
    await store.open()

    async def written() -> int:
        def count(connection: apsw.Connection, _: Sequence[Any]) -> list[int]:
            return [connection.total_changes()]

        return int(await store.writer.submit(count, None))

    before = await written()
    await store.check()
    first = await written()
    assert first > before
    await store.check()
    assert await written() == first
    await store.close()


async def test_the_same_of_postgresql(database: str) -> None:
    store = PostgresStore(database)
    await store.open()
    await asyncio.to_thread(query, database, FULL_DISK)
    await asyncio.to_thread(query, database, FROM_NOW_ON)
    for _ in range(2):
        with pytest.raises(DiskFull):
            await store.check()
    await asyncio.to_thread(query, database, "drop event trigger full_disk")
    await store.check()
    await asyncio.to_thread(query, database, FROM_NOW_ON)
    await store.check()  # not tried again
    await store.close()
