"""Scrubs of one data file: never two at a time, and who comes while one runs shares the next."""

from __future__ import annotations

import asyncio
import threading

import pytest

from dialoom.storage.sqlite.scrub import Scrubs


class Held:
    """Scrubs that end when they are let."""

    def __init__(self) -> None:
        self.begun: list[bool] = []
        self.running = threading.Semaphore(1)
        self.begins = threading.Semaphore(0)
        self.may_end = threading.Semaphore(0)

    def __call__(self, whole: bool) -> bool:
        assert self.running.acquire(blocking=False), "two at a time"
        self.begun.append(whole)
        self.begins.release()
        self.may_end.acquire()
        self.running.release()
        return len(self.begun) > 1

    async def one_begins(self) -> None:
        await asyncio.to_thread(self.begins.acquire)


async def test_who_comes_while_one_runs_shares_the_next() -> None:
    held = Held()
    scrubs = Scrubs(held)
    first = asyncio.ensure_future(scrubs.ask(whole=False))
    await held.one_begins()
    others = [asyncio.ensure_future(scrubs.ask(whole=number == 7)) for number in range(20)]
    await asyncio.sleep(0)
    held.may_end.release()
    assert await first is False
    await held.one_begins()
    held.may_end.release()
    assert await asyncio.gather(*others) == [True] * 20
    # The one of all is as thorough as the one of them who asked for the most.
    assert held.begun == [False, True]


async def test_who_gives_up_does_not_take_it_away_from_the_others() -> None:
    held = Held()
    scrubs = Scrubs(held)
    one, other = (asyncio.ensure_future(scrubs.ask(whole=False)) for _ in range(2))
    await held.one_begins()
    one.cancel()
    late = asyncio.ensure_future(scrubs.ask(whole=False))
    await asyncio.sleep(0)
    held.may_end.release(2)
    assert await other is False
    assert await late is True
    with pytest.raises(asyncio.CancelledError):
        await one
    await scrubs.settled()
    assert held.begun == [False, False]
