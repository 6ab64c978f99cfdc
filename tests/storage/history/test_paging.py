"""Pages one after the other: what ``after`` and ``stretch`` give makes up the whole, whatever the order, the page and the
writes meanwhile; and each page costs what it gives."""

from __future__ import annotations

import itertools
import json
import tracemalloc
from typing import TYPE_CHECKING, Any

import apsw
import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dialoom.errors import QueryError
from dialoom.messages.records import MessageCounts
from dialoom.query import Selection, is_sql_order, parse_query, parse_sort, place_of, read_cursor, write_cursor
from dialoom.query.sort import with_tie_breaker
from dialoom.storage.collections import CONVERSATIONS
from dialoom.storage.history_plan import MAX_TIE_ROWS, plan_history
from dialoom.storage.operator_indexes import indexed_table
from dialoom.storage.postgres.history import page_query
from dialoom.storage.postgres.store import PostgresStore
from dialoom.storage.sqlite.connection import Deadline, open_reader
from dialoom.storage.sqlite.pages import first_of, page_statements
from dialoom.storage.sqlite.store import SqliteStore
from dialoom.storage.store import ChatKey
from tests.query import drawn
from tests.storage.compared_stores import ExactStore, Stores
from tests.storage.row_makers import commit, message, record, time, write

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from dialoom.query import Place
    from dialoom.query.tree import Sort
    from dialoom.storage.store import Collection, Store
    from tests.storage.postgres_plans import Planner

LED_BY = {
    "Status": "conversations_status",
    "StartedAt": "conversations_started_at",
    "Errors": "conversations_errors",
    "Messages.user": "conversations_messages_user",
    "Data.channel.ProviderName": "conversations_provider_name",
    "Data.user.FirstName": "conversations_first_name",
    "Data.user.LastName": "conversations_last_name",
}
SHORT = {"Name": "Data.user.FirstName", "a": "Data.entities.a", "a.b": "Data.entities.a.b", "in": "Data.entities.in"}
NAMES = ["Status", "Errors", "Goal", "StartedAt", "UpdatedAt", "Messages.user", "User", "_id", *SHORT]
SORTS = st.dictionaries(st.sampled_from(NAMES), st.sampled_from([1, -1]), max_size=3).map(
    lambda sort: parse_sort(json.dumps({SHORT.get(name, name): way for name, way in sort.items()}))
)
QUERIES = st.sampled_from(
    [
        "{}",
        '{"Errors": {"$gte": 1}}',
        '{"Status": {"$in": ["0", "a"]}}',
        '{"$or": [{"Status": "a"}, {"Errors": 0}, {"Data.user.FirstName": null}]}',
        '{"Data.entities.a": {"$mod": [2, 0]}}',
        '{"Data.entities.a": {"$ne": 1}}',
    ]
)
TEXTS = st.sampled_from(["", "0", "a", "é", "\uffff", "\U0001f600"])


class Drawn(msgspec.Struct, frozen=True):
    """What a record is made of."""

    status: str
    errors: int
    goal: str | None
    name: str | None
    time: int
    asked: int
    user: str
    entities: dict[str, Any]


def storable(value: Any) -> Any:
    """Integers of 64 bits."""
    if isinstance(value, dict):
        return {name: storable(member) for name, member in value.items()}
    if isinstance(value, list):
        return [*map(storable, value)]
    return min(value, 2**63 - 1) if type(value) is int else value


DRAWN = st.builds(
    Drawn,
    status=TEXTS,
    errors=st.sampled_from([0, 1, 2]),
    goal=st.none() | TEXTS,
    name=st.none() | TEXTS,
    time=st.integers(0, 3),
    asked=st.integers(0, 1),
    user=st.sampled_from(["ann", "ben"]),
    entities=st.fixed_dictionaries({}, optional={"a": drawn.VALUES.map(storable), "in": drawn.SCALARS.map(storable)}),
)
"""Crowded with equal values."""


