"""A backup that is being made in a service does not outlive it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import apsw

from dialoom.authoring.operate.backup import Backups
from dialoom.service.service import DATABASE
from dialoom.service.settings import Settings
from dialoom.storage.sqlite.store import SqliteStore
from tests.live import wait_until

if TYPE_CHECKING:
    from pathlib import Path


def test_a_service_that_stops_breaks_a_backup_off(tmp_path: Path) -> None:
    async def begin() -> None:
        store = SqliteStore(tmp_path / DATABASE)
        await store.open()
        await asyncio.to_thread(_fill, tmp_path)
        making = asyncio.create_task(Backups(Settings(data=str(tmp_path))).make())
        await asyncio.to_thread(wait_until, lambda: [*tmp_path.glob("*.part")])
        await store.close()
        making.cancel()

    asyncio.run(begin())
    assert not [*tmp_path.glob("studio-backup*")]


def _fill(folder: Path) -> None:
    connection = apsw.Connection(str(folder / DATABASE))
    connection.execute(
        "with recursive n(i) as (select 0 union all select i + 1 from n where i < 20000) "
        "insert into file_pieces (bot, id, number, content) select 'b', 'f', i, randomblob(2000) from n"
    )
    connection.close()
