"""What was deleted takes no room any more, and nobody waits who was not asked."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from dialoom.errors import StoreError
from dialoom.storage.maintenance.postgres_vacuum import vacuum
from dialoom.storage.maintenance.sqlite_compact import InUse, Room, compact
from dialoom.storage.store import Version
from tests.storage.postgres.opened import opened
from tests.stores import TemporaryStore

if TYPE_CHECKING:
    from pathlib import Path

MB = 1 << 20


def _filled_and_deleted() -> TemporaryStore:
    store = TemporaryStore()
    store.query("insert into file_pieces (bot, id, number, content) values ('b', 'f', 0, randomblob(?))", 4 * MB)
    store.query("delete from file_pieces")
    return store


def _nobody(_: Room) -> None: ...


def test_a_stopped_services_file_becomes_as_small_as_what_is_in_it() -> None:
    store, told = _filled_and_deleted(), list[Room]()
    before = store.path.stat().st_size
    room = compact(store.path, is_anyway=False, tell=told.append)
    assert told[0].free > 4 * MB
    assert before - store.path.stat().st_size >= 4 * MB
    assert room == (store.path.stat().st_size, 0)


async def test_beside_a_service_it_says_how_long_turns_would_wait_and_does_it_only_when_told() -> None:
    store = _filled_and_deleted()
    before = store.path.stat().st_size
    await store.open()
    with pytest.raises(InUse, match=r"would wait for about 0\.0 s .* at least 4\.\d of 4\.\d MB .*--anyway"):
        await asyncio.to_thread(compact, store.path, is_anyway=False, tell=_nobody)
    assert store.path.stat().st_size == before
    room = await asyncio.to_thread(compact, store.path, is_anyway=True, tell=_nobody)
    assert room.size < before - 4 * MB
    await store.publish(Version("clinic", "v1", b"files", 1))
    assert await store.bots() == ["clinic"]
    await store.close()


def test_a_file_of_another_program_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "other").touch()
    with pytest.raises(StoreError, match="no database of this service"):
        compact(tmp_path / "other", is_anyway=True, tell=_nobody)


def test_each_table_of_postgresql_is_vacuumed_beside_traffic(emptied_database: str) -> None:
    async def run() -> list[str]:
        tables: list[str] = []
        async with opened(emptied_database) as store:
            done = await vacuum(emptied_database, tables.append)
            await store.publish(Version("clinic", "v1", b"files", 1))
        assert done.before > 0
        assert done.after > 0
        return tables

    assert {"dialoom.conversations", "dialoom.messages", "dialoom.chats"} <= set(asyncio.run(run()))