async def fill(store: Store, bot: str, made: list[Drawn]) -> None:
    for user in ("ann", "ben"):
        key = ChatKey(bot, "web", user)
        records = tuple(
            record(
                # Ids in another order than times.
                number * 7 % 1009,
                key,
                status=one.status,
                errors=one.errors,
                goal=one.goal,
                first_name=one.name,
                started_at=time(one.time),
                updated_at=time(one.time // 2),
                counts=MessageCounts(one.asked, 1),
                entities=one.entities,
            )
            for number, one in enumerate(made)
            if one.user == user
        )
        if records:
            assert await commit(store, write(key=key, records=records)) is None


def ids(texts: list[bytes]) -> list[str]:
    return [json.loads(text)["_id"] for text in texts]


async def pages(store: Store, bot: str, selection: Selection, collection: Collection = "conversations") -> list[bytes]:
    """All of them, as a client gets them that goes from cursor to cursor."""
    found: list[bytes] = []
    page: list[bytes] | None = None
    while page is None or page:
        page = await store.find(collection, bot, selection)
        assert selection.limit is None or len(page) <= selection.limit
        found += page
        if page:
            place = place_of(selection.sort)(json.loads(page[-1]))
            cursor = write_cursor(place, selection.sort, None)
            selection = msgspec.structs.replace(selection, skip=0, after=read_cursor(cursor, selection.sort, None))
    return found


async def stretches(store: Store, bot: str, selection: Selection, rows: int) -> list[bytes]:
    found: list[bytes] = []
    while True:
        stretch = await store.stretch("conversations", bot, selection, rows)
        assert len(stretch.records) <= rows
        found += stretch.records
        if stretch.after is None:
            return found
        selection = msgspec.structs.replace(selection, after=stretch.after)


# -- drawn walks


@pytest.fixture(scope="module")
def stores(tmp_path_factory: pytest.TempPathFactory, database_of_module: str) -> Iterator[Stores]:
    file = tmp_path_factory.mktemp("paging") / "data.sqlite"
    made = Stores(ExactStore(), SqliteStore(file), PostgresStore(database_of_module))
    yield made
    made.close()


@settings(max_examples=60, deadline=None)
@given(
    made=st.lists(DRAWN, min_size=1, max_size=12),
    sorts=st.lists(SORTS, min_size=1, max_size=5),
    query=QUERIES,
    size=st.integers(1, 4),
    skip=st.integers(0, 3),
)
def test_pages_and_stretches_make_up_the_whole_on_every_store(
    stores: Stores, made: list[Drawn], sorts: list[Sort], query: str, size: int, skip: int
) -> None:
    bot = next(stores.bots)
    where = parse_query(query)
    exact = stores.stores[0]
    for store in stores.stores:
        stores.run(fill(store, bot, made))
    for sort in sorts:
        try:
            whole = stores.run(exact.find("conversations", bot, Selection(where, sort)))
        except QueryError:
            continue
        for store in stores.stores:
            assert stores.run(pages(store, bot, Selection(where, sort, limit=size))) == whole, (sort, store)
            assert stores.run(pages(store, bot, Selection(where, sort, skip, limit=size))) == whole[skip:], (
                sort,
                store,
            )
            if is_sql_order(sort, CONVERSATIONS):
                assert stores.run(stretches(store, bot, Selection(where, sort), size)) == whole, (sort, store)
                middle = place_of(sort)(json.loads(whole[len(whole) // 2])) if whole else None
                rest = stores.run(store.find("conversations", bot, Selection(where, sort, skip, after=middle)))
                assert rest == whole[len(whole) // 2 + 1 + skip :] or middle is None


KEYS = st.recursive(
    st.sampled_from(
        [
            *([0, 0], [1, 0], [2, 1], [2, 1.5], [2, -0.5], [2, 2**63], [2, -(2**63)], [2, 2**63 - 1], [2, 10**300]),
            *([2, -1e308], [3, ""], [3, "a"], [3, "a\0"], [3, "\0"], [3, "é"], [3, time(1)], [3, "c000007"], [6, True]),
            *([4, []], [5, []]),
        ]
    ),
    lambda inner: st.lists(inner, max_size=2).map(lambda keys: [5, keys]),
    max_leaves=3,
)


def as_key(drawn: Any) -> Any:
    return tuple(map(as_key, drawn)) if isinstance(drawn, list) else drawn


@settings(max_examples=60, deadline=None)
@given(
    made=st.lists(DRAWN, min_size=1, max_size=8),
    asked=st.lists(st.tuples(SORTS, st.lists(KEYS, min_size=4, max_size=4)), min_size=1, max_size=8),
    limit=st.none() | st.integers(0, 4),
)
def test_a_place_that_no_record_has_lies_between_the_same_records_on_every_store(
    stores: Stores, made: list[Drawn], asked: list[tuple[Sort, list[Any]]], limit: int | None
) -> None:
    bot = next(stores.bots)
    for store in stores.stores:
        stores.run(fill(store, bot, made))
    for sort, keys in asked:
        place = tuple(map(as_key, keys))[: len(place_of(sort)({"_id": ""}))]
        selection = Selection(sort=sort, limit=limit, after=place)
        answers = []
        for store in stores.stores:
            try:
                answers.append(stores.run(store.find("conversations", bot, selection)))
            except QueryError as error:
                answers.append(error.code)
        assert answers == [answers[0]] * 3, (sort, place)


# -- many equal values

MANY = [
    Drawn(
        status=("success", "failure", "active")[number % 3 % 2 + number % 7 // 6],
        errors=number % 5 // 4,
        goal=None,
        name=None if number % 2 else f"n{number % 3}",
        time=number // 100,
        asked=number % 2,
        user="ann",
        entities={"number": number},
    )
    for number in range(300)
]
ORDERS: list[dict[str, int]] = [
    {name: way} | more
    for name in ("Status", "Errors", "StartedAt", "Data.user.FirstName", "User")
    for way in (1, -1)
    for more in ({}, {"_id": -1})
]


@pytest.mark.parametrize(
    "asked", [*ORDERS, {"Goal": -1}, {"Status": 1, "StartedAt": -1}, {"_id": -1}, {}], ids=json.dumps
)
async def test_many_equal_values_come_page_by_page(sqlite: SqliteStore, asked: dict[str, int]) -> None:
    await fill(sqlite, "salon", MANY)
    sort = parse_sort(json.dumps(asked))
    places = [place_of(sort)(json.loads(text)) for text in await sqlite.find("conversations", "salon", Selection())]
    for query, count in (("{}", 300), ('{"Data.entities.number": {"$mod": [10, 0]}}', 30)):
        where = parse_query(query)
        whole = await sqlite.find("conversations", "salon", Selection(where, sort))
        assert len(whole) == count
        if count == len(MANY):
            assert [place_of(sort)(json.loads(text)) for text in whole] == in_order(sort, places)
        assert await pages(sqlite, "salon", Selection(where, sort, limit=61)) == whole
        assert await stretches(sqlite, "salon", Selection(where, sort), 61) == whole
        for skip, limit in itertools.product((0, 5, 130, 299), (1, 100, MAX_TIE_ROWS + 1)):
            page = await sqlite.find("conversations", "salon", Selection(where, sort, skip, limit))
            assert page == whole[skip : skip + limit]


def in_order(sort: Sort, places: list[Place]) -> list[Place]:
    """Sorted by the least important first, which keeps what is equal as it is."""
    directions = [direction for _, direction in with_tie_breaker(sort)]
    for number, direction in reversed([*enumerate(directions)]):
        places = sorted(places, key=lambda place, number=number: place[number], reverse=direction < 0)  # type: ignore[misc]  # what is sorted is plain
    return places


# -- writes during a walk


@pytest.mark.parametrize("order", ["_id", '{"_id": -1}', "StartedAt", '{"StartedAt": -1}', '{"User": -1}'])
@pytest.mark.parametrize("how", ["after", "stretch"])
async def test_a_walk_during_writes_misses_nothing_and_gives_nothing_twice(store: Store, order: str, how: str) -> None:
    numbers = [10 * number for number in range(60)]
    records = tuple(record(number, started_at=time(number // 30)) for number in numbers)
    await commit(store, write(records=records))
    selection = Selection(sort=parse_sort(order), limit=7)
    found: list[str] = []
    for turn in itertools.count(1):
        if how == "after":
            page = await store.find("conversations", "salon", selection)
            place = place_of(selection.sort)(json.loads(page[-1])) if page else None
        else:
            page, place = await store.stretch("conversations", "salon", selection, 7)
        found += ids(page)
        if place is None:
            break
        selection = msgspec.structs.replace(selection, after=place)
        # Before, amidst and behind; and one that was there changes.
        new = tuple(record(10 * number + turn % 9 + 1) for number in (turn, 30, 59) if turn < 9)
        changed = record(
            numbers[5 * turn % 60], status="failure", errors=turn, started_at=time(numbers[5 * turn % 60] // 30)
        )
        await commit(store, write(turn, records=(*new, changed)))
    assert len(found) == len(set(found))
    assert {f"c{number:06d}" for number in numbers} <= set(found)


# -- what a page costs


def last_of(sort: Sort, **fields: Any) -> Place:
    return place_of(sort)(msgspec.json.decode(msgspec.json.encode(record(5, **fields))))


LED = [
    ("_id", "_id"),
    ('{"_id": -1}', "_id"),
    *((name, index) for name, index in LED_BY.items()),
    *((json.dumps({name: -1}), index) for name, index in LED_BY.items()),
    *((json.dumps({name: -1, "_id": -1}), index) for name, index in LED_BY.items()),
]


@pytest.mark.parametrize("is_null", [False, True])
@pytest.mark.parametrize("is_first", [True, False])
@pytest.mark.parametrize(("order", "index"), LED)
async def test_a_page_on_sqlite_begins_at_its_place_in_the_index_and_sorts_nothing(
    tmp_path: Path, sqlite: SqliteStore, order: str, index: str, is_first: bool, is_null: bool
) -> None:
    sort = parse_sort(order)
    place = None if is_first else last_of(sort, first_name=None if is_null else "Ann")
    plan = plan_history(
        indexed_table("conversations", "salon", ()), Selection(sort=sort, limit=100, after=place), "sqlite"
    )
    ((sql, values),) = page_statements(plan, 0, 100)
    connection = open_reader(tmp_path / "data.sqlite")
    details = [row[3] for row in connection.execute(f"explain query plan {sql}", values)]
    connection.close()
    reads = [detail for detail in details if "conversations" in detail]
    index = "sqlite_autoindex_conversations_1" if index == "_id" else index
    assert reads
    assert all(f"SEARCH conversations USING INDEX {index} (bot=?" in detail for detail in reads), details
    assert is_first or not any(detail.endswith("(bot=?)") for detail in reads), details
    assert not any("TEMP B-TREE FOR ORDER BY" in detail for detail in details), details
    # Only the rows before the last value of a page are sorted: those that were read already.
    for number, detail in enumerate(details):
        assert "TEMP B-TREE" not in detail or "SEARCH conversations" not in details[number - 1], details


@pytest.mark.parametrize("is_null", [False, True])
@pytest.mark.parametrize("is_first", [True, False])
@pytest.mark.parametrize(("order", "index"), LED)
def test_a_page_on_postgres_begins_at_its_place_in_the_index_and_sorts_nothing(
    planner: Planner, order: str, index: str, is_first: bool, is_null: bool
) -> None:
    sort = parse_sort(order)
    place = None if is_first else last_of(sort, first_name=None if is_null else "Ann")
    plan = plan_history(
        indexed_table("conversations", "salon", ()), Selection(sort=sort, limit=100, after=place), "postgres"
    )
    query, values = page_query(plan, 0, 100)
    (text,) = planner.explain(
        query.sql, values, but=("seqscan", "bitmapscan", "sort", "incremental_sort"), style="json"
    )
    tree = json.loads(text)[0]["Plan"]
    reads = [node for node in nodes_of(tree) if node.get("Relation Name") == "conversations"]
    assert reads
    for node in reads:
        # Among equal values the primary key has the same order, and the server may take it where they are many.
        assert node["Index Name"] in {"conversations_pkey", index}, tree
        assert is_first or node["Index Cond"].count("AND") > 0, tree
    for node in nodes_of(tree):
        if "Sort" in node["Node Type"]:
            assert not any(inner.get("Relation Name") for inner in nodes_of(node)), tree


def nodes_of(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield plan
    for inner in plan.get("Plans", ()):
        yield from nodes_of(inner)


WAYS = [
    ('{"Status": "failure"}', "_id", ["conversations_status (bot=? AND status=?)"]),
    ('{"Status": "failure"}', '{"_id": -1}', ["conversations_status (bot=? AND status=?)"]),
    (
        '{"Status": "failure", "Errors": 1}',
        "_id",
        ["conversations_status (bot=? AND status=?)", "conversations_errors (bot=? AND errors=?)"],
    ),
    ('{"Data.user.LastName": null}', "_id", ["conversations_last_name (bot=? AND last_name=?)"]),
    ('{"User": "ann", "Status": "failure"}', "_id", ["conversations_user (bot=? AND user=?)"]),
    ('{"User": "ann"}', '{"StartedAt": -1}', ["conversations_user (bot=? AND user=?)"]),
    ('{"Status": {"$in": ["failure"]}, "User": {"$in": ["ann"]}}', "Goal", ["conversations_user (bot=? AND user=?)"]),
    ('{"_id": {"$in": ["1", "2"]}}', "StartedAt", ["sqlite_autoindex_conversations_1 (bot=? AND id=?)"]),
    (
        '{"Status": "failure"}',
        "StartedAt",
        ["conversations_started_at (bot=?)", "COVERING INDEX conversations_status (bot=? AND status=?)"],
    ),
    (
        '{"StartedAt": {"$gte": "2026", "$lt": "2027"}}',
        "_id",
        ["autoindex_conversations_1 (bot=?)", "conversations_started_at (bot=? AND started_at>? AND started_at<?)"],
    ),
    ('{"Data.entities.city": "Rome"}', "_id", ["sqlite_autoindex_conversations_1 (bot=?)"]),
    ('{"Data.entities.city": "Rome"}', "Goal", ["(bot=?)"]),
]


@pytest.mark.parametrize(("query", "order", "indexes"), WAYS)
async def test_sqlite_tries_the_indexes_that_may_lead_to_a_page(
    tmp_path: Path, sqlite: SqliteStore, query: str, order: str, indexes: list[str]
) -> None:
    plan = plan_history(
        indexed_table("conversations", "salon", ()),
        Selection(parse_query(query), parse_sort(order), limit=100),
        "sqlite",
    )
    connection = open_reader(tmp_path / "data.sqlite")
    ways = [
        [row[3] for row in connection.execute(f"explain query plan {sql}", values)]
        for sql, values in page_statements(plan, 0, 100)
    ]
    connection.close()
    assert len(ways) == len(indexes)
    for details, index in zip(ways, indexes, strict=True):
        (read,) = [detail for detail in details if "SEARCH conversations" in detail]
        assert read.endswith(index), details


async def test_the_way_that_is_done_first_answers(tmp_path: Path, sqlite: SqliteStore) -> None:
    endless = "with recursive n (i) as (select 1 union all select i + 1 from n) select max(i) from n"
    long = "with recursive n (i) as (select 1 union all select i + 1 from n limit 100000) select max(i) from n"
    connection = open_reader(tmp_path / "data.sqlite")
    with Deadline(connection, 60.0, lambda: False) as deadline:
        assert first_of(connection, deadline, [(endless, ()), ("select ?", (7,))]) == 7
        assert first_of(connection, deadline, [(endless, ()), (long, ()), (endless, ())]) == 100_000
    with pytest.raises(apsw.InterruptError), Deadline(connection, 0.05, lambda: False) as deadline:
        first_of(connection, deadline, [(endless, ()), (endless, ())])
    connection.close()


async def test_a_walk_holds_no_more_than_a_piece_at_a_time(sqlite: SqliteStore) -> None:
    for number in range(8):
        turn = tuple(record(number * 500 + one, entities={"text": "x" * 1000}) for one in range(500))
        await commit(sqlite, write(number, records=turn))
    for sort in ((), parse_sort('{"Status": -1}')):
        selection, rows = Selection(parse_query('{"Data.entities.text": {"$ne": 5}}'), sort), 0
        tracemalloc.start()
        while True:
            records, after = await sqlite.stretch("conversations", "salon", selection, 100)
            rows += len(records)
            if after is None:
                break
            selection = msgspec.structs.replace(selection, after=after)
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert rows == 4000
        # All of them take 6 MB, a piece 150 kB, which is here several times over.
        assert most < 1_500_000


@pytest.mark.parametrize(
    "order", ["_id", '{"Status": -1}', '{"Goal": -1, "StartedAt": -1}', '{"Data.user.FirstName": -1}']
)
async def test_a_page_behind_many_rows_is_the_same(store: Store, order: str) -> None:
    count = MAX_TIE_ROWS + 50
    records = tuple(
        record(number, status=f"s{number % 3}", first_name=None if number % 2 else "Ann") for number in range(count)
    )
    await commit(store, write(records=records))
    sort = parse_sort(order)
    whole = await store.find("conversations", "salon", Selection(sort=sort))
    for skip in (MAX_TIE_ROWS - 5, MAX_TIE_ROWS, MAX_TIE_ROWS + 1, MAX_TIE_ROWS + 45, count):
        assert (
            await store.find("conversations", "salon", Selection(sort=sort, skip=skip, limit=7))
            == whole[skip : skip + 7]
        )


async def test_messages_are_walked_by_what_their_indexes_begin_with(store: Store) -> None:
    said = tuple(message(number, conversation=f"c{number % 3}") for number in range(1, 40))
    await commit(store, write(messages=said))
    for order in ('{"Conversation": -1}', "Conversation", "CreatedAt", "User", '{"Conversation": 1, "Sequence": -1}'):
        sort = parse_sort(order)
        whole = await store.find("messages", "salon", Selection(sort=sort))
        assert await pages(store, "salon", Selection(sort=sort, limit=5), "messages") == whole
        assert len(whole) == 39
