"""How SQLite keeps an operator's index: in small steps beside the turns, whole again after it was broken off."""

from __future__ import annotations

import asyncio
import itertools
import json
from contextlib import closing
from typing import TYPE_CHECKING, Any

import pytest

from dialoom.errors import StoreError
from dialoom.query import Selection, compile_sql, parse_query, parse_sort
from dialoom.storage.operator_indexes import index_name, indexed_table
from dialoom.storage.sqlite import indexes
from dialoom.storage.sqlite.connection import open_reader, open_writer
from dialoom.storage.sqlite.store import SqliteStore
from dialoom.storage.store import IndexRow
from tests.storage.row_makers import ANN, BEN, record, write

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from pathlib import Path

    from dialoom.storage.sqlite.writer import Group
    from dialoom.storage.store import Collection

CITY = "Data.entities.city"
KEYS = index_name("conversations", CITY)
STEPS = 3


async def fill(store: SqliteStore, count: int = STEPS * indexes.RECORDS_A_STEP) -> None:
    records = tuple(record(number, entities={"city": f"city {number % 50}"}) for number in range(count))
    await store.commit(write(records=records))


def rows(path: Path, sql: str, *values: Any) -> list[Any]:
    with closing(open_reader(path)) as connection:
        return connection.execute(sql, values).fetchall()


def keys(path: Path) -> int:
    """How many records are in it."""
    return int(rows(path, f"select count(*) from {KEYS}")[0][0])


class Command:
    """Adds or drops the index (``work``), with a step only when the test lets it."""

    def __init__(self, store: SqliteStore, work: Callable[[Any, Collection, str], Coroutine[Any, Any, Any]]) -> None:
        self._submit = store.writer.submit
        self._may_go_on, self._is_done = asyncio.Semaphore(0), asyncio.Semaphore(0)
        self.ended = asyncio.create_task(work(self, "conversations", CITY))

    async def submit(self, group: Group, payload: object) -> Any:
        """In the place of the writer's own."""
        await self._may_go_on.acquire()
        try:
            return await self._submit(group, payload)
        finally:
            self._is_done.release()

    async def go(self, steps: int = 1) -> None:
        async with asyncio.timeout(60):
            for _ in range(steps):
                self._may_go_on.release()
                await self._is_done.acquire()

    async def break_off(self) -> None:
        self.ended.cancel()
        await asyncio.wait([self.ended])


@pytest.mark.parametrize(
    "question",
    [
        '"city 7"',
        '{"$in": ["city 7", 8]}',
        '{"$gt": "city 7", "$lt": "city 8"}',
        '{"$gte": 5}',
        '{"$exists": true}',
        '{"$exists": false}',
        '{"$type": "bool"}',
    ],
)
@pytest.mark.parametrize("beside", ["", ', "Channel": "web"', ', "$or": [{"Channel": "web"}, {"Goal": null}]'])
async def test_the_keys_lead_to_the_records(tmp_path: Path, sqlite: SqliteStore, question: str, beside: str) -> None:
    await sqlite.add_index("conversations", CITY)
    condition = compile_sql(
        parse_query(f'{{"{CITY}": {question}{beside}}}'), indexed_table("conversations", "salon", [CITY]), "sqlite"
    )
    sql = f"explain query plan select document from conversations where bot = ? and ({condition.sql})"
    plan = [row[3] for row in rows(tmp_path / "data.sqlite", sql, "salon", *condition.parameters)]
    assert any("SEARCH conversations USING INDEX" in line and "bot=? AND id=?" in line for line in plan), plan
    assert any(f"SEARCH {KEYS} USING PRIMARY KEY (bot=? AND kind=?" in line for line in plan), plan
    assert not any(line.startswith("SCAN conversations") for line in plan), plan


