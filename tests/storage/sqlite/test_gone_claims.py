"""What a killed process had taken for posting is free with the next start on its data file; where several processes work
on one database it is nobody's before its time."""

from __future__ import annotations

import asyncio
import shutil
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING

import pytest

from dialoom.storage.postgres.heartbeat import HeartbeatTimes
from dialoom.storage.postgres.store import PostgresStore
from dialoom.storage.sqlite.store import SqliteStore
from dialoom.storage.store import OutboxCount
from tests.postgres import query
from tests.storage.row_makers import ANN, BEN, commit, outgoing, write

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from dialoom.storage.store import Store

LATER = 61_000
"""Until when a claim of these tests holds."""
SLOW = HeartbeatTimes(beat=3600, void=3600, lost=3600)
"""No beat after the first, so that a test alone says when time goes by."""


class Victim:
    """A service on a data file until it is killed."""

    def __init__(self, folder: Path, ends: AsyncExitStack) -> None:
        self._folder = folder
        self._ends = ends

    async def start(self) -> SqliteStore:
        (self._folder / "first").mkdir()
        return await self._opened("first")

    async def _opened(self, folder: str) -> SqliteStore:
        made = SqliteStore(self._folder / folder / "data.sqlite")
        await made.open()
        self._ends.push_async_callback(made.close)
        return made

    async def killed(self) -> SqliteStore:
        """The next start, on what the kill left."""
        await asyncio.to_thread(shutil.copytree, self._folder / "first", self._folder / "second")
        return await self._opened("second")


@pytest.fixture
async def victim(tmp_path: Path) -> AsyncIterator[Victim]:
    async with AsyncExitStack() as ends:
        yield Victim(tmp_path, ends)


async def ids(store: Store, now: int = 1000) -> list[str]:
    return [row.id for row in await store.take_outgoing(now, LATER, 10)]


async def test_a_delivery_that_was_on_its_way_is_free_with_the_next_start(victim: Victim) -> None:
    store = await victim.start()
    await commit(store, write(outbox=(outgoing(1), outgoing(2))))
    assert await ids(store) == ["d000001"]
    assert await ids(store) == []
    after = await victim.killed()
    (taken,) = await after.take_outgoing(2000, LATER + 1000, 10)
    assert (taken.id, taken.attempts) == ("d000001", 0)
    assert await ids(after, 2000) == []
    await after.delivered(taken, 2000)
    assert await ids(after, 2000) == ["d000002"]


async def test_a_claim_of_before_the_start_settles_no_newer_one(victim: Victim) -> None:
    store = await victim.start()
    await commit(store, write(outbox=(outgoing(1), outgoing(2))))
    (old,) = await store.take_outgoing(1000, LATER, 10)
    after = await victim.killed()
    (new,) = await after.take_outgoing(2000, LATER + 1000, 10)
    assert (new.id, new.due) == (old.id, LATER + 1000)
    await after.delivered(old, 2000)
    await after.postpone(old, 2000, 2000, "away")
    await after.bury(old, 2000, "gone")
    await after.give_back([old], 2000, 2000)
    assert await after.outbox_counts() == [OutboxCount("salon", 2, 0)]
    assert await ids(after, 2000) == []
    await after.delivered(new, 2000)
    assert await ids(after, 2000) == ["d000002"]


async def test_what_was_put_off_or_given_back_keeps_its_time(victim: Victim) -> None:
    store = await victim.start()
    for key in (ANN, BEN):
        await commit(store, write(key=key, outbox=(outgoing(1, key),)))
    first, second = await store.take_outgoing(1000, LATER, 10)
    await store.postpone(first, 1000, 30_000, "away")
    await store.give_back([second], 1000, 9000)
    after = await victim.killed()
    assert await ids(after, 8999) == []
    assert [row.key for row in await after.take_outgoing(9000, LATER, 10)] == [second.key]
    assert [row.key for row in await after.take_outgoing(30_000, LATER, 10)] == [first.key]


async def test_a_dead_letter_stays_one_and_can_be_resent(victim: Victim) -> None:
    store = await victim.start()
    await commit(store, write(outbox=(outgoing(1),)))
    (taken,) = await store.take_outgoing(1000, LATER, 10)
    await store.bury(taken, 1000, "gone")
    after = await victim.killed()
    assert await ids(after, 10**6) == []
    assert await after.resend("salon", None, 2000) == 1
    assert await ids(after, 2000) == ["d000001"]


async def test_commands_beside_a_service_free_nothing_that_it_has(tmp_path: Path) -> None:
    service = SqliteStore(tmp_path / "data.sqlite")
    await service.open()
    await commit(service, write(outbox=(outgoing(1),)))
    assert await ids(service) == ["d000001"]
    beside = SqliteStore(tmp_path / "data.sqlite", is_beside=True)
    await beside.open()
    assert await ids(service) == []
    await beside.close()
    await service.close()


async def test_on_postgresql_a_process_that_fell_silent_may_still_post_what_it_has_until_its_time(
    emptied_database: str,
) -> None:
    async with AsyncExitStack() as ends:
        silent, other = [PostgresStore(emptied_database, rhythm=SLOW, is_timed_by_server=False) for _ in range(2)]
        for store in (silent, other):
            await store.open()
            ends.push_async_callback(store.close)
        await commit(silent, write(outbox=(outgoing(1),)))
        assert await ids(silent) == ["d000001"]
        long_ago = "update dialoom.processes set beat_at = beat_at - interval '2 h' where process = $1"
        await asyncio.to_thread(query, emptied_database, long_ago, silent.process)
        assert await ids(other, LATER - 1) == []
        assert await ids(other, LATER) == ["d000001"]
