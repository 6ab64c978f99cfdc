"""How PostgreSQL answers history queries: by its indexes, by a cursor, in time, from a replica."""

from __future__ import annotations

import contextlib
import json
import logging
from typing import TYPE_CHECKING, Any

import asyncpg
import msgspec
import pytest

from dialoom.errors import StoreError
from dialoom.query import Selection, parse_query, parse_sort
from dialoom.storage.history_plan import ROWS_A_LOOK, plan_history
from dialoom.storage.operator_indexes import indexed_table
from dialoom.storage.postgres import history
from dialoom.storage.postgres.connection import SCHEMA, Connections
from dialoom.storage.postgres.history import page_query
from dialoom.storage.postgres.store import PostgresStore
from dialoom.storage.store import TooSlow
from tests.storage.postgres.opened import opened
from tests.storage.row_makers import ANN, commit, record, write

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from tests.postgres import Server
    from tests.storage.postgres_plans import Planner

ROUND = '{"Data.entities.number": {"$mod": [10, 0]}}'
"""A query that SQL alone cannot tell."""


def select(query: str = "{}", sort: str | None = None, skip: int = 0, limit: int | None = 100) -> Selection:
    return Selection(parse_query(query), parse_sort(sort), skip, limit)


@pytest.fixture
async def store(emptied_database: str) -> AsyncIterator[PostgresStore]:
    async with opened(emptied_database) as made:
        yield made


@contextlib.asynccontextmanager
async def connected(url: str, seconds: float) -> AsyncIterator[Connections]:
    made = Connections(url, most=1, seconds=seconds)
    await made.open()
    try:
        yield made
    finally:
        await made.close()


@pytest.fixture
async def connections(store: PostgresStore, emptied_database: str) -> AsyncIterator[Connections]:
    """With all the time in the world: a change of a table may wait for who tidies up in it."""
    async with connected(emptied_database, 120.0) as made:
        yield made


async def fill(store: PostgresStore, count: int) -> None:
    records = tuple(record(number, entities={"number": number, "back": -number}) for number in range(count))
    assert await commit(store, write(records=records)) is None


def numbers(found: list[bytes]) -> list[int]:
    return [json.loads(text)["Data"]["entities"]["number"] for text in found]


# -- pages and streams


@pytest.mark.parametrize(
    ("sort", "falls"),
    [(None, False), ('{"_id": -1}', True), ("Data.entities.back", True), ('{"Data.entities.back": -1}', False)],
)
async def test_pages_of_what_sql_cannot_tell_make_up_the_whole(
    store: PostgresStore, sort: str | None, falls: bool
) -> None:
    await fill(store, 3 * ROWS_A_LOOK)
    whole = numbers(await store.find("conversations", "salon", select(ROUND, sort, limit=None)))
    assert whole == sorted(range(0, 3 * ROWS_A_LOOK, 10), reverse=falls)
    pages = [numbers(await store.find("conversations", "salon", select(ROUND, sort, at, 7))) for at in range(0, 91, 7)]
    assert [number for page in pages for number in page] == whole
    assert await store.find("conversations", "salon", select(ROUND, sort, limit=0)) == []
    assert await store.count("conversations", "salon", select(ROUND, sort, 5, 7)) == len(whole)


async def test_a_page_that_is_full_leaves_its_connection_for_the_next(
    store: PostgresStore, connections: Connections
) -> None:
    await fill(store, 3 * ROWS_A_LOOK)
    processes = set()
    for _ in range(3):
        assert (
            len(await history.find(connections, indexed_table("conversations", "salon", ()), select(ROUND, limit=2)))
            == 2
        )
        async with connections.connection() as connection:
            processes.add(connection.get_server_pid())
    assert len(processes) == 1


@pytest.mark.parametrize(
    ("query", "sort", "index"),
    [
        ("{}", None, "conversations_pkey"),
        ('{"Status": "success"}', None, "conversations_status"),
        ('{"Errors": 1}', '{"_id": -1}', "conversations_errors"),
        ('{"Messages.user": 5.0}', None, "conversations_messages_user"),
        ('{"Data.channel.ProviderName": "web"}', None, "conversations_provider_name"),
        ('{"Data.user.LastName": "Li"}', '{"_id": -1}', "conversations_last_name"),
        ('{"_id": "c000001"}', None, "conversations_pkey"),
    ],
)
def test_documented_properties_are_found_and_sorted_by_their_index(
    planner: Planner, query: str, sort: str | None, index: str
) -> None:
    asked, values = page_query(
        plan_history(indexed_table("conversations", "salon", ()), select(query, sort), "postgres"), 0, 100
    )
    lines = planner.explain(asked.sql, values, but=("seqscan", "bitmapscan", "sort"))
    assert any(f"using {index} on" in line for line in lines), lines
    assert not any("->  Sort" in line for line in lines), lines


