"""Work of a bot that has a time: the same on every store."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from dialoom.storage.store import ScheduledJob

if TYPE_CHECKING:
    from dialoom.storage.store import Store

RETENTION = ScheduledJob("salon", "retention", 100)


async def names(store: Store, now: int, limit: int = 10) -> list[str]:
    return [f"{job.bot} {job.name}" for job in await store.take_jobs(now, 500, limit)]


async def test_a_job_is_due_at_its_time(store: Store) -> None:
    await store.plan(RETENTION)
    assert await names(store, 99) == []
    assert await names(store, 100) == ["salon retention"]


async def test_a_job_that_has_a_time_keeps_it(store: Store) -> None:
    await store.plan(RETENTION)
    await store.plan(RETENTION._replace(due=10))
    assert await names(store, 99) == []
    await store.plan(RETENTION._replace(due=1000))
    assert await names(store, 100) == ["salon retention"]


async def test_a_job_comes_to_one_caller_and_again_when_nobody_finished_it(store: Store) -> None:
    await store.plan(RETENTION)
    both = await asyncio.gather(names(store, 100), names(store, 100))
    assert sorted(both) == [[], ["salon retention"]]
    assert await names(store, 499) == []
    assert await names(store, 500) == ["salon retention"]


async def test_a_job_that_is_done_comes_at_its_next_time(store: Store) -> None:
    await store.plan(RETENTION)
    await names(store, 100)
    await store.finish_job("salon", "retention", 900)
    assert await names(store, 899) == []
    assert await names(store, 900) == ["salon retention"]


async def test_a_job_without_a_next_time_goes(store: Store) -> None:
    await store.plan(RETENTION)
    await store.plan(RETENTION._replace(bot="faq"))
    await store.finish_job("salon", "retention", None)
    await store.finish_job("salon", "never planned", None)
    assert await names(store, 10**9) == ["faq retention"]


async def test_jobs_come_the_oldest_first_up_to_a_limit(store: Store) -> None:
    for job in (
        ScheduledJob("salon", "upkeep", 30),
        ScheduledJob("faq", "upkeep", 10),
        ScheduledJob("salon", "retention", 30),
    ):
        await store.plan(job)
    assert await names(store, 100, 2) == ["faq upkeep", "salon retention"]
    assert await names(store, 100, 2) == ["salon upkeep"]
