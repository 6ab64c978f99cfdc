"""Whatever indexes an operator has added, every store finds what the exact predicate finds."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dialoom.query import Selection, parse_query, parse_sort
from dialoom.storage.postgres.store import PostgresStore
from dialoom.storage.sqlite.store import SqliteStore
from tests.query import drawn
from tests.storage.compared_stores import ExactStore, Stores
from tests.storage.history.test_same_history import DOCUMENTS, SORTS, answers, check_same_answers, of_record

if TYPE_CHECKING:
    from collections.abc import Iterator

PROPERTIES = [
    "Goal",
    "Data.entities",
    "Data.entities.a",
    "Data.entities.a.a",
    "Data.entities.a.b",
    "Data.entities.a.0",
    "Data.entities.a.0.b",
    "Data.entities.a.1",
    "Data.entities.a.é",
    'Data.entities.a.q"\\',
    "Data.entities.in.a",
]
QUERIES = drawn.QUERIES | st.dictionaries(
    st.sampled_from(["a", "a.a", "a.b", "a.0", "a.0.b", "a.1", "a.é", 'a.q"\\', "maybe", "in.a"]),
    drawn.CONDITIONS,
    min_size=1,
    max_size=2,
)
"""Crowded with questions to what is indexed."""


@pytest.fixture(scope="module")
def stores(tmp_path_factory: pytest.TempPathFactory, database_of_module: str) -> Iterator[Stores]:
    file = tmp_path_factory.mktemp("indexed") / "data.sqlite"
    made = Stores(ExactStore(), SqliteStore(file), PostgresStore(database_of_module))
    try:
        for store in made.stores:
            for property in PROPERTIES:
                made.run(store.add_index("conversations", property))
        yield made
        for store in made.stores:
            for property in PROPERTIES:
                assert made.run(store.drop_index("conversations", property))
    finally:
        made.close()


@settings(max_examples=60, deadline=None)
@given(
    documents=st.lists(DOCUMENTS, max_size=6),
    queries=st.lists(QUERIES.map(of_record), min_size=1, max_size=6),
    sort=SORTS,
    skip=st.integers(0, 2),
    limit=st.none() | st.integers(0, 3),
)
def test_all_stores_find_the_same_by_indexes_of_the_operator(
    stores: Stores,
    documents: list[dict[str, Any]],
    queries: list[dict[str, Any]],
    sort: dict[str, int],
    skip: int,
    limit: int | None,
) -> None:
    check_same_answers(stores, documents, queries, sort, skip, limit)


@st.composite
def sorted_by_an_index(draw: st.DrawFn) -> tuple[dict[str, Any], dict[str, int]]:
    name = draw(st.sampled_from(["a", "a.a", "a.b", "a.0", "maybe", "in.a"]))
    sort = {of_name(name): draw(st.sampled_from([1, -1]))} | draw(st.sampled_from([{}, {"_id": 1}, {"_id": -1}]))
    query = draw(st.just({}) | drawn.CONDITIONS.map(lambda condition: {name: condition}))
    return query, sort


def of_name(name: str) -> str:
    return next(iter(of_record({name: None})))


@settings(max_examples=80, deadline=None)
@given(
    documents=st.lists(DOCUMENTS, max_size=12),
    asked=st.lists(sorted_by_an_index(), min_size=1, max_size=6),
    skip=st.integers(0, 2),
    limit=st.integers(0, 5),
)
def test_all_stores_give_the_same_page_in_the_order_of_an_index(
    stores: Stores,
    documents: list[dict[str, Any]],
    asked: list[tuple[dict[str, Any], dict[str, int]]],
    skip: int,
    limit: int,
) -> None:
    bot = next(stores.bots)
    selections = [
        Selection(parse_query(json.dumps(of_record(query))), parse_sort(json.dumps(sort)), skip, limit)
        for query, sort in asked
    ]
    exact, *others = [stores.run(answers(store, bot, documents, selections)) for store in stores.stores]
    for other in others:
        assert other == exact


def test_long_texts_and_large_numbers_that_have_one_key_come_in_their_order(stores: Stores) -> None:
    bot = next(stores.bots)
    long = ["x" * 600 + end for end in "dbca"]
    large = [2**53 + 2, 2**53 + 1, 2**53, 2**63 - 1, 2**63 - 2, 5e-324, 1e-310]
    filled = {"text": "success", "number": 0, "maybe": None, "in": {"side": ""}}
    documents = [{**filled, "_id": str(number), "a": value} for number, value in enumerate([*long, *large] * 3)]
    selections = [
        Selection(parse_query(None), parse_sort(json.dumps({"Data.entities.a": direction})), skip, 2)
        for direction in (1, -1)
        for skip in range(len(documents))
    ]
    exact, *others = [stores.run(answers(store, bot, documents, selections)) for store in stores.stores]
    for other in others:
        assert other == exact
