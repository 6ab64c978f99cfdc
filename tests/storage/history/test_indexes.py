"""The operator's own indexes: added, listed and dropped while turns go on, whatever the property is called."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from dialoom.errors import SettingError
from dialoom.query import Selection, parse_query
from dialoom.storage.store import IndexRow
from tests.storage.row_makers import ANN, BEN, commit, forget, message, record, write

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from dialoom.storage.store import Collection, Store

CITY = "Data.entities.city"
NAMES = [
    "it's",
    'a "quoted" one',
    "back\\slash",
    "?::text",
    "a ? b",
    "x$name",
    "$kind"[1:] + "$kind",
    "-- no comment",
    "/* nor this */",
    "TRUE",
    "{},()[]",
    "100%s",
    "two\nlines",
    "\x01",
    "名前",
    "😀",
    "0",
    ".".join(["deep"] * 50),
]
VALUES: list[Any] = ["Rome", "rome", "", "3", 3, 3.0, 3.5, -3, 2**53 + 1, 1e300, -1e-300, None, True, False, {"a": 1}]
VALUES += [["Rome", 3], [["Rome"]], [], [{"a": 1}], "R" * 3000, "R" * 3000 + "x"]
QUESTIONS: list[Any] = [
    *VALUES,
    {"$gt": "A", "$lt": "S"},
    {"$gte": 3, "$lte": 3},
    {"$gt": -5, "$lt": 3.2},
    {"$gt": "R" * 3000},
    {"$in": ["Rome", 3, None]},
    {"$nin": ["Rome", 3]},
    {"$exists": True},
    {"$exists": False},
    {"$ne": None},
    {"$type": "object"},
    {"$size": 2},
    {"$elemMatch": {"a": 1}},
    {"$not": {"$gt": 3}},
]


@pytest.fixture(autouse=True)
async def dropped(store: Store) -> AsyncIterator[None]:
    """A database that is emptied for the next test keeps its indexes."""
    yield
    for row in await store.indexes():
        await store.drop_index(row.collection, row.property)


async def found(store: Store, property: str, question: Any, collection: Collection = "conversations") -> list[str]:
    selection = Selection(parse_query(json.dumps({property: question})))
    ids = [json.loads(text)["_id"] for text in await store.find(collection, "salon", selection)]
    assert await store.count(collection, "salon", selection) == len(ids)
    return ids


def nested(name: str, value: Any) -> dict[str, Any]:
    first, _, rest = name.partition(".")
    return {first: nested(rest, value) if rest else value}


async def fill(store: Store, name: str = "city") -> None:
    records = [record(number, entities=nested(name, value)) for number, value in enumerate(VALUES)]
    records.append(record(900, entities={}))
    assert await commit(store, write(records=tuple(records))) is None


async def test_an_index_is_added_listed_and_dropped(store: Store) -> None:
    assert await store.indexes() == []
    await store.add_index("messages", "Payload.kind")
    await store.add_index("conversations", CITY)
    await store.add_index("conversations", CITY)
    assert await store.indexes() == [
        IndexRow("conversations", CITY, is_ready=True),
        IndexRow("messages", "Payload.kind", is_ready=True),
    ]
    assert await store.drop_index("conversations", CITY)
    assert not await store.drop_index("conversations", CITY)
    assert await store.indexes() == [IndexRow("messages", "Payload.kind", is_ready=True)]


async def test_with_an_index_and_after_it_the_answers_are_the_same_as_without(store: Store) -> None:
    await fill(store)
    before = [await found(store, CITY, question) for question in QUESTIONS]
    assert all(before)
    await store.add_index("conversations", CITY)
    assert [await found(store, CITY, question) for question in QUESTIONS] == before
    await store.drop_index("conversations", CITY)
    assert [await found(store, CITY, question) for question in QUESTIONS] == before


async def test_an_index_knows_what_was_written_and_changed_after_it(store: Store) -> None:
    await store.add_index("conversations", CITY)
    await fill(store)
    assert len(await found(store, CITY, "Rome")) == 2
    changed = tuple(record(number, entities={"city": "Bern"}) for number in range(len(VALUES)))
    assert await commit(store, write(revision=1, records=changed)) is None
    assert await found(store, CITY, "Rome") == []
    assert len(await found(store, CITY, "Bern")) == len(VALUES)


async def test_an_index_forgets_what_is_forgotten(store: Store) -> None:
    await store.add_index("conversations", CITY)
    await store.add_index("messages", "Step")
    await fill(store)
    assert await commit(store, write(revision=1, messages=(message(1, step="book/1"),))) is None
    assert len(await found(store, "Step", "book/1", "messages")) == 1
    assert await forget(store, "2027-01-01T00:00:00.000Z", 1000) == len(VALUES) + 1
    assert await found(store, CITY, {"$exists": True}) == await found(store, CITY, None) == []
    assert await found(store, "Step", "book/1", "messages") == []


async def test_a_bot_finds_only_its_own_records_by_an_index(store: Store) -> None:
    await store.add_index("conversations", CITY)
    await fill(store)
    other = ANN._replace(bot="other")
    assert await commit(store, write(key=other, records=(record(1, other, entities={"city": "Rome"}),))) is None
    assert len(await found(store, CITY, "Rome")) == 2


@pytest.mark.parametrize("name", NAMES)
async def test_a_property_of_any_name_can_be_indexed(store: Store, name: str) -> None:
    property = f"Data.entities.{name}"
    await fill(store, name)
    before = [await found(store, property, question) for question in QUESTIONS]
    await store.add_index("conversations", property)
    assert await commit(store, write(key=BEN, records=(record(901, BEN, entities=nested(name, "Rome")),))) is None
    assert len(await found(store, property, "Rome")) == 3
    assert await commit(store, write(1, key=BEN, records=(record(901, BEN, entities={}),))) is None
    after = [[id for id in await found(store, property, question) if id != "c000901"] for question in QUESTIONS]
    assert after == before
    assert await store.drop_index("conversations", property)


@pytest.mark.parametrize(
    ("collection", "property", "reason"),
    [
        ("conversations", "Status", "Status of conversations has an index already"),
        ("conversations", "Data.user.FirstName", "has an index already"),
        ("messages", "_id", "has an index already"),
        ("conversations", "", "a part of it is empty"),
        ("conversations", "a..b", "a part of it is empty"),
        ("conversations", "a.$b", 'no part of it may begin with "\\$"'),
        ("conversations", "a\x00b", "NUL"),
        ("conversations", ".".join(["a"] * 101), "has 101 parts; at most 100"),
        ("messages", "a" * 501, "has 501 characters; at most 500"),
    ],
)
async def test_what_cannot_be_indexed_is_refused_with_a_reason(
    store: Store, collection: Collection, property: str, reason: str
) -> None:
    with pytest.raises(SettingError, match=reason):
        await store.add_index(collection, property)
    assert await store.indexes() == []
