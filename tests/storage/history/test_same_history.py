"""Whatever is asked of whatever records: the exact predicate in Python, SQLite and PostgreSQL find the same."""

from __future__ import annotations

import asyncio
import json
import random
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dialoom.errors import QueryError
from dialoom.query import Selection, parse_query, parse_sort, place_of
from dialoom.storage.postgres.store import PostgresStore
from dialoom.storage.sqlite.store import SqliteStore
from dialoom.storage.store import ChatKey
from tests.query import drawn
from tests.query.test_postgres import unusual_document
from tests.storage.compared_stores import ExactStore, Stores
from tests.storage.random_queries import Drawing, text
from tests.storage.row_makers import commit, record, write

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dialoom.storage.store import Store

_PROPERTIES = {"text": "Status", "number": "Errors", "maybe": "Goal", "in.side": "Data.user.FirstName"}
"""Where the drawn properties that have columns lie in a record; the others are entities."""
_LOGICAL = ("$and", "$or", "$nor")
_LARGEST = 2**63 - 1


def storable(value: Any) -> Any:
    """What a record can hold: integers of 64 bits."""
    if isinstance(value, dict):
        return {name: storable(member) for name, member in value.items()}
    if isinstance(value, list):
        return [*map(storable, value)]
    return min(value, _LARGEST) if type(value) is int else value


def of_record(query: dict[str, Any]) -> dict[str, Any]:
    """The drawn query, asked of the properties of a record."""
    return {
        name if name in _LOGICAL else property_of(name): [*map(of_record, value)] if name in _LOGICAL else value
        for name, value in query.items()
    }


def property_of(name: str) -> str:
    for drawn_name, property in _PROPERTIES.items():
        if name == drawn_name or name.startswith(f"{drawn_name}."):
            return property + name.removeprefix(drawn_name)
    return f"Data.entities.{name}"


DOCUMENTS = (drawn.DOCUMENTS | drawn.DOCUMENTS.map(unusual_document)).map(storable)
SORTS = st.dictionaries(
    st.sampled_from(["text", "number", "maybe", "in.side", "a", "a.b", "in.a"]).map(property_of),
    st.sampled_from([1, -1]),
    max_size=2,
)


@pytest.fixture(scope="module")
def stores(tmp_path_factory: pytest.TempPathFactory, database_of_module: str) -> Iterator[Stores]:
    file = tmp_path_factory.mktemp("same") / "data.sqlite"
    made = Stores(ExactStore(), SqliteStore(file), PostgresStore(database_of_module))
    yield made
    made.close()


async def answers(store: Store, bot: str, documents: list[dict[str, Any]], selections: list[Selection]) -> list[Any]:
    key = ChatKey(bot, "web", "ann")
    records = tuple(
        record(
            number,
            key,
            status=one["text"],
            errors=one["number"],
            goal=one["maybe"],
            first_name=one["in"]["side"],
            entities={name: one[name] for name in ("a", "b", "in") if name in one},
        )
        for number, one in enumerate(documents)
    )
    assert await commit(store, write(key=key, records=records)) is None
    told: list[Any] = []
    for selection in selections:
        try:
            told += [await store.find("conversations", bot, selection)]
        except QueryError as error:
            told.append(error.code)
        told.append(await store.count("conversations", bot, selection))
    return told


def check_same_answers(
    stores: Stores,
    documents: list[dict[str, Any]],
    queries: list[dict[str, Any]],
    sort: dict[str, int],
    skip: int,
    limit: int | None,
) -> None:
    """Check that all stores find the same in the same order as the exact predicate."""
    bot = next(stores.bots)
    order = parse_sort(json.dumps(sort))
    selections = [Selection(parse_query(json.dumps(query)), order, skip, limit) for query in queries]
    exact, *others = [stores.run(answers(store, bot, documents, selections)) for store in stores.stores]
    for other in others:
        assert other == exact


@settings(max_examples=40, deadline=None)
@given(
    documents=st.lists(DOCUMENTS, max_size=6),
    queries=st.lists(drawn.QUERIES.map(of_record), min_size=1, max_size=4),
    sort=SORTS,
    skip=st.integers(0, 2),
    limit=st.none() | st.integers(0, 3),
)
def test_all_stores_find_the_same_in_the_same_order(
    stores: Stores,
    documents: list[dict[str, Any]],
    queries: list[dict[str, Any]],
    sort: dict[str, int],
    skip: int,
    limit: int | None,
) -> None:
    check_same_answers(stores, documents, queries, sort, skip, limit)


BATCHES, RECORDS, QUERIES = 400, 25, 25
"""10,000 records and 10,000 queries. A query is asked of the records of its batch: a quarter of a million decisions of
each store."""


async def drawn_batch(stores: tuple[Store, ...], number: int) -> tuple[int, int]:
    """How many questions about fresh records were answered alike by all stores, and to how many of them the answer was
    some but not all of the records."""
    drawing, draw, bot = Drawing(number), random.Random(number), f"drawn {number}"
    key = ChatKey(bot, "web", "ann")
    records = tuple(record(one, key, **drawing.fields()) for one in range(RECORDS))
    for store in stores:
        assert await commit(store, write(key=key, records=records)) is None
    everything = Selection(parse_query(None), parse_sort(None))
    documents = [json.loads(found) for found in await stores[0].find("conversations", bot, everything)]
    selections: list[tuple[str, Selection]] = []
    while len(selections) < QUERIES:
        selection = drawn_selection(drawing, draw, documents)
        if selection is not None:
            selections.append(selection)
    exact, *others = await asyncio.gather(*(all_asked(store, bot, selections) for store in stores))
    for other in others:
        for (what, _), expected, given_ in zip(selections, exact, other, strict=True):
            assert given_ == expected, f"batch {number}: {what}"
    return len(exact), sum(isinstance(one, tuple) and 0 < one[1] < RECORDS for one in exact)


def drawn_selection(
    drawing: Drawing, draw: random.Random, documents: list[dict[str, Any]]
) -> tuple[str, Selection] | None:
    """With what it was made from; None where the query is not allowed."""
    query, sort = text(drawing.query(documents)), text(drawing.sort(documents))
    skip, limit = draw.choice([0, 0, 1, 5]), draw.choice([None, None, 0, 1, 7])
    try:
        order = parse_sort(sort)
        place = place_of(order)(draw.choice(documents)) if not skip and draw.random() < 0.3 else None
        where = parse_query(query)
    except QueryError:
        return None
    return f"{query} by {sort}, {skip=}, {limit=}, {place=}", Selection(where, order, skip, limit, place)


async def all_asked(store: Store, bot: str, selections: list[tuple[str, Selection]]) -> list[Any]:
    """The records and their number, of each, or their number alone where none are wanted; or the code of what is
    wrong with it."""
    told: list[Any] = []
    for _, selection in selections:
        try:
            if selection.limit == 0:
                told.append(([], await store.count("conversations", bot, selection)))
            else:
                found = await store.find("conversations", bot, selection)
                told.append((found, len(found)))
        except QueryError as error:
            told.append(error.code)
    return told


def test_ten_thousand_drawn_queries_over_ten_thousand_drawn_records_find_the_same(stores: Stores) -> None:
    compared = [stores.run(drawn_batch(stores.stores, number)) for number in range(BATCHES)]
    assert sum(asked for asked, _ in compared) == BATCHES * QUERIES == BATCHES * RECORDS == 10_000
    assert sum(telling for _, telling in compared) > 3_000, "most of the queries do not tell records apart"
