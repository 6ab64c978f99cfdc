"""What providers publish about themselves is kept for minutes, in bounds, and asked for once however many want it."""

from __future__ import annotations

import asyncio

import pytest

from dialoom.service.login.provider_calls import ProviderFailed
from dialoom.service.remote_cache import COOL_DOWN_MS, MAX_AGE_MS, MAX_FAILURE_AGE_MS, Cache
from dialoom.testing.clock import MovedClock


class Source:
    """Gives a new value with each asking, or fails while ``fails``; waits for ``gate`` first."""

    def __init__(self) -> None:
        self.asked = 0
        self.fails = False
        self.gate = asyncio.Event()
        self.gate.set()

    async def __call__(self) -> list[int]:
        self.asked += 1
        await self.gate.wait()
        if self.fails:
            raise ProviderFailed("provider-refused", "The keys", "No connection.")
        return [self.asked]


async def test_a_value_lives_for_its_time() -> None:
    clock, source = MovedClock(), Source()
    cache: Cache[str, list[int]] = Cache(clock)
    first = await cache.get("a", source)
    clock.move(MAX_AGE_MS / 1000 - 1)
    assert await cache.get("a", source) is first
    clock.move(1)
    assert await cache.get("a", source) == [2]


async def test_a_failure_lives_for_seconds_and_each_who_waits_gets_one_of_their_own() -> None:
    clock, source = MovedClock(), Source()
    source.fails = True
    cache: Cache[str, list[int]] = Cache(clock)
    found = await asyncio.gather(*(cache.get("a", source) for _ in range(3)), return_exceptions=True)
    assert [str(one) for one in found] == ["The keys (provider-refused): No connection."] * 3
    assert len({id(one) for one in found}) == 3
    with pytest.raises(ProviderFailed):
        await cache.get("a", source)
    assert source.asked == 1
    clock.move(MAX_FAILURE_AGE_MS / 1000)
    source.fails = False
    assert await cache.get("a", source) == [2]


async def test_no_more_entries_are_kept_than_may_be_and_those_not_asked_for_longest_go_first() -> None:
    source = Source()
    cache: Cache[str, list[int]] = Cache(MovedClock(), most=2)
    for key in ("a", "b", "a", "c", "a"):
        await cache.get(key, source)
    assert source.asked == 3
    await cache.get("b", source)
    assert source.asked == 4


async def test_a_value_that_does_not_serve_is_asked_for_anew_once_in_a_while() -> None:
    clock, source = MovedClock(), Source()
    cache: Cache[str, list[int]] = Cache(clock)
    first = await cache.get("a", source)
    second, also = await asyncio.gather(cache.newer("a", first, source), cache.newer("a", first, source))
    assert second is also
    assert second == [2]
    assert await cache.newer("a", first, source) is second
    assert await cache.newer("a", second, source) is None
    clock.move(COOL_DOWN_MS / 1000)
    assert await cache.newer("a", second, source) == [3]


async def test_asking_anew_in_vain_costs_nobody_the_value_that_is_there() -> None:
    clock, source = MovedClock(), Source()
    cache: Cache[str, list[int]] = Cache(clock)
    first = await cache.get("a", source)
    source.fails = True
    with pytest.raises(ProviderFailed):
        await cache.newer("a", first, source)
    assert await cache.get("a", source) is first
    assert await cache.newer("a", first, source) is None
    assert source.asked == 2


async def test_what_is_gone_is_asked_for_though_it_did_not_serve() -> None:
    source = Source()
    cache: Cache[str, list[int]] = Cache(MovedClock(), most=1)
    first = await cache.get("a", source)
    await cache.get("b", source)
    assert await cache.newer("a", first, source) == [3]


async def test_closing_ends_what_is_being_asked() -> None:
    source = Source()
    source.gate.clear()
    cache: Cache[str, list[int]] = Cache(MovedClock())
    waiting = asyncio.create_task(cache.get("a", source))
    await asyncio.sleep(0)
    await cache.close()
    await asyncio.wait([waiting])
    assert waiting.cancelled()