async def test_every_step_of_an_index_is_small_and_turns_come_between(tmp_path: Path, sqlite: SqliteStore) -> None:
    await fill(sqlite)
    adding = Command(sqlite, indexes.add)
    await adding.go()
    revision, seen = 0, []
    while not adding.ended.done():
        await sqlite.commit(write(revision, key=BEN, records=(record(9000, BEN, entities={"city": f"{revision}"}),)))
        revision += 1
        seen.append(keys(tmp_path / "data.sqlite"))
        await adding.go()
    await adding.ended
    assert max(after - before for before, after in itertools.pairwise(seen)) <= indexes.RECORDS_A_STEP
    assert len(set(seen)) >= STEPS
    assert keys(tmp_path / "data.sqlite") == STEPS * indexes.RECORDS_A_STEP + 1


async def test_an_index_that_was_broken_off_is_not_used_and_is_made_whole_by_the_next(
    tmp_path: Path, sqlite: SqliteStore
) -> None:
    await fill(sqlite)
    adding = Command(sqlite, indexes.add)
    await adding.go(2)
    await adding.break_off()
    assert await sqlite.indexes() == [IndexRow("conversations", CITY, is_ready=False)]
    city = Selection(parse_query(json.dumps({CITY: "city 7"})))
    assert await sqlite.count("conversations", "salon", city) == STEPS * indexes.RECORDS_A_STEP // 50
    await sqlite.add_index("conversations", CITY)
    assert await sqlite.indexes() == [IndexRow("conversations", CITY, is_ready=True)]
    assert keys(tmp_path / "data.sqlite") == STEPS * indexes.RECORDS_A_STEP
    assert await sqlite.count("conversations", "salon", city) == STEPS * indexes.RECORDS_A_STEP // 50


async def test_an_index_whose_dropping_was_broken_off_still_forgets_what_is_deleted(
    tmp_path: Path, sqlite: SqliteStore
) -> None:
    await fill(sqlite)
    await sqlite.add_index("conversations", CITY)
    dropping = Command(sqlite, indexes.drop)
    await dropping.go(2)
    await dropping.break_off()
    assert 0 < keys(tmp_path / "data.sqlite") < STEPS * indexes.RECORDS_A_STEP
    assert await sqlite.indexes() == [IndexRow("conversations", CITY, is_ready=False)]
    await sqlite.forget_conversations("salon", "2027-01-01T00:00:00.000Z", 10_000)
    assert keys(tmp_path / "data.sqlite") == 0
    assert await sqlite.drop_index("conversations", CITY)
    assert rows(
        tmp_path / "data.sqlite", "select name from sqlite_schema where name like 'property\\_%' escape '\\'"
    ) == [("property_indexes",)]


async def whole(path: Path, store: SqliteStore) -> None:
    """Ready, and nothing is missing in it."""
    assert await store.indexes() == [IndexRow("conversations", CITY, is_ready=True)]
    assert keys(path) == STEPS * indexes.RECORDS_A_STEP
    city = Selection(parse_query(json.dumps({CITY: "city 7"})))
    assert await store.count("conversations", "salon", city) == STEPS * indexes.RECORDS_A_STEP // 50


@pytest.mark.parametrize("is_broken_off", [True, False])
async def test_an_index_that_is_added_while_it_is_dropped_is_made_anew(
    tmp_path: Path, sqlite: SqliteStore, *, is_broken_off: bool
) -> None:
    path = tmp_path / "data.sqlite"
    await fill(sqlite)
    await sqlite.add_index("conversations", CITY)
    dropping = Command(sqlite, indexes.drop)
    await dropping.go(2)
    if is_broken_off:
        await dropping.break_off()
    await sqlite.add_index("conversations", CITY)
    if not is_broken_off:
        await dropping.go()
        with pytest.raises(StoreError, match=r"taken over the index on Data.entities.city of conversations\. Let"):
            await dropping.ended
    await whole(path, sqlite)


async def test_an_index_that_is_dropped_while_it_is_added_is_gone(tmp_path: Path, sqlite: SqliteStore) -> None:
    await fill(sqlite)
    adding = Command(sqlite, indexes.add)
    await adding.go(2)
    assert await sqlite.drop_index("conversations", CITY)
    await adding.go()
    with pytest.raises(StoreError, match="taken over"):
        await adding.ended
    assert await sqlite.indexes() == []
    assert rows(tmp_path / "data.sqlite", "select name from sqlite_schema where name = ?", KEYS) == []


