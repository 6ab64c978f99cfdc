"""A clock that jumped says nothing of what is old: erasure by age waits, for a day or until an operator has looked."""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING

import pytest
from tests.stores import TemporaryStore

from dialoom.service.clock import SystemClock
from dialoom.service.records.clock_guard import DOUBT_MS, HEARTBEAT_MS, MAX_SILENCE_MS, MAX_STEP_MS, ClockGuard, confirm
from dialoom.storage.postgres.store import PostgresStore
from dialoom.storage.store import CLOCK_DOUBTED, HEARTBEAT, LINKS_ENDED, links_ended
from dialoom.testing.clock import MovedClock

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from tests.postgres import Server

    from dialoom.storage.store import Store

HOUR = 3600
DAY = 24 * HOUR
YEAR = 365 * DAY


@pytest.fixture
async def store() -> AsyncIterator[Store]:
    made = TemporaryStore()
    await made.open()
    yield made
    await made.close()


@pytest.fixture
async def shared(postgres_server: Server) -> AsyncIterator[Store]:
    url = postgres_server.database()
    made = PostgresStore(url)
    await made.open()
    yield made
    await made.close()
    postgres_server.drop(url)


@pytest.fixture
def clock() -> MovedClock:
    return MovedClock()


async def test_a_clock_that_goes_with_the_elapsed_time_is_trusted(store: Store, clock: MovedClock) -> None:
    guard = ClockGuard(store, clock)
    for _ in range(100):
        assert await guard.trusted_now() == clock.now()
        clock.move(DAY)
    assert guard.waits_until is None


async def test_a_machine_that_was_suspended_for_a_year_has_made_no_jump(store: Store, clock: MovedClock) -> None:
    guard = ClockGuard(store, clock)
    await guard.trusted_now()
    clock.move(YEAR)
    assert await guard.trusted_now() == clock.now()


async def test_a_jump_ahead_holds_erasure_for_a_day(
    store: Store, clock: MovedClock, caplog: pytest.LogCaptureFixture
) -> None:
    guard = ClockGuard(store, clock)
    await guard.trusted_now()
    clock.set_ahead(YEAR)
    assert await guard.trusted_now() is None
    assert guard.waits_until == clock.now() + DOUBT_MS
    clock.move(DAY - 1)
    assert await guard.trusted_now() is None
    clock.move(1)
    assert await guard.trusted_now() == clock.now()
    (warning,) = [record for record in caplog.records if record.levelno == logging.WARNING]
    assert "8,760.0 hours more than time has passed" in warning.getMessage()
    assert "dialoom clock confirm" in warning.getMessage()


async def test_small_steps_count_together(store: Store, clock: MovedClock) -> None:
    guard = ClockGuard(store, clock)
    for _ in range(3):
        assert await guard.trusted_now() is not None
        clock.set_ahead(0.4 * HOUR)
    assert await guard.trusted_now() is None


async def test_a_clock_may_be_put_right_by_up_to_an_hour(store: Store, clock: MovedClock) -> None:
    guard = ClockGuard(store, clock)
    await guard.trusted_now()
    clock.set_ahead(MAX_STEP_MS / 1000)
    assert await guard.trusted_now() == clock.now()


async def test_a_clock_that_was_set_back_and_right_again_is_doubted_for_the_way_ahead(
    store: Store, clock: MovedClock
) -> None:
    guard = ClockGuard(store, clock)
    await guard.trusted_now()
    clock.set_ahead(-YEAR)
    assert await guard.trusted_now() == clock.now()
    clock.set_ahead(YEAR)
    assert await guard.trusted_now() is None


async def test_a_clock_set_back_while_erasure_waits_ends_the_wait_a_day_later(store: Store, clock: MovedClock) -> None:
    guard = ClockGuard(store, clock)
    await guard.trusted_now()
    clock.set_ahead(YEAR)
    await guard.trusted_now()
    clock.set_ahead(-YEAR)
    assert await guard.trusted_now() is None
    assert guard.waits_until == clock.now() + DOUBT_MS
    clock.move(DAY)
    assert await guard.trusted_now() == clock.now()


async def test_a_second_jump_does_not_end_the_wait_for_the_first(store: Store, clock: MovedClock) -> None:
    guard = ClockGuard(store, clock)
    await guard.trusted_now()
    clock.set_ahead(YEAR)
    await guard.trusted_now()
    clock.set_ahead(0.9 * HOUR)
    clock.move(DAY - 0.5 * HOUR)
    assert await guard.trusted_now() is None


@pytest.mark.parametrize(("silence", "is_trusted"), [(MAX_SILENCE_MS, True), (MAX_SILENCE_MS + 1, False)])
async def test_a_start_long_after_the_last_heartbeat_holds_erasure(
    store: Store, clock: MovedClock, silence: int, is_trusted: bool
) -> None:
    await store.set_mark(HEARTBEAT, clock.now() - silence)
    guard = ClockGuard(store, clock)
    assert (await guard.trusted_now() is not None) == is_trusted


