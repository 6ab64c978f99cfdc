"""Records may be long: a walk takes fewer of them at a time, a page that would be too large has to be read in parts; and
all that is done for an answer has one time."""

from __future__ import annotations

import asyncio
import contextlib
import json
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from dialoom.query import Selection, parse_query, parse_sort
from dialoom.service.records.record_stream import walk
from dialoom.storage.limits import PAGE_BYTES, WANTED_BYTES, within
from dialoom.storage.postgres.store import HISTORIES, PostgresStore
from dialoom.storage.sqlite.store import HISTORY_THREADS, SqliteStore
from dialoom.storage.store import PageTooLarge, TooSlow
from tests.storage.history.test_imports import conversation

if TYPE_CHECKING:
    from pathlib import Path

    from dialoom.storage.store import Store

LONG = 2_000_000
SMALL, LARGE = 300, 40
"""Together some more than a page may have."""
IDS = [f"a{number:04d}" for number in range(SMALL)] + [f"b{number:04d}" for number in range(LARGE)]
BY_PYTHON = '{"Number": {"$mod": [1, 0]}}'
"""What SQL alone cannot tell, of all."""


async def fill(store: Store) -> None:
    small = [conversation(id, Number=number) for number, id in enumerate(IDS[:SMALL])]
    await store.import_records("conversations", "salon", small, "", 1)
    for id in IDS[SMALL:]:
        await store.import_records("conversations", "salon", [conversation(id, Number=SMALL, Note="n" * LONG)], "", 1)


def select(query: str = "{}", sort: str | None = None, limit: int | None = None) -> Selection:
    return Selection(parse_query(query), parse_sort(sort), limit=limit)


def ids(texts: list[bytes]) -> list[str]:
    return [json.loads(text)["_id"] for text in texts]


async def test_a_walk_has_some_megabytes_at_a_time_and_a_page_not_more_than_it_may(store: Store) -> None:
    await fill(store)
    for query in ("{}", BY_PYTHON):
        walked: list[str] = []
        steps = 0
        async for records in walk(store, "conversations", "salon", select(query), 500):
            # Where short ones go over into long ones, the first of those are a surprise.
            assert sum(map(len, records)) < (PAGE_BYTES if len(walked) < SMALL else WANTED_BYTES + 2 * LONG)
            walked += ids(records)
            steps += 1
        assert walked == IDS
        assert steps <= LARGE / 4 + 2
    for query, sort in (("{}", None), (BY_PYTHON, None), ("{}", "Number"), (BY_PYTHON, "Channel")):
        with pytest.raises(PageTooLarge, match=f"{PAGE_BYTES // 2**20} MiB"):
            await store.find("conversations", "salon", select(query, sort, 1000))
        some = await store.find("conversations", "salon", select(query, sort, SMALL))
        assert len(some) == SMALL
    few = await store.find(
        "conversations", "salon", select('{"_id": {"$gte": "b"}, "Number": {"$mod": [1, 0]}}', limit=9)
    )
    assert ids(few) == IDS[SMALL : SMALL + 9]
    # What is sorted here, or skipped, may be more than a page.
    for query in ("{}", BY_PYTHON):
        asked = msgspec.structs.replace(select(query, "Channel", 9), skip=SMALL + LARGE - 9)
        assert ids(await store.find("conversations", "salon", asked)) == IDS[-9:]


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
async def test_who_waits_for_a_place_has_no_more_time_than_the_answer(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    store: Any
    if kind == "sqlite":
        store = SqliteStore(tmp_path / "data.sqlite", history_seconds=0.05)
    else:
        store = PostgresStore(request.getfixturevalue("emptied_database"), history_seconds=0.05)
    await store.open()
    async with contextlib.AsyncExitStack() as stack, asyncio.timeout(60):
        for _ in range(HISTORY_THREADS if kind == "sqlite" else HISTORIES):
            await stack.enter_async_context(store.history_places.place("other"))
        for asked in (
            store.find("conversations", "salon", select(limit=1)),
            store.count("conversations", "salon", select()),
            store.stretch("conversations", "salon", select(), 1),
        ):
            with pytest.raises(TooSlow, match="took too long"):
                await asked
    await store.close()


async def _slow_twice() -> None:
    never = asyncio.Event()
    async with within(0.02):
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(0.01):
                await never.wait()
        await never.wait()


async def test_several_things_have_one_time_together() -> None:
    with pytest.raises(TooSlow, match="took too long"):
        await _slow_twice()