async def test_an_index_of_the_operators_serves_equality_on_any_property(
    store: PostgresStore, connections: Connections
) -> None:
    selection = select('{"Data.entities.city.name": {"$in": ["Rome", 5]}}')
    asked, values = page_query(plan_history(indexed_table("conversations", "salon", ()), selection, "postgres"), 0, 100)
    async with connections.connection() as connection:
        trial = connection.transaction()
        await trial.start()
        # On an empty table any index that begins with the bot may look as good: here it is alone.
        await connection.execute("alter table conversations drop constraint conversations_pkey")
        for (name,) in await connection.fetch("select indexname from pg_indexes where tablename = 'conversations'"):
            await connection.execute(f"drop index {name}")
        # An index that is made over rows of other tests that changed in place may not be used yet.
        await connection.execute("truncate conversations")
        await connection.execute("create index any_property on conversations using gin (body jsonb_path_ops)")
        await connection.execute("set local enable_seqscan = off")
        await connection.execute("set local enable_indexscan = off")
        lines = [row[0] for row in await connection.fetch(f"explain {asked.sql}", *values)]
        await trial.rollback()
    assert any("Bitmap Index Scan on any_property" in line for line in lines), lines


# -- time


async def test_a_statement_that_takes_too_long_is_stopped_and_the_connection_goes_on(
    store: PostgresStore, emptied_database: str
) -> None:
    in_the_way = await asyncpg.connect(emptied_database)
    async with connected(emptied_database, 1.0) as connections:
        async with in_the_way.transaction():
            await in_the_way.execute(f"lock table {SCHEMA}.conversations")
            for query in ("{}", ROUND):
                with pytest.raises(TooSlow, match="took too long"):
                    await history.find(connections, indexed_table("conversations", "salon", ()), select(query))
                with pytest.raises(TooSlow, match="took too long"):
                    await history.count(connections, indexed_table("conversations", "salon", ()), select(query))
        await in_the_way.close()
        assert await history.find(connections, indexed_table("conversations", "salon", ()), select(ROUND)) == []


# -- a replica


async def test_the_history_is_read_from_the_replica(emptied_database: str, postgres_server: Server) -> None:
    replica = postgres_server.database()
    async with opened(replica) as there:
        await commit(there, write(records=(record(7),)))
    async with opened(emptied_database, replica) as store:
        await commit(store, write(records=(record(1), record(2))))
        assert await store.find("conversations", "salon", select()) == [msgspec.json.encode(record(7))]
        assert await store.count("conversations", "salon", select()) == 1
    postgres_server.drop(replica)


async def test_a_replica_that_is_away_is_said_at_the_start_and_takes_no_turn_down(
    emptied_database: str, caplog: pytest.LogCaptureFixture
) -> None:
    async with opened(emptied_database, "postgresql:///nothing?host=/nowhere") as store:
        (said,) = [record.getMessage() for record in caplog.records if record.levelno == logging.WARNING]
        assert "history_database_url" in said
        assert "the PostgreSQL database nothing on /nowhere cannot be reached" in said.replace("The P", "the P")
        assert await commit(store, write(records=(record(1),))) is None
        with pytest.raises(StoreError, match="cannot be reached"):
            await store.find("conversations", "salon", select())
        assert await store.chat(ANN) is not None


# -- texts that PostgreSQL cannot hold as they are


async def test_a_nul_in_a_record_is_answered_and_told_apart(store: PostgresStore) -> None:
    made = record(1, entities={"color": "a\0b", "path": "c:\\u0000", "a\0": 1})
    await commit(store, write(records=(made,)))
    texts: dict[str, Any] = {"Data.entities.path": "c:\\u0000", "Data.entities.color": {"$gt": "a", "$lt": "a\x01"}}
    for name, wanted in texts.items():
        found = await store.find("conversations", "salon", select(json.dumps({name: wanted})))
        assert found == [msgspec.json.encode(made)]
    for name, wanted in (("color", "a\ufffdb"), ("color", "a\x01\x01b"), ("path", "c:"), ("a\ufffd", 1)):
        asked = select(json.dumps({f"Data.entities.{name}": wanted}))
        assert await store.count("conversations", "salon", asked) == 0


async def test_a_nul_in_a_property_with_a_column_is_a_replacement_everywhere(store: PostgresStore) -> None:
    await commit(store, write(records=(record(1, first_name="A\0n", entities={"color": "a\0b"}),)))
    for query in ('{"Data.user.FirstName": "A\ufffdn"}', '{"Data.entities.color": "a\ufffdb"}'):
        (text,) = await store.find("conversations", "salon", select(query))
        assert json.loads(text)["Data"]["user"]["FirstName"] == "A\ufffdn"
