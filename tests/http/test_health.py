"""What a load balancer asks."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from tests.http.support import serving

from dialoom.errors import StoreError
from dialoom.storage.memory import MemoryStore

if TYPE_CHECKING:
    from pathlib import Path


class _Store(MemoryStore):
    def __init__(self) -> None:
        super().__init__()
        self.is_asked = asyncio.Event()

    is_away = False
    hangs = False
    asked = 0
    answers: asyncio.Event | None = None

    async def bots(self) -> list[str]:
        self.asked += 1
        self.is_asked.set()
        if self.answers is not None:
            await self.answers.wait()
        if self.hangs:
            await asyncio.Event().wait()
        if self.is_away:
            raise StoreError("away")
        return await super().bots()


async def test_a_service_whose_store_answers_is_ready(tmp_path: Path) -> None:
    async with serving(tmp_path) as client:
        assert (await client.call("GET", "/readyz")).status == 200
        assert (await client.call("GET", "/healthz")).json == {"status": "ok"}


async def test_while_the_store_is_away_it_is_alive_and_not_ready(tmp_path: Path) -> None:
    store = _Store()
    async with serving(tmp_path, store=store) as client:
        client.app.door.fresh = 0.0
        store.is_away = True
        answer = await client.call("GET", "/readyz")
        assert (answer.status, answer.json["code"]) == (503, "store-away")
        assert (await client.call("GET", "/healthz")).status == 200
        store.is_away = False
        assert (await client.call("GET", "/readyz")).status == 200


async def test_a_store_that_hangs_is_not_waited_for(tmp_path: Path) -> None:
    store = _Store()
    async with serving(tmp_path, store=store) as client:
        client.app.door.store_within = 0.01
        store.hangs = True
        answer = await client.call("GET", "/readyz")
        assert (answer.status, answer.json["code"]) == (503, "store-away")


async def test_what_the_store_said_counts_for_a_while(tmp_path: Path) -> None:
    store = _Store()
    async with serving(tmp_path, store=store) as client:
        client.app.door.fresh = 3600.0
        store.asked = 0
        assert {(await client.call("GET", "/readyz")).status for _ in range(50)} == {200}
        assert store.asked == 1
        client.app.door.fresh = 0.0
        store.is_away = True
        assert {(await client.call("GET", "/readyz")).status for _ in range(3)} == {503}
        assert store.asked == 4


async def test_all_who_ask_at_one_time_wait_for_one_answer_even_if_one_of_them_hangs_up(tmp_path: Path) -> None:
    store = _Store()
    async with serving(tmp_path, store=store) as client:
        client.app.door.fresh = 0.0
        store.asked, store.answers = 0, asyncio.Event()
        store.is_asked.clear()
        asking = [asyncio.ensure_future(client.call("GET", "/readyz")) for _ in range(20)]
        await store.is_asked.wait()
        asking[0].cancel()
        store.answers.set()
        assert [(await one).status for one in asking[1:]] == [200] * 19
        assert store.asked == 1


async def test_a_service_that_stops_is_not_ready_and_ends_connections_with_its_answers(tmp_path: Path) -> None:
    async with serving(tmp_path) as client:
        assert "connection" not in (await client.call("GET", "/healthz")).headers
        client.app.door.is_closing = True
        answer = await client.call("GET", "/readyz")
        assert (answer.status, answer.json["code"]) == (503, "stopping")
        for answer in (await client.say("help"), await client.call("GET", "/healthz")):
            assert answer.status == 200
            assert answer.headers["connection"] == "close"
