"""What a process had taken for posting when it was killed is free once that is known, and its late word counts for
nothing."""

from __future__ import annotations

import asyncio
import shutil
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING

import asyncpg
import pytest

from dialoom.storage.memory import MemoryStore
from dialoom.storage.postgres.presence import Rhythm
from dialoom.storage.postgres.store import PostgresStore
from dialoom.storage.sqlite.store import SqliteStore
from dialoom.storage.store import OutboxCount
from tests.postgres import query
from tests.storage.making import ANN, BEN, commit, outgoing, write

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from dialoom.storage.store import Store

LATER = 61_000
"""Until when a claim of these tests holds."""
SLOW = Rhythm(beat=3600, void=3600, lost=3600)
"""No beat after the first, so that a test alone says when time goes by."""
TIME_GOES_BY = "update dialoom.processes set beat_at = beat_at - interval '2 h' where process = $1"


class Victim:
    """A process that works on a store until it is killed."""

    def __init__(self, kind: str, folder: Path, url: str | None, ends: AsyncExitStack) -> None:
        self._kind = kind
        self._folder = folder
        self._url = url
        self._ends = ends

    async def start(self) -> Store:
        self.store = await self._opened("first")
        return self.store

    async def _opened(self, folder: str) -> Store:
        made: Store
        if self._kind == "memory":
            made = MemoryStore()
        elif self._kind == "sqlite":
            (self._folder / folder).mkdir(exist_ok=True)
            made = SqliteStore(self._folder / folder / "data.sqlite")
        else:
            assert self._url is not None
            made = PostgresStore(self._url, rhythm=SLOW, is_timed_by_server=False)
        await made.open()
        self._ends.push_async_callback(made.close)
        return made

    async def killed(self) -> Store:
        """What goes on after the kill: another process, or with SQLite the next start on what the kill left."""
        if isinstance(self.store, MemoryStore):
            other = self.store.beside()
            await other.open()
            self._ends.push_async_callback(other.close)
            self.store.die()
            return other
        if isinstance(self.store, SqliteStore):
            await asyncio.to_thread(shutil.copytree, self._folder / "first", self._folder / "second")
            return await self._opened("second")
        assert isinstance(self.store, PostgresStore)
        assert self._url is not None
        other_process = await self._opened("")
        await asyncio.to_thread(query, self._url, TIME_GOES_BY, self.store.process)
        return other_process


@pytest.fixture(params=["memory", "sqlite", "postgres"])
async def victim(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Victim]:
    url = request.getfixturevalue("emptied_database") if request.param == "postgres" else None
    async with AsyncExitStack() as ends:
        yield Victim(request.param, tmp_path, url, ends)


async def ids(store: Store, now: int = 1000) -> list[str]:
    return [row.id for row in await store.take_outgoing(now, LATER, 10)]


async def test_a_delivery_that_was_on_its_way_is_free_at_once_after_the_kill(victim: Victim) -> None:
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


async def test_what_the_killed_one_says_late_settles_no_newer_claim(victim: Victim) -> None:
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


async def test_commands_beside_a_service_on_sqlite_free_nothing_that_it_has(tmp_path: Path) -> None:
    service = SqliteStore(tmp_path / "data.sqlite")
    await service.open()
    await commit(service, write(outbox=(outgoing(1),)))
    assert await ids(service) == ["d000001"]
    beside = SqliteStore(tmp_path / "data.sqlite", is_beside=True)
    await beside.open()
    assert await ids(service) == []
    await beside.close()
    await service.close()


# -- PostgreSQL


@pytest.fixture
async def two(emptied_database: str) -> AsyncIterator[tuple[PostgresStore, PostgresStore]]:
    async with AsyncExitStack() as ends:
        made = [PostgresStore(emptied_database, rhythm=SLOW, is_timed_by_server=False) for _ in range(2)]
        for store in made:
            await store.open()
            ends.push_async_callback(store.close)
        yield made[0], made[1]


async def test_a_process_that_is_alive_keeps_what_it_has(two: tuple[PostgresStore, PostgresStore]) -> None:
    one, other = two
    await commit(one, write(outbox=(outgoing(1),)))
    assert await ids(one) == ["d000001"]
    assert await ids(other, LATER - 1) == []
    assert await ids(other, LATER) == ["d000001"]


async def test_a_process_that_stops_leaves_what_is_on_its_way_to_the_others(
    two: tuple[PostgresStore, PostgresStore],
) -> None:
    one, other = two
    await commit(one, write(outbox=(outgoing(1),)))
    assert await ids(one) == ["d000001"]
    await one.close()
    assert await ids(other) == ["d000001"]


async def test_a_claim_of_the_release_before_is_nobody_elses_before_its_time(
    two: tuple[PostgresStore, PostgresStore], emptied_database: str
) -> None:
    one, other = two
    await commit(one, write(outbox=(outgoing(1),)))
    taken = await one.take_outgoing(1000, LATER, 10)
    await one.give_back(taken, 1000, 1000)
    before = await asyncpg.connect(emptied_database, server_settings={"search_path": "dialoom"})
    assert len(await before.fetch("select * from take_deliveries(2000, 60000, 10)")) == 1
    await before.close()
    await asyncio.to_thread(query, emptied_database, TIME_GOES_BY, one.process)
    assert await ids(other, 61_999) == []
    assert await ids(other, 62_000) == ["d000001"]
