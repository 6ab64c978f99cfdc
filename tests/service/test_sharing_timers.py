"""Several processes on one store, as in ``test_sharing.py``: what no process can run, and timers."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

import pytest
from tests.service.process_stores import (
    ADA,
    ProcessStore,
    in_background,
    processes,
    until,
)

from dialoom.errors import VaultError
from dialoom.storage.store import ChatKey

if TYPE_CHECKING:
    from pathlib import Path

    from tests.service.process_stores import DatabaseTables


# -- what cannot be run


def said_of(caplog: pytest.LogCaptureFixture, words: str) -> list[str]:
    return [record.getMessage() for record in caplog.records if words in record.getMessage()]


async def test_an_event_that_nobody_can_read_is_tried_ever_more_rarely_and_seldom_told(
    tmp_path: Path, tables: DatabaseTables, caplog: pytest.LogCaptureFixture
) -> None:
    one, two = ProcessStore(tables), ProcessStore(tables)
    async with processes(tmp_path, one, two) as (a, b):
        await two.accept(ADA, "of another release", json.dumps({"no": "event"}).encode(), None, 0)
        one.asked.clear()
        for _ in range(600):
            for client in (a, b):
                client.clock.move(1)
            await asyncio.sleep(0.001)
        assert 4 <= one.asked.count("hold") <= 20  # of some hundreds of looks
        told = len(said_of(caplog, "cannot be run here"))
        assert told == 2  # once by each process
        assert not any(record.exc_info for record in caplog.records)
        assert a.service.runner.counts().failing == {"tea": 1}
        refused = await a.say("tea")
        assert (refused.status, refused.json["code"]) == (500, "internal")
        assert len(said_of(caplog, "cannot be run here")) == told
        await tables.change("delete from dialoom.inbox")  # somebody could read it after all
        await until(lambda: not a.service.runner.counts().failing, a, b, seconds=5)
        assert (await a.texts("tea"))[-1] == "Which tea?"


async def test_a_chat_whose_event_cannot_be_run_here_is_left_to_who_can(tmp_path: Path, tables: DatabaseTables) -> None:
    class Faulty(ProcessStore):
        """Cannot keep results."""

        async def journaled(self, *_: Any) -> dict[str, bytes]:
            raise VaultError("of another key")

    one, two = Faulty(tables), ProcessStore(tables)
    async with processes(tmp_path, one, two) as (a, b):
        for text in ("tea", "green"):
            await a.texts(text)
        await tables.change("update dialoom.leases set holder = null")
        one.asked.clear()
        event = in_background(b.say("open sesame", id="1"))
        await until(lambda: b.fetcher.requests)
        await two.die()
        a.clock.move(2.1)
        await until(lambda: a.service.runner.counts().failing == {"tea": 1})
        await until(lambda: ADA not in tables.leases)
        assert not a.fetcher.requests
        event.cancel()


async def test_an_event_that_this_process_cannot_read_is_left_to_the_others(
    tmp_path: Path, tables: DatabaseTables
) -> None:
    one, two = ProcessStore(tables), ProcessStore(tables)
    async with processes(tmp_path, one, two) as (a, b):
        key = ChatKey("tea", "rest", "grace")
        await two.accept(key, "of another release", json.dumps({"no": "event"}).encode(), None, 0)
        refused = await a.say("tea", sender="grace")
        assert (refused.status, refused.json["code"]) == (500, "sealed")
        assert key not in tables.leases
        assert (await b.texts("tea"))[-1] == "Which tea?"


# -- timers


async def set_timer(tables: DatabaseTables, due: int) -> None:
    """Set when the session of Ada ends."""
    sql = (
        "update dialoom.chats set timers = jsonb_build_object('session', $1::bigint), wake = $1 where \"user\" = 'ada'"
    )
    await tables.change(sql, due)


async def test_a_timer_that_two_processes_find_due_fires_once(tmp_path: Path, tables: DatabaseTables) -> None:
    one, two = ProcessStore(tables), ProcessStore(tables)
    async with processes(tmp_path, one, two) as (a, b):
        await a.texts("tea")
        await until(lambda: not tables.leases, a, b, seconds=2)
        for client in (a, b):
            client.clock.move(1441 * 60)
        await asyncio.gather(a.service.timers.fire(), b.service.timers.fire())
        await until(lambda: not tables.timers)
        for client in (a, b):
            client.clock.move(61)
            await client.service.timers.fire()
        records = (await a.history("conversations")).json
        assert [record["Status"] for record in records] == ["abandoned"]


async def test_a_timer_of_a_chat_that_another_process_has_is_left_to_it(tmp_path: Path, tables: DatabaseTables) -> None:
    one, two = ProcessStore(tables), ProcessStore(tables)
    async with processes(tmp_path, one, two) as (a, b):
        await a.texts("tea")
        b.clock.move(1441 * 60)
        assert await b.service.timers.fire() == 0
        (record,) = (await a.history("conversations")).json
        assert record["Status"] == "active"


@pytest.mark.parametrize("jump", [-5 * 3600, 5 * 3600])
async def test_a_clock_that_jumps_fires_no_timer_twice_and_keeps_none_waiting_for_ever(
    tmp_path: Path, tables: DatabaseTables, jump: int
) -> None:
    def timers(user: str) -> list[int]:
        return [due for (key, _), due in tables.timers.items() if key.user == user]

    async with processes(tmp_path, ProcessStore(tables)) as (a,):
        await a.texts("tea", sender="ada")
        a.clock.move(1441 * 60)
        await until(lambda: not timers("ada"))
        a.clock.move(jump)
        await a.texts("tea", sender="ada")
        await a.texts("tea", sender="grace")
        for _ in range(20):
            a.clock.move(60)
            await a.service.timers.fire()
        assert len(timers("ada")) == len(timers("grace")) == 1
        a.clock.move(1441 * 60)
        await until(lambda: not tables.timers, a, seconds=1)
        records = (await a.history("conversations")).json
        assert [record["Status"] for record in records] == ["abandoned"] * 3


async def test_a_timer_that_hangs_is_tried_again_also_after_the_clock_jumped_back(
    tmp_path: Path, tables: DatabaseTables
) -> None:
    one = ProcessStore(tables)
    async with processes(tmp_path, one) as (a,):
        await a.texts("tea")
        due = tables.timers[ADA, "session"] - 10 * 3600 * 1000
        await set_timer(tables, due)
        a.clock.move(1441 * 60)
        await until(lambda: (ADA, "session") not in tables.timers)
        await set_timer(tables, due)  # as if its turn had not been stored
        a.clock.move(-5 * 3600)
        assert await a.service.timers.fire() == 1


async def test_chats_are_let_go_also_after_the_clock_jumped_back(tmp_path: Path, tables: DatabaseTables) -> None:
    async with processes(tmp_path, ProcessStore(tables)) as (a,):
        await a.texts("tea")
        a.clock.move(-5 * 3600)
        for _ in range(200):
            await asyncio.sleep(0)
        await until(lambda: not tables.leases, a, seconds=60)
