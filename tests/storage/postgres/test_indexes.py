"""How PostgreSQL keeps an operator's index: made beside the turns, whole again after it was broken off, and used."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

import asyncpg
import pytest

from dialoom.query import Selection, jsonb_copy, parse_query
from dialoom.query.sql import postgres
from dialoom.storage.collections import TABLES
from dialoom.storage.history_plan import plan_history
from dialoom.storage.operator_indexes import index_name, indexed_table
from dialoom.storage.postgres import indexes
from dialoom.storage.postgres.connection import Connections, connect
from dialoom.storage.postgres.store import PostgresStore
from dialoom.storage.store import IndexRow
from tests.storage.row_makers import ANN, BEN, commit, record, write

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

CITY = "Data.entities.city"
NAME = index_name("conversations", CITY)


@pytest.fixture
async def store(emptied_database: str) -> AsyncIterator[PostgresStore]:
    made = PostgresStore(emptied_database, is_timed_by_server=False)
    await made.open()
    yield made
    for row in await made.indexes():
        await made.drop_index(row.collection, row.property)
    await made.close()


@pytest.fixture
async def connection(store: PostgresStore, emptied_database: str) -> AsyncIterator[Any]:
    made = await connect(emptied_database)
    yield made
    made.terminate()


async def fill(store: PostgresStore, count: int = 1000) -> None:
    records = tuple(record(number, entities={"city": f"city {number}"}) for number in range(count))
    assert await commit(store, write(records=records)) is None


@pytest.mark.parametrize(
    "question",
    [
        '"city 7"',
        '{"$in": ["city 7", 8, null]}',
        '{"$gt": "city 7", "$lt": "city 71"}',
        '{"$gte": 5}',
        '{"$exists": false}',
        '{"$type": "bool"}',
        '{"$elemMatch": {"$gt": 5}}',
    ],
)
@pytest.mark.parametrize("beside", ["", ', "Channel": "web"', ', "$or": [{"Channel": "web"}, {"Goal": null}]'])
async def test_the_index_leads_to_the_records(
    store: PostgresStore, connection: Any, question: str, beside: str
) -> None:
    await fill(store)
    await store.add_index("conversations", CITY)
    selection = Selection(parse_query(f'{{"{CITY}": {question}{beside}}}'))
    condition = plan_history(indexed_table("conversations", "salon", [CITY]), selection, "postgres").condition
    bot = len(condition.parameters) + 1
    sql = f"explain select document from conversations where bot = ${bot} and ({condition.sql})"
    lines = [row[0] for row in await connection.fetch(sql, *condition.parameters, "salon")]
    assert any(NAME in line for line in lines), lines
    assert not any("Seq Scan" in line for line in lines), lines


async def test_turns_go_on_while_an_index_is_made(store: PostgresStore, connection: Any) -> None:
    await fill(store)
    async with connection.transaction():
        # A statement that is not over: until then the index cannot be.
        await connection.execute("update chats set position = position")
        adding = asyncio.create_task(store.add_index("conversations", CITY))
        while not await store.indexes():  # noqa: ASYNC110  # no event tells how far it is
            await asyncio.sleep(0)
        assert await commit(store, write(key=BEN, records=(record(9000, BEN, entities={"city": "Rome"}),))) is None
        assert await store.indexes() == [IndexRow("conversations", CITY, is_ready=False)]
    await adding
    rome = Selection(parse_query(json.dumps({CITY: "Rome"})))
    assert await store.count("conversations", "salon", rome) == 1


async def test_an_index_that_was_broken_off_is_made_anew(
    store: PostgresStore, connection: Any, emptied_database: str
) -> None:
    await fill(store)
    await connection.execute("insert into property_indexes values ('conversations', $1, false)", CITY)
    key = "(property_key(body, array['Data', 'entities', 'city']))"
    # On a connection of its own, where no other statement has so little time.
    breaking = await connect(emptied_database)
    await breaking.execute("set statement_timeout = 1")
    with pytest.raises(asyncpg.QueryCanceledError):
        await breaking.execute(f"create index concurrently {NAME} on conversations (bot, {key}, id)")
    breaking.terminate()
    whole = "select indisvalid from pg_index where indexrelid = to_regclass($1)"
    assert await connection.fetchval(whole, NAME) is not True
    await store.add_index("conversations", CITY)
    assert await connection.fetchval(whole, NAME) is True
    assert await store.indexes() == [IndexRow("conversations", CITY, is_ready=True)]


async def test_two_processes_may_add_the_same_index_at_once(store: PostgresStore, emptied_database: str) -> None:
    await fill(store)
    other = PostgresStore(emptied_database, is_beside=True)
    await other.open()
    await asyncio.gather(store.add_index("conversations", CITY), other.add_index("conversations", CITY))
    await other.close()
    assert await store.indexes() == [IndexRow("conversations", CITY, is_ready=True)]


async def test_what_another_process_made_or_dropped_is_known_a_little_later_and_until_then_does_no_harm(
    store: PostgresStore, emptied_database: str
) -> None:
    await fill(store)
    rome = Selection(parse_query(json.dumps({CITY: "city 7"})))
    connections = Connections(emptied_database)
    await connections.open()
    known = indexes.Known(connections, read_every=0)
    assert (await known.table_for("conversations", "salon")).indexes == {}
    other = PostgresStore(emptied_database, is_beside=True)
    await other.open()
    await other.add_index("conversations", CITY)
    assert [*(await known.table_for("conversations", "salon")).indexes] == [("Data", "entities", "city")]
    assert [*(await known.table_for("messages", "salon")).indexes] == []
    assert await store.count("conversations", "salon", rome) == 1
    later = PostgresStore(emptied_database)
    await later.open()
    assert await later.count("conversations", "salon", rome) == 1
    await other.drop_index("conversations", CITY)
    assert await later.count("conversations", "salon", rome) == 1
    for one in (other, later, connections):
        await one.close()


async def test_the_longest_texts_fit_into_an_index(store: PostgresStore) -> None:
    await store.add_index("conversations", CITY)
    texts = ["R" * 100_000, "R" * 100_000 + "x", "é" * 50_000, "\U0001f600" * 50_000]
    records = tuple(record(number, entities={"city": text}) for number, text in enumerate(texts))
    assert await commit(store, write(key=ANN, records=records)) is None
    for text, count in zip(texts, (2, 2, 1, 1), strict=True):
        # No query is as long: it asks with the beginning.
        begins = {"$gte": text[:500], "$lt": text[:500] + "\U0010ffff"}
        selection = Selection(parse_query(json.dumps({CITY: begins})))
        assert await store.count("conversations", "salon", selection) == count


NUMBERS = [
    -1e308,
    -(2**70),
    -(2**53),
    -3.5,
    -3,
    -5e-324,
    0,
    5e-324,
    1e-310,
    0.1,
    0.30000000000000004,
    1,
    1.5,
    2**53 + 1,
]
NUMBERS += [2**63 - 1, 2**64, 1e300, 1.7e308, 10**309]
TEXTS = ["", "\x01", "A", "a", "a'?$1\\", "z" * 500, "é", "\uffff", "\U0001f600"]


@pytest.mark.parametrize("name", ["a", "it's ?::text", "\x01", "\U0001f600", 'q"\\', "{a,b}", "NULL"])
async def test_a_records_key_is_the_one_that_a_query_asks_for(connection: Any, name: str) -> None:
    sql = f"select {postgres.key_sql('$1::jsonb', (name, 'b'))}"
    found: list[bytes] = []
    for value in [*NUMBERS, *TEXTS]:
        key = await connection.fetchval(sql, jsonb_copy(json.dumps({name: {"b": value}})))
        wanted = {"text" if isinstance(value, str) else "number": (value,)}
        assert postgres.Postgres().has_keys(TABLES["conversations"], (name, "b"), wanted).parameters == ((b"\0", key),)
        found.append(key)
    assert found == sorted(found)
    others = [None, False, True, {}, [], [1]]
    keys = [await connection.fetchval(sql, jsonb_copy(json.dumps({name: {"b": value}}))) for value in others]
    assert keys == [b"\2", b"\6", b"\7", b"\5", b"\0", b"\0"]
    above = [{}, {name: None}, {name: "b"}, {name: {"c": 1}}, {name: []}, {name: [{"b": 1}]}]
    keys = [await connection.fetchval(sql, jsonb_copy(json.dumps(document))) for document in above]
    assert keys == [b"\1", b"\1", b"\1", b"\1", b"\0", b"\0"]
