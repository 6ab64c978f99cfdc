"""An ``$or`` finds the same records on every store, and on SQLite each of its branches by an index."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dialoom.messages.records import MessageCounts
from dialoom.query import Selection, compile_candidates, parse_query, parse_sort, place_of
from dialoom.storage.history_plan import plan_history
from dialoom.storage.operator_indexes import indexed_table
from dialoom.storage.postgres.store import PostgresStore
from dialoom.storage.sqlite.connection import open_reader
from dialoom.storage.sqlite.pages import page_statements
from dialoom.storage.sqlite.store import SqliteStore
from dialoom.storage.store import ChatKey
from tests.storage.compared_stores import ExactStore, Stores
from tests.storage.row_makers import commit, record, time, write

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from dialoom.query.tree import Sort
    from dialoom.storage.store import Store

CITY = "Data.entities.city"
STATUSES = ["success", "failure", "closed"]
NAMES = st.sampled_from([None, "Ada", "Ben"])
RECORDS = st.lists(
    st.tuples(st.sampled_from(STATUSES), st.integers(0, 3), st.integers(0, 2), NAMES, st.sampled_from(["Rome", 1, []])),
    max_size=12,
)
BRANCHES = st.one_of(
    st.fixed_dictionaries({"Status": st.sampled_from(STATUSES)}),
    st.fixed_dictionaries({"Status": st.fixed_dictionaries({"$in": st.lists(st.sampled_from(STATUSES))})}),
    st.fixed_dictionaries({"Errors": st.fixed_dictionaries({"$gte": st.integers(0, 4)})}),
    st.fixed_dictionaries({"Data.user.FirstName": NAMES}),
    st.fixed_dictionaries({CITY: st.sampled_from(["Rome", 1])}),
    st.fixed_dictionaries({"Errors": st.integers(0, 3), "Status": st.fixed_dictionaries({"$ne": st.just("closed")})}),
)
QUERIES = st.builds(
    lambda branches, beside: {"$or": branches, **beside},
    st.lists(BRANCHES, min_size=2, max_size=4),
    st.sampled_from([{}, {"Errors": {"$lt": 3}}, {"Channel": "web"}]),
)
SORTS = st.dictionaries(st.just("_id"), st.sampled_from([1, -1])) | st.dictionaries(
    st.sampled_from(["StartedAt", "Status", "Errors", "Messages.user", "Data.user.FirstName", "Goal", "_id"]),
    st.sampled_from([1, -1]),
    max_size=3,
)


def read(query: dict[str, Any], sort: dict[str, int]) -> tuple[Any, Sort]:
    return parse_query(json.dumps(query)), parse_sort(json.dumps(sort))


@pytest.fixture(scope="module")
def stores(tmp_path_factory: pytest.TempPathFactory, database_of_module: str) -> Iterator[Stores]:
    file = tmp_path_factory.mktemp("branches") / "data.sqlite"
    made = Stores(ExactStore(), SqliteStore(file), PostgresStore(database_of_module))
    try:
        for store in made.stores:
            made.run(store.add_index("conversations", CITY))
        yield made
        for store in made.stores:
            made.run(store.drop_index("conversations", CITY))
    finally:
        made.close()


async def pages(store: Store, bot: str, drawn: list[Any], selection: Selection) -> list[Any]:
    """All records, and the page behind the middle of them."""
    key = ChatKey(bot, "web", "ann")
    records = tuple(
        record(
            number,
            key,
            status=status,
            errors=errors,
            started_at=time(number // 2),
            counts=MessageCounts(counted, 1),
            first_name=name,
            entities={"city": city},
        )
        for number, (status, errors, counted, name, city) in enumerate(drawn)
    )
    assert await commit(store, write(key=key, records=records)) is None
    page = await store.find("conversations", bot, selection)
    if not page:
        return [page]
    place = place_of(selection.sort)(json.loads(page[len(page) // 2]))
    behind = Selection(selection.where, selection.sort, 0, selection.limit, place)
    return [page, await store.find("conversations", bot, behind)]


@settings(max_examples=100, deadline=None)
@given(drawn=RECORDS, query=QUERIES, sort=SORTS, skip=st.integers(0, 2), limit=st.integers(0, 5))
def test_every_store_finds_the_same_pages_of_an_or(
    stores: Stores, drawn: list[Any], query: dict[str, Any], sort: dict[str, int], skip: int, limit: int
) -> None:
    bot = next(stores.bots)
    selection = Selection(*read(query, sort), skip, limit)
    exact, *others = [stores.run(pages(store, bot, drawn, selection)) for store in stores.stores]
    for other in others:
        assert other == exact


INDEXED = {"$or": [{"Status": "failure"}, {"Errors": 3}]}


@pytest.mark.parametrize(
    ("query", "branches"),
    [
        (INDEXED, 2),
        ({**INDEXED, "Channel": "web"}, 2),
        ({"$or": [{"$or": INDEXED["$or"]}, {CITY: "Rome"}]}, 4),
        ({"$or": [{"User": "ann"}, {"Errors": {"$gt": 3}}, {"StartedAt": {"$gt": "2026"}}]}, 3),
        ({"$or": [{"Status": "failure", "Goal": None}, {"_id": "c000001"}]}, 2),
        # each of these reads all records for some branch, and better once for all of them
        ({"$or": [{"Status": "failure"}, {"Goal": "book"}]}, 0),
        ({"$or": [{"Status": "failure"}, {"Data.entities.name": "Ann"}]}, 0),
        ({"$nor": INDEXED["$or"]}, 0),
        ({"Status": "failure"}, 0),
    ],
)
def test_sqlite_looks_for_each_branch_where_an_index_leads_to_every_one(query: dict[str, Any], branches: int) -> None:
    table = indexed_table("conversations", "salon", [CITY])
    condition = compile_candidates(parse_query(json.dumps(query)), table)
    assert condition.sql.count("FROM conversations WHERE bot = ?") == branches
    assert condition.exact


async def test_the_branches_of_an_or_are_found_by_their_indexes(tmp_path: Path, sqlite: SqliteStore) -> None:
    await commit(sqlite, write(records=(record(1),)))
    selection = Selection(*read({"$or": [{"Status": "failure"}, {"Errors": {"$gt": 3}}]}, {"Goal": 1}), limit=100)
    ((sql, values),) = page_statements(
        plan_history(indexed_table("conversations", "salon", ()), selection, "sqlite"), 0, 100
    )
    connection = open_reader(tmp_path / "data.sqlite")
    details = [row[3] for row in connection.execute(f"explain query plan {sql}", values)]
    connection.close()
    reads = [detail.partition(" INDEX ")[2] for detail in details if "SEARCH conversations" in detail]
    assert reads == [
        "sqlite_autoindex_conversations_1 (bot=? AND id=?)",
        "conversations_status (bot=? AND status=?)",
        "conversations_errors (bot=? AND errors>?)",
    ], details


async def test_what_sql_cannot_tell_of_a_branch_is_matched_afterwards(sqlite: SqliteStore) -> None:
    await commit(sqlite, write(records=tuple(record(number, errors=number) for number in range(6))))
    query = {"$or": [{"Errors": {"$mod": [2, 0]}, "Status": "active"}, {"Errors": {"$gt": 4}}]}
    found = await sqlite.find("conversations", "salon", Selection(*read(query, {}), limit=9))
    assert [json.loads(text)["Errors"] for text in found] == [0, 2, 4, 5]