async def test_a_dropping_that_was_broken_off_leaves_no_index_ready_that_was_added_meanwhile(
    tmp_path: Path, sqlite: SqliteStore
) -> None:
    path = tmp_path / "data.sqlite"
    await fill(sqlite)
    adding = Command(sqlite, indexes.add)
    await adding.go(2)
    dropping = Command(sqlite, indexes.drop)
    await dropping.go()
    assert rows(path, "select state from property_indexes") == [("going",)]
    await dropping.break_off()
    await adding.go()
    with pytest.raises(StoreError, match="taken over"):
        await adding.ended
    assert await sqlite.indexes() == [IndexRow("conversations", CITY, is_ready=False)]
    await sqlite.add_index("conversations", CITY)
    await whole(path, sqlite)


async def test_of_two_that_add_an_index_the_later_makes_it_whole(tmp_path: Path, sqlite: SqliteStore) -> None:
    await fill(sqlite)
    earlier = Command(sqlite, indexes.add)
    await earlier.go(2)
    beside = SqliteStore(tmp_path / "data.sqlite", is_beside=True)
    await beside.open()
    await beside.add_index("conversations", CITY)
    await beside.close()
    await earlier.go()
    with pytest.raises(StoreError, match="taken over"):
        await earlier.ended
    await whole(tmp_path / "data.sqlite", sqlite)


async def test_a_text_with_nul_comes_in_its_place_in_the_order_of_an_index(sqlite: SqliteStore) -> None:
    """None comes in by a message or an import; SQLite's own functions on texts end at it."""
    await sqlite.add_index("conversations", CITY)
    cities = ["a\0z", "a", "ab", "a\0b"]
    records = tuple(record(number, entities={"city": city}) for number, city in enumerate(cities))
    await sqlite.commit(write(records=records))
    for limit in range(1, len(cities) + 1):
        selection = Selection(parse_query(None), parse_sort(json.dumps({CITY: 1})), 0, limit)
        found = [
            json.loads(text)["Data"]["entities"]["city"]
            for text in await sqlite.find("conversations", "salon", selection)
        ]
        assert found == sorted(cities)[:limit]


async def test_a_command_beside_the_service_makes_an_index_that_the_service_uses_and_keeps(
    tmp_path: Path, sqlite: SqliteStore
) -> None:
    await fill(sqlite, 10)
    beside = SqliteStore(tmp_path / "data.sqlite", is_beside=True)
    await beside.open()
    await beside.add_index("conversations", CITY)
    await beside.close()
    assert await sqlite.indexes() == [IndexRow("conversations", CITY, is_ready=True)]
    await sqlite.commit(write(1, records=(record(99, entities={"city": "Rome"}),)))
    assert rows(tmp_path / "data.sqlite", f"select id from {KEYS} where value = 'Rome'") == [("c000099",)]
    # The service goes by the keys: without the one of this record it is not counted.
    with closing(open_writer(tmp_path / "data.sqlite")) as connection:
        connection.execute(f"delete from {KEYS} where value = 'Rome'")
    assert await sqlite.count("conversations", "salon", Selection(parse_query(json.dumps({CITY: "Rome"})))) == 0


async def test_a_turn_that_leaves_a_property_as_it_was_does_not_write_to_its_index(
    tmp_path: Path, sqlite: SqliteStore
) -> None:
    await sqlite.add_index("conversations", CITY)
    await sqlite.commit(write(key=ANN, records=(record(1, entities={"city": "Rome"}),)))
    with closing(open_writer(tmp_path / "data.sqlite")) as connection:
        connection.execute(f"delete from {KEYS}")
    await sqlite.commit(write(1, key=ANN, records=(record(1, entities={"city": "Rome", "day": "Monday"}),)))
    assert keys(tmp_path / "data.sqlite") == 0