async def test_restarts_do_not_make_the_wait_longer(store: Store, clock: MovedClock) -> None:
    await store.set_mark(HEARTBEAT, clock.now() - MAX_SILENCE_MS - 1)
    for _ in range(3):
        assert await ClockGuard(store, clock).trusted_now() is None
        clock.move(8 * HOUR - 1)
    guard = ClockGuard(store, clock)
    assert await guard.trusted_now() is None
    clock.move(3)
    assert await guard.trusted_now() == clock.now()
    assert await ClockGuard(store, clock).trusted_now() == clock.now()


async def test_a_service_that_runs_a_few_hours_a_day_erases_after_one_day_of_doubt(
    store: Store, clock: MovedClock
) -> None:
    await store.set_mark(HEARTBEAT, clock.now() - 31 * DAY * 1000)
    assert await ClockGuard(store, clock).trusted_now() is None
    clock.move(DAY)
    assert await ClockGuard(store, clock).trusted_now() == clock.now()


@pytest.mark.parametrize(("back", "is_kept"), [(60, True), (61, False), (YEAR, False)])
async def test_links_made_after_a_clock_was_set_back_count_again(
    store: Store, clock: MovedClock, back: int, is_kept: bool
) -> None:
    mark = clock.now() + back * 1000
    await store.set_mark(LINKS_ENDED, mark)
    now = clock.now()
    await ClockGuard(store, clock).trusted_now()
    assert await links_ended(store) == (mark if is_kept else now)


async def test_a_second_gap_is_doubted_again(store: Store, clock: MovedClock) -> None:
    await store.set_mark(HEARTBEAT, clock.now() - MAX_SILENCE_MS - 1)
    for _ in range(2):
        assert await ClockGuard(store, clock).trusted_now() is None
        clock.move(31 * DAY)


async def test_a_new_store_is_not_doubted_and_gets_its_heartbeat_at_times(store: Store, clock: MovedClock) -> None:
    guard = ClockGuard(store, clock)
    first = await guard.trusted_now()
    clock.move(HEARTBEAT_MS / 1000 - 1)
    await guard.trusted_now()
    assert (await store.marks())[HEARTBEAT] == first
    clock.move(1)
    assert (await store.marks())[HEARTBEAT] == first
    await guard.trusted_now()
    assert (await store.marks())[HEARTBEAT] == clock.now()


async def test_an_operator_ends_the_wait_of_every_process(shared: Store, clock: MovedClock) -> None:
    guards = [ClockGuard(shared, clock) for _ in range(2)]
    for guard in guards:
        await guard.trusted_now()
    clock.set_ahead(YEAR)
    assert [await guard.trusted_now() for guard in guards] == [None, None]
    assert await confirm(shared, clock)
    assert [await guard.trusted_now() for guard in guards] == [clock.now()] * 2
    assert not await confirm(shared, clock)


async def test_an_operator_may_say_so_before_the_start(store: Store, clock: MovedClock) -> None:
    await store.set_mark(HEARTBEAT, clock.now() - 2 * MAX_SILENCE_MS)
    assert await confirm(store, clock)
    assert await ClockGuard(store, clock).trusted_now() == clock.now()


async def test_a_process_whose_own_clock_is_right_waits_with_the_one_whose_clock_jumped(shared: Store) -> None:
    right, wrong = MovedClock(), MovedClock()
    own, other = ClockGuard(shared, right), ClockGuard(shared, wrong)
    assert await own.trusted_now() == await other.trusted_now() == right.now()
    wrong.set_ahead(YEAR)
    assert await other.trusted_now() is None
    assert await own.trusted_now() is None
    assert own.waits_until == right.now() + DOUBT_MS
    # What the right one stored is long ago by the wrong clock, which must not think that its wait is over.
    assert await other.trusted_now() is None
    assert await ClockGuard(shared, wrong).trusted_now() is None


async def test_a_jump_that_the_store_could_not_be_told_is_told_later(clock: MovedClock) -> None:
    store = TemporaryStore()
    await store.open()
    guard = ClockGuard(store, clock)
    await guard.trusted_now()
    clock.set_ahead(YEAR)
    await store.close()
    with pytest.raises(Exception, match="closed"):
        await guard.trusted_now()
    await store.open()
    assert await guard.trusted_now() is None
    assert (await store.marks())[CLOCK_DOUBTED] == clock.now()


def test_the_system_clock_tells_elapsed_time_with_that_of_a_suspended_machine() -> None:
    expected = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
    before = time.clock_gettime_ns(expected) // 1_000_000
    assert before <= SystemClock().elapsed() <= time.clock_gettime_ns(expected) // 1_000_000
