"""Hostile history queries beside a running bot: they end at their time limit, and turns go on meanwhile."""

from __future__ import annotations

import asyncio
import json
from itertools import islice
from typing import TYPE_CHECKING

import pytest

from dialoom.query import Selection, parse_query, parse_sort
from dialoom.storage.postgres.store import PostgresStore
from dialoom.storage.sqlite.store import SqliteStore
from dialoom.storage.store import TooSlow
from tests.http.support import serving
from tests.storage import hostile

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from dialoom.storage.store import Store
    from tests.http.support import Client

COUNT, BATCH = 50_000, 1000
SECONDS = 0.2
"""That a query may take: some hundredths of what these would."""
CLIENTS, TALKS = 4, 5


@pytest.fixture(params=["sqlite", "postgres"])
async def client(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Client]:
    store: Store
    if request.param == "sqlite":
        store = SqliteStore(tmp_path / "data.sqlite", history_seconds=SECONDS)
    else:
        url = request.getfixturevalue("emptied_database")
        store = PostgresStore(url, is_timed_by_server=False, history_seconds=SECONDS)
    async with serving(tmp_path, store=store) as client:
        for begin in range(0, COUNT, BATCH):
            documents = hostile.documents("messages", "tea", BATCH, begin)
            await store.import_records("messages", "tea", documents, "hostile", begin)
        yield client


async def test_each_ends_with_its_time_and_turns_go_on_beside_them(client: Client) -> None:
    store, sort = client.service.store, parse_sort(json.dumps(hostile.SORT))
    ended: list[str] = []
    for name in hostile.NEVER_IN_TIME:
        where = parse_query(json.dumps(hostile.QUERIES[name]))
        for asked in (
            store.count("messages", "tea", Selection(where)),
            store.find("messages", "tea", Selection(where, sort, 0, 100)),
        ):
            try:
                ended.append(f"{name}: {await asked}")
            except TooSlow:
                continue
    assert ended == []
    told: list[str] = []
    is_over = asyncio.Event()

    async def ask(number: int) -> None:
        for path, given in islice(hostile.asked(), number, None):
            answer = await client.history(f"messages{path}", **given)
            told.append("answered" if answer.status == 200 else answer.json["code"])
            if is_over.is_set():
                return

    asking = [asyncio.create_task(ask(number)) for number in range(CLIENTS)]
    await asyncio.sleep(0)
    for talk in range(TALKS):
        for text, said in (("tea", "Which tea?"), ("green", "The password?"), ("x", "Order 7: Green.")):
            assert (await client.texts(text, sender=f"user-{talk}"))[-1] == said
    is_over.set()
    await asyncio.gather(*asking)
    assert len(told) >= CLIENTS
    assert {"query-too-slow"} <= set(told) <= {"query-too-slow", "answered"}
    # The places are free again, once whoever was stopped has left.
    async with asyncio.timeout(60):
        while (answer := await client.history("conversations")).status != 200:
            assert answer.json["code"] == "query-too-slow"
    assert len(answer.json) == TALKS
