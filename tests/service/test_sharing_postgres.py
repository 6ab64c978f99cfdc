"""Two processes on one PostgreSQL: order and exactly-once, as ``test_sharing.py`` plays them on the twin in memory."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Any

from tests.http.support import Client, serving
from tests.postgres import query
from tests.service.views import ADA, CALLING, PATIENCE, WORDS, HeldFetcher, called, soon, texts, thrown, until

from dialoom.storage.postgres.store import PostgresStore

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from tests.postgres import Server


@contextlib.asynccontextmanager
async def on_postgres(folder: Path, url: str, **bot: Any) -> AsyncIterator[list[Client]]:
    async with contextlib.AsyncExitStack() as stack:
        yield [
            await stack.enter_async_context(serving(folder, fetcher=HeldFetcher(), store=PostgresStore(url), **bot))
            for _ in range(2)
        ]


async def test_on_postgres_fifty_events_thrown_at_two_processes_are_answered_once_each(
    tmp_path: Path, postgres_server: Server
) -> None:
    async with on_postgres(tmp_path, postgres_server.database()) as clients:
        answers = await thrown(clients, 50)
        assert {answer.status for answer in answers.values()} == {200}
        said = await clients[1].service.store.said(ADA, 0, 1000)
        mine = [message.record.text for message in said if message.record.from_ == "user"]
        assert sorted(mine) == sorted(f"text {number}" for number in range(50))


async def test_on_postgres_taps_on_two_processes_call_outside_once_each_in_the_order_of_their_turns(
    tmp_path: Path, postgres_server: Server
) -> None:
    async with on_postgres(tmp_path, postgres_server.database(), flow=CALLING, training=WORDS) as (a, b):
        a.fetcher.gate.set()
        b.fetcher.gate.set()
        taps = [soon((a, b)[tap % 2].say("call", id=f"{tap}", context={"tap": f"{tap}"})) for tap in range(12)]
        answers = [texts(answer)[-1] for answer in await asyncio.gather(*taps)]
        assert answers == [f"Called for {tap}." for tap in range(12)]
        said = await a.service.store.said(ADA, 0, 1000)
        order = [message.record.text for message in said if message.record.from_ == "bot"]
        for client in (a, b):
            own = [f"Called for {tap}." for tap, _ in called(client)]
            assert own == [text for text in order if text in own]
        assert len({key for _, key in called(a, b)}) == len(called(a, b)) == 12


async def test_on_postgres_a_process_that_lost_a_chat_without_knowing_makes_no_further_call(
    tmp_path: Path, postgres_server: Server
) -> None:
    url = postgres_server.database()
    async with on_postgres(tmp_path, url, flow=CALLING, training=WORDS) as (a, b):
        waiting = soon(a.say("trip", id="1", context={"tap": "1"}))
        await until(lambda: called(a))
        # On a thread: it may meet a lock of these processes, which go on with the loop alone.
        await asyncio.to_thread(query, url, "update dialoom.leases set holder = null")
        b.fetcher.gate.set()
        async with asyncio.timeout(PATIENCE):
            while not await b.service.store.said(ADA, 0, 10):  # another process says it
                b.clock.move(2.1)
                await asyncio.sleep(0.01)
        a.fetcher.gate.set()
        assert texts(await waiting) == ["Went for 1."]
        assert len(called(a)) == 1
        assert len(called(b)) == len({key for _, key in called(a, b)}) == 3
        assert await asyncio.to_thread(query, url, "select count(*) from dialoom.journal") == [(0,)]
