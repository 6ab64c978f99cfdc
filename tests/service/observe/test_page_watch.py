"""How often the pages of the database are read, and what is kept of it."""

from __future__ import annotations

import asyncio
import logging

import pytest
from tests.stores import TemporaryStore

from dialoom.errors import StoreError
from dialoom.service.observe.page_watch import (
    LARGE_PASS_EVERY_MS,
    LOOK_EVERY_SECONDS,
    MAX_OFTEN_BYTES,
    PASS_EVERY_MS,
    PageWatch,
)
from dialoom.storage.errors import Damaged
from dialoom.testing.clock import MovedClock

FAULT = ("messages: Tree 3 page 301: btreeInitPage() returns error code 11",)


class Pages:
    """Plays a data file of this size, with these faults."""

    def __init__(self) -> None:
        self.bytes = 4096
        self.faults: tuple[str, ...] = ()
        self.failure: StoreError | None = None
        self.passes = 0
        self.is_open = False

    def open(self) -> None:
        self.is_open = True

    async def close(self) -> None:
        self.is_open = False

    async def size(self) -> int:
        return self.bytes

    async def check(self) -> tuple[str, ...]:
        self.passes += 1
        if self.failure is not None:
            raise self.failure
        return self.faults


@pytest.fixture
def pages() -> Pages:
    return Pages()


@pytest.fixture
def clock() -> MovedClock:
    return MovedClock()


@pytest.fixture
async def store() -> TemporaryStore:
    made = TemporaryStore()
    await made.open()
    return made


@pytest.fixture
def watch(pages: Pages, store: TemporaryStore, clock: MovedClock) -> PageWatch:
    return PageWatch(pages, store, clock)


@pytest.mark.parametrize(
    ("size", "every"), [(MAX_OFTEN_BYTES, PASS_EVERY_MS), (MAX_OFTEN_BYTES + 1, LARGE_PASS_EVERY_MS)]
)
async def test_a_pass_is_made_so_often(
    watch: PageWatch, pages: Pages, clock: MovedClock, size: int, every: int
) -> None:
    pages.bytes = size
    await watch.look()
    clock.move(every / 1000 - 1)
    await watch.look()
    assert pages.passes == 1
    clock.move(1)
    await watch.look()
    assert pages.passes == 2
    assert watch.checked_at == clock.now()


def test_damage_is_known_within_an_hour() -> None:
    assert PASS_EVERY_MS + 2 * LOOK_EVERY_SECONDS * 1000 < 3600 * 1000


@pytest.mark.parametrize(("size", "passes"), [(MAX_OFTEN_BYTES, 2), (MAX_OFTEN_BYTES + 1, 1)])
async def test_a_restart_makes_a_pass_unless_the_file_is_large_and_the_last_one_of_today(
    watch: PageWatch, pages: Pages, store: TemporaryStore, clock: MovedClock, size: int, passes: int
) -> None:
    pages.bytes = size
    await watch.look()
    first = watch.checked_at
    clock.move(60)
    again = PageWatch(pages, store, clock)
    await again.look()
    assert pages.passes == passes
    assert again.checked_at == (clock.now() if passes == 2 else first)
    clock.move(LARGE_PASS_EVERY_MS / 1000)
    await again.look()
    assert pages.passes == passes + 1


async def test_a_restart_looks_again_at_what_was_damaged(
    watch: PageWatch, pages: Pages, store: TemporaryStore, clock: MovedClock
) -> None:
    pages.faults = FAULT
    await watch.look()
    assert (watch.damage, watch.checked_at) == (FAULT, None)
    again = PageWatch(pages, store, clock)
    await again.look()
    assert again.damage == FAULT


async def test_damage_is_logged_once_and_so_is_its_end(
    watch: PageWatch, pages: Pages, clock: MovedClock, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    for faults in (FAULT, FAULT, (), ()):
        pages.faults = faults
        await watch.look()
        clock.move(PASS_EVERY_MS / 1000)
    assert [record.levelname for record in caplog.records] == ["ERROR", "INFO"]
    assert FAULT[0] in caplog.records[0].getMessage()
    assert watch.damage == ()


async def test_a_file_that_cannot_be_read_as_a_database_is_damaged(watch: PageWatch, pages: Pages) -> None:
    pages.failure = Damaged("the file is no database")
    await watch.look()
    assert watch.damage == ("the file is no database",)


async def test_the_loop_survives_a_store_that_is_away_and_closes_the_pages(
    watch: PageWatch, pages: Pages, clock: MovedClock
) -> None:
    pages.failure = StoreError("the disk is away")
    running = asyncio.create_task(watch.run())
    await asyncio.sleep(0)
    assert (pages.is_open, pages.passes) == (True, 0)
    for passes in (1, 2):
        clock.move(PASS_EVERY_MS / 1000)
        while pages.passes < passes:  # noqa: ASYNC110  # turns of the event loop, not time
            await asyncio.sleep(0)
        for _ in range(5):
            await asyncio.sleep(0)
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    assert not pages.is_open
