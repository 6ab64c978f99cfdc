"""Places are given to bots in turn."""

from __future__ import annotations

import asyncio
import contextlib

import pytest

from dialoom.storage.fair_queue import FairQueue
from dialoom.storage.store import HistoryBusy


class Work:
    """Who has had a place, in order; each keeps it until it is let go."""

    def __init__(self, places: FairQueue) -> None:
        self.places = places
        self.had: list[str] = []
        self.gates: list[asyncio.Event] = []

    async def do(self, bot: str) -> None:
        async with self.places.place(bot):
            self.had.append(bot)
            gate = asyncio.Event()
            self.gates.append(gate)
            await gate.wait()

    async def go_on(self) -> None:
        """The next that has a place leaves it."""
        self.gates.pop(0).set()
        await settled()


async def settled() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


async def begun(work: Work, *bots: str) -> list[asyncio.Task[None]]:
    tasks = [asyncio.create_task(work.do(bot)) for bot in bots]
    await settled()
    return tasks


async def test_a_bot_that_asks_for_much_is_not_ahead_of_one_that_asks_for_little() -> None:
    work = Work(FairQueue(2, 60))
    tasks = await begun(work, "many", "many", "many", "many", "few", "many", "other")
    assert work.had == ["many", "many"]
    for _ in tasks:
        await work.go_on()
    assert work.had[2:] == ["many", "few", "other", "many", "many"]
    await asyncio.gather(*tasks)
    async with work.places.place("few"), work.places.place("few"):
        work.had.append("both are free again")


async def test_who_waits_too_long_is_told_so_and_the_others_go_on() -> None:
    places = FairQueue(1, 0.01)
    async with places.place("many"):
        with pytest.raises(HistoryBusy, match="busy"):
            async with places.place("few"):
                pytest.fail("two had the only place")
    async with places.place("few"):
        pass


async def test_a_place_that_comes_to_one_who_has_gone_goes_on_to_the_next() -> None:
    work = Work(FairQueue(1, 60))
    first, second, third = await begun(work, "a", "b", "c")
    work.gates.pop().set()
    await asyncio.sleep(0)  # it is given on, and the second is not awake yet
    second.cancel()
    await settled()
    assert work.had == ["a", "c"]
    await work.go_on()
    await asyncio.gather(first, third)
    with contextlib.suppress(asyncio.CancelledError):
        await second
    async with work.places.place("a"):
        work.had.append("a")


async def test_one_who_goes_while_waiting_leaves_nothing_behind() -> None:
    work = Work(FairQueue(1, 60))
    first, second, third = await begun(work, "a", "b", "b")
    second.cancel()
    third.cancel()
    await settled()
    await work.go_on()
    await first
    async with work.places.place("b"):
        work.had.append("b")
    assert work.had == ["a", "b"]
