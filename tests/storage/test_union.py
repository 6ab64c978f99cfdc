"""``$or`` with a limit goes by the first records of each branch, and finds what the plain way finds."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dialoom.messages.records import MessageCounts
from dialoom.query import Selection, compile_union, parse_query, parse_sort, place_of
from dialoom.query.union import MOST_BRANCHES, MOST_WANTED
from dialoom.storage.memory import MemoryStore
from dialoom.storage.postgres.store import PostgresStore
from dialoom.storage.properties import indexed_table
from dialoom.storage.sqlite.store import SqliteStore
from dialoom.storage.store import ChatKey
from tests.storage.making import commit, record, time, write
from tests.storage.together import Stores

if TYPE_CHECKING:
    from collections.abc import Iterator

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
    file = tmp_path_factory.mktemp("united") / "data.sqlite"
    made = Stores(MemoryStore(), SqliteStore(file), PostgresStore(database_of_module))
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


LED = {"$or": [{"Status": "failure"}, {"Errors": 3}]}


@pytest.mark.parametrize("dialect", ["sqlite", "postgres"])
@pytest.mark.parametrize(
    ("query", "sort", "limit", "is_union"),
    [
        (LED, {}, 100, True),
        ({**LED, "Channel": "web"}, {"_id": -1}, 100, True),
        (
            {"$and": [{"$or": [{"$or": LED["$or"]}, {CITY: "Rome"}]}, {"Goal": None}]},
            {"_id": 1, "Goal": 1},
            9,
            "sqlite",
        ),
        ({"$or": [{"Status": "failure"}, {"User": "ann"}]}, {}, 100, True),
        # these sort what an index leads to, which PostgreSQL does by itself where it pays
        (LED, {"StartedAt": -1}, 100, "sqlite"),
        ({"$or": [{"Status": "failure"}, {"Errors": {"$gt": 3}}]}, {}, 100, "sqlite"),
        # each of these reads all records for some branch, and better once for all of them
        ({"$or": [{"Status": "failure"}, {"Goal": "book"}]}, {}, 100, False),
        ({"$or": [{"Status": "failure"}, {"Data.entities.name": "Ann"}]}, {}, 100, False),
        # and these are none, or SQL cannot tell
        ({"Status": "failure"}, {}, 100, False),
        ({"$nor": LED["$or"]}, {}, 100, False),
        (LED, {"Data.entities.name": 1}, 100, False),
        ({"$or": [{"Status": "failure"}, {"Messages.user": {"$mod": [2, 0]}, "Status": "closed"}]}, {}, 100, False),
        # and for these so much would have to be found of each that it pays no more
        (LED, {}, MOST_WANTED + 1, False),
        (LED, {}, None, False),
        ({"$or": [{"Errors": number} for number in range(MOST_BRANCHES + 1)]}, {}, 100, False),
    ],
)
def test_a_union_is_made_where_an_index_finds_every_branch(
    query: dict[str, Any], sort: dict[str, int], limit: int | None, is_union: bool | str, dialect: str
) -> None:
    table = indexed_table("conversations", "salon", [CITY])
    selection = Selection(*read(query, sort), 0, limit)
    made = compile_union(selection, table, dialect)  # type: ignore[arg-type]  # one of the two names
    assert (made is not None) is (is_union in (True, dialect))


@pytest.mark.parametrize(
    ("branch", "is_sorted"), [({"User": "ann"}, True), ({"StartedAt": time(1)}, True), ({"Errors": 3}, False)]
)
def test_in_sqlite_only_an_index_that_goes_on_with_the_id_is_read_in_its_order(
    branch: dict[str, Any], is_sorted: bool
) -> None:
    selection = Selection(*read({"$or": [{"Status": "failure"}, branch]}, {}), 0, 100)
    made = compile_union(selection, indexed_table("conversations", "salon", []), "sqlite")
    assert made is not None
    # What is not in order is found whole, by an inner selection, before it is sorted.
    assert made.sql.count("LIMIT -1") == is_sorted
