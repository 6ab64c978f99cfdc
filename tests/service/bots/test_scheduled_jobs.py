"""Scheduled jobs: each is done once, whoever looks, and comes again when its work says."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import msgspec
import pytest
from tests.service.outbox_process import KINDS, store_of

from dialoom.errors import RemoteError
from dialoom.service.bots.scheduled_jobs import CLAIM_MS, RETRY_AFTER_MS, UNKNOWN_JOB_AGAIN_MS, ScheduledJobs
from dialoom.storage.store import ScheduledJob
from dialoom.testing.clock import MovedClock

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from dialoom.service.bots.bots import Deployed
    from dialoom.storage.store import Store


class Id(msgspec.Struct, frozen=True):
    id: str = "salon"


class Served(msgspec.Struct, frozen=True):
    bot: Id = Id()
    version: str = "1"


class Salon:
    """Serves one bot."""

    def __init__(self) -> None:
        self.served: list[Served] = [Served()]

    def all(self) -> list[Served]:
        return self.served

    def active(self, bot: str) -> Served | None:
        return next((one for one in self.served if one.bot.id == bot), None)


class Sweep:
    """Does a job. ``every``: milliseconds until the next time; None for once."""

    def __init__(self, store: Store, clock: MovedClock, every: int | None = 1000) -> None:
        self.store = store
        self.clock = clock
        self.every = every
        self.done: list[str] = []
        self.planned: list[str] = []
        self.fault: Exception | None = None
        self.gate: asyncio.Event | None = None

    async def plan(self, deployed: Deployed) -> None:
        self.planned.append(deployed.version)
        await self.store.plan(ScheduledJob("salon", "sweep floor", self.clock.now()))

    async def do(self, bot: str, what: str) -> int | None:
        self.done.append(what)
        if self.gate is not None:
            await self.gate.wait()
        if self.fault is not None:
            raise self.fault
        return None if self.every is None else self.clock.now() + self.every


@pytest.fixture(params=KINDS)
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    async with store_of(request, tmp_path) as made:
        yield made


class House:
    def __init__(self, store: Store, clock: MovedClock, every: int | None = 1000) -> None:
        self.clock = clock
        self.salon = Salon()
        self.sweep = Sweep(store, clock, every)
        self.scheduled_jobs = ScheduledJobs(store, self.salon, clock, {"sweep": self.sweep})  # type: ignore[arg-type]  # all it asks

    async def look(self, seconds: float = 0) -> list[str]:
        self.clock.move(seconds)
        await self.scheduled_jobs.look()
        await self.scheduled_jobs.settled()
        return self.sweep.done


async def test_a_job_is_done_when_it_is_due_and_again_when_its_work_says(store: Store) -> None:
    house = House(store, MovedClock())
    assert await house.look() == ["floor"]
    assert await house.look(0.9) == ["floor"]
    assert await house.look(0.2) == ["floor"] * 2


async def test_a_job_without_a_next_time_is_gone(store: Store) -> None:
    house = House(store, MovedClock(), every=None)
    assert await house.look() == ["floor"]
    assert await house.look(3600 * 24) == ["floor"]


async def test_of_two_processes_one_does_it(store: Store) -> None:
    clock = MovedClock()
    one, other = House(store, clock), House(store, clock)
    for seconds in (0, 2, 2):
        clock.move(seconds)
        await asyncio.gather(one.look(), other.look())
    assert len(one.sweep.done) + len(other.sweep.done) == 3


async def test_its_time_survives_a_restart(store: Store) -> None:
    clock = MovedClock()
    await House(store, clock, every=3_600_000).look()
    later = House(store, clock)
    assert await later.look(3000) == []
    assert await later.look(700) == ["floor"]


async def test_a_job_of_a_process_that_was_killed_is_done_again_after_its_claim(store: Store) -> None:
    clock = MovedClock()
    killed = House(store, clock)
    killed.sweep.gate = asyncio.Event()
    await killed.scheduled_jobs.look()
    await killed.scheduled_jobs.stop()
    later = House(store, clock)
    assert await later.look(CLAIM_MS / 1000 - 1) == []
    assert await later.look(2) == ["floor"]


async def test_a_failure_comes_again_in_a_minute_and_holds_up_nothing(store: Store) -> None:
    house = House(store, MovedClock())
    house.sweep.fault = RemoteError("refused", "Nobody there.")
    assert len(await house.look()) == 1
    house.sweep.fault = None
    assert len(await house.look(RETRY_AFTER_MS / 1000 - 1)) == 1
    assert len(await house.look(2)) == 2


async def test_a_slow_job_holds_up_no_other_and_is_not_begun_twice(store: Store) -> None:
    house = House(store, MovedClock())
    house.sweep.gate = asyncio.Event()
    await house.scheduled_jobs.look()
    await store.plan(ScheduledJob("salon", "sweep stairs", house.clock.now()))
    house.clock.move(CLAIM_MS / 1000 + 1)
    await house.scheduled_jobs.look()
    await asyncio.sleep(0)
    assert house.sweep.done == ["floor", "stairs"]
    house.sweep.gate.set()
    await house.scheduled_jobs.settled()


async def test_a_clock_that_jumps_ahead_does_each_job_once(store: Store) -> None:
    house = House(store, MovedClock())
    await house.look()
    assert await house.look(365 * 24 * 3600) == ["floor"] * 2
    assert await house.look() == ["floor"] * 2


async def test_jobs_are_planned_for_each_new_version_and_after_a_clock_that_jumps_back(store: Store) -> None:
    house = House(store, MovedClock())
    await house.look()
    await house.look(5)
    assert house.sweep.planned == ["1"]
    house.salon.served = [Served(version="2")]
    await house.look()
    assert house.sweep.planned == ["1", "2"]
    await house.look(-3600)
    assert house.sweep.planned == ["1", "2", "2"]


async def test_a_job_of_another_release_is_left_alone(store: Store) -> None:
    house = House(store, MovedClock())
    await store.plan(ScheduledJob("salon", "polish", 1))
    await store.plan(ScheduledJob("unknown", "sweep floor", 1))
    assert await house.look() == ["floor"]
    assert len(await store.take_jobs(house.clock.now() + CLAIM_MS, house.clock.now() + 2 * CLAIM_MS, 10)) == 3


async def test_a_job_of_another_release_can_be_taken_by_that_one_soon(store: Store) -> None:
    house = House(store, MovedClock(), every=None)
    await store.plan(ScheduledJob("salon", "polish", 1))
    await house.look()
    least, most = UNKNOWN_JOB_AGAIN_MS
    now = house.clock.now()
    assert await store.take_jobs(now + least - 1, now + CLAIM_MS, 10) == []
    assert [job.name for job in await store.take_jobs(now + most, now + CLAIM_MS, 10)] == ["polish"]
